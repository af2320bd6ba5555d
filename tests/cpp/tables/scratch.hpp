// What the tests of tables share: a directory that is gone afterwards, and what an error says.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

#include "bkernn/error.hpp"

namespace bkernn::tables {

// Tests may run at the same time, each in its own process.
struct ScratchDirectory {
  explicit ScratchDirectory(const std::string& name)
      : path(testing::TempDir() + "bkernn_" + name + "_" + std::to_string(::getpid())) {
    std::filesystem::create_directory(path);
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::string path;
};

inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "(no IoError)";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no <" << part << "> in: " << text;
}

}  // namespace bkernn::tables
