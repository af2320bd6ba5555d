#include "base/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

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

}  // namespace

double available_memory() {
  double least = free_on_machine();
  for (const double other : {free_in_group(), free_in_address_space()}) {
    if (other < least) least = other;
  }
  return std::max(least, 0.0);
}

}  // namespace bkernn
