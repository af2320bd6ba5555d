// Tables with words and gaps. The first byte says what the columns may hold, the rest is a CSV
// file. Whatever is read is encoded as finite numbers, row by row as a whole, and a model keeps it.
#include "bkernn/columns.hpp"

#include "bkernn/io.hpp"
#include "table_check.hpp"

namespace {

using namespace bkernn;

Categories categories_of(const tables::Table& table) {
  Categories categories;
  for (const auto& [column, words] : table.words) categories.emplace(column, words.category);
  return categories;
}

void use_table(const std::string& path, int kinds) {
  constexpr tables::Cells kCells[] = {tables::Cells::mixed, tables::Cells::words,
                                      tables::Cells::numbers_gaps};
  tables::TableReader reader(path);
  std::vector<Index> columns;
  std::vector<tables::Cells> cells;
  for (std::size_t a = 0; a < std::min<std::size_t>(reader.names().size(), 50); ++a) {
    columns.push_back(static_cast<Index>(a));
    cells.push_back(kCells[(kinds >> (a % 4)) % 3]);
  }
  reader.select(columns, cells);
  const tables::Table table = reader.read_all();
  const Categories categories = categories_of(table);
  const Encoder encoder = learn_encoder({table.values, categories}, nullptr, table.names);
  if (encoder.empty()) return;
  encoder.validate();
  const Matrix X = encoder.encode({table.values, categories}, table.names);
  BKERNN_FUZZ_CHECK(X.rows() == table.values.rows() && X.cols() == encoder.coordinates());
  BKERNN_FUZZ_CHECK(X.allFinite());
  BKERNN_FUZZ_CHECK(encoder.groups().back() == X.cols() && encoder.blocks().back() == X.cols());
  BKERNN_FUZZ_CHECK(static_cast<Index>(encoder.coordinate_names(table.names).size()) == X.cols());
  Categories last;
  const Index row = table.values.rows() - 1;
  for (const auto& [column, category] : categories)
    last[column] = {{category.codes[row]}, category.levels};
  BKERNN_FUZZ_CHECK(fuzz::same_bits(encoder.encode({table.values.bottomRows(1), last}, table.names),
                                    X.bottomRows(1)));
  SavedModel saved;
  saved.model.encoder = encoder;
  saved.model.feature_names = table.names;
  saved.model.center.setZero(X.cols());
  saved.model.scale.setOnes(X.cols());
  saved.model.W.resize(X.cols(), 0);
  saved.model.intercept.setZero(1);
  const std::string text = model_to_json(saved);
  const SavedModel again = model_from_json(text);
  BKERNN_FUZZ_CHECK(again.model.encoder == encoder && model_to_json(again) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  const std::string path = scratch.write("table.csv", fuzz::text_of(data + 1, size - 1));
  try {
    use_table(path, data[0]);
  } catch (const Error&) {
  }
  return 0;
}
