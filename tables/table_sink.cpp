#include "tables/table_sink.hpp"

#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/atomic_file.hpp"
#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

constexpr int kGzipHeader = 16;  // zlib: write a gzip header
constexpr int kMemoryLevel = 8;

class FileSink : public ByteSink {
 public:
  explicit FileSink(const std::string& path) : file_(path) {}
  void write(const char* data, std::size_t size) override { file_.write(data, size); }
  void commit() override { file_.commit(); }

 private:
  AtomicFile file_;
};

class StandardOutputSink : public ByteSink {
 public:
  void write(const char* data, std::size_t size) override {
    while (size > 0) {
      const ssize_t written = ::write(STDOUT_FILENO, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        throw IoError(std::string("standard output: cannot write: ") + std::strerror(errno));
      }
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void commit() override {}
};

class GzipSink : public ByteSink {
 public:
  GzipSink(std::string name, std::unique_ptr<ByteSink> sink)
      : name_(std::move(name)), sink_(std::move(sink)), out_(1 << 16) {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHeader,
                     kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw IoError(name_ + ": cannot start zlib");
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }

  void write(const char* data, std::size_t size) override {
    while (size > 0) {
      const std::size_t part = std::min<std::size_t>(size, 1 << 30);
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data));
      stream_.avail_in = static_cast<uInt>(part);
      deflate_all(Z_NO_FLUSH);
      data += part;
      size -= part;
    }
  }

  void commit() override {
    deflate_all(Z_FINISH);
    sink_->commit();
  }

 private:
  void deflate_all(int flush) {
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(out_.data());
      stream_.avail_out = static_cast<uInt>(out_.size());
      deflate(&stream_, flush);
      sink_->write(out_.data(), out_.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  std::string name_;
  std::unique_ptr<ByteSink> sink_;
  std::vector<char> out_;
  z_stream stream_{};
};

}  // namespace

std::unique_ptr<ByteSink> open_byte_sink(const std::string& path) {
  if (path == "-") return std::make_unique<StandardOutputSink>();
  auto file = std::make_unique<FileSink>(path);
  if (!has_extension(path, ".gz")) return file;
  return std::make_unique<GzipSink>(path, std::move(file));
}

bool has_extension(const std::string& path, const std::string& lower_case_extension) {
  if (path.size() < lower_case_extension.size()) return false;
  return std::equal(
      lower_case_extension.rbegin(), lower_case_extension.rend(), path.rbegin(),
      [](char x, char y) { return x == std::tolower(static_cast<unsigned char>(y)); });
}

}  // namespace bkernn::tables
