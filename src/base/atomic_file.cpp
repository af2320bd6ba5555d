#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr std::size_t kBufferSize = 1 << 16;

std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> number{0};
  return target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(number++);
}

// Names of temporaries, made by strdup. Whoever takes one out of its slot owns it: a signal handler
// never sees a name that is being freed.
std::array<std::atomic<char*>, AtomicFile::kMostTracked> tracked{};
static_assert(std::atomic<char*>::is_always_lock_free);

int track(const std::string& name) {
  char* const copy = ::strdup(name.c_str());
  if (copy == nullptr) return -1;
  for (std::atomic<char*>& slot : tracked) {
    char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, copy)) return static_cast<int>(&slot - &tracked[0]);
  }
  std::free(copy);
  return -1;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Makes the rename itself durable. Some file systems cannot, and some directories cannot be opened:
// the file is in place all the same.
bool sync_directory(const std::string& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool failed = ::fsync(descriptor) != 0 && errno == EIO;
  ::close(descriptor);
  return !failed;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(resolve_links(path_)) {
  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && ::faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  open_temporary();
  if (exists && ::fchmod(descriptor_, status.st_mode & 07777) != 0) {
    const int error = errno;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
    forget_temporary();
    fail(error);
  }
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  forget_temporary();
}

// It is tracked before it exists: no signal finds it untracked.
void AtomicFile::open_temporary() {
  for (;;) {
    temporary_ = temporary_name(target_);
    slot_ = track(temporary_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) return;
    const int error = errno;
    forget_temporary();
    if (error != EEXIST) fail(error);
  }
}

void AtomicFile::forget_temporary() {
  if (slot_ >= 0) std::free(tracked[static_cast<std::size_t>(slot_)].exchange(nullptr));
  slot_ = -1;
}

void AtomicFile::remove_temporaries() noexcept {
  for (std::atomic<char*>& slot : tracked) {
    const char* const name = slot.exchange(nullptr);
    if (name != nullptr) ::unlink(name);
  }
}

void AtomicFile::write(const void* data, std::size_t size) {
  buffer_.append(static_cast<const char*>(data), size);
  if (buffer_.size() >= kBufferSize) flush();
}

void AtomicFile::rewrite(std::size_t offset, const void* data, std::size_t size) {
  flush();
  const char* from = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(descriptor_, from, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    from += written;
    offset += static_cast<std::size_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void AtomicFile::commit() {
  flush();
  if (temporary_.empty()) {
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(errno);
    return;
  }
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  forget_temporary();
  ::close(descriptor_);
  descriptor_ = -1;
  if (!sync_directory(directory_of(target_))) fail(EIO);
}

void AtomicFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    done += static_cast<std::size_t>(written);
  }
  buffer_.clear();
}

void AtomicFile::fail(int error) const {
  throw IoError(path_ + ": cannot write: " + std::strerror(error));
}

}  // namespace bkernn
