#include "bkernn/intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "bkernn/loss.hpp"

namespace bkernn {
namespace {

// Errors of several folds, of each shifted by a number of its own.
class ShiftedErrors {
 public:
  ShiftedErrors(const std::vector<CalibrationPart>& parts, std::size_t output)
      : begin_(parts.size()), end_(parts.size()), shift_(parts.size()) {
    for (const CalibrationPart& part : parts) errors_.push_back(&part.errors[output]);
  }

  double& shift(std::size_t part) { return shift_[part]; }

  // The smallest sum of shift and error that so many rows do not exceed. Every round halves the
  // longest list of candidates.
  double at_rank(double rank) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < errors_.size(); ++k)
      begin_[k] = 0, end_[k] = errors_[k]->sizes.size();
    for (;;) {
      std::size_t longest = 0;
      for (std::size_t k = 1; k < errors_.size(); ++k) {
        if (end_[k] - begin_[k] > end_[longest] - begin_[longest]) longest = k;
      }
      if (begin_[longest] == end_[longest]) return best;
      const double pivot = at(longest, (begin_[longest] + end_[longest]) / 2);
      double count = 0;
      for (std::size_t k = 0; k < errors_.size(); ++k) {
        const Index above = first(k, [&](double value) { return value > pivot; });
        if (above > 0) count += errors_[k]->counts(above - 1);
      }
      if (count >= rank) {
        best = pivot;
        for (std::size_t k = 0; k < errors_.size(); ++k)
          end_[k] = first(k, [&](double value) { return value >= pivot; });
      } else {
        for (std::size_t k = 0; k < errors_.size(); ++k)
          begin_[k] = first(k, [&](double value) { return value > pivot; });
      }
    }
  }

 private:
  double at(std::size_t k, Index i) const { return shift_[k] + errors_[k]->sizes(i); }

  // The first candidate of a list for which `holds`, which holds for all after it.
  template <class Holds>
  Index first(std::size_t k, const Holds& holds) const {
    Index low = begin_[k], high = end_[k];
    while (low < high) {
      const Index middle = (low + high) / 2;
      if (holds(at(k, middle))) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  std::vector<const HeldOutErrors*> errors_;
  std::vector<Index> begin_, end_;
  std::vector<double> shift_;
};

constexpr double kRounding = 1e-9;  // of a rank, relative
constexpr Index kIntervalRows = 256;

const Calibration& calibration_of(const Model& model, double coverage) {
  require(coverage > 0 && coverage < 1, "coverage", coverage, "must lie strictly between 0 and 1");
  require(model.calibration != nullptr, "intervals", "none",
          "the model has no calibration; fit it with intervals = cross, quantile or fast");
  return *model.calibration;
}

// How many rows, of n and one more, must have an error that is not larger.
double rank_of(const Calibration& calibration, double coverage) {
  const double n = calibration.rows(), rank = coverage * (n + 1) * (1 - kRounding);
  require(rank <= n, "coverage", coverage,
          "needs the errors of " +
              std::to_string(static_cast<Index>(coverage / (1 - coverage)) + 1) +
              " rows, and the calibration has those of " + std::to_string(static_cast<Index>(n)));
  return rank;
}

std::vector<Matrix> part_responses(const Model& model, const Calibration& calibration,
                                   const MatrixView& X, int n_threads) {
  std::vector<Matrix> responses;
  for (const CalibrationPart& part : calibration.parts)
    responses.push_back((part.model ? *part.model : model).predict_response(X, n_threads));
  return responses;
}

void require_errors(const HeldOutErrors& errors) {
  require(errors.sizes.size() == errors.counts.size() && errors.sizes.size() > 0, "errors",
          errors.sizes.size(), "must have as many counts, and one at least");
  require(errors.sizes.allFinite() && errors.counts.allFinite(), "errors", "NaN or infinite",
          "every value must be finite");
  require(errors.counts(0) > 0, "counts", errors.counts(0), "must be positive");
  for (Index i = 1; i < errors.sizes.size(); ++i) {
    require(errors.sizes(i - 1) <= errors.sizes(i) && errors.counts(i - 1) <= errors.counts(i),
            "errors", errors.sizes(i), "must not decrease");
  }
}

}  // namespace

HeldOutErrors HeldOutErrors::sorted(const Vector& errors, const Vector& weights) {
  std::vector<Index> order(errors.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return errors(a) < errors(b); });
  HeldOutErrors all{errors(order), weights(order)};
  for (Index i = 1; i < all.counts.size(); ++i) all.counts(i) += all.counts(i - 1);
  return all;
}

