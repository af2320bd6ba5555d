#include <algorithm>
#include <cctype>

#include "base/atomic_file.hpp"
#include "bkernn/error.hpp"
#include "bkernn/export.hpp"

namespace bkernn {
namespace {

bool ends_in(const std::string& path, const std::string& extension) {
  return path.size() > extension.size() &&
         std::equal(extension.rbegin(), extension.rend(), path.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

bool is_export(const std::string& path) {
  return ends_in(path, ".c") || ends_in(path, ".onnx");
}

void export_model(const SavedModel& saved, const std::string& path, OnnxNumbers numbers) {
  require(path.find('\0') == std::string::npos, "path",
          "\"" + path.substr(0, path.find('\0')) + "\" and a NUL byte",
          "no name of a file holds one");
  if (!is_export(path)) throw IoError(path + ": the name must end in .c or .onnx");
  const std::string bytes = ends_in(path, ".c") ? model_to_c(saved) : model_to_onnx(saved, numbers);
  AtomicFile file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

}  // namespace bkernn
