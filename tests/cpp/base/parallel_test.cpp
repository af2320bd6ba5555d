// The parallel loop: every block once, exceptions out, nested, concurrent and forked callers.
#include "base/parallel.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "patience.hpp"

namespace bkernn {
namespace {

constexpr double kExpensive = 1e9;  // enough for every thread to be woken

std::vector<int> visits(Index blocks, double cost) {
  std::vector<std::atomic<int>> counts(blocks);
  parallel_for(blocks, cost, [&](Index b) { ++counts[b]; });
  return {counts.begin(), counts.end()};
}

TEST(ParallelFor, RunsEveryBlockOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    const ThreadLimit limit(threads);
    for (const Index blocks : {0, 1, 2, 3, 7, 64, 1000}) {
      for (const double cost : {0.0, 1.0, kExpensive}) {
        for (int repeat = 0; repeat < 20; ++repeat) {
          ASSERT_EQ(visits(blocks, cost), std::vector<int>(blocks, 1)) << threads << " " << blocks;
        }
      }
    }
  }
}

TEST(ParallelFor, UsesSeveralThreadsButNoMoreThanTheLimit) {
  for (const int threads : {1, 2, 5}) {
    const ThreadLimit limit(threads);
    std::mutex mutex;
    std::condition_variable met;
    std::set<std::thread::id> seen;
    parallel_for(50, kExpensive, [&](Index) {
      std::unique_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
      met.notify_all();
      // Nobody takes a second block before another thread has come.
      const auto together = [&] { return threads == 1 || seen.size() > 1; };
      EXPECT_TRUE(met.wait_for(lock, std::chrono::seconds(kPatience), together));
    });
    EXPECT_LE(static_cast<int>(seen.size()), threads);
  }
}

TEST(ParallelFor, SmallLoopsStayOnTheCallingThread) {
  const ThreadLimit limit(4);
  const std::thread::id here = std::this_thread::get_id();
  parallel_for(100, 1000, [&](Index) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

TEST(ParallelFor, ExceptionsArriveAndLeaveThePoolUsable) {
  for (const int threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    for (const Index bad : {0, 13, 99}) {
      std::atomic<int> running = 0;
      try {
        parallel_for(100, kExpensive, [&](Index b) {
          ++running;
          if (b == bad) {
            --running;
            throw std::runtime_error("block " + std::to_string(b));
          }
          --running;
        });
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), "block " + std::to_string(bad));
      }
      EXPECT_EQ(running, 0) << "a block outlived the loop";
      EXPECT_EQ(visits(100, kExpensive), std::vector<int>(100, 1));
    }
    EXPECT_THROW(parallel_for(64, kExpensive, [](Index) { throw 7; }), int);
  }
}

TEST(ParallelFor, NestedLoopsRunWhereTheyAreCalled) {
  const ThreadLimit limit(4);
  std::vector<std::atomic<int>> counts(40 * 30);
  parallel_for(40, kExpensive, [&](Index outer) {
    const std::thread::id here = std::this_thread::get_id();
    parallel_for(30, kExpensive, [&](Index inner) {
      EXPECT_EQ(std::this_thread::get_id(), here);
      ++counts[outer * 30 + inner];
    });
  });
  for (const auto& count : counts) EXPECT_EQ(count, 1);
  // The mark of being inside a loop is gone again.
  EXPECT_EQ(visits(64, kExpensive), std::vector<int>(64, 1));
  EXPECT_THROW(
      parallel_for(
          4, kExpensive,
          [](Index) { parallel_for(4, kExpensive, [](Index) { throw std::logic_error(""); }); }),
      std::logic_error);
}

TEST(ParallelFor, ConcurrentCallers) {
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int c = 0; c < 6; ++c) {
    callers.emplace_back([&, c] {
      const ThreadLimit limit(1 + c % 4);
      for (int repeat = 0; repeat < 200; ++repeat) {
        const Index blocks = 1 + (repeat * 7 + c) % 50;
        if (visits(blocks, kExpensive) != std::vector<int>(blocks, 1)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// A child has none of its parent's workers. It must neither hang nor lose blocks; the parent goes
// on as before.
TEST(ParallelFor, WorksInAForkedChild) {
  const ThreadLimit limit(4);
  ASSERT_EQ(visits(100, kExpensive), std::vector<int>(100, 1));
  for (int repeat = 0; repeat < 5; ++repeat) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::alarm(kPatience);  // a hang ends the child by a signal
      bool right = true;
      for (int i = 0; i < 20; ++i)
        right = right && visits(100, kExpensive) == std::vector<int>(100, 1);
      const pid_t grandchild = ::fork();
      if (grandchild == 0) ::_exit(visits(9, kExpensive) == std::vector<int>(9, 1) ? 0 : 1);
      int status = 1;
      ::waitpid(grandchild, &status, 0);
      ::_exit(right && status == 0 ? 0 : 1);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    ASSERT_EQ(visits(100, kExpensive), std::vector<int>(100, 1));
  }
}

// Stacks as large as the address space: no thread can be started, and the caller does it all.
TEST(ParallelFor, GoesOnWithoutThreadsThatCannotBeStarted) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(kPatience);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, std::size_t{1} << 47);
    ::pthread_setattr_default_np(&attributes);
    const ThreadLimit limit(4);
    ::_exit(visits(100, kExpensive) == std::vector<int>(100, 1) ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ParallelRows, CoverAllRowsInBlocksThatDoNotDependOnThreads) {
  for (const Index n : {0, 1, 2047, 2048, 2049, 10000}) {
    std::set<std::pair<Index, Index>> first;
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      std::mutex mutex;
      std::set<std::pair<Index, Index>> blocks;
      parallel_rows(n, 1e6, [&](Index begin, Index end) {
        const std::lock_guard lock(mutex);
        blocks.insert({begin, end});
      });
      Index row = 0;
      for (const auto& [begin, end] : blocks) {
        EXPECT_EQ(begin, row);
        EXPECT_LT(begin, end);
        row = end;
      }
      EXPECT_EQ(row, n);
      if (threads == 1) first = blocks;
      EXPECT_EQ(blocks, first);
    }
  }
}

// A thread that may run on one core only is counted so.
TEST(AvailableThreads, AreTheCoresThatTheThreadMayUse) {
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(available_threads(), CPU_COUNT(&all));
  std::thread([&] {
    int core = 0;
    while (!CPU_ISSET(core, &all)) ++core;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(available_threads(), 1);
  }).join();
}

TEST(ThreadLimitTest, NestsAndBelongsToItsThread) {
  EXPECT_GE(available_threads(), 1);
  EXPECT_EQ(thread_limit(), available_threads());
  {
    const ThreadLimit three(3);
    EXPECT_EQ(thread_limit(), 3);
    {
      const ThreadLimit all(0);
      EXPECT_EQ(thread_limit(), available_threads());
    }
    EXPECT_EQ(thread_limit(), 3);
    std::thread([] { EXPECT_EQ(thread_limit(), available_threads()); }).join();
  }
  EXPECT_EQ(thread_limit(), available_threads());
}

}  // namespace
}  // namespace bkernn
