// ---- What was found: the head of the page, scores, variables, levels of categories.
const titles = {r2: "R²", rmse: "RMSE", accuracy: "accuracy", log_loss: "log loss",
    calibration_error: "calibration error",
  pinball_loss: "pinball loss", coverage: "coverage", interval_coverage: "coverage of the outer " +
      "quantiles", poisson_loss: "Poisson loss"};
const ranked = [...data.importances].sort((a, b) => b.value - a.value);
const few = data.structure.variables ? "variable" : "direction";

function head() {
  const facts = data.facts, dimension = data.structure.dimension;
  document.title = `BKerNN report: ${facts.target}`;
  page.append(el("header", {}, el("h1", {}, `What ${facts.target} depends on`),
      el("p", {class: "finding"}, capital(data.sentence)),
    el("p", {}, `A model f(x) = c + average of h(w·x): directions w and functions h, both ` +
        `learned from ` +
      `${plural(facts.rows, "row")} of ${plural(facts.variables, "variable")}.`)));
  const tiles = el("div", {class: "tiles"});
  const tile = (value, words) => tiles.append(el("div", {class: "tile"}, el("b", {}, value),
      el("span", {}, words)));
  tile(String(dimension), dimension === 1 ? `${few} found that matters` :
      `${few}s found that matter`);
  for (const group of [...data.scores].reverse()) {
    const main = group.scores.find(score => ["r2", "accuracy"].includes(score.name));
    if (main) tile(main.name === "accuracy" ? percent(main.value) : show(main.value, 3),
        `${titles[main.name]}, ${group.rows[0].toLowerCase()}${group.rows.slice(1)}`);
  }
  tile(`${facts.active_particles}`, `particles in use, of ${facts.particles}`);
  page.append(tiles, el("nav", {"aria-label": "On this page"}));
}

function scores() {
  section("How well it predicts", "Scores on the rows it was fitted to flatter a model; rows it " +
      "has not seen are the honest judge.",
    table(["Rows", "Score", "Value", "What it is"], data.scores.flatMap(group =>
        group.scores.map((score, i) =>
      [i ? "" : group.rows, titles[score.name] || score.name, score.value, score.meaning])),
          "scores", "Scores"));
}

function whatMatters() {
  const values = [...data.structure.values].sort((a, b) => b - a);
  const gone = value => value <= 1e-9 * values[0];  // zero, up to rounding
  const kept = Math.max(values.filter(value => !gone(value)).length, 1),
      more = Math.min(values.length, 30, kept + 3);
  const spectrum = values.slice(0, more).map((value, i) => ({name: data.structure.variables ?
      `rank ${i + 1}` : `direction ${i + 1}`, value: gone(value) ? 0 : value}));
  const total = values.reduce((sum, v) => sum + v, 0) || 1, first = ranked.slice(0, 20);
  section("What matters",
    data.structure.variables
      ? "The penalty asks for few variables. Those that count as found are drawn in color; the " +
          "others contribute little or nothing."
      : "The penalty asks for few directions: combinations of variables. Their strengths are " +
          "the singular values of all particles together. Those that count as found are drawn in " +
          "color; the others are weak, or do not help to predict rows that were held out.",
    el("div", {class: "grid"},
      figure(data.structure.variables ? "Strength of the variables" : "Strength of the directions",
        `${data.structure.dimension} found, ${percent(data.structure.share)} of the total` +
            (kept < values.length ? `; ${values.length - kept} vanish` : ""),
        width => bars(width, spectrum, {strong: (_, i) => i < data.structure.dimension,
          tell: item => `${item.name}\nstrength ` +
              `${show(item.value)}\n${percent(item.value / total)} of the total`}),
        `Strengths in decreasing order: ${spectrum.map(item => show(item.value, 3)).join(", ")}`,
        asTable(["Rank", "Strength", "Share"], values.map((v, i) => [String(i + 1), v,
            v / total]))),
      figure("Importance of the variables", (ranked.length > 20 ? "the first 20" :
          "shares") + "; above the average in color",
        width => bars(width, first, {strong: item => item.value > 1 / ranked.length,
          tell: item => `${item.name}\n${(100 * item.value).toFixed(1)}% of the weight`}),
        `Importances: ${first.map(item => `${item.name} ${show(item.value, 3)}`).join(", ")}`,
        asTable(["Variable", "Importance"], ranked.map(item => [item.name, item.value])))));
}

// For several outputs, those of the one that is chosen.
function levels() {
  const categories = ranked.filter(item => item.levels && item.levels.length &&
      item.value > 0).slice(0, 6);
  if (!categories.length) return;
  const outputs = categories[0].levels[0].effect.length, two = data.classes.length === 2 &&
      outputs === 1;
  const unit = data.classes.length ? two ? `log-odds of ${data.classes[1]}` :
      "log-probability of the class, up to a constant," : data.facts.targets === "counts" ?
      "logarithm of the mean count" : "prediction";
  const box = el("div", {class: columns(categories.length)});
  function draw(k) {
    box.replaceChildren(...categories.map(item => {
      const items = item.levels.map(level => ({name: level.name, value: level.effect[k],
          share: level.share})), shown = bySize(items).slice(0, 12);
      return figure(item.name, items.length > 12 ? "the 12 largest" : "",
        width => bars(width, shown, {signed: true, tell: level =>
            `${level.name}\nadds ${show(level.value)}\n${percent(level.share)} of the rows`}),
        `Effects: ${shown.map(level => `${level.name} ${show(level.value, 3)}`).join(", ")}`,
        asTable(["Level", "Effect", "Share"], items.map(level => [level.name, level.value,
            level.share])));
    }));
  }
  draw(0);
  section("What the levels add", `For each category, what a level adds to the ${unit} in the ` +
      `row that is the average otherwise, relative to the mean over the rows.`,
    outputs > 1 ? el("div", {class: "bar"}, choice(data.classes.length ? "Class" : "Target",
        data.classes.length ? data.classes : data.outputs, 0, draw)) : null, box);
}
