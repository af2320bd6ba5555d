#include "cli/simulated_files.hpp"

#include "tables/table_sink.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::cli {
namespace {

void write_set(const SimulatedSet& set, const std::string& path) {
  std::vector<std::string> names = tables::numbered_names("x", set.X.cols());
  names.push_back("y");
  Matrix values(set.X.rows(), set.X.cols() + 1);
  values << set.X, set.Y;
  tables::TableWriter writer(path, names);
  writer.write(values);
  writer.commit();
}

}  // namespace

std::string beside(const std::string& path, const std::string& word) {
  const std::size_t slash = path.rfind('/');
  std::size_t dot = path.rfind('.');
  if (tables::has_extension(path, ".gz") && dot > 0) dot = path.rfind('.', dot - 1);
  const bool no_extension = dot == std::string::npos || (slash != std::string::npos && dot < slash);
  if (no_extension) return path + "." + word;
  return path.substr(0, dot) + "." + word + path.substr(dot);
}

std::vector<std::string> write_simulated(const Simulated& data, const std::string& path,
                                         const std::string& directions) {
  std::vector<std::string> files = {path};
  write_set(data.train, path);
  if (data.test.X.rows() > 0 && path != "-") {
    files.push_back(beside(path, "test"));
    write_set(data.test, files.back());
  }
  if (path != "-" || !directions.empty()) {
    files.push_back(directions.empty() ? beside(path, "directions") : directions);
    tables::TableWriter writer(files.back(), tables::numbered_names("direction", data.P.cols()));
    writer.write(data.P);
    writer.commit();
  }
  return files;
}

}  // namespace bkernn::cli
