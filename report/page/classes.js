// ---- Classes: right and wrong, and one by one.
function calibrationFigure(title, note, bins, label, least) {
  return figure(title, note, width => {
    const axes = plot(width, 300, [least, 1], [0, 1], label);
    axes.svg.append(el("path", {d: `M${axes.x(least)} ${axes.y(least)}L${axes.x(1)} ` +
        `${axes.y(1)}`, class: "zero", fill: "none"}));
    const most = Math.max(...bins.map(bin => bin.rows));
    axes.svg.append(el("path", {d: path(bins.map(bin => bin.confidence), bins.map(bin =>
        bin.accuracy), axes.x, axes.y), fill: "none", stroke: "var(--accent)", opacity: .5}));
    for (const bin of bins) {
      const mark = el("circle", {cx: axes.x(bin.confidence), cy: axes.y(bin.accuracy), r: 4 +
          8 * Math.sqrt(bin.rows / most), fill: "var(--accent)", opacity: .8});
      mark.addEventListener("pointermove", event => { event.stopPropagation(); hover(event,
          `${plural(bin.rows, "row")}\n${label} ${percent(bin.confidence)}\ncame true ` +
          `${percent(bin.accuracy)}`); });
      axes.svg.append(mark);
    }
    return axes.svg;
  }, `${title}: ` + bins.map(bin => `${percent(bin.confidence)} said, ${percent(bin.accuracy)} ` +
      `came`).join(", "),
    asTable([capital(label), "Came true", "Rows"], bins.map(bin => [bin.confidence,
        bin.accuracy, bin.rows])));
}

function confusion() {
  if (!data.confusion) return;
  const most = Math.max(...data.confusion.flat(), 1), names = data.classes;
  const shade = count => `background: color-mix(in srgb, var(--accent) ` +
      `${Math.round(45 * Math.sqrt(count / most))}%, transparent)`;
  const cellOf = (count, a, b) => {
    const cell = el("td", {style: shade(count), "data-value": count}, String(count));
    cell.addEventListener("pointermove", event => hover(event,
        `${plural(count, "row")} of class ${names[a]}\npredicted as ${names[b]}`));
    cell.addEventListener("pointerleave", event => hover(event, ""));
    return cell;
  };
  const matrix = el("table", {class: "confusion"},
    el("thead", {}, el("tr", {}, el("td", {class: "corner"}, "true ↓ predicted →"),
        ...names.map(name => el("th", {scope: "col"}, name)))),
    el("tbody", {}, ...data.confusion.map((row, a) => el("tr", {}, el("th", {scope: "row"},
        names[a]), ...row.map((count, b) => cellOf(count, a, b))))));
  section("Classes: right and wrong", `Rows of ${data.data.name}. The matrix says how often ` +
      `each class was predicted as each. Calibration: when the model is 80% sure, is it right ` +
      `in 80% of the cases? ` +
    "On the diagonal it is; below it, it is too sure of itself.",
    el("div", {class: names.length > 8 ? "grid one" : "grid"}, el("figure", {}, el("h3", {},
        "Confusion matrix"),
      el("div", {class: "scroll", tabindex: 0, role: "group", "aria-label": "Confusion " +
          "matrix"}, matrix)),
      calibrationFigure("Calibration", "accuracy by confidence", data.calibration,
          "confidence", Math.min(0.5, ...data.calibration.map(bin => bin.confidence)))));
}

// How often a class came, was found, was rightly named, and what it was taken for.
function classFacts(c) {
  const row = data.confusion[c], rows = row.reduce((a, b) => a + b, 0),
      named = data.confusion.reduce((sum, one) => sum + one[c], 0);
  let other = -1;
  row.forEach((count, b) => { if (b !== c && count > 0 && (other < 0 ||
      count > row[other])) other = b; });
  return [rows, rows ? row[c] / rows : null, named ? row[c] / named : null, other < 0 ?
      "none" : `${data.classes[other]} (${row[other]})`];
}

function classByClass() {
  const views = data.class_views;
  if (!views || !views.classes[0].moved.length) return;
  const names = data.classes, one = few;
  const separator = view => view.moved.indexOf(Math.max(...view.moved));
  const heads = ["Class", ...(data.confusion ? ["Rows", "Found", "Rightly named",
      "Most often taken for"] : []), `Told apart by`, ...views.classes[0].moved.map((_, i) =>
      capital(nameOf(i)))];
  const lines = views.classes.map((view, c) => [names[c], ...(data.confusion ? classFacts(c) :
      []), nameOf(separator(view)), ...view.moved]);
  const drawn = views.classes.map((view, c) => c).filter(c => views.classes[c].curves.length);
  const box = el("div");
  function draw(place) {
    const c = drawn[place], view = views.classes[c];
    const curves = view.curves.map((values, i) => figure(titleOf(i),
        `moves it by ${show(view.moved[i], 2)}`, width => {
      const axes = plot(width, 220, extent(views.t[i]), [0, 1], axisOf(i));
      const at = data.functions[i].positions;
      if (views.rows) for (const [mine, y, color] of [[true, axes.top, "rug mine"],
          [false, axes.bottom, "rug"]])
        axes.svg.append(el("path", {class: color, d: at.filter((_, r) =>
            (views.rows[r] === c) === mine).map(v => `M${axes.x(v).toFixed(1)} ${y}v6`).join("")}));
      axes.svg.append(el("path", {d: path(views.t[i], values, axes.x, axes.y), ...stroke(c)}));
      follow(axes, views.t[i], [values], [c], k =>
          `position ${show(views.t[i][k], 3)}\nprobability of ${names[c]} ${show(values[k])}`);
      return axes.svg;
    }, `Probability of ${names[c]} along ${nameOf(i)}`));
    if (view.calibration) curves.push(calibrationFigure(`Calibration of ${names[c]}`,
        "how often it came, by its probability", view.calibration, "probability", 0));
    box.replaceChildren(el("div", {class: columns(curves.length)}, ...curves));
  }
  draw(names.length === 2 ? 1 : 0);
  section("Class by class", `Which ${one}s tell a class apart: the columns to the right say by ` +
      `how much its probability changes along each, on average over the rows. ` +
    (views.rows ? "In the figures, ticks at the top are rows of the class, ticks at the bottom " +
        "the others." : ""),
    table(heads, lines, "by-class", "Class by class", 3),
    el("div", {class: "bar"}, choice("Look at class", drawn.map(c => names[c]),
        names.length === 2 ? 1 : 0, draw)), box);
}
