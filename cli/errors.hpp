// The kinds of failure that only the tool knows. Every other Error is exit code 1.
#pragma once

#include <string>
#include <utility>

#include "bkernn/error.hpp"

namespace bkernn::cli {

// The command line itself is wrong: exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The user stopped the command: exit code 130 (Ctrl-C) or 143 (SIGTERM), as shells have it.
class Interrupted : public Error {
 public:
  using Error::Error;
};

// What `call` gives. If it refuses an argument, that came from the command line: the
// InvalidArgument becomes a UsageError that also names the option, if it is known.
template <class Call>
auto with_usage_errors(Call&& call, const std::string& option = "") {
  try {
    return std::forward<Call>(call)();
  } catch (const InvalidArgument& error) {
    throw UsageError(error.what() + (option.empty() ? "" : " (" + option + ")"));
  }
}

}  // namespace bkernn::cli
