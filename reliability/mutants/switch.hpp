// Which change is made, and which ones a test has run through. Included into every source file that
// is changed; BKERNN_CHANGES is the number of all changes.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace bkernn_mutants {

inline const int chosen = [] {
  const char* number = std::getenv("BKERNN_MUTANT");
  return number != nullptr ? std::atoi(number) : 0;
}();

struct Reached {
  std::atomic<bool> seen[BKERNN_CHANGES + 1] = {};

  ~Reached() { tell(); }

  // Appends the numbers of all changes that were reached to the file $BKERNN_REACHED, and forgets
  // them.
  void tell() {
    const char* path = std::getenv("BKERNN_REACHED");
    if (path == nullptr) return;
    std::string text;
    for (int k = 1; k <= BKERNN_CHANGES; ++k) {
      if (seen[k].exchange(false)) text += std::to_string(k) + '\n';
    }
    if (std::FILE* file = std::fopen(path, "a")) {
      std::fputs(text.c_str(), file);
      std::fclose(file);
    }
  }
};
inline Reached reached;

inline bool on(int k) {
  reached.seen[k].store(true, std::memory_order_relaxed);
  return chosen == k;
}

}  // namespace bkernn_mutants

// For watch.py, between two tests of one process.
extern "C" __attribute__((used, visibility("default"))) inline void bkernn_tell_reached() {
  bkernn_mutants::reached.tell();
}
