// Folds: which row is held out when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

struct FoldOptions {
  int n_folds = 5;
  std::string folds = "shuffled";  // shuffled | contiguous (blocks of rows, for ordered data)
  bool stratify = true;       // shuffled folds of a classification get equal shares of each class
  std::vector<Index> groups;  // empty, or one label per row: rows of one group share a fold
  // Empty, or the fold 0 … n_folds − 1 of each row, −1 for rows that are always trained on. It
  // replaces folds, stratify and groups.
  std::vector<int> fold_of_row;
  std::uint64_t seed = 0;  // of the shuffle
};

// The fold of each row of Y; −1 for rows in none. Every fold has a row, and leaves two to train on.
// Groups and folds that are given are those of these rows.
std::vector<int> assign_folds(const MatrixView& Y, const FoldOptions& options, bool classification);

}  // namespace bkernn
