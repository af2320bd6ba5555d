#include "cli/end_signals.hpp"

#include <signal.h>

#include "bkernn/io.hpp"

namespace bkernn::cli {

extern "C" void end_by_signal(int number) {
  remove_temporary_files();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void clean_up_on_end_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    ::sigaction(number, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action.sa_handler = end_by_signal;
    ::sigaction(number, &action, nullptr);
  }
}

}  // namespace bkernn::cli
