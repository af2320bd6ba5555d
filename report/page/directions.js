// ---- Directions: their weights, how sure they are, what happens along them and along two of them.
function weights() {
  if (!data.directions.length || data.structure.variables) return;
  section("The leading directions", (data.facts.standardized ? "Weights of the standardized " +
      "variables (one unit is one standard deviation); " : "Weights of the variables; ") +
    "each direction has length 1. Bars to the right push the position up, bars to the left push " +
        "it down; the sign as a whole is arbitrary.",
    el("div", {class: columns(data.directions.length)}, ...data.directions.map((direction, i) => {
      const items = direction.weights.map((value, a) => ({name: data.coordinates[a], value})),
          shown = bySize(items).slice(0, 12);
      return figure(`Direction ${i + 1}`, `strength ${show(direction.value, 3)}` +
          (items.length > 12 ? ", 12 largest weights" : ""),
        width => bars(width, shown, {signed: true, tell: item =>
            `${item.name}\nweight ${show(item.value)}`}),
        `Weights: ${shown.map(item => `${item.name} ${show(item.value, 3)}`).join(", ")}`,
        asTable(["Variable", "Weight"], items.map(item => [item.name, item.value])));
    })));
}

function stability() {
  const study = data.stability;
  if (!study) return;
  const level = percent(study.coverage), losses = study.curve.loss,
      errors = study.curve.standard_error;
  const often = study.variables.map(one => ({name: one.name, value: one.selection})).sort((a,
      b) => b.value - a.value).slice(0, 20);
  const selection = () => figure("Selection frequency", `share of the halves that use a ` +
      `variable; above ${percent(study.threshold)} at most ${show(study.bound, 2)} expected to ` +
      `be noise`,
    width => bars(width, often, {strong: item => item.value >= study.threshold, tell: item =>
        `${item.name}\nin ${percent(item.value)} of the halves`}),
    `Selection frequencies: ${often.map(item => `${item.name} ${percent(item.value)}`).join(", ")}`,
    asTable(["Variable", "Selected"], study.variables.map(one => [one.name, one.selection])));
  const howMany = () => figure("How many directions", "loss of held-out rows, ± one standard " +
      "error", width => {
    const ks = losses.map((_, k) => k), ends = losses.flatMap((v, k) => [v - errors[k], v +
        errors[k]]);
    const axes = plot(width, 260, extent(ks), extent(ends), "directions");
    axes.svg.append(el("path", {d: path(ks, losses, axes.x, axes.y), ...stroke(0)}));
    for (const k of ks) axes.svg.append(el("path",
        {d: `M${axes.x(k)} ${axes.y(losses[k] - errors[k])}V${axes.y(losses[k] + errors[k])}`,
        stroke: "var(--s0)"}));
    dots(axes, ks, losses, 3);
    follow(axes, ks, [losses], [0], k => plural(k, "direction") +
        `\nloss ${show(losses[k])} ± ${show(errors[k], 2)}` +
        (k ? `\np = ${show(study.curve.p_value[k - 1], 3)}` : ""));
    return axes.svg;
  }, `Held-out losses: ${losses.map(v => show(v, 3)).join(", ")}`,
    asTable(["Directions", "Held-out loss", "Standard error", "p-value"], losses.map((v, k) =>
        [String(k), v, errors[k], k ? study.curve.p_value[k - 1] : null])));
  const angles = study.halves && study.directions.length > 0;
  section("How sure it is", `${study.halves} fits of half of the rows: what changes with the ` +
      `sample. Halves know less than all rows, so this errs on the side of doubt. ` +
      `${study.sentence}`,
    el("div", {class: "grid"}, study.halves ? selection() : null, losses.length > 1 ?
        howMany() : null),
    angles ? table(["Direction", "Principal angle to a half, median", `${level} of the halves`],
      study.directions.map((one, i) => [String(i + 1), show(one.angle[1], 3) + "°",
          `${show(one.angle[0], 3)}° to ${show(one.angle[2], 3)}°`])) : null,
    angles ? asTable(["Variable", ...study.directions.flatMap((_, i) =>
        [`weight in direction ${i + 1}`, "from", "to"])],
      (study.coordinates || study.variables.map(one => one.name)).map((name, a) =>
          [name, ...study.directions.flatMap(direction => [direction.weights[a],
          direction.lower[a], direction.upper[a]])])) : null);
}

// Positions along a single variable are told in its own units.
function useUnits() {
  data.directions.forEach(({units}, i) => {
    if (!units) return;
    const own = values => values && values.map(t => units.zero + units.one * t);
    const one = data.functions[i], views = data.class_views;
    one.t = own(one.t);
    one.positions = own(one.positions);
    for (const map of data.together.maps) {
      if (map.i === i) map.s = own(map.s);
      if (map.j === i) map.t = own(map.t);
    }
    if (views && views.t) views.t[i] = own(views.t[i]);
  });
}

const nameOf = i => data.structure.variables ? data.directions[i].variable : `direction ${i + 1}`;
const titleOf = i => data.structure.variables ? nameOf(i) : `Along direction ${i + 1}`;
const axisOf = i => !data.structure.variables ? `position along direction ${i + 1}` :
    nameOf(i) + (data.directions[i].units ? "" : " (standardized)");
