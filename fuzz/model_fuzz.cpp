// Model files and checkpoints. The first byte names the encoding (j, u, c) and the kind (capital:
// checkpoint); the rest is the file. Whatever is accepted must be usable: a model predicts finite
// numbers and is saved and read back the same, a fit goes on from a checkpoint or refuses it.
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/io.hpp"
#include "check.hpp"
#include "scratch.hpp"

namespace {

using namespace bkernn;

const char* extension_of(char encoding) {
  if (encoding == 'j' || encoding == 'J') return ".json";
  return encoding == 'u' || encoding == 'U' ? ".ubj" : ".cbor";
}

void use_model(const std::string& path) {
  const SavedModel saved = load_model(path);
  const Model& model = saved.model;
  saved.model.validate();
  if (model.n_features() * 5 > 1 << 20) return;
  Matrix X = Matrix::Constant(5, model.n_features(), 0.5);
  X.row(1).setConstant(-1e6);
  X.row(2).setConstant(1e100);
  X.row(3).setConstant(-1e100);
  X.row(4) = model.center;
  const Matrix F = model.predict(X);
  BKERNN_FUZZ_CHECK(F.rows() == 5 && F.cols() == model.n_outputs());
  BKERNN_FUZZ_CHECK(F.allFinite());
  BKERNN_FUZZ_CHECK(model.predict_response(X).allFinite());
  BKERNN_FUZZ_CHECK(model.importances().allFinite());
  model.dimension();
  const std::string text = model_to_json(saved);
  BKERNN_FUZZ_CHECK(model_to_json(model_from_json(text)) == text);
}

void use_checkpoint(const std::string& path) {
  Checkpoint checkpoint = load_checkpoint(path);
  FitOptions& options = checkpoint.options;
  // The fit that the seeds come from, a few steps further.
  const Matrix X = Matrix{{0, 1}, {1, 0}, {2, 2}, {3, -1}, {4, 0}, {5, 1}};
  const Matrix Y = Matrix{{0}, {1}, {4}, {2}, {5}, {7}};
  if (options.n_particles > 20 || options.knots > 1000) return;
  options.max_iter = checkpoint.state.iteration() % 1000 + 2;
  options.max_halvings = std::min(options.max_halvings, 60);
  options.n_threads = 1;
  fit(FitInput{.X = X, .Y = Y, .resume = &checkpoint.state}, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  const char kind = static_cast<char>(data[0]);
  const std::string path =
      scratch.write(std::string("file") + extension_of(kind), fuzz::text_of(data + 1, size - 1));
  try {
    kind >= 'a' ? use_model(path) : use_checkpoint(path);
  } catch (const Error&) {
  }
  return 0;
}
