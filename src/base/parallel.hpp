// Threads. The library uses them only through this header.
//
// A loop is cut into blocks that do not depend on the number of threads, and the results of the
// blocks are combined in block order. So the bits are the same on 1 thread and on 64.
#pragma once

#include <functional>

#include "bkernn/threads.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// The limit in force for this thread.
int thread_limit();

// Whether this thread belongs to the library. Callbacks are called only on the caller's threads.
bool is_worker_thread();

// Within its lifetime, every loop that this thread starts calls `hook` first. If the hook throws,
// so does the loop. A long computation can thus be abandoned without knowing about the hook.
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
// a rough count of the elementary operations of the whole loop: small loops stay on the calling
// thread, because they take less time than waking a worker. Nested loops run on the thread that
// calls them. The first exception that a block throws is thrown again here, once all running blocks
// have ended.
void parallel_for(Index blocks, double cost, const std::function<void(Index)>& body);

// The usual case: calls body(begin, end) for rows [0, n) in blocks of a fixed size.
void parallel_rows(Index n, double cost_per_row, const std::function<void(Index, Index)>& body);

// The sum of body(begin, end), which returns `columns` numbers, over the same blocks in order.
RowVector parallel_row_sums(Index n, Index columns, double cost_per_row,
                            const std::function<RowVector(Index, Index)>& body);

}  // namespace bkernn
