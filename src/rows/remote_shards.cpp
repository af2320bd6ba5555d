#include "rows/remote_shards.hpp"

#include <string>

#include "bkernn/error.hpp"
#include "rows/shard_protocol.hpp"

namespace bkernn {
namespace {

// The shards' answers as one, in the order of the shards.
template <class Combine>
Message combined(const std::vector<Message>& answers, const Combine& combine) {
  Message all = answers.at(0);
  for (std::size_t k = 1; k < answers.size(); ++k) {
    for (std::size_t i = 0; i < all.size(); ++i) combine(all[i], answers[k].at(i));
  }
  return all;
}

Message sum(const std::vector<Message>& answers) {
  return combined(answers, [](Matrix& all, const Matrix& more) { all += more; });
}

Message largest(const std::vector<Message>& answers) {
  return combined(answers, [](Matrix& all, const Matrix& more) { all = all.cwiseMax(more); });
}

Message append(const std::vector<Message>& answers) {
  return combined(answers, [](Matrix& all, const Matrix& more) {
    Matrix both(all.rows() + more.rows(), all.cols());
    both << all, more;
    all = std::move(both);
  });
}

}  // namespace

RowTotals RemoteShards::describe() {
  const std::vector<Message> answers = ask_("describe", {});
  require(!answers.empty(), "ask", "no answers", "there must be at least one shard");
  RowTotals all = unpack_totals(answers[0]);
  firsts_.setZero(1, static_cast<Index>(answers.size()));
  for (std::size_t k = 1; k < answers.size(); ++k) {
    const RowTotals more = unpack_totals(answers[k]);
    require(more.largest.x.size() == all.largest.x.size() &&
                more.largest.y.size() == all.largest.y.size(),
            "X", std::to_string(more.largest.x.size()) + " columns",
            "every shard must have those of the first, " + std::to_string(all.largest.x.size()));
    firsts_(static_cast<Index>(k)) = static_cast<double>(all.n);
    all.n += more.n;
    all.weight += more.weight;
    all.largest.x = all.largest.x.cwiseMax(more.largest.x);
    all.largest.y = all.largest.y.cwiseMax(more.largest.y);
  }
  return all;
}

RowSums RemoteShards::weigh(double factor) {
  return unpack_sums(sum(ask_("weigh", {pack_number(factor)})));
}

Columns RemoteShards::squares(const Columns& center) {
  const Message found = sum(ask_("squares", {center.x, center.y}));
  return {found[0], found[1]};
}

Vector RemoteShards::weight_below(Index k, const Vector& thresholds) {
  const auto output = static_cast<double>(k);
  return sum(ask_("weight_below", {Matrix::Constant(1, 1, output), thresholds}))[0];
}

double RemoteShards::standardize(const Columns& center, const Columns& scale) {
  return largest(ask_("standardize", {center.x, center.y, scale.x, scale.y}))[0](0);
}

StandardRows RemoteShards::rows(const std::vector<Index>& numbers) {
  Matrix wanted(1, static_cast<Index>(numbers.size()));
  for (std::size_t k = 0; k < numbers.size(); ++k)
    wanted(static_cast<Index>(k)) = static_cast<double>(numbers[k]);
  return unpack_rows(append(ask_("rows", {wanted, firsts_})));
}

Matrix RemoteShards::extremes(const Matrix& W) {
  return largest(ask_("extremes", {W}))[0];
}

Evaluation RemoteShards::evaluate(const KnotLayout* layout, const Matrix& x, double quantum) {
  const std::vector<Message> answers = ask_("evaluate", pack_evaluate(layout, x, quantum));
  Evaluation all = unpack_evaluation(answers.at(0));
  for (std::size_t k = 1; k < answers.size(); ++k) all.add(unpack_evaluation(answers[k]));
  return all;
}

Matrix RemoteShards::product(const Matrix& v, double quantum) {
  return sum(ask_("product", {v, pack_number(quantum)}))[0];
}

Matrix RemoteShards::gradient(const RowVector& quanta) {
  return sum(ask_("gradient", {quanta}))[0];
}

}  // namespace bkernn
