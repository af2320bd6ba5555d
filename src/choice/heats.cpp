#include "choice/heats.hpp"

#include "choice/lambda_law.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

constexpr Index kFewRows = 500;
constexpr int kParts = 3;

}  // namespace

std::vector<int> deal_parts(const StandardRows& rows) {
  return deal_along(row_order(rows), kParts);
}

std::vector<Heat> make_heats(const StandardRows& rows, const std::vector<int>& part,
                             const Loss& loss, double share) {
  const Index n = rows.Z.rows();
  const int count = n < kFewRows ? kParts : kParts - 1;
  std::vector<Heat> heats;
  for (int heat = 0; heat < count; ++heat) {
    std::vector<Index> in, out;
    for (Index i = 0; i < n; ++i) (part[i] == heat ? out : in).push_back(i);
    const double trained = rows.s(in).sum() / rows.s.sum();
    heats.push_back({select(rows, in),
                     {rows.Z(out, Eigen::all), rows.Y(out, Eigen::all), rows.s(out)},
                     lambda_of_part(share * trained, loss)});
  }
  return heats;
}

}  // namespace bkernn
