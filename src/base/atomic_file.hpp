// A file that appears whole or not at all.
//
// The bytes go to a temporary file beside the target, `<target>.tmp-<process>-<number>`. commit()
// forces it to the disk and renames it over the target; rename within a directory is atomic. So
// whatever happens — an exception, a full disk, a kill, a power cut — the target is the old file or
// the new one, never half of one. Without commit() the destructor removes the temporary file and
// the old file stays. A program that is ended by a signal calls remove_temporaries() first.
// (SIGKILL or a power cut leaves the temporary file behind: it may be deleted.)
//
//   AtomicFile file("model.json");
//   file.write(text.data(), text.size());
//   file.commit();
//
// A new file gets the usual permissions, and a replaced one keeps its own. A symbolic link stays a
// link, and the file that it points to is replaced. A write-protected target is refused, although
// rename could replace it. A target that exists but is not a regular file (a pipe, /dev/null) must
// not be replaced: it is written directly.
//
// Every failure is an IoError that names the file and the system's reason.
#pragma once

#include <cstddef>
#include <string>

namespace bkernn {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends. Buffered: small writes are cheap.
  void write(const void* data, std::size_t size);

  // Replaces bytes already written: a header that counts what follows it.
  void rewrite(std::size_t offset, const void* data, std::size_t size);

  // Nothing may be written afterwards.
  void commit();

  // Removes the temporary files of all files that are being written (of the first kMostTracked, if
  // there are more at once). Meant for a signal handler that ends the process, and safe there, in
  // any thread.
  static void remove_temporaries() noexcept;
  static constexpr int kMostTracked = 16;

 private:
  void open_temporary();
  void forget_temporary();
  void flush();
  [[noreturn]] void fail(int error) const;

  std::string path_;       // as the caller named it
  std::string target_;     // with symbolic links resolved
  std::string temporary_;  // empty: the target is written directly
  int slot_ = -1;          // where remove_temporaries() finds it
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace bkernn
