// Files when memory runs out: at whichever allocation it does, and however little there is from
// then on, an exception or success, never the end of the process.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <new>

#include "bkernn/error.hpp"
#include "bkernn/io.hpp"
#include "outer/optimizer_state.hpp"

namespace {

constexpr long kNoLimit = -1;
thread_local long allocations_left = kNoLimit;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace bkernn {
namespace {

SavedModel some_model() {
  SavedModel saved;
  Model& model = saved.model;
  model.n_particles = 3;
  model.center = RowVector::Zero(2);
  model.scale = RowVector::Ones(2);
  model.intercept = RowVector::Ones(2);
  model.W = Matrix::Ones(2, 3);
  model.functions.assign(3, {Vector::LinSpaced(40, 0, 1), Matrix::Random(40, 2)});
  model.feature_names = {"a name that takes memory of its own", "b"};
  saved.target_names = {"y", "z"};
  saved.options.init = Matrix::Ones(2, 3);
  saved.scores["train"]["r2"] = 1;
  saved.report.iterations.resize(3);
  return saved;
}

Checkpoint some_checkpoint() {
  Checkpoint checkpoint;
  OptimizerState state;
  state.iteration = 1;
  state.W = state.previous_W = state.previous_gradient = state.best_W = Matrix::Random(4, 9);
  state.recent = {1.0};
  state.inner.unknowns = Matrix::Random(30, 1);
  state.inner.intercept = RowVector::Zero(1);
  state.records.resize(1);
  checkpoint.state = FitState(state);
  return checkpoint;
}

// How many allocations are enough.
long try_with_ever_more_memory(const std::function<void()>& action) {
  for (long enough = 0; enough < 1000000; ++enough) {
    try {
      allocations_left = enough;
      action();
      allocations_left = kNoLimit;
      return enough;
    } catch (const std::bad_alloc&) {
      allocations_left = kNoLimit;
    } catch (const Error&) {  // streams make an error of it
      allocations_left = kNoLimit;
    }
  }
  return 0;
}

TEST(OutOfMemory, ReadingAndWritingFilesThrows) {
  const std::string folder =
      testing::TempDir() + "bkernn_out_of_memory_" + std::to_string(::getpid());
  std::filesystem::create_directory(folder);
  const SavedModel model = some_model();
  const Checkpoint checkpoint = some_checkpoint();
  for (const char* extension : {".json", ".ubj", ".cbor"}) {
    const std::string path = folder + "/m" + extension, state = folder + "/k" + extension;
    save_model(model, path);
    save_checkpoint(checkpoint, state);
    const std::vector<std::function<void()>> actions{
        [&] { save_model(model, path); }, [&] { load_model(path); },
        [&] { save_checkpoint(checkpoint, state); }, [&] { load_checkpoint(state); }};
    for (std::size_t i = 0; i < actions.size(); ++i) {
      EXPECT_EXIT(
          {
            const long enough = try_with_ever_more_memory(actions[i]);
            std::_Exit(enough > 20 ? 0 : 1);
          },
          testing::ExitedWithCode(0), "")
          << extension << " " << i;
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bkernn
