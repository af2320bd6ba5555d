#include "tables/data_set.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "base/utf8.hpp"
#include "bkernn/error.hpp"
#include "bkernn/loss.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kMostClasses = 1000;

bool may_be_classes(const std::string& loss) {
  return loss == "auto" || make_loss(loss)->classifies();
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Words in alphabetical order, or if there are none the distinct numbers in theirs.
std::vector<std::string> distinct_classes(const Table& table, Index column,
                                          const std::string& path) {
  std::vector<std::string> classes;
  if (table.holds_words(column)) {
    const std::vector<std::string>& cells = table.labels.at(column);
    const std::set<std::string> found(cells.begin(), cells.end());
    classes.assign(found.begin(), found.end());
  } else {
    const auto values = table.values.col(column);
    const std::set<double> found(values.begin(), values.end());
    for (const double value : found) classes.push_back(shortest_text(value));
  }
  const std::string place = path + ": column \"" + table.names[column] + "\" holds ";
  if (classes.size() < 2) throw IoError(place + "one class only, \"" + classes.front() + "\"");
  if (!std::all_of(classes.begin(), classes.end(), is_utf8)) {
    throw IoError(place + "words that are not UTF-8 text: save the file as UTF-8");
  }
  if (classes.size() > kMostClasses) {
    throw IoError(place + std::to_string(classes.size()) +
                  " different classes: is it the target of a regression, or a name?");
  }
  return classes;
}

void read_target(const Table& table, Index first, const std::string& path, std::string& loss,
                 DataSet& data) {
  const auto count = static_cast<Index>(data.target_names.size());
  bool words = false;
  for (Index k = 0; k < count; ++k) words = words || table.holds_words(first + k);
  if (words && count > 1) throw IoError(path + ": several targets must all be numbers");
  if (loss == "auto" && !words) loss = default_loss();
  if (loss == "auto" && !table.values.col(first).array().isNaN().all()) {
    throw MixedTarget(path + ": column \"" + table.names[first] + "\" holds numbers and words");
  }
  if (!may_be_classes(loss)) {
    data.Y = table.values.middleCols(first, count);
    return;
  }
  require(count == 1, "targets", count, "must be one for the " + loss + " loss");
  data.class_names = distinct_classes(table, first, path);
  const auto classes = static_cast<Index>(data.class_names.size());
  if (loss == "auto") loss = default_loss(classes);
  const Index outputs = make_loss(loss)->class_outputs(classes);
  if (outputs == 0) {
    throw IoError(path + ": column \"" + table.names[first] + "\" holds " +
                  std::to_string(classes) + " classes; the " + loss + " loss takes two, the " +
                  default_loss(classes) + " loss any number");
  }
  data.Y = encode_classes(table, first, data.class_names, outputs);
}

}  // namespace

DataSet DataSet::rows(const std::vector<Index>& which) const {
  DataSet part = *this;
  part.X = X(which, Eigen::all);
  for (auto& [column, category] : part.categories) {
    const std::vector<std::int32_t>& codes = categories.at(column).codes;
    category.codes.clear();
    for (const Index i : which) category.codes.push_back(codes[i]);
  }
  part.Y = Y(which, Eigen::all);
  if (weights.size() > 0) part.weights = weights(which);
  return part;
}

void DataSet::encode(const Encoder& by, const std::string& file) {
  if (!by.empty()) {
    try {
      X = by.encode({X, categories}, feature_names);
    } catch (const InvalidArgument& error) {
      throw IoError(file + ": " + error.what());
    }
  }
  encoder = by;
  categories.clear();
}

void DataSet::bend(const Encoder& by) {
  if (!by.bends() || encoder.bends()) return;
  X = by.bend(X);
  encoder = by;
}

Encoder learn_encoder(const DataSet& data, const std::string& file) {
  try {
    return bkernn::learn_encoder({data.X, data.categories}, data.weights_or_null(),
                                 data.feature_names);
  } catch (const InvalidArgument& error) {
    throw IoError(file + ": " + error.what());
  }
}

