#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <optional>

#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "bkernn/kernel.hpp"
#include "export/flat_model.hpp"
#include "export/onnx_encoder.hpp"
#include "export/onnx_graph.hpp"

namespace bkernn {
namespace {

using Name = std::string;  // of a value of the graph

// Protocol buffers cannot be larger.
constexpr std::size_t kMostBytes = std::numeric_limits<std::int32_t>::max();

// Knots that are one number in float32 become one knot; a single knot gets a neighbor at which the
// function goes on as it does beyond its knots.
RidgeFunction for_search(const RidgeFunction& h, bool float32, bool decays) {
  std::vector<Index> kept;
  for (Index k = 0; k < h.knots.size(); ++k) {
    if (!float32 || kept.empty() ||
        static_cast<float>(h.knots(k)) > static_cast<float>(h.knots(kept.back())))
      kept.push_back(k);
  }
  RidgeFunction ready{h.knots(kept), h.values(kept, Eigen::all)};
  if (kept.size() > 1) return ready;
  const double gap = std::max(1.0, std::abs(ready.knots(0)));
  ready.knots.conservativeResize(2);
  ready.values.conservativeResize(2, Eigen::NoChange);
  ready.knots(1) = ready.knots(0) + gap;
  ready.values.row(1) = ready.values.row(0) * (decays ? std::exp(-0.5 * gap) : 1.0);
  return ready;
}

class Exporter {
 public:
  Exporter(const SavedModel& saved, OnnxNumbers numbers)
      : saved_(saved),
        model_(saved.model),
        type_(numbers == OnnxNumbers::float32 ? OnnxType::float32 : OnnxType::float64) {}

  std::string run() {
    const Response response = response_of(model_);
    if (model_.encoder.empty()) {
      graph_.input("X", type_, model_.n_features());
    } else {
      coordinates_ = put_encoder(graph_, model_.encoder, type_);
    }
    const Name f = predictor();
    if (response == Response::identity) {
      graph_.output(model_.quantiles.empty() ? f : graph_.sorted(f, model_.n_outputs()),
                    "prediction", type_, model_.n_outputs());
    } else if (response == Response::exponential) {
      const double most = type_ == OnnxType::float32 ? std::numeric_limits<float>::max()
                                                     : std::numeric_limits<double>::max();
      graph_.output(graph_.node("Min", {graph_.node("Exp", {f}), number(most)}), "prediction",
                    type_, model_.n_outputs());
    } else {
      put_classes(response == Response::softmax ? graph_.node("Softmax", {f}, {{"axis", 1}})
                                                : both_classes(graph_.node("Sigmoid", {f})));
    }
    return graph_.encoded(description(), {{"loss", model_.loss}, {"kernel", model_.kernel}});
  }

 private:
  Name reals(const Matrix& values, const std::vector<Index>& shape) {
    const bool fits = type_ == OnnxType::float64 || values.size() == 0 ||
                      values.cwiseAbs().maxCoeff() <= std::numeric_limits<float>::max();
    require(fits, "float32", values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0.0,
            "the model holds numbers that float32 cannot; export it in float64");
    return graph_.reals(type_, values, shape);
  }
  Name number(double value) { return reals(Matrix::Constant(1, 1, value), {}); }
  Name row(const RowVector& values) { return reals(values, {1, values.size()}); }
  Name cast(const Name& value, OnnxType type) {
    return graph_.node("Cast", {value}, {{"to", static_cast<int>(type)}});
  }

  Name gather(const std::vector<Index>& variables) {
    const Name places = graph_.integers(variables, {static_cast<Index>(variables.size())});
    return graph_.node("Gather", {coordinates_, places}, {{"axis", 1}});
  }

  // f, rows × outputs.
  Name predictor() {
    const FunctionForm form = make_kernel(model_.kernel)->function_form();
    require(form != FunctionForm::other, "kernel", model_.kernel, "has no formula in ONNX");
    const bool searches = form != FunctionForm::bumps, decays = form == FunctionForm::decays;
    Model ready = model_;
    if (searches) {
      for (RidgeFunction& h : ready.functions)
        h = for_search(h, type_ == OnnxType::float32, decays);
    }
    const FlatModel flat(ready);
    if (flat.particles() == 0) return constant_model();
    const Name p = projections(flat);
    const Name sum = searches ? searched(flat, p, decays) : bumps(flat, p);
    return graph_.node("Add",
                       {graph_.node("Mul", {sum, number(flat.share)}), row(model_.intercept)});
  }

