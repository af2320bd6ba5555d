// A fitted model: plain data, prediction and explanation. It knows nothing about training and needs
// no training data.
//
//   z = (x − center) / scale                     d numbers, 0 where x is missing (NaN)
//   f(x) = intercept + (1/m) Σ_j h_j(w_jᵀ z)      q numbers
//
// h_j is stored as values at knots, the distinct projections of the training rows. It is evaluated
// by a search and one interpolation: O(m (d + log n)) per row. Particles that became exactly zero
// contribute a constant and are dropped; m still counts them.
//
// Where the fit was of a table with words or gaps (columns.hpp), x is what `encoder` makes of a
// row, d counts those coordinates, and what speaks of columns (their names, importances) means
// those of the table.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bkernn/columns.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// One learned function h: increasing knots and, per output, a coefficient at each (see
// Kernel::evaluate). For Markov kernels the coefficients are the values of h at the knots.
struct RidgeFunction {
  Vector knots;   // Q
  Matrix values;  // Q×q
};

// Where functions come from, if it is from training rows z_i that were all there at the end of the
// fit: with the basis B of a space that holds the directions, u_i = Bᵀz_i, and up to a constant
//
//   h_j(p) = Σ_i α_i k(p, (Bᵀw_j)ᵀ u_i).
//
// n rows of k + q numbers say what functions of n knots each say in m times as many.
struct Expansion {
  Index particles = 0;  // how many columns of W, from where the expansion before this one ends
  Matrix basis;         // B, d×k, with orthonormal columns
  Matrix rows;          // u_i, n×k
  Matrix alpha;         // n×q, in the units of y
};

// What a direction or a variable must reach to be counted, as a share of the largest one, where
// held-out rows have not said more.
constexpr double kDimensionThreshold = 0.1;

// How many of these sizes exceed `threshold` times the largest; 0 if all are 0.
Index dimension_of(const Vector& sizes, double threshold = kDimensionThreshold);

// How many directions and variables matter, as the fit has counted them (choice/count.hpp).
struct Counted {
  Index directions = 0, variables = 0;
  bool operator==(const Counted&) const = default;
};

struct Calibration;  // intervals.hpp

// Where y is expected, n×q both.
struct Intervals {
  Matrix lower, upper;
};

struct Model {
  std::string kernel = "brownian";
  std::string loss = "square";
  std::string penalty = "concave_feature";
  Index n_particles = 0;                   // m, zero particles included
  RowVector center, scale;                 // d; scale 1 without standardization
  Matrix W;                                // d×(active particles)
  std::vector<RidgeFunction> functions;    // one per column of W
  std::vector<Expansion> expansions;       // what they follow from to the bit; empty: from nothing
  RowVector intercept;                     // q; Brownian kernel: h_j(0) = 0, so it is f(center)
  Encoder encoder;                         // of the columns of a table; empty: x is the row
  std::vector<std::string> feature_names;  // empty, or one per column
  std::vector<std::string> class_names;    // empty, or one per class
  // Levels, increasing, if the outputs are several quantiles of one y; else empty.
  std::vector<double> quantiles;
  std::shared_ptr<const Calibration> calibration;  // of intervals; null: there is none
  // How far f may be moved for the sake of a small file (io.hpp), q; empty: not at all. A fit
  // allows 10⁻⁴ of the spread of y, or of 1 where f is on another scale (classes, counts).
  RowVector tolerance;
  std::optional<Counted> counted;  // empty: all above kDimensionThreshold

  Index n_features() const { return center.size(); }  // d
  Index n_columns() const { return encoder.empty() ? n_features() : encoder.size(); }
  Index n_outputs() const { return intercept.size(); }
  Index n_classes() const;  // 0 if y is not a class

  // f(x) for each row of X (n×d), n×q. n_threads = 0 means all cores. The result for a row depends
  // neither on n_threads nor on the other rows.
  Matrix predict(const MatrixView& X, int n_threads = 0) const;

  // The same for rows of a table as the fit had them.
  Matrix predict(const MixedRows& rows, int n_threads = 0) const;

  // What the encoder makes of rows of a table, for the other functions.
  Matrix encode(const MixedRows& rows) const;

  // The prediction on the scale of y: f, the mean count, or class probabilities (n × classes, with
  // rows that sum to 1). Several quantiles of one y are put in order, row by row, so that they do
  // not cross; that brings them no farther from the true ones.
  Matrix predict_response(const MatrixView& X, int n_threads = 0) const;

