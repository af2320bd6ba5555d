#include "tables/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kCompressedChunk = 1 << 18;
constexpr std::size_t kFirstLook = 1 << 20;
constexpr int kGzipOnly = 16;  // zlib: expect a gzip header

class FileSource : public ByteSource {
 public:
  FileSource(std::string name, int descriptor) : ByteSource(std::move(name)), fd_(descriptor) {
    struct stat status {};
    if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode)) start_ = ::lseek(fd_, 0, SEEK_CUR);
  }
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }

  bool seekable() const override { return start_ >= 0; }

  std::size_t read_at(std::size_t offset, char* out, std::size_t size) override {
    std::size_t done = 0;
    while (done < size) {
      const off_t position = start_ + static_cast<off_t>(offset + done);
      const std::size_t got = checked(::pread(fd_, out + done, size - done, position));
      if (got == 0 && !interrupted_) break;
      done += got;
    }
    return done;
  }

  std::size_t available(std::size_t size) override {
    struct stat status {};
    if (!seekable() || ::fstat(fd_, &status) != 0) return ByteSource::available(size);
    const off_t left = std::max<off_t>(0, status.st_size - ::lseek(fd_, 0, SEEK_CUR));
    return std::min(size, static_cast<std::size_t>(left) + peeked());
  }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    for (;;) {
      const std::size_t got = checked(::read(fd_, out, size));
      if (!interrupted_) return got;
    }
  }

  std::size_t checked(ssize_t result) {
    interrupted_ = result < 0 && errno == EINTR;
    if (result < 0 && !interrupted_) {
      throw IoError(name() + ": cannot read: " + std::strerror(errno));
    }
    return result < 0 ? 0 : static_cast<std::size_t>(result);
  }

  int fd_;
  off_t start_ = -1;
  bool interrupted_ = false;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed)
      : ByteSource(compressed->name()), compressed_(std::move(compressed)), in_(kCompressedChunk) {
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw IoError(name() + ": cannot start zlib");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  std::size_t read_some(char* out, std::size_t size) override {
    const uInt room = static_cast<uInt>(std::min<std::size_t>(size, 1 << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (between_members_) return 0;
        throw IoError(name() + ": the gzip data end early: the file is truncated");
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      between_members_ = result == Z_STREAM_END;
      if (between_members_) {
        inflateReset(&stream_);
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw IoError(name() + ": damaged gzip data: " +
                      (stream_.msg != nullptr ? stream_.msg : zError(result)));
      }
    }
    return room - stream_.avail_out;
  }

  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(in_.data());
    stream_.avail_in = static_cast<uInt>(compressed_->read(in_.data(), in_.size()));
    return stream_.avail_in > 0;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::vector<char> in_;
  z_stream stream_{};
  bool between_members_ = false;
};

}  // namespace

std::size_t ByteSource::read(char* out, std::size_t size) {
  std::size_t done = std::min(size, peeked_.size());
  std::copy_n(peeked_.data(), done, out);
  peeked_.erase(0, done);
  while (done < size) {
    const std::size_t got = read_some(out + done, size - done);
    if (got == 0) break;
    done += got;
  }
  return done;
}

const std::string& ByteSource::peek(std::size_t size) {
  std::string bytes(size, '\0');
  bytes.resize(read(bytes.data(), size));
  peeked_.insert(0, bytes);
  return peeked_;
}

std::size_t ByteSource::available(std::size_t size) {
  std::size_t look = std::min(size, kFirstLook);
  while (peek(look).size() >= look && look < size) look = std::min(size, 2 * look);
  return std::min(size, peeked_.size());
}

std::size_t ByteSource::read_at(std::size_t, char*, std::size_t) {
  throw IoError(name() + ": cannot seek");
}

std::unique_ptr<ByteSource> open_byte_source(const std::string& path) {
  std::unique_ptr<ByteSource> source;
  if (path == "-") {
    source = std::make_unique<FileSource>("standard input", STDIN_FILENO);
  } else {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw IoError(path + ": cannot open: " + std::strerror(errno));
    source = std::make_unique<FileSource>(path, descriptor);
  }
  if (source->peek(2).starts_with("\x1f\x8b")) {
    return std::make_unique<GzipSource>(std::move(source));
  }
  return source;
}

}  // namespace bkernn::tables