  // The intercept for each row: 0 · x_0 + c.
  Name constant_model() {
    const Name one = gather({0}), narrow = coordinates_ == "X" ? one : cast(one, type_);
    return graph_.node("Add", {graph_.node("Mul", {narrow, number(0)}), row(model_.intercept)});
  }

  // wᵀ(x − center)/scale, rows × particles.
  Name projections(const FlatModel& flat) {
    const auto used = static_cast<Index>(flat.variables.size());
    const Name x = gather(flat.variables);
    const auto exact = [&](const RowVector& values) {
      return graph_.reals(OnnxType::float64, values, {1, used});
    };
    const bool float32 = type_ == OnnxType::float32;
    const Name wide = float32 && coordinates_ == "X" ? cast(x, OnnxType::float64) : x;
    const Name z =
        graph_.node("Div", {graph_.node("Sub", {wide, exact(flat.center)}), exact(flat.scale)});
    return graph_.node("MatMul",
                       {float32 ? cast(z, type_) : z, reals(flat.W, {used, flat.particles()})});
  }

  // The segment of each projection, found by halving in all functions at once: the largest k with
  // t_k ≤ p, but not the last knot.
  Name segments(const FlatModel& flat, const Name& t, const Name& p) {
    const Index m = flat.particles();
    std::vector<Index> last;
    Index longest = 0;
    for (Index j = 0; j < m; ++j) {
      last.push_back(flat.first[j + 1] - 2);
      longest = std::max(longest, last.back() - flat.first[j]);
    }
    const Name end = graph_.integers(last, {1, m});
    Name at = graph_.integers({flat.first.begin(), flat.first.end() - 1}, {1, m});
    for (auto half = std::bit_floor(static_cast<std::uint64_t>(longest)); half > 0; half /= 2) {
      const Name step = graph_.integers({static_cast<Index>(half)}, {});
      const Name ahead = graph_.node("Min", {graph_.node("Add", {at, step}), end});
      const Name reached = graph_.node("LessOrEqual", {graph_.node("Gather", {t, ahead}), p});
      at = graph_.node("Where", {reached, ahead, at});
    }
    return at;
  }

  // Σ_j h_j(p_j), rows × outputs, from the two knots beside each projection.
  Name searched(const FlatModel& flat, const Name& p, bool decays) {
    const Index K = flat.knots.size();
    const Name t = reals(flat.knots, {K}), y = reals(flat.values, {K, model_.n_outputs()});
    const Name left = segments(flat, t, p);
    const Name right = graph_.node("Add", {left, graph_.integers({1}, {})});
    const auto at = [&](const Name& table, const Name& place) {
      return graph_.node("Gather", {table, place});
    };
    const Name t0 = at(t, left), t1 = at(t, right), y0 = at(y, left), y1 = at(y, right);
    const Name h = decays ? decaying(p, t0, t1, y0, y1) : straight(p, t0, t1, y0, y1);
    return graph_.node("ReduceSum", {h, graph_.integers({1}, {1})}, {{"keepdims", 0}});
  }

  Name for_outputs(const Name& value) {
    return graph_.node("Unsqueeze", {value, graph_.integers({2}, {1})});
  }

  Name straight(const Name& p, const Name& t0, const Name& t1, const Name& y0, const Name& y1) {
    const Name share =
        graph_.node("Div", {graph_.node("Sub", {p, t0}), graph_.node("Sub", {t1, t0})});
    const Name u = for_outputs(graph_.node("Clip", {share, number(0), number(1)}));
    return graph_.node("Add", {y0, graph_.node("Mul", {u, graph_.node("Sub", {y1, y0})})});
  }

  // e^−s − 1 = −2T/(1 + T) with T = tanh(s/2): there is no such operator, and e^−s − 1 would lose
  // the digits of small s.
  Name decay_minus_one(const Name& s) {
    const Name T = graph_.node("Tanh", {graph_.node("Mul", {s, number(0.5)})});
    return graph_.node("Div",
                       {graph_.node("Mul", {T, number(-2)}), graph_.node("Add", {T, number(1)})});
  }

