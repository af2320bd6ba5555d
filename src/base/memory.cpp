#include "base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The number in a file that holds nothing else, or infinity.
double number_in(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : kInfinite;
}

double free_on_machine() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  double value = 0;
  while (file >> key >> value) {
    if (key == "MemAvailable:") return value * 1024;
    std::getline(file, unit);
  }
  return kInfinite;
}

double free_in_group() {
  return number_in("/sys/fs/cgroup/memory.max") - number_in("/sys/fs/cgroup/memory.current");
}

double free_in_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kInfinite;
  const double pages = number_in("/proc/self/statm");
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string size_text(double bytes) {
  char text[32];
  const bool large = bytes >= 1e9;
  std::snprintf(text, sizeof text, large ? "%.1f GB" : "%.0f MB", bytes / (large ? 1e9 : 1e6));
  return text;
}

}  // namespace

double memory_of_fit(const std::string& kernel_operator, Index n, Index d, Index m, Index q) {
  const auto rows = static_cast<double>(n), elements = rows * static_cast<double>(m);
  const auto outputs = static_cast<double>(q);
  const double data = 8 * rows * (static_cast<double>(d) + 20 * outputs);
  if (kernel_operator == "dense") return data + 24 * rows * rows;
  if (kernel_operator == "knots") return data + 6 * elements;
  return data + 16 * elements + 8 * elements * (1 + outputs);
}

double available_memory() {
  double least = free_on_machine();
  for (const double other : {free_in_group(), free_in_address_space()}) {
    if (other < least) least = other;
  }
  return std::max(least, 0.0);
}

void check_memory(const std::string& kernel_operator, Index n, Index d, Index m, Index q,
                  double available) {
  const double needed = memory_of_fit(kernel_operator, n, d, m, q);
  if (needed <= available) return;
  const double with_knots = memory_of_fit("knots", n, d, m, q);
  throw InvalidArgument("X = " + std::to_string(n) + "x" + std::to_string(d) + ": a fit with " +
                        std::to_string(m) + " particles needs about " + size_text(needed) +
                        " of memory, and " + size_text(available) +
                        " are free; take fewer particles" +
                        (kernel_operator == "sorted" && with_knots <= available
                             ? ", or knots (knots = 256 needs " + size_text(with_knots) + ")"
                             : ", or fewer rows"));
}

}  // namespace bkernn
