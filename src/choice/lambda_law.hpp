// The law of λ. The best λ falls like N^(−0.4), N the number of rows: between the 1/√N of the
// theory and nothing at all. So N rows have λ where a part of n of them has λ (N/n)^0.4, and what N
// rows are likely to want is
//
//   λ₀ = 0.02 g √(mean ‖z_i‖²) N^(−0.4),
//
// g being the root mean square of the loss gradient at the best constant, as in the rule (fit.hpp),
// and the factor of the loss; that of more than two classes, which a far smaller λ tells apart, is
// 0.2 here.
#pragma once

#include "bkernn/loss.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

// By how much λ is larger for this share of the rows than for all of them.
double lambda_of_part(double share);

// λ₀ of as much weight, told by these rows.
double likely_lambda(const Loss& loss, const StandardRows& rows, double total_weight);

// λ of a stage of the fit that sees this share of the rows: by the law, or λ₀ of its few rows if
// that is larger, up to the λ with the same nλ. With a smaller λ than its rows can bear a sample
// teaches particles its noise, and takes long to do so.
double stage_lambda(double lambda, double share, const Loss& loss, const StandardRows& rows);

}  // namespace bkernn
