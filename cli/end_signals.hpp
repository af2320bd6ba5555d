// Signals that end the program: an interrupt (Ctrl-C), a termination, a terminal that was closed.
#pragma once

namespace bkernn::cli {

// From now on nothing half-written stays behind: the temporary files are removed, then the signal
// ends the program as it would have anyway. Signals that are ignored (nohup) stay so.
void clean_up_on_end_signals();

// What the handler does; for other handlers of these signals.
extern "C" void end_by_signal(int number);

}  // namespace bkernn::cli
