// Simulated data as files.
#pragma once

#include <string>
#include <vector>

#include "bkernn/simulate.hpp"

namespace bkernn::cli {

// Writes the data (x1, …, xd, y) to `path`, test rows if there are any to "<name>.test.<extension>"
// and the true directions to `directions`, by default "<name>.directions.<extension>"; for standard
// output, "-", only to a file that is named. Returns the files written.
std::vector<std::string> write_simulated(const Simulated& data, const std::string& path,
                                         const std::string& directions = "");

// "a/data.csv.gz", "test" → "a/data.test.csv.gz".
std::string beside(const std::string& path, const std::string& word);

}  // namespace bkernn::cli
