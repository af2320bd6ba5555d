// Errors. Public functions check their input first and throw InvalidArgument with a message that
// names the parameter, its value and the constraint it violates. A fit that does not converge is
// not an error: the FitReport says so.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace bkernn {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The caller passed something invalid: a wrong shape, a value out of range, an unknown name.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

// The computation overflowed, and there is no usable iterate to return.
class NumericalError : public Error {
 public:
  using Error::Error;
};

// A file could not be read, written or understood.
class IoError : public Error {
 public:
  using Error::Error;
};

// Throws InvalidArgument unless `holds`:
//   require(m >= 1, "n_particles", m, "must be at least 1")
//     →  "n_particles = 0: must be at least 1".
template <class Value>
void require(bool holds, const char* parameter, const Value& value, const std::string& constraint) {
  if (holds) return;
  std::ostringstream message;
  message << parameter << " = " << value << ": " << constraint;
  throw InvalidArgument(message.str());
}

}  // namespace bkernn
