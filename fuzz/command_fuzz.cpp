// The command line: each line of the input is one argument. Files are small and fresh every time,
// names stay within their folder, and numbers have at most four digits, so that a run is short. The
// exit code is 0, 1 or 2 and nothing else ends the program.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "check.hpp"
#include "cli/commands.hpp"
#include "scratch.hpp"

namespace {

constexpr std::size_t kDigits = 4;

std::string tamed(std::string_view argument) {
  std::string result;
  std::size_t digits = 0;
  for (const char c : argument) {
    digits = std::isdigit(static_cast<unsigned char>(c)) != 0 ? digits + 1 : 0;
    if (c != '/' && c != '\0' && digits <= kDigits) result += c;
  }
  const std::size_t exponent = result.find_first_of("eE");
  const bool number = exponent != std::string::npos && exponent > 0 &&
                      std::isdigit(static_cast<unsigned char>(result[exponent - 1])) != 0;
  return number ? result.substr(0, exponent) : result;
}

std::vector<std::string> arguments_of(std::string_view text) {
  std::vector<std::string> arguments = {"bkernn"};
  while (!text.empty() && arguments.size() < 32) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    arguments.push_back(tamed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return arguments;
}

int run(const std::vector<std::string>& arguments) {
  std::vector<const char*> pointers;
  pointers.reserve(arguments.size());
  for (const std::string& one : arguments) pointers.push_back(one.c_str());
  return bkernn::cli::run(static_cast<int>(pointers.size()), pointers.data());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bkernn::fuzz::Scratch scratch;
  const std::vector<std::string> arguments = arguments_of(bkernn::fuzz::text_of(data, size));
  // The demonstration takes seconds by design.
  if (std::find(arguments.begin(), arguments.end(), "demo") != arguments.end()) return 0;
  BKERNN_FUZZ_CHECK(::chdir(scratch.directory().c_str()) == 0);
  static const bool ready = [] {
    scratch.write("d.csv", "a,b,y,c\n0,1,0,u\n1,0,1,v\n2,2,4,u\n3,-1,2,v\n4,0,5,u\n5,1,7,v\n");
    return run({"bkernn", "fit", "d.csv", "--target", "y", "--ignore", "c", "--particles", "2",
                "--max-iter", "2", "-q", "-o", "m.json"}) == 0;
  }();
  BKERNN_FUZZ_CHECK(ready);
  static const std::string model = [] {
    std::ifstream in(scratch.path("m.json"), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  }();
  scratch.clear();
  scratch.write("d.csv", "a,b,y,c\n0,1,0,u\n1,0,1,v\n2,2,4,u\n3,-1,2,v\n4,0,5,u\n5,1,7,v\n");
  scratch.write("m.json", model);
  scratch.write("f.toml", "particles = 2\nmax-iter = 2\n");
  const int code = run(arguments);
  BKERNN_FUZZ_CHECK(code >= 0 && code <= 2);
  return 0;
}
