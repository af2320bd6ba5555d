// CSV files, compressed or not. The low bits of the first byte choose separator and header, the
// rest is the file.
#include "table_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bkernn;
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  tables::CsvFormat format;
  const int separator = data[0] & 3, header = data[0] >> 2 & 3;
  if (separator != 0) format.separator = ",;\t"[separator - 1];
  if (header != 0) format.header = header == 1;
  const std::string path = scratch.write("table.csv", fuzz::text_of(data + 1, size - 1));
  fuzz::check_table(scratch, path, format, "copy.csv");
  return 0;
}
