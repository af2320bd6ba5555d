// Threads: the only header through which the library uses them.
//
// A loop is cut into blocks that do not depend on the number of threads, and whatever the blocks
// produce is combined in block order: so results are the same bits on 1 thread and on 64.
#pragma once

#include <functional>

#include "bkernn/threads.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// The limit in force for this thread.
int thread_limit();

// Whether this thread belongs to the library: callbacks are made only on threads of the caller.
bool is_worker_thread();

// Within its lifetime, every loop that this thread starts calls `hook` first. If that throws, so
// does the loop: long computations can be abandoned without knowing of it.
class WorkHook {
 public:
  explicit WorkHook(std::function<void()> hook);
  ~WorkHook();
  WorkHook(const WorkHook&) = delete;
  WorkHook& operator=(const WorkHook&) = delete;

 private:
  std::function<void()> hook_;
  const std::function<void()>* previous_;
};

// Calls body(b) for every b in [0, blocks), in any order, and returns when all are done. `cost` is
// a rough count of elementary operations of the whole loop: small loops stay on the calling thread,
// because waking a sleeping worker costs more than they take. Nested loops run where they are
// called. The first exception that a block throws is thrown again here, once all running blocks
// have ended.
void parallel_for(Index blocks, double cost, const std::function<void(Index)>& body);

// The usual case: rows [0, n) in blocks of a fixed size; body(begin, end).
void parallel_rows(Index n, double cost_per_row, const std::function<void(Index, Index)>& body);

// Σ over the same blocks, in their order, of body(begin, end), which gives `columns` numbers.
RowVector parallel_row_sums(Index n, Index columns, double cost_per_row,
                            const std::function<RowVector(Index, Index)>& body);

}  // namespace bkernn
