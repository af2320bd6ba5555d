#include "choice/heats.hpp"

#include "choice/lambda_law.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

constexpr Index kFewRows = 500;
constexpr int kParts = 3;

}  // namespace

std::vector<Heat> deal_heats(const StandardRows& rows, const Matrix& Z, const Loss& loss,
                             double share) {
  const Index n = rows.Z.rows();
  const int count = n < kFewRows ? kParts : kParts - 1;
  const std::vector<int> part = deal_along(row_order(rows), kParts);
  const StandardRows here{Z, rows.Y, rows.s};
  std::vector<Heat> heats;
  for (int heat = 0; heat < count; ++heat) {
    std::vector<Index> in, out;
    for (Index i = 0; i < n; ++i) (part[i] == heat ? out : in).push_back(i);
    const double trained = rows.s(in).sum() / rows.s.sum();
    heats.push_back({select(here, in),
                     {here.Z(out, Eigen::all), here.Y(out, Eigen::all), here.s(out)},
                     lambda_of_part(share * trained, loss)});
  }
  return heats;
}

std::vector<Heat> deal_heats(const StandardRows& rows, const Loss& loss, double share) {
  return deal_heats(rows, rows.Z, loss, share);
}

}  // namespace bkernn
