// ---- What if: a row to play with.
function whatIf() {
  const told = data.what_if, facts = data.facts;
  if (!told) {
    section("What if", `The model is too large for a page. \`bkernn predict\` answers the same ` +
        `questions.`);
    return;
  }
  const model = makePredictor(told);
  const classes = data.classes.length > 0, names = told.outputs, coverages = [0.5, 0.8, 0.9,
      0.95].filter(model.covers);
  const order = data.importances.map((item, a) =>
      ({a, value: item.value, name: item.name})).sort((p, q) => q.value - p.value);
  // A step that reads well, and ends that are whole steps.
  function slider(column) {
    const span = column.high - column.low || 1, whole = column.whole && span <= 1e6;
    const digits = whole ? 0 : -Math.floor(Math.log10(span / 100)), step = 10 ** -digits;
    const tidy = (v, more = 0) => Number(v.toFixed(Math.max(0, Math.min(15, digits + more))));
    return {min: Math.floor(column.low / step) * step,
        max: Math.ceil(column.high / step) * step, step, tidy};
  }
  const typical = told.columns.map(column => column.outcomes || column.typical === null ?
      column.typical : slider(column).tidy(column.typical));
  const first = model.predict(typical), likeliest = first.indexOf(Math.max(...first));
  let start = typical.slice(), row = typical.slice();
  let output = !classes ? 0 : names.length === 2 ? 1 : likeliest;  // that the curves show
  let coverage = coverages.includes(0.9) ? 0.9 : coverages[coverages.length - 1];
  const SHOWN = 8, MOST = 40, STEPS = 48;

  window.bkernn = {...model, row: () => row.slice()};

  const controls = [];
  function numberControl(a, name) {
    const column = told.columns[a], {min, max, step, tidy} = slider(column), id = "what-if-" + a;
    const range = el("input", {type: "range", min, max, step, id, "aria-label": name});
    const field = el("input", {type: "number", step: "any", "aria-label": name + ", as a number"});
    const gap = column.gaps > 0 ? el("input", {type: "checkbox"}) : null;
    const set = value => { row[a] = value; update(); };
    range.addEventListener("input", () => { set(tidy(Number(range.value))); });
    field.addEventListener("input", () => { if (field.value !== "" &&
        Number.isFinite(field.valueAsNumber)) set(field.valueAsNumber); });
    if (gap) gap.addEventListener("change", () => set(gap.checked ? null :
        typical[a] ?? column.mean));
    const refresh = () => {
      range.disabled = field.disabled = row[a] === null;
      if (gap) gap.checked = row[a] === null;
      if (row[a] === null) { field.value = ""; return; }
      range.value = row[a];
      if (document.activeElement !== field) field.value = tidy(row[a], 2);
    };
    return {a, refresh, fields: [range, field, gap ? el("label", {class: "gap"}, gap,
        " missing") : null],
      at: Array.from({length: STEPS + 1}, (_, i) => min + (max - min) * i / STEPS)};
  }
  function levelControl(a, name) {
    const column = told.columns[a];
    const select = el("select", {"aria-label": name}, ...column.outcomes.map((level, l) =>
        el("option", {value: l}, level)),
      el("option", {value: ""}, "(the average row)"));
    select.addEventListener("change", () => { row[a] = select.value === "" ? null :
        Number(select.value); update(); });
    return {a, refresh: () => { select.value = row[a] === null ? "" : row[a]; }, fields: [select],
      at: column.outcomes.map((_, l) => l)};
  }
  function control({a, name}) {
    const one = told.columns[a].outcomes ? levelControl(a, name) : numberControl(a, name);
    one.profile = el("div", {class: "profile"});
    one.node = el("div", {class: "control"}, el("span", {class: "control-name", title: name}, name),
      el("div", {class: "fields"}, ...one.fields), one.profile);
    controls.push(one);
    return one.node;
  }

  // How the prediction changes with one column, all others as they are now.
  function drawProfile(one, low, high) {
    const width = one.profile.clientWidth || 120, height = 34, ys = one.curve;
    const svg = el("svg", {viewBox: `0 0 ${width} ${height}`, height, role: "img",
        "aria-label": "prediction along this variable"});
    const x = i => 4 + i / Math.max(one.at.length - 1, 1) * (width - 8), y = v =>
        height - 4 - (high > low ? (v - low) / (high - low) : 0.5) * (height - 8);
    if (told.columns[one.a].outcomes) {
      ys.forEach((v, i) => svg.append(el("circle", {cx: x(i), cy: y(v), r: 2.5,
          fill: "var(--s0)"})));
    } else {
      svg.append(el("path", {d: path(ys.map((_, i) => i), ys, x, y), ...stroke(0),
          "stroke-width": 1.6}));
    }
    if (row[one.a] !== null) {
      const place = told.columns[one.a].outcomes ? row[one.a] :
          (row[one.a] - one.at[0]) / (one.at[STEPS] - one.at[0]) * STEPS;
      svg.append(el("circle", {cx: x(Math.max(0, Math.min(one.at.length - 1, place))),
          cy: y(now()[output]), r: 4.5, class: "now"}));
    }
    one.profile.replaceChildren(svg);
  }
  let cached = null;
  const now = () => cached;

  // ---- The answer
  const answer = el("output", {class: "answer", "aria-live": "polite", "aria-label": "Prediction"});
  function gauge(k, [low, high], from) {
    const width = Math.max(answer.clientWidth - 2, 180), height = 44, svg = el("svg",
        {viewBox: `0 0 ${width} ${height}`, height, "aria-hidden": "true"});
    const [least, most] = scale[k], x = v => 8 +
        (Math.max(least, Math.min(most, v)) - least) / (most - least || 1) * (width - 16);
    svg.append(el("line", {class: "axis", x1: 8, x2: width - 8, y1: 14, y2: 14}));
    if (low < high) svg.append(el("line", {class: "band", x1: x(low), x2: x(high), y1: 14,
        y2: 14}));
    svg.append(el("line", {class: "zero", x1: x(from), x2: x(from), y1: 6, y2: 22}),
        el("circle", {cx: x(cached[k]), cy: 14, r: 6, class: "now"}),
      el("text", {x: 8, y: 38}, show(least, 3)), el("text", {x: width - 8, y: 38,
          "text-anchor": "end"}, show(most, 3)));
    return svg;
  }
  function tellNumbers(before) {
    const intervals = coverage ? model.interval(row, coverage) : null;
    cached.forEach((value, k) => {
      const change = value - before[k], bounds = intervals ? intervals[k] : [value, value];
      answer.append(el("div", {class: "number"}, el("span", {}, names[k]), el("b", {}, show(value)),
        intervals ? el("span", {class: "bounds"}, `${percent(coverage)}: ${show(bounds[0], 3)} ` +
            `to ${show(bounds[1], 3)}`) : null,
        gauge(k, bounds, before[k]),
        el("span", {}, Math.abs(change) > 1e-9 * (Math.abs(value) + 1) ?
            `${change > 0 ? "+" : ""}${show(change, 3)} from the start (line)` :
            "the start (line)")));
    });
  }
  function tellClasses(before) {
    const inside = coverage ? model.set(row, coverage) : null;
    const items = cached.map((p, c) => ({c, p})).sort((a, b) => b.p - a.p).slice(0, 8);
    answer.append(el("div", {class: "number"}, el("span", {}, facts.target),
        el("b", {}, data.classes[items[0].c])));
    for (const {c, p} of items)
      answer.append(el("div", {class: "chance"}, el("span", {title: data.classes[c]},
          data.classes[c]),
        el("span", {class: "track"}, el("i", {style: `width: ${100 * p}%`}),
            el("i", {class: "was", style: `left: ${100 * before[c]}%`})),
            el("span", {class: "share"}, (100 * p).toFixed(1) + "%")));
    if (inside) answer.append(el("p", {class: "bounds"}, `${percent(coverage)} set: ` +
      (inside.some(Boolean) ? data.classes.filter((_, c) => inside[c]).join(", ") :
          "none: such rows are rare")));
  }

  // Where predictions lie: of the rows, and of what the sliders reach from the start.
  let scale = [];
  function findScale() {
    const seen = told.rows.map(one => model.predict(one.cells)).concat([model.predict(typical)]);
    scale = names.map((_, k) => extent(seen.map(f => f[k])));
  }

  let waiting = false;
  function update() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }
  function draw() {
    cached = model.predict(row);
    const open = controls.filter(one => one.profile.clientWidth > 0 || !one.curve);
    for (const one of open) {
      const cells = row.slice();
      one.curve = one.at.map(value => { cells[one.a] = value;
          return model.predict(cells)[output]; });
    }
    const [low, high] = extent(open.flatMap(one => one.curve).concat([cached[output]]));
    if (!classes) scale = scale.map(([a, b], k) => [Math.min(a, cached[k], k === output ? low :
        a), Math.max(b, cached[k], k === output ? high : b)]);
    for (const one of controls) one.refresh();
    for (const one of open) drawProfile(one, classes ? Math.min(low, 0) : low, classes ?
        Math.max(high, 1) : high);
    answer.replaceChildren();
    const before = model.predict(start);
    if (classes) tellClasses(before); else tellNumbers(before);
  }

  function startFrom(place) {
    start = place < 0 ? typical.slice() : told.rows[place].cells.slice();
    row = start.slice();
    update();
  }
  const rowNames = told.rows.map(one => `row ${one.number}: ` +
      (classes ? data.classes[one.class] : one.observed.map(v => show(v, 4)).join(", ")));
  const starts = choice("Start from", ["a typical row", ...rowNames], 0, i => startFrom(i - 1));
  const again = el("button", {type: "button"}, "Back to the start");
  again.addEventListener("click", () => { row = start.slice(); update(); });
  const outputs = names.length > 2 || (names.length === 2 && !classes)
    ? choice("Curves show", names, output, k => { output = k; update(); }) : null;
  const sure = coverages.length
    ? choice(classes ? "Set of classes" : "Interval", coverages.map(percent),
        coverages.indexOf(coverage), k => { coverage = coverages[k]; update(); }) : null;
  const rest = order.slice(SHOWN, MOST);
  const more = rest.length ? el("details", {}, el("summary", {}, plural(rest.length,
      "more variable")), ...rest.map(control)) : null;
  if (more) more.addEventListener("toggle", update);
  const left = el("div", {class: "controls"}, ...order.slice(0, SHOWN).map(control), more);
  const notes = [`Move a variable and see what ${facts.target} the model predicts. The curve ` +
      `beside it shows the prediction over its range, all else as it is now.`];
  if (order.length > MOST) notes.push(`The ${order.length - MOST} variables that matter least ` +
      `stay at their start.`);
  if (!coverages.length) notes.push("The model has no intervals: it was fitted without.");
  if (told.tolerance > 0) notes.push(`The model in this page is rounded: no prediction ` +
      `${told.response === "identity" ? "" : "(before its link) "}moves by more than ` +
      `${show(told.tolerance, 2)}.`);
  section("What if", notes.join(" "), el("div", {class: "bar"}, starts, outputs, sure, again),
    el("div", {class: "what-if"}, left, el("div", {class: "result"}, answer)));
  findScale();
  drawings.push(draw);
  new ResizeObserver(update).observe(left);
}
