// ---- The model itself: what Model::predict_response, predict_interval and predict_set compute.
// A row is a list of cells, one for each column: a number, the place of a level, or null for a gap.
function makePredictor(told) {
  // The segment of increasing knots that holds p: the last k with t[k] <= p, but not the last knot.
  function segment(t, p) {
    let low = 0, high = t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle] <= p) low = middle; else high = middle;
    }
    return low;
  }
  const forms = {
    lines(t, h, p) {
      if (t.length === 1) return h[0];
      const k = segment(t, p), u = Math.min(Math.max((p - t[k]) / (t[k + 1] - t[k]), 0), 1);
      return h[k] + u * (h[k + 1] - h[k]);
    },
    decays(t, h, p) {
      const last = t.length - 1;
      if (p <= t[0]) return h[0] * Math.exp(-0.5 * (t[0] - p));
      if (p >= t[last]) return h[last] * Math.exp(-0.5 * (p - t[last]));
      const k = segment(t, p), left = p - t[k], right = t[k + 1] - p,
          whole = Math.expm1(-(t[k + 1] - t[k]));
      return h[k] * Math.exp(-0.5 * left) * Math.expm1(-right) / whole +
        h[k + 1] * Math.exp(-0.5 * right) * Math.expm1(-left) / whole;
    },
    bumps(t, h, p) {
      return t.reduce((sum, knot, k) => sum + h[k] * Math.exp(-0.5 * (p - knot) ** 2), 0);
    },
  };
  const responses = {
    identity: f => f,
    exponential: f => f.map(v => Math.min(Math.exp(v), Number.MAX_VALUE)),
    logistic: ([f]) => { const p = 1 / (1 + Math.exp(-f)); return [1 / (1 + Math.exp(f)), p]; },
    softmax: f => {
      const top = Math.max(...f), e = f.map(v => Math.exp(v - top)), total = e.reduce((a, b) =>
          a + b, 0);
      return e.map(v => v / total);
    },
  };

  // The line through two points; constant beyond all of them. Without points: the number itself.
  function onCurve({x: t, values: v}, at) {
    const last = t.length - 1;
    if (last < 0) return at;
    if (!(at > t[0])) return v[0];
    if (!(at < t[last])) return v[last];
    const k = t.findIndex(one => one > at) - 1;
    return v[k] + (at - t[k]) * ((v[k + 1] - v[k]) / (t[k + 1] - t[k]));
  }

  // What the model takes: coordinates.
  function encode(cells) {
    const x = [];
    told.columns.forEach((column, a) => {
      const cell = cells[a];
      if (!column.outcomes) {
        const value = cell === null ? column.mean : cell;
        x.push(...(column.curves || [{x: []}]).map(curve => onCurve(curve, value)));
        if (column.gaps > 0) x.push(cell === null ? 1 : 0);
      } else if (column.outcomes.length <= 2) {  // -1 or +1; the mean for a level that is unknown
        x.push(cell === null || column.outcomes.length < 2 ? column.average[0] : 2 * cell - 1);
      } else {
        column.outcomes.forEach((_, l) => x.push(cell === null ? column.average[l] :
            l === cell ? 1 : 0));
      }
    });
    return x;
  }

  function values(model, x) {
    const at = forms[model.form], f = model.intercept.slice();
    const z = x.map((v, a) => (v - model.center[a]) / model.scale[a]);
    model.functions.forEach((h, j) => {
      const w = model.W[j];
      let p = 0;
      for (let a = 0; a < z.length; ++a) p += w[a] * z[a];
      for (let k = 0; k < f.length; ++k) f[k] += at(h.knots, h.values[k], p) / model.particles;
    });
    return f;
  }
  function response(model, x, sorted) {
    const found = responses[told.response](values(model, x));
    return sorted ? found.sort((a, b) => a - b) : found;
  }
  const predict = cells => response(told.model, encode(cells), told.sorted);

  // ---- Intervals and sets
  const calibration = told.calibration;
  const rank = coverage => coverage * (calibration.rows + 1) * (1 - 1e-9);
  const covers = coverage => calibration !== null && rank(coverage) <= calibration.rows;

  // The smallest sum of shift and error that so many rows do not exceed.
  function atRank(shifts, output, wanted) {
    const all = [];
    calibration.parts.forEach((part, k) => {
      const {sizes, counts} = part.errors[output];
      sizes.forEach((size, i) => all.push([shifts[k] + size, counts[i] - (i ? counts[i - 1] : 0)]));
    });
    all.sort((a, b) => a[0] - b[0]);
    let count = 0;
    for (const [size, rows] of all) if ((count += rows) >= wanted) return size;
    return Infinity;
  }
  function interval(cells, coverage) {
    const x = encode(cells), q = told.model.intercept.length, wanted = rank(coverage);
    const centers = calibration.parts.map(part => response(part.model || told.model, x,
        part.model ? false : told.sorted));
    return Array.from({length: q}, (_, k) => {
      let low = -atRank(centers.map(f => -f[k]), k, wanted), high = atRank(centers.map(f =>
          f[f.length - q + k]), k, wanted);
      if (low > high) low = high = 0.5 * (low + high);
      return told.response === "exponential" ? [Math.max(low, 0), Math.max(high, 0)] : [low, high];
    });
  }
  function set(cells, coverage) {
    const x = encode(cells), below = told.outputs.map(() => 0), wanted = rank(coverage);
    for (const part of calibration.parts) {
      const {sizes, counts} = part.errors[0];
      response(part.model || told.model, x, false).forEach((p, c) => {
        let low = 0, high = sizes.length;  // how many are smaller
        while (low < high) {
          const middle = (low + high) >> 1;
          if (sizes[middle] < 1 - p) low = middle + 1; else high = middle;
        }
        if (low > 0) below[c] += counts[low - 1];
      });
    }
    return below.map(count => count < wanted);
  }
  return {predict, interval, set, covers};
}