namespace {

// Words and numbers in one column that nobody declared: one of its cells is wrong.
void refuse_mixed(const TableReader& reader, const Table& table, Index column) {
  const Words& words = table.words.at(column);
  const auto& codes = words.category.codes;
  const auto first = std::find_if(codes.begin(), codes.end(), [](auto code) { return code >= 0; });
  const std::string& name = table.names[column];
  throw IoError(reader.place(words.first_line, name) + ": \"" +
                words.category.levels[*first].substr(0, 40) +
                "\" is not a number, but other cells of the column are (if they are categories, "
                "say so by --categorical)");
}

std::vector<Index> rows_with_target(const Table& table, Index first, Index count) {
  std::vector<Index> rows;
  for (Index i = 0; i < table.values.rows(); ++i) {
    bool there = true;
    for (Index k = first; k < first + count; ++k) {
      const auto text = table.labels.find(k);
      there = there && (text == table.labels.end() ? !std::isnan(table.values(i, k))
                                                   : !text->second[i].empty());
    }
    if (there) rows.push_back(i);
  }
  return rows;
}

// The same table without the other rows.
void keep_rows(Table& table, const std::vector<Index>& rows) {
  if (static_cast<Index>(rows.size()) == table.values.rows()) return;
  table.values = table.values(rows, Eigen::all).eval();
  const auto keep = [&](auto& cells) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      cells[i] = std::move(cells[static_cast<std::size_t>(rows[i])]);
    cells.resize(rows.size());
  };
  for (auto& [column, cells] : table.labels) keep(cells);
  for (auto& [column, words] : table.words) keep(words.category.codes);
}

}  // namespace

DataSet read_training_data(const std::string& path, const CsvFormat& format,
                           const TrainingColumns& columns, std::string& loss) {
  TableReader reader(path, format);
  std::vector<std::string> named = columns.targets;
  named.insert(named.end(), columns.ignored.begin(), columns.ignored.end());
  if (!columns.weights.empty()) named.push_back(columns.weights);
  match_columns(path, reader.names(), true, named);  // they all exist
  match_columns(path, reader.names(), true, columns.used);
  match_columns(path, reader.names(), true, columns.categorical);
  match_columns(path, reader.names(), true, columns.numeric);

  DataSet data;
  data.target_names = columns.targets;
  std::vector<Index> selected;
  std::vector<Cells> cells;
  for (std::size_t j = 0; j < reader.names().size(); ++j) {
    if (contains(named, reader.names()[j])) continue;
    const std::string& name = reader.names()[j];
    if (!columns.used.empty() && !contains(columns.used, name)) continue;
    selected.push_back(static_cast<Index>(j));
    cells.push_back(contains(columns.categorical, name) ? Cells::words
                    : contains(columns.numeric, name)   ? Cells::numbers_gaps
                                                        : Cells::mixed);
    data.feature_names.push_back(name);
  }
  if (selected.empty()) throw IoError(path + ": no column is left for the variables");
  const auto d = static_cast<Index>(selected.size());
  std::vector<std::string> last = columns.targets;
  if (!columns.weights.empty()) last.push_back(columns.weights);
  const std::vector<Index> others = match_columns(path, reader.names(), true, last);
  selected.insert(selected.end(), others.begin(), others.end());
  const bool drop = columns.drop_missing_target;
  const Cells target = may_be_classes(loss) ? (drop ? Cells::text_gaps : Cells::text)
                                            : (drop ? Cells::numbers_gaps : Cells::numbers);
  cells.insert(cells.end(), columns.targets.size(), target);
  cells.resize(selected.size(), Cells::numbers);
  reader.select(selected, cells);
  Table table = reader.read_all();
  for (const auto& [column, words] : table.words) {
    if (cells[column] == Cells::mixed && !table.values.col(column).array().isNaN().all())
      refuse_mixed(reader, table, column);
  }
  if (drop) {
    keep_rows(table, rows_with_target(table, d, static_cast<Index>(columns.targets.size())));
    if (table.values.rows() == 0) throw IoError(path + ": the target is missing in every row");
  }
  try {
    read_target(table, d, path, loss, data);
  } catch (const MixedTarget&) {
    if (path == "-") throw;
    try {  // reading it as numbers tells where the first word is
      std::string numbers = default_loss();
      return read_training_data(path, format, columns, numbers);
    } catch (const IoError& error) {
      throw MixedTarget(error.what());
    }
  }
  if (!columns.weights.empty()) data.weights = table.values.rightCols(1);
  table.values.conservativeResize(Eigen::NoChange, d);
  data.X = std::move(table.values);
  for (auto& [column, words] : table.words)
    data.categories.emplace(column, std::move(words.category));
  return data;
}

