// The law of λ. The best λ falls like N^(−a), N the number of rows and a = 0.4: between the 1/√N of
// the theory and nothing at all. So N rows have λ where a part of n of them has λ (N/n)^a, and what
// N rows are likely to want is
//
//   λ₀ = 0.02 g √(mean ‖z_i‖²) N^(−a),
//
// g being the root mean square of the loss gradient at the best constant, as in the rule (fit.hpp),
// and the factor of the loss. More than two classes are told apart by a far smaller λ, which falls
// faster, because their rows are nearly free of noise: a = 0.65, and 1.1 in place of the factor.
#pragma once

#include "bkernn/loss.hpp"
#include "bkernn/options.hpp"
#include "rows/prepared_data.hpp"

namespace bkernn {

// By how much λ is larger for this share of the rows than for all of them.
double lambda_of_part(double share, const Loss& loss);
double lambda_of_part(double share, const FitOptions& options);  // by their loss

// λ₀ of as much weight, told by these rows.
double likely_lambda(const Loss& loss, const StandardRows& rows, double total_weight);

// λ of a stage of the fit that sees this share of the rows: by the law, or λ₀ of its few rows if
// that is larger, up to the λ with the same nλ. With a smaller λ than its rows can bear a sample
// teaches particles its noise, and takes long to do so.
double stage_lambda(double lambda, double share, const Loss& loss, const StandardRows& rows);

}  // namespace bkernn