function legend(curves) {
  return curves.length < 2 ? null : el("div", {class: "legend"}, ...curves.map(curve =>
    el("span", {}, el("i", {style: `--color: var(--s${curve.output % 8})`,
        ...(curve.output >= 8 ? {class: "dashed"} : {})}),
        data.classes[curve.output] ?? curve.name)));
}
function curveFigure(title, note, one, label, height) {
  const classes = data.classes.length > 0, jitter = i => 0.05 * ((i * 7919) % 97) / 97;
  const color = curve => one.observed ? 1 : curve.output;
  return figure(title, note, width => {
    const [low, high] = extent(one.curves.flatMap(curve => curve.values).concat(one.observed ||
        []));
    const axes = plot(width, height, extent(one.t), [low, high], label);
    if (one.observed) dots(axes, one.positions, classes ? one.observed.map((v, i) => v +
        (v ? -1 : 1) * jitter(i)) : one.observed, 2.2);
    if (one.positions) axes.svg.append(el("path", {d: one.positions.map(v =>
        `M${axes.x(v).toFixed(1)} ${axes.bottom}v5`).join(""), class: "rug"}));
    for (const curve of one.curves) axes.svg.append(el("path", {d: path(one.t, curve.values,
        axes.x, axes.y), ...stroke(color(curve))}));
    follow(axes, one.t, one.curves.map(curve => curve.values), one.curves.map(color),
      i => `position ${show(one.t[i], 3)}\n` + one.curves.map(curve =>
          `${curve.name} ${show(curve.values[i])}`).join("\n"));
    return axes.svg;
  }, `${title}: ${one.curves.map(curve => `${curve.name} from ${show(curve.values[0], 3)} to ` +
      `${show(curve.values[curve.values.length - 1], 3)}`).join(", ")}`,
    legend(one.curves), asTable(["Position", ...one.curves.map(curve => curve.name)],
        one.t.map((t, i) => [t, ...one.curves.map(curve => curve.values[i])])));
}

function alongDirections() {
  if (!data.functions.length) return;
  const through = data.together.through.map((partner, i) => partner === null ? "" :
      `${nameOf(i)} acts through ${nameOf(partner)}`).filter(Boolean);
  section(`How ${data.facts.target} changes along them`,
    (data.data ? `The line is the average prediction when rows are moved to a position along ` +
        `the ${few} and otherwise left as they are. ` +
                 (data.functions[0].observed ? `Dots are rows of ${data.data.name} as ` +
                     `observed; the ticks below show where they are. ` :
                     `The ticks below show where the rows of ${data.data.name} are. `)
               : `The line is the prediction for the average row, moved along the ${few}. Call ` +
                   `the report with data to see the rows behind it. `) +
      (data.classes.length > 6 ? "Of the classes, the six that change most are drawn. " : "") +
          (through.length ? `More than by itself, ${through.join("; ")}: see the maps below.` : ""),
    el("div", {class: columns(data.functions.length)}, ...data.functions.map((one, i) =>
      curveFigure(titleOf(i), !data.classes.length ? "" : one.curves.length > 1 ?
          "probability of each class" : one.curves[0].name, one, axisOf(i), 260))));
}

function maps() {
  const {maps, pairs} = data.together;
  if (!pairs) return;
  if (!maps.length) {
    section("Two together", `No pair of ${few}s does clearly more together than each alone: ` +
        `what they do adds up.`);
    return;
  }
  section("Two together", `The prediction when rows are moved along two ${few}s at once. What a ` +
      `${few} does may depend on another one, as in a product; then its curve alone is flat or ` +
      `misleading. ` +
    (data.data ? "Specks are rows." : ""),
    el("div", {class: columns(Math.max(2, maps.length))}, ...maps.map(map => {
      const labels = [axisOf(map.i), axisOf(map.j)].map(name => name.replace("position ", ""));
      const points = data.functions[map.i].positions ? [data.functions[map.i].positions,
          data.functions[map.j].positions] : null;
      const key = el("div");
      return figure(capital(`${nameOf(map.i)} and ${nameOf(map.j)}`),
          `${percent(map.share)} of their effect is joint`, width => {
        const {svg, legend} = heat(width, map, labels, points, map.output);
        key.replaceChildren(legend);
        return svg;
      }, `${map.output} over ${labels.join(" and ")}`, key,
        asTable([`${labels[0]} ↓, ${labels[1]} →`, ...map.t.map(t => show(t, 3))],
            map.s.map((s, a) => [show(s, 3), ...map.values[a]])));
    })));
}

function particles() {
  if (!data.particles.length) return;
  section("Single particles", "The model is the average of many such functions h(w·x), one for " +
      "each particle. These are the ones that vary most; " +
    "beyond the training rows they stay as they end.",
    el("div", {class: "grid three"}, ...data.particles.map(one =>
        curveFigure(`Particle ${one.number}`, `mostly ${one.main_variable}`, one, "w·x", 190))));
}