std::vector<Index> locate_columns(const TableReader& reader, const std::string& path,
                                  const Model& model, const std::vector<std::string>& more) {
  const std::vector<std::string>& names = reader.names();
  std::vector<std::string> wanted = model.feature_names;
  if (wanted.empty()) {  // the model knows no names: all other columns, in their order
    for (const std::string& name : names) {
      if (!contains(more, name)) wanted.push_back(name);
    }
    if (static_cast<Index>(wanted.size()) != model.n_columns()) {
      throw IoError(path + ": has " + std::to_string(wanted.size()) +
                    (wanted.size() == 1 ? " column" : " columns") +
                    " for the variables, but the model was fitted on " +
                    std::to_string(model.n_columns()));
    }
  }
  wanted.insert(wanted.end(), more.begin(), more.end());
  const bool all_known = std::all_of(
      wanted.begin(), wanted.end(), [&](const std::string& name) { return contains(names, name); });
  return match_columns(path, names, reader.has_header() || all_known, wanted);
}

std::vector<Cells> cells_of(const Model& model) {
  std::vector<Cells> cells(static_cast<std::size_t>(model.n_columns()), Cells::numbers_gaps);
  for (std::size_t a = 0; a < model.encoder.columns.size(); ++a) {
    if (model.encoder.columns[a].category) cells[a] = Cells::words;
  }
  return cells;
}

Matrix encode_rows(const Table& table, const Model& model, const std::string& path) {
  const auto values = table.values.leftCols(model.n_columns());
  if (model.encoder.empty()) return values;
  Categories categories;
  for (const auto& [column, words] : table.words) categories.emplace(column, words.category);
  try {
    return model.encode({values, categories});
  } catch (const InvalidArgument& error) {
    throw IoError(path + ": " + error.what());
  }
}

Matrix encode_classes(const Table& table, Index column, const std::vector<std::string>& classes,
                      Index outputs) {
  std::unordered_map<std::string, Index> position;
  for (std::size_t k = 0; k < classes.size(); ++k) position.emplace(classes[k], k);
  const std::vector<std::string>& cells = table.labels.at(column);
  const Index n = table.values.rows();
  Matrix Y = Matrix::Zero(n, static_cast<Index>(classes.size()));
  for (Index i = 0; i < n; ++i) {
    auto found = position.find(cells[i]);
    const double value = table.values(i, column);
    if (found == position.end() && !std::isnan(value)) found = position.find(shortest_text(value));
    if (found == position.end()) {
      throw IoError("column \"" + table.names[column] + "\": the class \"" + cells[i] +
                    "\" is not one of the model's");
    }
    Y(i, found->second) = 1;
  }
  return Y.rightCols(outputs);
}

DataSet read_data_for(const SavedModel& saved, const std::string& path, const CsvFormat& format,
                      const std::vector<std::string>& targets, const std::string& weights) {
  const Model& model = saved.model;
  DataSet data;
  data.target_names = targets.empty() ? saved.target_names : targets;
  require(!data.target_names.empty(), "targets", "none",
          "must be named, because the model does not know the name of its target");
  const bool classes = model.n_classes() > 0;
  const bool quantiles = !model.quantiles.empty();  // of one target, which is named for each
  if (quantiles && data.target_names.size() == model.quantiles.size()) data.target_names.resize(1);
  const std::size_t expected =
      classes || quantiles ? 1 : static_cast<std::size_t>(model.n_outputs());
  require(data.target_names.size() == expected, "targets", data.target_names.size(),
          "must be " + std::to_string(expected) + ", as many as the model has");
  TableReader reader(path, format);
  std::vector<std::string> more = data.target_names;
  if (!weights.empty()) more.push_back(weights);
  const std::vector<Index> columns = locate_columns(reader, path, model, more);
  const Index d = model.n_columns();
  std::vector<Cells> cells = cells_of(model);
  cells.resize(columns.size(), Cells::numbers);
  if (classes) cells[d] = Cells::text;
  reader.select(columns, cells);
  Table table = reader.read_all();
  if (classes) {
    data.class_names = model.class_names;
    if (data.class_names.empty()) {
      for (Index k = 0; k < model.n_classes(); ++k) data.class_names.push_back(std::to_string(k));
    }
    data.Y = encode_classes(table, d, data.class_names, model.n_outputs());
  } else {
    data.Y = table.values.middleCols(d, static_cast<Index>(expected));
  }
  if (quantiles) {
    data.Y = data.Y.replicate(1, model.n_outputs()).eval();
    data.target_names.resize(model.n_outputs(), data.target_names.front());
  }
  if (!weights.empty()) data.weights = table.values.rightCols(1);
  data.X = encode_rows(table, model, path);
  data.encoder = model.encoder;
  data.feature_names = model.feature_names;
  return data;
}

Matrix both_classes(const Matrix& Y) {
  Matrix both(Y.rows(), 2);
  both << (1 - Y.array()).matrix(), Y;
  return both;
}

}  // namespace bkernn::tables
