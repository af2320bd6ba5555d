// ---- Predicted against observed.
function predictions() {
  if (!data.predictions) return;
  const scatter = (title, note, xs, ys, xr, yr, line, tell) => figure(title, note, width => {
    const axes = plot(width, 320, xr, yr, "predicted");
    axes.svg.append(el("path", {d: line(axes), class: "zero", fill: "none"}));
    dots(axes, xs, ys, 2.4);
    const ring = el("circle", {class: "ring", r: 5, opacity: 0});
    axes.svg.append(ring);
    axes.svg.addEventListener("pointermove", event => {
      const box = axes.svg.getBoundingClientRect(), px = event.clientX - box.left,
          py = event.clientY - box.top;
      let best = -1, near = 400;
      xs.forEach((v, i) => { const far = (axes.x(v) - px) ** 2 + (axes.y(ys[i]) - py) ** 2;
          if (far < near) { near = far; best = i; } });
      ring.setAttribute("opacity", best < 0 ? 0 : 1);
      if (best < 0) return hover(event, "");
      ring.setAttribute("cx", axes.x(xs[best]));
      ring.setAttribute("cy", axes.y(ys[best]));
      hover(event, tell(best));
    });
    return axes.svg;
  }, `${title}: ${plural(xs.length, "row")}`);
  const pair = (one, k) => {
    const both = extent(one.observed.concat(one.predicted)), left = one.observed.map((v, i) =>
        v - one.predicted[i]);
    const note = data.predictions.length > 1 ? data.outputs[k] : "";
    const words = i => `observed ${show(one.observed[i])}\npredicted ` +
        `${show(one.predicted[i])}\ndifference ${show(left[i], 3)}`;
    return [scatter("Observed against predicted", note, one.predicted, one.observed, both, both,
        a => `M${a.x(both[0])} ${a.y(both[0])}L${a.x(both[1])} ${a.y(both[1])}`, words),
      scatter("Residuals: observed − predicted", note, one.predicted, left,
          extent(one.predicted), extent(left), a => `M${a.left} ${a.y(0)}H${a.right}`, words)];
  };
  section("Predicted against observed", `Rows of ${data.data.name}. On the diagonal the ` +
      `prediction is exact.`, el("div", {class: "grid"}, ...data.predictions.flatMap(pair)),
    asTable(["Row shown", ...data.predictions.flatMap((_, k) => [`observed ${data.outputs[k]}`,
        `predicted ${data.outputs[k]}`])],
      data.predictions[0].observed.slice(0, 200).map((_, i) => [String(i + 1),
          ...data.predictions.flatMap(one => [one.observed[i], one.predicted[i]])])));
}
