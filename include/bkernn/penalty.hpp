// Penalties Ω on the particles W (d×m) and their proximal operators (section 3.2 and lemma "prox"
// of the paper).
//
//   basic             1/(2m)  Σ_j ‖w_j‖₂                few particles
//   basic_l1          1/(2m)  Σ_j ‖w_j‖₁                sparse particles
//   variable          1/(2√m) Σ_a ‖W^(a)‖₂              few variables: rows W^(a) vanish together
//   feature           1/(2√m) Σ_a S_a                   few directions: singular values S_a vanish
//   concave_variable  1/(2s)  Σ_a log(1 + (s/√m) ‖W^(a)‖₂)
//   concave_feature   1/(2s)  Σ_a log(1 + (s/√m) S_a)
//
// A variable a is a row of W or, where a column of the table has several coordinates (columns.hpp),
// all the rows that belong to it: they vanish together, and ‖W^(a)‖₂ is the norm of them all.
//
// All are Σ_g φ(r_g): one scalar function φ of the norms r_g of the groups that W is cut into
// (columns, entries, rows, singular directions). So the prox shrinks each group by its own factor
// u/r, where
//
//   u = argmin_{u ≥ 0} ½(u − r)² + t φ(u).
//
// Linear φ: u = (r − t φ')₊.  Concave φ: u is 0 or the larger root of the quadratic
// (u − r)(1 + s'u) + tφ'(0) = 0 with s' = s/√m, whichever has the smaller value; s → 0 gives the
// linear case again. A group of norm 0 stays 0. Scaling: the threshold of the feature penalty is
// t/(2√m), as its value demands, and not t/(2m).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

enum class Norm { l2, l1 };

class Penalty {
 public:
  virtual ~Penalty() = default;

  virtual std::string name() const = 0;

  // Ω(W).
  virtual double value(const Matrix& W) const = 0;

  // W ← argmin_U ½‖U − W‖² + t Ω(U), t ≥ 0. Returns Ω at the result.
  virtual double prox(Matrix& W, double t) const = 0;

  // The convex penalty with the same slope at 0: s = 0 for the concave ones, otherwise the penalty
  // itself.
  virtual std::unique_ptr<Penalty> convex() const = 0;

  // What the penalty selects: variables (rows of W) or directions (singular vectors of W). This
  // decides what the importances are, and how the estimate P̂(k) of the relevant subspace is read
  // off W.
  virtual bool selects_variables() const = 0;

  // The norm of a particle that Ω is made of: convex()->value(w1ᵀ) = ½‖w‖ for one w repeated m
  // times (at least that, where variables have several rows). The largest λ of a path is a supremum
  // over its unit sphere.
  virtual Norm particle_norm() const = 0;

  // Whether convex()->value(W) = (1/2m) Σ_j ‖w_j‖, the Ω₀ of the theory.
  virtual bool sums_over_particles() const = 0;
};

// `concavity` is s ≥ 0 of the concave penalties; the others ignore it. `groups` says where the rows
// of each variable begin, and at the end how many rows there are; empty: each row is a variable.
std::unique_ptr<Penalty> make_penalty(const std::string& name, double concavity = 1.0,
                                      const std::vector<Index>& groups = {});
const std::vector<std::string>& penalty_names();

// Those that a fit chooses from: for "auto" feature (convex, directions), concave_variable and
// concave_feature, else the named one alone. Where nothing is chosen, the first one is taken.
// Without concave_feature where the outputs depend on one another (Loss::coupled()): it takes
// directions away that many classes need, and at their small λ its W grows and grows.
std::vector<std::string> candidate_penalties(const std::string& name, bool coupled = false);

// Singular values of W, decreasing, and the left singular vectors in the same order, d × min(d, m).
// The vectors are eigenvectors of the smaller Gram matrix. The values are measured afterwards, as
// norms, so that zero comes out as zero up to rounding.
struct LeftSingular {
  Vector values;
  Matrix vectors;
};
LeftSingular left_singular(const Matrix& W);

}  // namespace bkernn
