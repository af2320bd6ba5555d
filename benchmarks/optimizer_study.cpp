// The default optimizer against Algorithm 1 of the paper at the same number of evaluations of G:
// objective reached and R² on held-out rows, on simulated data of every kind and on the real sets
// of Experiment 6 (BKERNN_DATA_DIR/exp6).
//
//   bkernn_optimizer_study [evaluations = 100] [factor on the automatic λ = 1]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bkernn/bkernn.hpp"
#include "tables/table_reader.hpp"

using namespace bkernn;

namespace {

struct Split {
  std::string name;
  Matrix X, Y, X_test, Y_test;
};

// The first four fifths of at most 500 rows against the rest, as in Experiment 6.
Split read_split(const std::filesystem::path& path) {
  const tables::Table table = tables::read_table(path.string());
  const Index d = table.values.cols() - 1;
  const Index rows = std::min<Index>(500, table.values.rows());
  const Index train = rows * 4 / 5;
  const auto part = [&](Index begin, Index count) { return table.values.middleRows(begin, count); };
  return {path.stem().stem().string(), part(0, train).leftCols(d), part(0, train).rightCols(1),
          part(train, rows - train).leftCols(d), part(train, rows - train).rightCols(1)};
}

std::vector<Split> data_sets() {
  std::vector<Split> sets;
  const auto add = [&](const char* kind, Index n, Index d, Index k, double noise) {
    const Simulated data =
        simulate({.kind = kind, .n = n, .n_test = 1000, .d = d, .k = k, .noise = noise, .seed = 3});
    sets.push_back({std::string(kind) + " n" + std::to_string(n) + " d" + std::to_string(d),
                    data.train.X, data.train.Y, data.test.X, data.test.Y});
  };
  add("abs_sum", 214, 45, 5, 0.5);
  add("abs_variables", 412, 20, 5, 0.1);
  add("sine_all", 214, 20, 0, 1.0);
  add("sine_variables", 214, 20, 5, 0.5);
  add("sine_features", 214, 20, 5, 0.5);
  add("abs_sine", 212, 40, 3, 0);
  add("abs_sine", 500, 15, 3, 0);
  add("multi_index", 1000, 20, 3, 0.1);
  const char* dir = std::getenv("BKERNN_DATA_DIR");
  if (dir == nullptr) {
    std::printf("BKERNN_DATA_DIR is not set: simulated data only\n");
    return sets;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(dir) / "exp6")) {
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) sets.push_back(read_split(file));
  return sets;
}

struct StopAfter : Observer {
  explicit StopAfter(int n) : evaluations(n) {}
  bool on_iteration(const IterationRecord& record, const FitState&) override {
    return record.evaluations < evaluations;
  }
  int evaluations;
};

struct Outcome {
  double objective, r2, seconds;
  int evaluations;
};

Outcome run(const Split& set, FitOptions options, const char* optimizer, int evaluations) {
  options.optimizer = optimizer;
  options.tol = 0;
  options.max_iter = evaluations;
  StopAfter stop(evaluations);
  const FitResult result = fit({.X = set.X, .Y = set.Y}, options, &stop);
  return {result.report.objective, r2_score(set.Y_test, result.model.predict(set.X_test)),
          result.report.seconds, result.report.evaluations};
}

}  // namespace

int main(int argc, char** argv) {
  const int evaluations = argc > 1 ? std::atoi(argv[1]) : 100;
  const double factor = argc > 2 ? std::atof(argv[2]) : 1;
  const std::vector<Split> sets = data_sets();
  for (const char* penalty : {"basic", "feature", "concave_feature", "concave_variable"}) {
    std::printf("\n%s penalty, %d evaluations, automatic lambda x %g\n", penalty, evaluations,
                factor);
    std::printf("%-32s %9s %9s %7s  %8s %8s\n", "", "paper", "default", "ratio", "R2 paper",
                "R2 def.");
    int lower = 0, no_worse = 0;
    double sum_paper = 0, sum_default = 0;
    for (const Split& set : sets) {
      FitOptions options;
      options.penalty = penalty;
      options.step_size = 50;
      options.regularization = factor * automatic_regularization({.X = set.X, .Y = set.Y}, options);
      const Outcome paper = run(set, options, "paper", evaluations);
      const Outcome ours = run(set, options, "spectral", evaluations);
      std::printf("%-32s %9.5f %9.5f %7.3f  %8.4f %8.4f%s\n", set.name.c_str(), paper.objective,
                  ours.objective, ours.objective / paper.objective, paper.r2, ours.r2,
                  ours.r2 < paper.r2 - 0.01 ? "  worse" : "");
      lower += ours.objective <= paper.objective;
      no_worse += ours.r2 >= paper.r2 - 0.01;
      sum_paper += paper.r2;
      sum_default += ours.r2;
    }
    const auto n = static_cast<double>(sets.size());
    std::printf(
        "lower objective on %d of %zu, R2 no worse than 0.01 below on %d; mean R2 %.4f against "
        "%.4f\n",
        lower, sets.size(), no_worse, sum_default / n, sum_paper / n);
  }
}
