// Kernels that C and ONNX have a formula for are exported; the others say so, and leave no file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "bkernn/kernel.hpp"

namespace bkernn {
namespace {

class ExportTest : public testing::TestWithParam<std::string> {
 protected:
  ExportTest() : folder(testing::TempDir() + "export-" + GetParam()) {
    std::filesystem::create_directories(folder);
    Model& model = saved.model;
    model.kernel = GetParam();
    model.loss = "square";
    model.penalty = "basic";
    model.n_particles = 1;
    model.W = Matrix::Ones(2, 1);
    model.center = RowVector::Zero(2);
    model.scale = RowVector::Ones(2);
    model.intercept = RowVector::Zero(1);
    model.functions = {{Vector::LinSpaced(3, -1, 1), Matrix::Ones(3, 1)}};
  }
  ~ExportTest() override { std::filesystem::remove_all(folder); }
  ExportTest(const ExportTest&) = delete;
  ExportTest& operator=(const ExportTest&) = delete;

  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }

  std::string folder;
  SavedModel saved;
};

TEST_P(ExportTest, IsWrittenOrRefused) {
  const std::set<std::string> with_formula{"brownian", "exponential", "gaussian"};
  for (const std::string name : {"model.c", "model.onnx"}) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << "old";
    if (with_formula.contains(GetParam())) {
      export_model(saved, path);
      EXPECT_GT(content(path).size(), 100U);
      continue;
    }
    try {
      export_model(saved, path);
      ADD_FAILURE() << name << " was written";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).find("kernel = " + GetParam() + ": has no formula in"),
                0U)
          << error.what();
    }
    EXPECT_EQ(content(path), "old");
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExportTest, testing::ValuesIn(kernel_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace bkernn
