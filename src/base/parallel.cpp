#include "base/parallel.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace bkernn {
namespace {

constexpr double kCostWorthAWorker = 1e5;
constexpr Index kRowsPerBlock = 2048;
// About what it takes to fall asleep and be woken again.
constexpr std::chrono::microseconds kLinger{60};

thread_local int t_limit = 0;
thread_local bool t_inside_loop = false;
thread_local bool t_worker = false;
thread_local const std::function<void()>* t_hook = nullptr;

// One running loop. Whoever takes part draws block numbers until none are left.
struct Loop {
  explicit Loop(Index n, const std::function<void(Index)>& f) : blocks(n), body(f) {}

  void take_part() {
    const bool outer = t_inside_loop;
    t_inside_loop = true;
    for (Index b = next++; b < blocks; b = next++) {
      try {
        body(b);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        next = blocks;
      }
    }
    t_inside_loop = outer;
  }

  const Index blocks;
  const std::function<void(Index)>& body;
  std::atomic<Index> next{0};
  std::atomic<int> helpers{0};  // changed under the pool's mutex
  std::mutex failure_mutex;
  std::exception_ptr failure;
};

// Waits a moment for what usually comes at once, because the products of a small problem follow
// each other faster than a thread wakes. Whoever else wants the core gets it.
template <class Condition>
void linger(const Condition& met) {
  const auto end = std::chrono::steady_clock::now() + kLinger;
  while (!met() && std::chrono::steady_clock::now() < end) sched_yield();
}

// Workers sleep until a loop asks for help, and linger a little after one.
class Pool {
 public:
  void run(Loop& loop, int wanted_helpers) {
    const int helpers = call(loop, wanted_helpers);
    for (int i = 0; i < helpers; ++i) call_.notify_one();
    loop.take_part();
    std::unique_lock lock(mutex_);
    calls_.erase(std::remove(calls_.begin(), calls_.end(), &loop), calls_.end());
    open_calls_ = calls_.size();
    lock.unlock();
    linger([&] { return loop.helpers == 0; });
    lock.lock();
    left_.wait(lock, [&] { return loop.helpers == 0; });
  }

 private:
  // How many helpers were called: fewer than wanted where there is no memory, or no right, for
  // another thread. The caller can do all of the work alone.
  int call(Loop& loop, int wanted) {
    const std::lock_guard lock(mutex_);
    int called = 0;
    try {
      for (; called < wanted; ++called) {
        if (workers_ == called) start_worker();
        calls_.push_back(&loop);
        open_calls_ = calls_.size();
      }
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
    }
    return called;
  }

  void start_worker() {
    std::thread([this] { work(); }).detach();
    ++workers_;
  }

  void work() {
    t_worker = true;
    std::unique_lock lock(mutex_);
    for (;;) {
      call_.wait(lock, [&] { return !calls_.empty(); });
      Loop* loop = calls_.front();
      calls_.pop_front();
      open_calls_ = calls_.size();
      ++loop->helpers;
      lock.unlock();
      loop->take_part();
      lock.lock();
      --loop->helpers;
      left_.notify_all();
      lock.unlock();
      linger([&] { return open_calls_ > 0; });
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable call_, left_;
  std::deque<Loop*> calls_;
  std::atomic<std::size_t> open_calls_{0};  // calls_.size(), to be read without the lock
  int workers_ = 0;
};

// The pool lives as long as the process (its sleeping workers hold references to it). A forked
// child has no workers, and perhaps a locked mutex: it gets a new pool.
Pool* g_pool = nullptr;

Pool& pool() {
  static std::once_flag once;
  std::call_once(once, [] {
    g_pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { g_pool = new Pool; });
  });
  return *g_pool;
}

}  // namespace

int available_threads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

ThreadLimit::ThreadLimit(int n) : previous_(t_limit) {
  t_limit = n;
}

ThreadLimit::~ThreadLimit() {
  t_limit = previous_;
}

int thread_limit() {
  return t_limit > 0 ? t_limit : available_threads();
}

WorkHook::WorkHook(std::function<void()> hook) : hook_(std::move(hook)), previous_(t_hook) {
  t_hook = &hook_;
}

WorkHook::~WorkHook() {
  t_hook = previous_;
}

bool is_worker_thread() {
  return t_worker;
}

void parallel_for(Index blocks, double cost, const std::function<void(Index)>& body) {
  if (t_hook != nullptr) (*t_hook)();
  Index threads = 1;
  if (!t_inside_loop && blocks > 1 && cost >= 2 * kCostWorthAWorker) {
    threads =
        std::min<Index>({thread_limit(), blocks, static_cast<Index>(cost / kCostWorthAWorker)});
  }
  if (threads <= 1) {
    for (Index b = 0; b < blocks; ++b) body(b);
    return;
  }
  Loop loop(blocks, body);
  pool().run(loop, static_cast<int>(threads - 1));
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void parallel_rows(Index n, double cost_per_row, const std::function<void(Index, Index)>& body) {
  const Index blocks = (n + kRowsPerBlock - 1) / kRowsPerBlock;
  parallel_for(blocks, cost_per_row * static_cast<double>(n),
               [&](Index b) { body(b * kRowsPerBlock, std::min(n, (b + 1) * kRowsPerBlock)); });
}

RowVector parallel_row_sums(Index n, Index columns, double cost_per_row,
                            const std::function<RowVector(Index, Index)>& body) {
  Matrix sums = Matrix::Zero((n + kRowsPerBlock - 1) / kRowsPerBlock, columns);
  parallel_rows(n, cost_per_row, [&](Index begin, Index end) {
    sums.row(begin / kRowsPerBlock) = body(begin, end);
  });
  RowVector total = RowVector::Zero(columns);
  for (Index b = 0; b < sums.rows(); ++b) total += sums.row(b);
  return total;
}

}  // namespace bkernn
