#include "tables/table_problems.hpp"

#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kPlacesToTell = 5;

}  // namespace

std::string FileDescription::place(Index row, Index column) const {
  std::string text = row_word + " " + std::to_string(row);
  if (column == Problems::kWholeRow) return text;
  text += ", column " + std::to_string(column + 1);
  if (!names.empty()) text += " (\"" + names[column] + "\")";
  return text;
}

void Problems::missing(Index row, Index column) {
  ++missing_;
  if (first_missing_.size() < kPlacesToTell) first_missing_.push_back({row, column});
}

void Problems::fail(Index row, Index column, std::string message) {
  failure_ = Failure{{row, column}, std::move(message)};
}

void Problems::append(const Problems& later, Index first_row) {
  missing_ += later.missing_;
  for (const Place& place : later.first_missing_) {
    if (first_missing_.size() == kPlacesToTell) break;
    first_missing_.push_back({place.row + first_row, place.column});
  }
  if (later.failure_) {
    failure_ = later.failure_;
    failure_->place.row += first_row;
  }
}

void Problems::report(const FileDescription& description) const {
  if (missing_ == 0) {
    throw IoError(description.file + ": " +
                  description.place(failure_->place.row, failure_->place.column) + ": " +
                  failure_->message);
  }
  std::string text = description.file + ": ";
  text += missing_ == 1 ? "a missing value" : std::to_string(missing_) + " missing values";
  if (failure_) text += " up to " + description.place(failure_->place.row, kWholeRow);
  for (std::size_t i = 0; i < first_missing_.size(); ++i) {
    text += i == 0 ? ": " : "; ";
    text += description.place(first_missing_[i].row, first_missing_[i].column);
  }
  if (missing_ > static_cast<Index>(first_missing_.size())) text += "; …";
  const Index first = first_missing_.front().column;
  throw MissingValues(text + ". Remove these rows",
                      description.names.empty() ? "" : description.names[first]);
}

}  // namespace bkernn::tables
