// ---- Charts: axes, curves, dots, bars and maps.
function canvas(width, height) {
  const svg = el("svg", {viewBox: `0 0 ${width} ${height}`, height});
  svg.addEventListener("pointerleave", event => hover(event, ""));
  return svg;
}

// At most about `count`, but three at least.
function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const steps = [0.5, 1, 2, 5, 10].map(k => k * power), fits = steps.findIndex(s => s >= raw);
  const marks = step => {
    const found = [];
    for (let t = Math.ceil(low / step) * step; t <= high + 1e-9 * step; t += step)
      found.push(Math.abs(t) < 1e-9 * step ? 0 : t);
    return found;
  };
  const found = marks(steps[fits]);
  return found.length < 3 ? marks(steps[fits - 1]) : found;
}

// Of a logarithmic axis: powers of ten, or also 2 and 5 times them, or where even these are few
// the ticks of a linear one. All are logarithms.
function logTicks(low, high, count) {
  const marks = factors => {
    const found = [];
    for (let k = Math.floor(low); k <= high; ++k)
      found.push(...factors.map(factor => k + Math.log10(factor)));
    return found.filter(t => t >= low && t <= high);
  };
  return [marks([1]), marks([1, 2, 5])].find(found => found.length >= 3) ||
      ticks(10 ** low, 10 ** high, count).map(Math.log10);
}

// Axes for x in xs = [x0, x1] and y in ys; `log` is about y.
function plot(width, height, xs, ys, label, log, sideLabel) {
  const svg = canvas(width, height), left = sideLabel ? 64 : 50, right = 10, top = 8, bottom = 40;
  let [x0, x1] = xs, [y0, y1] = log ? ys.map(Math.log10) : ys;
  if (!(x1 > x0)) { x0 -= 1; x1 += 1; }
  if (!(y1 > y0)) { const pad = Math.abs(y0) * 0.1 || 1; y0 -= pad; y1 += pad; }
  const pad = sideLabel ? 0 : (y1 - y0) * 0.05;
  y0 -= pad; y1 += pad;
  const x = v => left + (v - x0) / (x1 - x0) * (width - left - right);
  const y = v => height - bottom - ((log ? Math.log10(v) : v) - y0) / (y1 - y0) * (
      height - top - bottom);
  for (const t of (log ? logTicks : ticks)(y0, y1, 4)) {
    const at = height - bottom - (t - y0) / (y1 - y0) * (height - top - bottom);
    svg.append(el("line", {class: "axis", x1: left, x2: width - right, y1: at, y2: at}),
      el("text", {x: left - 7, y: at + 4, "text-anchor": "end"}, show(log ? 10 ** t : t, 3)));
  }
  for (const t of ticks(x0, x1, Math.max(3, Math.min(8, width / 80))))
    svg.append(el("text", {x: x(t), y: height - bottom + 17, "text-anchor": "middle"}, show(t, 3)));
  svg.append(el("text", {x: (left + width - right) / 2, y: height - 4,
      "text-anchor": "middle"}, label));
  if (sideLabel) {
    const middle = (top + height - bottom) / 2;
    svg.append(el("text", {x: 14, y: middle, "text-anchor": "middle",
        transform: `rotate(-90 14 ${middle})`}, sideLabel));
  }
  return {svg, x, y, left, right: width - right, bottom: height - bottom, top};
}

const path = (xs, ys, x, y) =>
  xs.map((v, i) => (i ? "L" : "M") + x(v).toFixed(1) + " " + y(ys[i]).toFixed(1)).join("");
function dots(axes, xs, ys, radius) {
  let d = "";
  xs.forEach((v, i) => {
    const a = axes.x(v).toFixed(1), b = axes.y(ys[i]).toFixed(1);
    d += `M${a} ${b}m-${radius} 0a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} ` +
        `0 1 0 -${2 * radius} 0`;
  });
  axes.svg.append(el("path", {d, class: "dots"}));
}

// Eight colors; after them the same ones dashed.
const stroke = k => ({fill: "none", stroke: `var(--s${k % 8})`, "stroke-width": 2.2,
    "stroke-linejoin": "round",
  ...(k >= 8 ? {"stroke-dasharray": "6 3"} : {})});

// Markers that follow the pointer, or the arrow keys, along x.
function follow(axes, xs, curves, colors, tell) {
  const marks = curves.map((_, k) => el("circle", {r: 4, fill: `var(--s${colors[k] % 8})`,
      opacity: 0}));
  axes.svg.append(...marks);
  let at = -1;
  const go = (i, event) => {
    at = i;
    curves.forEach((curve, k) => {
      if (curve[i] === null) return;
      marks[k].setAttribute("cx", axes.x(xs[i]));
      marks[k].setAttribute("cy", axes.y(curve[i]));
      marks[k].setAttribute("opacity", 1);
    });
    hover(event, tell(i));
  };
  const leave = event => { marks.forEach(mark => mark.setAttribute("opacity", 0)); hover(event,
      ""); };
  axes.svg.addEventListener("pointermove", event => {
    const from = axes.svg.getBoundingClientRect(), where = event.clientX - from.left;
    let best = 0;
    xs.forEach((v, i) => { if (Math.abs(axes.x(v) - where) < Math.abs(
        axes.x(xs[best]) - where)) best = i; });
    go(best, event);
  });
  axes.svg.addEventListener("pointerleave", leave);
  axes.svg.addEventListener("blur", leave);
  axes.svg.setAttribute("tabindex", 0);
  axes.svg.addEventListener("keydown", event => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!step) { if (event.key === "Escape") leave(event); return; }
    event.preventDefault();
    const next = Math.max(0, Math.min(xs.length - 1, at < 0 ? (step > 0 ? 0 : xs.length - 1) :
        at + step));
    const from = axes.svg.getBoundingClientRect();
    go(next, {clientX: from.left + axes.x(xs[next]), clientY: from.top + axes.top + 40});
  });
}

