// How many threads a computation may use. Results never depend on it: they are the same bits on 1
// thread and on 64.
//
//   const ThreadLimit limit(4);
//   const Matrix F = model.predict(X);  // on at most 4 threads
//
// The functions that have an option `n_threads` set such a limit for themselves.
#pragma once

namespace bkernn {

// Cores that this process may use.
int available_threads();

// Within its lifetime, what this thread calls uses at most `n` threads (0: all available ones).
// Limits nest: the one made last is in force, and the one before it returns when it ends.
class ThreadLimit {
 public:
  explicit ThreadLimit(int n);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int previous_;
};

}  // namespace bkernn
