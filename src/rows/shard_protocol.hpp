// How an evaluation is asked for and comes back. Knots travel as their numbers per particle, then
// all of them, behind a 1 for "these" or a 0 for "as before".
#pragma once

#include <optional>

#include "bkernn/distributed.hpp"
#include "rows/shard.hpp"

namespace bkernn {

inline Message pack_knots(const Knots* t) {
  if (t == nullptr) return {Matrix::Zero(1, 1), Matrix(0, 1), Matrix(0, 1)};
  const auto particles = static_cast<Index>(t->size());
  Matrix counts(particles, 1), values(first_unknowns(*t).back() + particles, 1);
  Index next = 0;
  for (Index a = 0; a < particles; ++a) {
    const Vector& knots = (*t)[a];
    counts(a, 0) = static_cast<double>(knots.size());
    values.middleRows(next, knots.size()) = knots;
    next += knots.size();
  }
  return {Matrix::Ones(1, 1), counts, values};
}

inline std::optional<Knots> unpack_knots(const Message& message) {
  if (message[0](0, 0) == 0) return {};
  Knots t;
  Index next = 0;
  for (Index a = 0; a < message[1].rows(); ++a) {
    const auto knots = static_cast<Index>(message[1](a, 0));
    t.emplace_back(message[2].col(0).segment(next, knots));
    next += knots;
  }
  return t;
}

inline Message pack_question(const Knots* t, const Matrix& x, double quantum) {
  Message question = pack_knots(t);
  question.push_back(x);
  question.push_back(Matrix::Constant(1, 1, quantum));
  return question;
}

inline Message pack_evaluation(const Evaluation& found) {
  Matrix numbers(1, 5);
  numbers << found.loss, found.squares, found.largest, found.curvature, found.max_abs_z;
  return {numbers, found.gradient};
}

inline Evaluation unpack_evaluation(const Message& message) {
  const Matrix& numbers = message[0];
  return {numbers(0), numbers(1), numbers(2), numbers(3), numbers(4), message[1]};
}

}  // namespace bkernn
