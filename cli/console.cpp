#include "cli/console.hpp"

#include <unistd.h>

#include <cstdio>

#include "bkernn/error.hpp"
#include "report/text.hpp"

namespace bkernn::cli {
namespace {

void write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw IoError("standard output: cannot write");
  }
}

}  // namespace

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

void print(const std::string& text) {
  write_out(report::printable(text));
}

void print_json(const report::Json& json) {
  write_out(json.dump(2, ' ', false, report::Json::error_handler_t::replace) + "\n");
}

void tell(const std::string& text) {
  std::fputs((report::printable(text) + "\n").c_str(), stderr);
}

}  // namespace bkernn::cli
