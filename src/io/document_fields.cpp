#include "io/document_fields.hpp"

#include <array>
#include <utility>

namespace bkernn {
namespace {

constexpr std::array<std::pair<Termination, const char*>, 6> kTerminations = {{
    {Termination::converged, "converged"},
    {Termination::max_iterations, "max_iterations"},
    {Termination::stalled, "stalled"},
    {Termination::trivial, "trivial"},
    {Termination::early_stopped, "early_stopped"},
    {Termination::stopped, "stopped"},
}};

}  // namespace

void put_value(Json& to, Termination value) {
  to = "stopped";
  for (const auto& [termination, name] : kTerminations) {
    if (termination == value) to = name;
  }
}

void read_value(const Reader& in, const char* key, Termination& to) {
  const std::string wanted = in.text(key);
  for (const auto& [termination, name] : kTerminations) {
    if (wanted == name) {
      to = termination;
      return;
    }
  }
  in.fail(key, "\"" + wanted + "\" is not known");
}

void read_value(const Reader& in, const char* key, Race& to) {
  if (!in.has(key)) return;
  to = from_object<Race>(in.object(key), true);
  if (to.empty() || to.best >= static_cast<int>(to.points.size()))
    in.fail(key, "must have points, the best one among them");
}

}  // namespace bkernn