  // Between knots as Kernel::evaluate has it; beyond them the value at the last knot decays.
  Name decaying(const Name& p, const Name& t0, const Name& t1, const Name& y0, const Name& y1) {
    const Name inside = graph_.node("Min", {graph_.node("Max", {p, t0}), t1});
    const Name left = graph_.node("Sub", {inside, t0}), right = graph_.node("Sub", {t1, inside});
    const Name whole = decay_minus_one(graph_.node("Sub", {t1, t0}));
    const auto decay = [&](const Name& s) {
      return graph_.node("Exp", {graph_.node("Mul", {s, number(-0.5)})});
    };
    const auto weight = [&](const Name& near, const Name& far) {
      return graph_.node("Div", {graph_.node("Mul", {decay(near), decay_minus_one(far)}), whole});
    };
    const Name beyond = decay(graph_.node("Abs", {graph_.node("Sub", {p, inside})}));
    const auto term = [&](const Name& w, const Name& y) {
      return graph_.node("Mul", {for_outputs(graph_.node("Mul", {w, beyond})), y});
    };
    return graph_.node("Add", {term(weight(left, right), y0), term(weight(right, left), y1)});
  }

  // Σ_j Σ_k v_jk exp(−(p_j − t_jk)²/2), one function after another.
  Name bumps(const FlatModel& flat, const Name& p) {
    std::vector<Name> functions;
    for (Index j = 0; j < flat.particles(); ++j) {
      const Index begin = flat.first[j], K = flat.first[j + 1] - begin;
      const Name one = graph_.node("Gather", {p, graph_.integers({j}, {1})}, {{"axis", 1}});
      const Name r = graph_.node("Sub", {one, reals(flat.knots.segment(begin, K), {1, K})});
      const Name e =
          graph_.node("Exp", {graph_.node("Mul", {graph_.node("Mul", {r, r}), number(-0.5)})});
      functions.push_back(graph_.node(
          "MatMul", {e, reals(flat.values.middleRows(begin, K), {K, model_.n_outputs()})}));
    }
    return graph_.node("Sum", functions);
  }

  Name both_classes(const Name& p) {
    return graph_.node("Concat", {graph_.node("Sub", {number(1), p}), p}, {{"axis", 1}});
  }

  // Class names as whole numbers, if all are such.
  std::optional<std::vector<Index>> numbers_of_classes() const {
    std::vector<Index> numbers;
    if (model_.class_names.empty()) {
      for (Index k = 0; k < model_.n_classes(); ++k) numbers.push_back(k);
    }
    for (const std::string& name : model_.class_names) {
      Index value = 0;
      const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
      if (error != std::errc() || std::to_string(value) != name) return std::nullopt;
      numbers.push_back(value);
    }
    return numbers;
  }

  void put_classes(const Name& probabilities) {
    const std::optional<std::vector<Index>> numbers = numbers_of_classes();
    const Name labels = numbers ? graph_.integers(*numbers, {model_.n_classes()})
                                : graph_.texts(model_.class_names);
    const Name best = graph_.node("ArgMax", {probabilities}, {{"axis", 1}, {"keepdims", 0}});
    graph_.output(graph_.node("Gather", {labels, best}), "label",
                  numbers ? OnnxType::int64 : OnnxType::text, 0);
    graph_.output(probabilities, "probabilities", type_, model_.n_classes());
  }

  std::string description() const {
    return "BKerNN model: f(x) = c + (1/m) sum of h_j(w_j . (x - center)/scale), " +
           std::to_string(model_.n_particles) + " particles, " + model_.loss + " loss, " +
           model_.kernel + " kernel, fitted on " + std::to_string(saved_.data.rows) + " rows";
  }

  const SavedModel& saved_;
  const Model& model_;
  OnnxType type_;
  OnnxGraph graph_;
  Name coordinates_ = "X";  // what the model is a function of; float64 if it is not X itself
};

}  // namespace

std::string model_to_onnx(const SavedModel& saved, OnnxNumbers numbers) {
  saved.model.validate();
  std::string bytes = Exporter(saved, numbers).run();
  require(bytes.size() <= kMostBytes, "model", std::to_string(bytes.size()) + " bytes",
          "an ONNX file holds at most 2 GB: compress the model first");
  return bytes;
}

}  // namespace bkernn
