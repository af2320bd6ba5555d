// Plain structs as JSON objects: each struct lists its fields once, and writing, reading and
// comparing follow from the list.
#pragma once

#include <limits>
#include <optional>
#include <type_traits>

#include "bkernn/option_table.hpp"
#include "bkernn/report.hpp"
#include "io/document.hpp"
#include "outer/optimizer_state.hpp"

namespace bkernn {

template <class Options, class Visit>
requires std::is_same_v<std::remove_const_t<Options>, FitOptions>
void visit_fields(Options& o, Visit&& visit) {
  visit_options(o, [&](const Option& option, auto& field) { visit(option.name, field); });
}

template <class Record, class Visit>
requires std::is_same_v<std::remove_const_t<Record>, IterationRecord>
void visit_fields(Record& r, Visit&& visit) {
  visit("iteration", r.iteration);
  visit("rows", r.rows);
  visit("objective", r.objective);
  visit("smooth", r.smooth);
  visit("penalty", r.penalty);
  visit("step", r.step);
  visit("evaluations", r.evaluations);
  visit("inner_iterations", r.inner_iterations);
  visit("active_particles", r.active_particles);
  visit("validation", r.validation);
  visit("seconds", r.seconds);
}

template <class Point, class Visit>
requires std::is_same_v<std::remove_const_t<Point>, RacePoint>
void visit_fields(Point& p, Visit&& visit) {
  visit("penalty", p.penalty);
  visit("ranks", p.ranks);
  visit("regularization", p.regularization);
  visit("loss", p.loss);
  visit("error", p.error);
  visit("dropped", p.dropped);
}

template <class Chosen, class Visit>
requires std::is_same_v<std::remove_const_t<Chosen>, Race>
void visit_fields(Chosen& r, Visit&& visit) {
  visit("points", r.points);
  visit("best", r.best);
  visit("constant", r.constant);
  visit("rows", r.rows);
  visit("constant_loss", r.constant_loss);
  visit("ranks", r.ranks);
  visit("penalty", r.penalty);
  visit("lambda", r.lambda);
}

template <class Report, class Visit>
requires std::is_same_v<std::remove_const_t<Report>, FitReport>
void visit_fields(Report& r, Visit&& visit) {
  visit("models", r.models);
  visit("rows", r.rows);
  visit("termination", r.termination);
  visit("objective", r.objective);
  visit("initial_objective", r.initial_objective);
  visit("promised_decrease", r.promised_decrease);
  visit("evaluations", r.evaluations);
  visit("inner_iterations", r.inner_iterations);
  visit("inner_converged", r.inner_converged);
  visit("inner_residual", r.inner_residual);
  visit("seconds", r.seconds);
  visit("optimizer", r.optimizer);
  visit("inner_solver", r.inner_solver);
  visit("knots", r.knots);
  visit("coarse_unknowns", r.coarse_unknowns);
  visit("kernel_operator", r.kernel_operator);
  visit("iterations", r.iterations);
  visit("race", r.race);
  visit("refit", r.refit);
}

template <class State, class Visit>
requires std::is_same_v<std::remove_const_t<State>, OptimizerState>
void visit_fields(State& s, Visit&& visit) {
  visit("iteration", s.iteration);
  visit("evaluations", s.evaluations);
  visit("inner_iterations", s.inner_iterations);
  visit("inner_direct", s.inner.direct);
  visit("coarse_W", s.inner.coarse_W);
  visit("coarse_weights", s.inner.coarse_weights);
  visit("stage", s.stage);
  visit("stage_begin", s.stage_begin);
  visit("initial_objective", s.initial_objective);
  visit("W", s.W);
  visit("step", s.step);
  visit("smooth", s.smooth);
  visit("penalty", s.penalty);
  visit("previous_W", s.previous_W);
  visit("previous_gradient", s.previous_gradient);
  visit("recent", s.recent);
  visit("curvature_steps", s.pairs.steps);
  visit("curvature_changes", s.pairs.changes);
  visit("promises", s.promises);
  visit("accuracy", s.accuracy);
  visit("best_W", s.best_W);
  visit("best_objective", s.best_objective);
  visit("best_iteration", s.best_iteration);
  visit("alpha", s.inner.unknowns);
  visit("intercept", s.inner.intercept);
  visit("records", s.records);
}

// ---- Writing, in place: see document.hpp

inline void put_value(Json& to, bool value) {
  to = value;
}
inline void put_value(Json& to, int value) {
  to = value;
}
inline void put_value(Json& to, Index value) {
  to = value;
}
inline void put_value(Json& to, std::uint64_t value) {
  to = value;
}
inline void put_value(Json& to, double value) {
  to = number(value);
}
inline void put_value(Json& to, const std::string& value) {
  to = value;
}
inline void put_value(Json& to, const std::optional<double>& value) {
  if (value) to = number(*value);
}
inline void put_value(Json& to, const Matrix& value) {
  if (value.size() > 0) put_matrix(to, value);
}
inline void put_value(Json& to, const RowVector& value) {
  put_numbers(to, value.data(), value.size());
}
inline void put_value(Json& to, const std::vector<double>& value) {
  put_numbers(to, value.data(), static_cast<Index>(value.size()));
}
inline void put_value(Json& to, const std::vector<std::string>& texts) {
  to = Json::array();
  for (const std::string& text : texts) add_element(to) = text;
}
void put_value(Json& to, Termination value);
template <class Struct>
void put_object(Json& to, const Struct& value);
template <class Struct>
void put_value(Json& to, const std::vector<Struct>& values) {
  to = Json::array();
  for (const Struct& one : values) put_object(add_element(to), one);
}
inline void put_value(Json& to, const Race& race) {
  if (!race.empty()) put_object(to, race);
}

template <class Struct>
void put_object(Json& to, const Struct& value) {
  to = Json::object();
  visit_fields(value,
               [&](const char* key, const auto& field) { put_value(add_key(to, key), field); });
}

// ---- Reading

inline void read_value(const Reader& in, const char* key, bool& to) {
  to = in.boolean(key);
}
inline void read_value(const Reader& in, const char* key, int& to) {
  to = static_cast<int>(in.integer(key, 0, std::numeric_limits<int>::max()));
}
inline void read_value(const Reader& in, const char* key, Index& to) {
  to = in.integer(key, 0, Index{1} << 40);
}
inline void read_value(const Reader& in, const char* key, std::uint64_t& to) {
  to = in.natural(key);
}
inline void read_value(const Reader& in, const char* key, double& to) {
  to = in.any_real(key);
}
inline void read_value(const Reader& in, const char* key, std::string& to) {
  to = in.text(key);
}
inline void read_value(const Reader& in, const char* key, std::optional<double>& to) {
  if (in.has(key)) to = in.real(key);
}
inline void read_value(const Reader& in, const char* key, Matrix& to) {
  if (in.has(key)) to = matrix_from_json(in.at(key), in.path(key));
}
inline void read_value(const Reader& in, const char* key, RowVector& to) {
  to = in.vector(key);
}
inline void read_value(const Reader& in, const char* key, std::vector<double>& to) {
  const Vector values = in.vector(key);
  to.assign(values.begin(), values.end());
}
void read_value(const Reader& in, const char* key, Termination& to);
template <class Struct>
void read_value(const Reader& in, const char* key, std::vector<Struct>& to);
void read_value(const Reader& in, const char* key, Race& to);

// Keys that are missing keep the default if `lenient`: an older minor version did not have them.
template <class Struct>
Struct from_object(const Reader& in, bool lenient) {
  Struct value;
  visit_fields(value, [&](const char* key, auto& field) {
    if (!lenient || in.has(key)) read_value(in, key, field);
  });
  return value;
}

template <class Struct>
void read_value(const Reader& in, const char* key, std::vector<Struct>& to) {
  const Json& array = in.at(key);
  if (!array.is_array()) in.fail(key, "must be an array");
  to.clear();
  for (const Json& one : array) to.push_back(from_object<Struct>(Reader(one, in.path(key)), true));
}

}  // namespace bkernn
