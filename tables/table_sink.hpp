// Where the bytes of a text table go: a file (written atomically, see atomic_file.hpp) or standard
// output for "-", through gzip if the name ends in .gz.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace bkernn::tables {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(const char* data, std::size_t size) = 0;

  // Everything is written: makes it so. Without it, a file is not touched.
  virtual void commit() = 0;
};

std::unique_ptr<ByteSink> open_byte_sink(const std::string& path);

// Does the path end so, in any case of letters?
bool has_extension(const std::string& path, const std::string& lower_case_extension);

}  // namespace bkernn::tables
