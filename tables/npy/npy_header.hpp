// The header of a NumPy .npy file (format versions 1.0 to 3.0): the magic bytes \x93NUMPY, the
// version, the length of what follows, and a Python dictionary that describes the array:
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (1000, 21), }
//
// Accepted are arrays of one or two dimensions of float32, float64, signed and unsigned integers
// and bool, in either byte order. Everything becomes double: integers beyond 2^53 are rounded.
#pragma once

#include <cstddef>
#include <string>

#include "bkernn/types.hpp"
#include "tables/byte_source.hpp"

namespace bkernn::tables {

inline constexpr char kNpyMagic[] = "\x93NUMPY";

struct NpyHeader {
  char kind = 'f';  // f, i, u or b, as in NumPy
  std::size_t item_size = 8;
  bool swapped = false;  // the other byte order than this machine's
  bool fortran_order = false;
  Index rows = 0;
  Index columns = 1;
  std::size_t data_offset = 0;  // bytes before the array

  std::size_t data_size() const {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * item_size;
  }

  // For messages.
  std::string shape() const {
    return "(" + std::to_string(rows) + ", " + std::to_string(columns) + ")";
  }
};

// Reads the header, up to the first byte of the array. Throws IoError.
NpyHeader read_npy_header(ByteSource& source);

// The header (version 1.0) of a float64 array in C order, of this machine's byte order. Its length
// does not depend on the number of rows, so that it can be filled in when that is known. A single
// column is an array of one dimension, as NumPy users expect of predictions.
std::string npy_header(Index rows, Index columns);

}  // namespace bkernn::tables