const LETTER = 7.4;  // pixels, at most, of the average one
function shorten(name, room) {
  const letters = Math.max(4, Math.floor(room / LETTER));
  return name.length > letters ? name.slice(0, letters - 1) + "…" : name;
}
function bars(width, items, {signed = false, strong = () => true, tell}) {
  const row = 24, value = 58, svg = canvas(width, items.length * row + 4);
  const longest = Math.max(...items.map(item => item.name.length)) * LETTER + 16;
  const name = Math.max(50, Math.min(longest, width * 0.42));
  const most = Math.max(...items.map(item => Math.abs(item.value)), 1e-300);
  const from = signed ? name + (width - name - value) / 2 : name, span = (signed ? 0.5 :
      1) * (width - name - value) - 6;
  if (signed) svg.append(el("line", {class: "zero", x1: from, x2: from, y1: 0,
      y2: items.length * row}));
  items.forEach((item, i) => {
    const length = Math.abs(item.value) / most * span, y = i * row;
    const group = el("g", {},
      el("rect", {x: 0, y, width, height: row, fill: "transparent"}),
      el("text", {class: "name", x: name - 10, y: y + 16, "text-anchor": "end"},
          shorten(item.name, name - 12)),
      el("rect", {x: item.value < 0 ? from - length : from, y: y + 4, width: Math.max(length,
          1), height: row - 9, rx: 2,
        fill: strong(item, i) ? (item.value < 0 ? "var(--warm)" : "var(--accent)") :
            "var(--muted-bar)"}),
      el("text", {x: width - 2, y: y + 16, "text-anchor": "end"}, show(item.value, 3)));
    group.addEventListener("pointermove", event => hover(event, tell(item, i)));
    svg.append(group);
  });
  return svg;
}

// Twice as many points, on lines between the ones there are.
const between = (a, b) => Array.isArray(a) ? a.map((v, i) => between(v, b[i])) : (a + b) / 2;
const finer = list => list.flatMap((v, i) => i ? [between(list[i - 1], v), v] : [v]);

// A map of values over s (across) and t (up), from the warm color over paper to the cool one.
function heat(width, coarse, labels, points, name) {
  const s = finer(coarse.s), t = finer(coarse.t), values = finer(coarse.values).map(finer);
  const low = Math.min(...values.flat()), high = Math.max(...values.flat());
  const half = (list, i) => (list[Math.min(i + 1, list.length - 1)] - list[Math.max(i - 1, 0)]) /
    (i === 0 || i === list.length - 1 ? 2 : 4);
  const height = Math.min(340, Math.max(250, width * 0.8));
  const axes = plot(width, height, [s[0] - half(s, 0), s[s.length - 1] + half(s, s.length - 1)],
    [t[0] - half(t, 0), t[t.length - 1] + half(t, t.length - 1)], labels[0], false, labels[1]);
  const share = v => high > low ? (v - low) / (high - low) : 0.5;
  const color = v => v < 0.5 ? `color-mix(in oklab, var(--warm) ` +
      `${Math.round(200 * (0.5 - v))}%, var(--middle))`
                             : `color-mix(in oklab, var(--accent) ` +
                                 `${Math.round(200 * (v - 0.5))}%, var(--middle))`;
  s.forEach((u, a) => t.forEach((v, b) => {
    const x0 = axes.x(u - half(s, a)), x1 = axes.x(u + half(s, a)), y0 = axes.y(v +
        half(t, b)), y1 = axes.y(v - half(t, b));
    const cell = el("rect", {x: x0, y: y0, width: x1 - x0 + 0.5, height: y1 - y0 + 0.5,
        style: `fill: ${color(share(values[a][b]))}`, "shape-rendering": "crispEdges"});
    cell.addEventListener("pointermove", event =>
      hover(event, `${labels[0]} ${show(u, 3)}\n${labels[1]} ${show(v, 3)}\n${name} ` +
          `${show(values[a][b])}`));
    axes.svg.append(cell);
  }));
  if (points) {
    const inside = points[0].map((v, i) => i).filter(i => points[0][i] >= s[0] &&
        points[0][i] <= s[s.length - 1] &&
      points[1][i] >= t[0] && points[1][i] <= t[t.length - 1]).slice(0, 400);
    let d = "";
    for (const i of inside) d += `M${axes.x(points[0][i]).toFixed(1)} ` +
        `${axes.y(points[1][i]).toFixed(1)}h0`;
    axes.svg.append(el("path", {d, class: "specks"}));
  }
  const legend = el("div", {class: "key"}, el("span", {}, show(low, 3)), el("i"),
      el("span", {}, show(high, 3)), el("span", {}, name));
  return {svg: axes.svg, legend};
}
