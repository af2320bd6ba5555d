// How knots travel: their numbers per particle, then all of them; and two empty arrays for "as before". And how an evaluation is asked
// for and comes back.
#pragma once

#include "bkernn/distributed.hpp"
#include "shard.hpp"

namespace bkernn {

inline Message pack_knots(const Knots* t) {
  if (t == nullptr) return {Matrix(0, 1), Matrix(0, 1)};
  const auto particles = static_cast<Index>(t->size());
  Matrix counts(particles, 1), values(first_unknowns(*t).back() + particles, 1);
  Index next = 0;
  for (Index a = 0; a < particles; ++a) {
    const Vector& knots = (*t)[a];
    counts(a, 0) = static_cast<double>(knots.size());
    values.middleRows(next, knots.size()) = knots;
    next += knots.size();
  }
  return {counts, values};
}

inline Knots unpack_knots(const Message& message) {
  Knots t;
  Index next = 0;
  for (Index a = 0; a < message[0].rows(); ++a) {
    const auto knots = static_cast<Index>(message[0](a, 0));
    t.emplace_back(message[1].col(0).segment(next, knots));
    next += knots;
  }
  return t;
}

inline Message pack_question(const Knots* t, const Matrix& x, double unit) {
  Message question = pack_knots(t);
  question.push_back(x);
  question.push_back(Matrix::Constant(1, 1, unit));
  return question;
}

inline Message pack_evaluation(const Evaluation& found) {
  Matrix numbers(1, 5);
  numbers << found.loss, found.squares, found.largest, found.curvature, found.farthest;
  return {numbers, found.gradient};
}

inline Evaluation unpack_evaluation(const Message& message) {
  const Matrix& numbers = message[0];
  return {numbers(0), numbers(1), numbers(2), numbers(3), numbers(4), message[1]};
}

}  // namespace bkernn
