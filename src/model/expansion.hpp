// Functions that follow from training rows; see Expansion in model.hpp.
#pragma once

#include "bkernn/kernel.hpp"
#include "bkernn/model.hpp"

namespace bkernn {

// h(p) = Σ_i α_i k(p, p_i) of a Markov kernel, up to a constant, from projections that are sorted.
// Rows that share a projection share a knot.
RidgeFunction markov_function(const MarkovKernel& kernel, const Vector& p,
                              const SortedParticle& sorted, const Matrix& alpha);

// The expansion of all particles of W (d×m, none zero): the rows Z (n×d) in a basis of the space of
// the directions, and their α.
Expansion make_expansion(const Matrix& W, const Matrix& Z, Matrix alpha);

// Throws InvalidArgument if the expansions do not fit together or to W. Whether the functions are
// theirs is not looked at.
void validate_expansions(const Model& model);

// The model with rows and α of as few digits as its tolerance allows, and no tolerance left. Its
// kernel has lines between knots.
Model round_expansions(const Model& model);

}  // namespace bkernn