double HeldOutErrors::count_below(double size) const {
  const auto below = std::lower_bound(sizes.begin(), sizes.end(), size) - sizes.begin();
  return below > 0 ? counts(below - 1) : 0;
}

double Calibration::rows() const {
  double n = 0;
  for (const CalibrationPart& part : parts) n += part.errors.front().total();
  return n;
}

void Calibration::validate(const Model& model) const {
  require_name("method", method, interval_methods());
  require(!parts.empty(), "parts", 0, "there must be one at least");
  const bool classes = model.n_classes() > 0, fast = method == "fast";
  const Index q = model.n_outputs();
  require(!classes || method == "cross", "method", method, "classes take cross");
  for (const CalibrationPart& part : parts) {
    require(part.model.has_value() != fast, "model", fast ? "given" : "missing",
            "every fold has one, and fast has none");
    require(static_cast<Index>(part.errors.size()) == (classes ? 1 : q), "errors",
            part.errors.size(), "must be one list per output");
    for (const HeldOutErrors& errors : part.errors) require_errors(errors);
    if (!part.model) continue;
    part.model->validate();
    require(part.model->calibration == nullptr, "calibration", "given", "a fold has none");
    require(part.model->n_features() == model.n_features(), "model", part.model->n_features(),
            "must have as many variables");
    require(part.model->n_outputs() == (method == "quantile" ? 2 * q : q), "model",
            part.model->n_outputs(), "has another number of outputs than the method needs");
    require((part.model->n_classes() > 0) == classes, "model", part.model->loss,
            "must predict what the model predicts");
  }
}

const std::vector<std::string>& interval_methods() {
  static const std::vector<std::string> names{"cross", "quantile", "fast"};
  return names;
}

Intervals Model::predict_interval(const MatrixView& X, double coverage, int n_threads) const {
  require(n_classes() == 0, "loss", loss, "classes have sets, not intervals: take predict_set");
  const Calibration& known = calibration_of(*this, coverage);
  const double rank = rank_of(known, coverage);
  const std::vector<Matrix> centers = part_responses(*this, known, X, n_threads);
  const Index n = X.rows(), q = n_outputs();
  const bool counts = make_loss(loss)->targets() == Targets::counts;
  Intervals intervals{Matrix(n, q), Matrix(n, q)};
  const ThreadLimit limit(n_threads);
  const double cost = static_cast<double>(n * q) * static_cast<double>(known.parts.size()) * 2e3;
  parallel_for((n + kIntervalRows - 1) / kIntervalRows, cost, [&](Index block) {
    const Index begin = block * kIntervalRows, end = std::min(begin + kIntervalRows, n);
    for (Index k = 0; k < q; ++k) {
      ShiftedErrors errors(known.parts, k);
      const auto end_of = [&](Index i, bool high) {
        for (std::size_t part = 0; part < centers.size(); ++part) {
          const Matrix& f = centers[part];  // n×q, or n×2q: low and high quantiles
          errors.shift(part) = high ? f(i, f.cols() - q + k) : -f(i, k);
        }
        return errors.at_rank(rank);
      };
      for (Index i = begin; i < end; ++i) {
        double low = -end_of(i, false), high = end_of(i, true);
        if (low > high) low = high = 0.5 * (low + high);
        intervals.lower(i, k) = counts ? std::max(low, 0.0) : low;
        intervals.upper(i, k) = counts ? std::max(high, 0.0) : high;
      }
    }
  });
  return intervals;
}

Matrix Model::predict_set(const MatrixView& X, double coverage, int n_threads) const {
  require(n_classes() > 0, "loss", loss, "numbers have intervals, not sets: take predict_interval");
  const Calibration& known = calibration_of(*this, coverage);
  const double rank = rank_of(known, coverage);
  Matrix below = Matrix::Zero(X.rows(), n_classes());
  for (const CalibrationPart& part : known.parts) {
    const Matrix p = part.model->predict_response(X, n_threads);
    for (Index c = 0; c < p.cols(); ++c) {
      for (Index i = 0; i < p.rows(); ++i)
        below(i, c) += part.errors.front().count_below(1 - p(i, c));
    }
  }
  return (below.array() < rank).cast<double>();
}

}  // namespace bkernn