  // Intervals that contain y with this probability (intervals.hpp). Throws InvalidArgument without
  // a calibration, or if it has too few rows for the coverage: a/(1 − a) of them are needed for
  // coverage a.
  Intervals predict_interval(const MatrixView& X, double coverage = 0.9, int n_threads = 0) const;

  // Sets of classes, n × classes, 1: the class belongs to it. Otherwise the same.
  Matrix predict_set(const MatrixView& X, double coverage = 0.9, int n_threads = 0) const;

  // h_j at the projections p, one column per output.
  Matrix evaluate(Index j, const Vector& p) const;

  // The same model with fewer knots and fewer digits. For every x and output, and up to rounding,
  //
  //   |f(x) − compressed f(x)| ≤ most,    in the units of f.
  //
  // Each function gets a share of the error. It keeps some of its knots, chosen from left to right,
  // so that every line between neighbors is as long as possible; values there may move within the
  // error too. Knots and values then are decimals of as few digits as it allows. Brownian kernel
  // only. What comes out has no expansions and no tolerance left: it is saved as it is.
  Model compress(double most) const;
  Model compress(const RowVector& most) const;  // one per output

  // What a file gets within `tolerance`: expansions in fewer digits, or lines in their stead if
  // these are fewer numbers. The promise of compress() holds. Itself if there is no tolerance, or
  // if the kernel has no lines between knots.
  Model for_file() const;

  // The same model for z of other coordinates. A projection wᵀz then is that of the new w and z and
  // a constant, by which the knots move.
  Model in_coordinates(const RowVector& new_center, const RowVector& new_scale) const;

  // The functions become those of the expansions, with h_j(0) = 0 for homogeneous kernels.
  void follow_expansions();

  // Shifts the functions of homogeneous kernels to h_j(0) = 0, and the intercept by as much.
  void anchor();

  // The model whose prediction is the mean of theirs: all their particles side by side, in the
  // coordinates of the first. They must have the same kernel, loss, variables and outputs. `shares`
  // of the models sum to 1; empty: all alike.
  static Model mean(const std::vector<const Model*>& models,
                    const std::vector<double>& shares = {});

  // Whether Ω selects variables rather than directions.
  bool selects_variables() const;

  // How far each column moves the projections: ‖W^(a)‖ in the standardized coordinates, so that
  // columns in different units can be compared; for a number with gaps the norm of both rows, and
  // for a category √(Σ_l p_l ‖W^(a)ᵀz_l‖²), p_l and z_l being the share and coordinates of level l.
  Vector column_sizes() const;

  // How much each column matters: those as shares of their sum (all 0 for the constant model).
  Vector importances() const;

  // What each level of a category adds to f, relative to their mean, in the row that is the average
  // otherwise: levels (Encoder::outcome_names) × outputs.
  Matrix level_effects(Index column) const;

  // The names of the d coordinates: those of the columns, or of their levels. x1, x2, … where the
  // columns have no names.
  std::vector<std::string> coordinate_names() const;

  // Singular values of W, decreasing (min(d, m) of them).
  Vector singular_values() const;

  // How many directions matter, and how many variables: those that the fit has counted, or as many
  // singular values, or importances, as exceed a tenth of the largest. 0 for the constant model.
  //
  // Directions along which f is almost linear merge into one: Σ sin z_a has k of them in theory and
  // one in practice.
  Index n_directions() const;
  Index n_variables() const;

  // The dimension found: n_variables() for the penalties that select variables, else
  // n_directions(); and how many exceed `threshold` times the largest.
  Index dimension() const;
  Index dimension(double threshold) const;

  // How many directions there are at all: the rank of W or, for the variable penalties, the number
  // of variables that are used.
  Index rank() const;

  // P̂(k), d×k: the k leading directions, orthonormal in the coordinates z. They are left singular
  // vectors of W or, for the variable penalties, the unit vectors of the k variables with the
  // largest row norms (of a column with several coordinates, the leading left singular vector of
  // its rows of W). Throws InvalidArgument unless 1 ≤ k ≤ rank().
  Matrix directions(Index k) const;

  // W in the units of the given X: w_j / scale.
  Matrix weights_in_original_units() const;

  // Throws InvalidArgument if the parts do not fit together, or if the prediction might not be
  // finite for some |x| ≤ 1e100.
  void validate() const;
};

}  // namespace bkernn
