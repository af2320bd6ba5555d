#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/end_signals.hpp"

namespace {

// Destructors of JSON documents take memory: without any, there is no way back from there, but a
// last word.
[[noreturn]] void last_word() {
  try {
    if (const std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kMessage = "bkernn: not enough memory\n";
    static_cast<void>(::write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0);
    ::_exit(1);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(last_word);
  // A file that may grow no further is an error to be told, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  bkernn::cli::clean_up_on_end_signals();
  return bkernn::cli::run(argc, argv);
}
