#include "tables/npy/npy_header.hpp"

#include <bit>
#include <charconv>
#include <limits>
#include <string_view>
#include <vector>

#include "bkernn/error.hpp"

namespace bkernn::tables {
namespace {

constexpr std::size_t kMagicSize = sizeof kNpyMagic - 1;
constexpr std::size_t kLongestHeader = 1 << 20;
constexpr std::size_t kWrittenHeader = 128;
constexpr bool kLittleEndian = std::endian::native == std::endian::little;

std::string read_exactly(ByteSource& source, std::size_t size) {
  std::string bytes(size, '\0');
  if (source.read(bytes.data(), size) < size) {
    throw IoError(source.name() + ": the .npy header ends early: the file is truncated");
  }
  return bytes;
}

std::size_t little_endian(const std::string& bytes, std::size_t from, std::size_t size) {
  std::size_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[from + i]);
  }
  return value;
}

class HeaderText {
 public:
  HeaderText(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  [[noreturn]] void refuse(const std::string& reason) const {
    throw IoError(file_ + ": " + reason);
  }

  // What follows 'key': in the dictionary.
  std::string_view value_of(const std::string& key) const {
    std::size_t at = text_.find("'" + key + "'");
    if (at == std::string::npos) at = text_.find("\"" + key + "\"");
    if (text_.find(key) != text_.rfind(key)) {
      refuse("damaged .npy header: '" + key + "' twice");
    }
    if (at != std::string::npos) at = text_.find(':', at);
    if (at != std::string::npos) at = text_.find_first_not_of(' ', at + 1);
    if (at == std::string::npos) refuse("damaged .npy header: no '" + key + "'");
    return std::string_view(text_).substr(at);
  }

  std::string dtype() const {
    const std::string_view value = value_of("descr");
    if (value[0] == '[') {
      refuse("holds a structured array (records): save its columns as one array of float64");
    }
    const std::size_t close = value.find(value[0], 1);
    if ((value[0] != '\'' && value[0] != '"') || close == std::string_view::npos) {
      refuse("damaged .npy header: 'descr' is no dtype");
    }
    return std::string(value.substr(1, close - 1));
  }

  bool fortran_order() const {
    const std::string_view value = value_of("fortran_order");
    if (!value.starts_with("True") && !value.starts_with("False")) {
      refuse("damaged .npy header: 'fortran_order' is neither True nor False");
    }
    return value.starts_with("True");
  }

  std::vector<Index> shape() const {
    std::string_view value = value_of("shape");
    const std::size_t close = value.find(')');
    if (value[0] != '(' || close == std::string_view::npos) {
      refuse("damaged .npy header: 'shape' is no tuple");
    }
    value = value.substr(1, close - 1);
    std::vector<Index> extents;
    while (!value.empty()) {
      const std::string_view extent = value.substr(0, value.find(','));
      value.remove_prefix(std::min(value.size(), extent.size() + 1));
      if (extent.find_first_not_of(' ') == std::string_view::npos) continue;
      extents.push_back(parse_extent(extent.substr(extent.find_first_not_of(' '))));
    }
    return extents;
  }

 private:
  Index parse_extent(std::string_view text) const {
    Index extent = -1;
    const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    const std::string_view rest(after, static_cast<std::size_t>(text.data() + text.size() - after));
    const bool clean = rest.find_first_not_of(" L") == std::string_view::npos;
    if (error != std::errc() || !clean || extent < 0) {
      refuse("damaged .npy header: 'shape' is no tuple of sizes");
    }
    return extent;
  }

  const std::string& file_;
  const std::string& text_;
};

void read_dtype(const HeaderText& text, NpyHeader& header) {
  const std::string dtype = text.dtype();
  const auto refuse = [&](const std::string& reason) {
    text.refuse("holds an array of dtype '" + dtype + "', " + reason);
  };
  if (dtype.find('O') != std::string::npos) {
    refuse("Python objects: convert it with .astype('float64') before saving");
  }
  static constexpr std::string_view kAccepted[] = {"f4", "f8", "i1", "i2", "i4", "i8",
                                                   "u1", "u2", "u4", "u8", "b1"};
  const bool has_order =
      !dtype.empty() && std::string_view("<>|=").find(dtype[0]) != std::string::npos;
  const std::string type = has_order ? dtype.substr(1) : dtype;
  if (std::find(std::begin(kAccepted), std::end(kAccepted), type) == std::end(kAccepted)) {
    refuse("which is not supported: convert it with .astype('float64') before saving");
  }
  header.kind = type[0];
  header.item_size = static_cast<std::size_t>(type[1] - '0');
  header.swapped = header.item_size > 1 && dtype[0] == (kLittleEndian ? '>' : '<');
}

void read_shape(const HeaderText& text, NpyHeader& header) {
  const std::vector<Index> shape = text.shape();
  if (shape.size() != 1 && shape.size() != 2) {
    text.refuse("holds an array of " + std::to_string(shape.size()) +
                " dimensions: expected 1 (a column) or 2 (rows and columns)");
  }
  header.rows = shape[0];
  header.columns = shape.size() == 2 ? shape[1] : 1;
  if (header.columns == 0) text.refuse("holds an array without columns");
  const Index items = std::numeric_limits<Index>::max() / static_cast<Index>(header.item_size);
  if (header.rows > items / header.columns) text.refuse("damaged .npy header: impossible shape");
}

}  // namespace

NpyHeader read_npy_header(ByteSource& source) {
  const std::string start = read_exactly(source, kMagicSize + 2);
  const int version = static_cast<unsigned char>(start[kMagicSize]);
  if (version < 1 || version > 3) {
    throw IoError(source.name() + ": .npy format version " + std::to_string(version) +
                  " is unknown (1, 2 and 3 are read)");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  const std::size_t length = little_endian(read_exactly(source, width), 0, width);
  if (length > kLongestHeader) throw IoError(source.name() + ": damaged .npy header: too long");
  const std::string dictionary = read_exactly(source, length);

  NpyHeader header;
  header.data_offset = start.size() + width + length;
  const HeaderText text(source.name(), dictionary);
  read_dtype(text, header);
  read_shape(text, header);
  header.fortran_order = header.columns > 1 && text.fortran_order();
  return header;
}

std::string npy_header(Index rows, Index columns) {
  std::string shape = "(" + std::to_string(rows) + ",";
  if (columns != 1) shape += " " + std::to_string(columns);
  std::string dictionary = std::string("{'descr': '") + (kLittleEndian ? '<' : '>') +
                           "f8', 'fortran_order': False, 'shape': " + shape + "), }";
  const std::size_t length = kWrittenHeader - kMagicSize - 4;
  dictionary.resize(length - 1, ' ');
  dictionary += '\n';
  std::string header(kNpyMagic, kMagicSize);
  header += {'\x01', '\x00', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + dictionary;
}

}  // namespace bkernn::tables
