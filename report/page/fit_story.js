// ---- How the fit went, and how the model was made.
function fitStory() {
  if (!data.convergence.length) return;
  const runs = data.convergence.map(record => record.iteration),
      objective = data.convergence.map(record => record.objective);
  const validation = data.convergence.map(record => record.validation),
      watched = validation.some(v => v !== null);
  const lines = (title, ys, log, words) => figure(title, "", width => {
    const axes = plot(width, 230, extent(runs), extent(ys.filter(v => v !== null)),
        "iteration", log);
    axes.svg.append(el("path", {d: path(runs, ys, axes.x, axes.y), ...stroke(0)}));
    follow(axes, runs, [ys], [0], i => `iteration ${runs[i]}\n${words} ${show(ys[i], 5)}`);
    return axes.svg;
  }, `${title}: from ${show(ys[0])} to ${show(ys[ys.length - 1])}`);
  section("How the fit went", `${capital(data.facts.result)}. ${plural(runs.length,
      "iteration")} in ${show(data.facts.seconds, 2)} s.`,
    el("div", {class: watched ? "grid" : "grid one"}, lines("Objective", objective,
        objective.every(v => v > 0), "objective"),
      watched ? lines("Loss on the validation rows", validation, false, "loss") : null),
    asTable(["Iteration", "Objective", "Validation loss", "Active particles", "Seconds"],
      data.convergence.map(record => [String(record.iteration), record.objective,
          record.validation, record.active_particles, record.seconds])));
}

function made() {
  const facts = data.facts;
  section("How it was made", "", table(["", ""], [["Target", facts.target],
      ["Loss", facts.loss], ["Kernel of the functions", facts.kernel], ["Penalty", facts.penalty],
    ["Regularization", facts.regularization], ["Particles", `${facts.active_particles} active ` +
        `of ${facts.particles}`], ["Training rows", facts.rows], ["Variables", facts.variables],
    ["Variables standardized", facts.standardized ? "yes" : "no"], ["Objective",
        facts.objective], ["Optimizer, inner solver, operator",
        `${facts.optimizer}, ${facts.inner_solver}, ${facts.kernel_operator}`],
    ["Seed", facts.seed], ["bkernn version", facts.library_version]], "facts", "How it was made"));
}
