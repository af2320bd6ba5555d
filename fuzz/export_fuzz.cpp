// Models as C sources and ONNX graphs. The first byte names the encoding of the model (j, u, c; as
// a capital letter: numbers of the graph in float32), the rest is the model file. What is written
// is well-formed and in proportion to the model; what cannot be is refused by an error.
#include <bit>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "check.hpp"
#include "scratch.hpp"

namespace {

using namespace bkernn;

const char* extension_of(int encoding) {
  return encoding == 'j' ? ".json" : encoding == 'u' ? ".ubj" : ".cbor";
}

// Without comments and strings, which end where they should.
std::string bare(std::string_view code) {
  std::string rest;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code.substr(i, 2) == "/*") {
      const std::size_t end = code.find("*/", i + 2);
      BKERNN_FUZZ_CHECK(end != code.npos && code.substr(i + 1, end - i).find("/*") == code.npos);
      i = end + 1;
    } else if (code[i] == '"') {
      for (++i; i < code.size() && code[i] != '"'; ++i) {
        BKERNN_FUZZ_CHECK(std::isprint(static_cast<unsigned char>(code[i])));
        if (code[i] == '\\') ++i;
      }
      BKERNN_FUZZ_CHECK(i < code.size());
    } else {
      rest += code[i];
    }
  }
  return rest;
}

void check_balance(std::string_view code) {
  std::string open;
  for (const char c : code) {
    if (c == '{' || c == '(' || c == '[') open += c;
    if (c != '}' && c != ')' && c != ']') continue;
    BKERNN_FUZZ_CHECK(!open.empty());
    BKERNN_FUZZ_CHECK(open.back() == (c == '}' ? '{' : c == ')' ? '(' : '['));
    open.pop_back();
  }
  BKERNN_FUZZ_CHECK(open.empty());
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

// The numbers of an array are those of the model, to the bit.
void check_array(const std::string& code, const std::string& name, const RowVector& values) {
  const std::string head = "double " + name + "[" + std::to_string(values.size()) + "] = {";
  const std::size_t at = code.find(head);
  BKERNN_FUZZ_CHECK(at != code.npos);
  const char* next = code.c_str() + at + head.size();
  for (const double value : values) {
    char* end = nullptr;
    const double read = std::strtod(next, &end);
    BKERNN_FUZZ_CHECK(bits(read) == bits(value) && *end == ',');
    next = end + 1;
  }
}

void use_c(const SavedModel& saved, std::size_t most) {
  const std::string code = model_to_c(saved);
  BKERNN_FUZZ_CHECK(code.size() <= most && code.find('\0') == code.npos);
  const std::string read_by_compiler = bare(code);
  check_balance(read_by_compiler);
  BKERNN_FUZZ_CHECK(read_by_compiler.find("double BKERNN_PREDICT(") != std::string::npos);
  check_array(read_by_compiler, "intercept", saved.model.intercept);
}

struct Field {
  std::uint64_t number = 0, value = 0;  // the value is the length of `bytes`, if there are any
  std::string_view bytes;
};

std::uint64_t varint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    BKERNN_FUZZ_CHECK(!rest.empty());
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// The next field of a message: a number or bytes.
Field next_field(std::string_view& rest) {
  const std::uint64_t key = varint(rest);
  BKERNN_FUZZ_CHECK(key % 8 == 0 || key % 8 == 2);
  Field field{.number = key / 8, .value = varint(rest), .bytes = {}};
  if (key % 8 == 0) return field;
  BKERNN_FUZZ_CHECK(field.value <= rest.size());
  field.bytes = rest.substr(0, field.value);
  rest.remove_prefix(field.value);
  return field;
}

// A constant has as many elements as its shape says. Returns its name.
std::string name_of_constant(std::string_view tensor) {
  constexpr int kDimension = 1, kType = 2, kText = 6, kName = 8, kBytes = 9;
  constexpr int kFloat32 = 1, kTexts = 8;
  std::uint64_t elements = 1, type = 0, texts = 0, bytes = 0;
  std::string name;
  while (!tensor.empty()) {
    const Field field = next_field(tensor);
    if (field.number == kDimension) elements *= field.value;
    if (field.number == kType) type = field.value;
    if (field.number == kText) ++texts;
    if (field.number == kName) name = field.bytes;
    if (field.number == kBytes) bytes = field.bytes.size();
  }
  const std::uint64_t width = type == kFloat32 ? 4 : 8;
  BKERNN_FUZZ_CHECK(type == kTexts ? texts == elements : bytes == elements * width);
  return name;
}

std::string name_of_value(std::string_view info) {
  const Field field = next_field(info);
  BKERNN_FUZZ_CHECK(field.number == 1);
  return std::string(field.bytes);
}

// Every value that a node reads is an input, a constant or the output of a node before it.
void check_graph(std::string_view graph) {
  constexpr int kNode = 1, kConstant = 5, kInput = 11, kOutput = 12;
  constexpr int kReads = 1, kMakes = 2;
  std::set<std::string> known;
  std::vector<std::string> wanted;
  std::vector<std::string_view> nodes;
  while (!graph.empty()) {
    const Field field = next_field(graph);
    if (field.number == kNode) nodes.push_back(field.bytes);
    if (field.number == kConstant) known.insert(name_of_constant(field.bytes));
    if (field.number == kInput) known.insert(name_of_value(field.bytes));
    if (field.number == kOutput) wanted.push_back(name_of_value(field.bytes));
  }
  for (std::string_view node : nodes) {
    while (!node.empty()) {
      const Field field = next_field(node);
      const std::string name(field.bytes);
      if (field.number == kReads) BKERNN_FUZZ_CHECK(known.contains(name));
      if (field.number == kMakes) BKERNN_FUZZ_CHECK(known.insert(name).second);
    }
  }
  BKERNN_FUZZ_CHECK(!wanted.empty());
  for (const std::string& one : wanted) BKERNN_FUZZ_CHECK(known.contains(one));
}

void use_onnx(const SavedModel& saved, OnnxNumbers numbers, std::size_t most) {
  const std::string bytes = model_to_onnx(saved, numbers);
  BKERNN_FUZZ_CHECK(bytes.size() <= most);
  constexpr int kGraph = 7;
  int graphs = 0;
  for (std::string_view rest = bytes; !rest.empty();) {
    const Field field = next_field(rest);
    if (field.number != kGraph) continue;
    check_graph(field.bytes);
    ++graphs;
  }
  BKERNN_FUZZ_CHECK(graphs == 1);
}

template <class Export>
void try_export(const Export& write) {
  try {
    write();
  } catch (const Error& error) {
    BKERNN_FUZZ_CHECK(error.what()[0] != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  if (size == 0) return 0;
  const std::string path = scratch.write(std::string("model") + extension_of(std::tolower(data[0])),
                                         fuzz::text_of(data + 1, size - 1));
  SavedModel saved;
  try {
    saved = load_model(path);
  } catch (const Error&) {
    return 0;
  }
  const std::size_t most = 100'000 + 100 * model_to_json(saved).size();
  const OnnxNumbers numbers = data[0] < 'a' ? OnnxNumbers::float32 : OnnxNumbers::float64;
  try_export([&] { use_c(saved, most); });
  try_export([&] { use_onnx(saved, numbers, most); });
  return 0;
}
