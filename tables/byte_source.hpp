// Where the bytes of a table come from: a file, standard input, or either of them through gzip. The
// readers above see one stream of bytes and need not know which.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace bkernn::tables {

class ByteSource {
 public:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // How messages call it: the path, or "standard input".
  const std::string& name() const { return name_; }

  // Fills `out` with the next `size` bytes; returns fewer only at the end.
  std::size_t read(char* out, std::size_t size);

  // The next bytes (fewer at the end), which read() will give again.
  const std::string& peek(std::size_t size);

  // Random access, from the start of the stream. Only plain files have it.
  virtual bool seekable() const { return false; }
  virtual std::size_t read_at(std::size_t offset, char* out, std::size_t size);

  // How many of the next `size` bytes there are, before anyone makes room for them. A plain file
  // knows; a stream is read ahead, in steps, so that memory follows what is there.
  virtual std::size_t available(std::size_t size);

 protected:
  std::size_t peeked() const { return peeked_.size(); }

 private:
  // At least one byte, or 0 at the end. Throws IoError.
  virtual std::size_t read_some(char* out, std::size_t size) = 0;

  std::string name_;
  std::string peeked_;
};

// Opens the file, or standard input for "-". Compressed data are recognized by their first bytes,
// not by their name, and inflated as they are read; several gzip members in a row (`cat a.gz b.gz`)
// are one stream. Data that end early or fail their checksum are an IoError when reading gets
// there.
std::unique_ptr<ByteSource> open_byte_source(const std::string& path);

}  // namespace bkernn::tables
