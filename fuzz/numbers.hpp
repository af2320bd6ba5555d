// Bytes as the choices of a random problem. When they run out everything is 0, which is a choice as
// well.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn::fuzz {

class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  Index between(Index least, Index most) { return least + byte() % (most - least + 1); }

  const std::string& pick(const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(byte()) % names.size()];
  }

  // 2 to `most_rows` rows, 1 to `most_columns` columns. (Arguments of one call would be drawn in an
  // order that compilers choose.)
  Matrix table(Index most_rows, Index most_columns) {
    const Index rows = between(2, most_rows);
    return matrix(rows, between(1, most_columns));
  }

  // One byte chooses how the numbers look: small whole ones (many ties), halves, fractions, or of
  // any size from 1e-6 to 1e6.
  Matrix matrix(Index rows, Index columns) {
    const int look = byte() % 4;
    Matrix result(rows, columns);
    for (double& value : result.reshaped()) {
      const double one = static_cast<double>(static_cast<std::int8_t>(byte()));
      if (look == 0) value = std::fmod(one, 4);
      if (look == 1) value = one / 2;
      if (look == 2) value = (one + static_cast<double>(byte()) / 256) / 37;
      if (look == 3) value = one * std::pow(10.0, static_cast<double>(between(-8, 4)));
    }
    return result;
  }

 private:
  int byte() { return next_ < size_ ? data_[next_++] : 0; }

  const std::uint8_t* data_;
  std::size_t size_, next_ = 0;
};

}  // namespace bkernn::fuzz
