// NumPy files, compressed or not: the input is the file.
#include "table_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bkernn::fuzz::Scratch scratch;
  const std::string path = scratch.write("table.npy", bkernn::fuzz::text_of(data, size));
  bkernn::fuzz::check_table(scratch, path, {}, "copy.npy");
  return 0;
}
