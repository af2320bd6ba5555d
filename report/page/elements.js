// ---- Elements, numbers, tables and figures: what every section is made of.
const problems = [];
window.addEventListener("error", event => {
  problems.push(event.message);
  document.documentElement.dataset.errors = problems.join("; ");
});
const data = JSON.parse(document.getElementById("content").textContent);
const page = document.getElementById("page"), tip = document.getElementById("tip");

const SVG = ["svg", "g", "path", "line", "rect", "circle", "text", "title"];
function el(name, attributes, ...children) {
  const node = SVG.includes(name) ? document.createElementNS("http://www.w3.org/2000/svg", name)
                                  : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function show(value, digits = 4) {
  if (value === null || value === undefined) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value).replace("-", "−");
  const size = Math.abs(value), long = size !== 0 && (size < 1e-4 || size >= 1e7);
  const text = long ? value.toExponential(2) : String(Number(value.toPrecision(digits)));
  return text.replace("-", "−");
}
const percent = share => Math.round(100 * share) + "%";
const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const capital = text => text[0].toUpperCase() + text.slice(1);
const bySize = items => [...items].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));

const sections = [];
function section(title, caption, ...children) {
  const id = "section-" + (sections.length + 1);
  sections.push({id, title});
  const node = el("section", {"aria-labelledby": id}, el("h2", {id}, title),
    caption ? el("p", {class: "caption"}, caption) : null, ...children);
  page.append(node);
  return node;
}

function table(heads, rows, kind, label, digits = 6) {
  const cell = value => typeof value === "number" ? el("td", {"data-value": value},
      show(value, digits))
                                                  : el("td", {}, value ?? "–");
  const attributes = {class: "scroll", tabindex: 0, role: "group", "aria-label": label ||
      heads.filter(Boolean).join(", ") || "Table"};
  return el("div", attributes, el("table", kind ? {class: kind} : {},
    heads.some(Boolean) ? el("thead", {}, el("tr", {}, ...heads.map(head =>
        el("th", {scope: "col"}, head)))) : null,
    el("tbody", {}, ...rows.map(row => el("tr", {}, ...row.map((value, i) =>
      i || !heads.some(Boolean) ? cell(value) : el("th", {scope: "row"}, value ?? "–")))))));
}
const asTable = (heads, rows) =>
  el("details", {}, el("summary", {}, "The numbers as a table"), table(heads, rows));

// A labelled choice, and what to do with it.
function choice(label, names, chosen, change) {
  const select = el("select", {}, ...names.map((name, i) => el("option", {value: i}, name)));
  select.value = chosen;
  select.addEventListener("change", () => change(Number(select.value)));
  return el("label", {class: "choice"}, label + " ", select);
}

// A figure that is drawn again when its width changes.
const drawings = [];
function figure(title, note, draw, label, ...more) {
  const box = el("div");
  const node = el("figure", {}, el("h3", {}, title, note ? el("small", {}, " " + note) : null),
      box, ...more);
  let width = 0;
  const redraw = () => {
    if (Math.abs(box.clientWidth - width) < 2) return;
    width = box.clientWidth;
    const svg = draw(width);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    box.replaceChildren(svg);
  };
  drawings.push(redraw);
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(box);
  return node;
}

function hover(event, text) {
  if (!text) { tip.style.opacity = 0; return; }
  tip.textContent = text;
  tip.style.opacity = 1;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(6, Math.min(event.clientX + 14, innerWidth - box.width - 8)) + "px";
  tip.style.top = Math.max(6, event.clientY - box.height - 12) + "px";
}
const extent = values => values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high,
    v)], [Infinity, -Infinity]);
const columns = count => "grid" + (count === 1 ? " one" : count === 3 ? " three" : "");
