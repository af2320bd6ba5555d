// NumPy files: every dtype, byte order, memory order and version, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>

#include "bkernn/error.hpp"
#include "scratch.hpp"
#include "tables/npy/npy_header.hpp"
#include "tables/table_reader.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::tables {
namespace {

std::string npy_file(const std::string& name) {
  static const ScratchDirectory directory("npy_test");
  return directory.path + "/" + name;
}

std::string write_npy(const std::string& bytes) {
  std::ofstream(npy_file("t"), std::ios::binary) << bytes;
  return npy_file("t");
}

std::string write_gzip(const std::string& bytes) {
  gzFile out = gzopen(npy_file("t.gz").c_str(), "wb1");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  return npy_file("t.gz");
}

std::string error_in_npy(const std::string& bytes) {
  return error_of([&] { read_table(write_npy(bytes)); });
}

std::string header(const std::string& dictionary, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), '\0'};
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
  }
  return bytes + dictionary;
}

std::string header_of(const std::string& descr, bool fortran, const std::string& shape,
                      int version = 1) {
  return header("{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") +
                    ", 'shape': " + shape + ", }",
                version);
}

template <class Item>
std::string bytes_of(const Matrix& values, bool fortran, bool big_endian) {
  std::string bytes(static_cast<std::size_t>(values.size()) * sizeof(Item), '\0');
  for (Index k = 0; k < values.size(); ++k) {
    const double value = fortran ? values(k % values.rows(), k / values.rows())
                                 : values(k / values.cols(), k % values.cols());
    const Item item = static_cast<Item>(value);
    char* to = bytes.data() + static_cast<std::size_t>(k) * sizeof item;
    std::memcpy(to, &item, sizeof item);
    if (big_endian) std::reverse(to, to + sizeof item);
  }
  return bytes;
}

const Matrix kNumbers = Matrix{{1, 0, 100}, {17, 3, 4}};

template <class Item>
void expect_read(const std::string& type, const Matrix& values) {
  for (const bool fortran : {false, true}) {
    for (const bool big : {false, true}) {
      for (const int version : {1, 2, 3}) {
        const std::string order = sizeof(Item) == 1 ? "|" : big ? ">" : "<";
        const std::string shape =
            "(" + std::to_string(values.rows()) + ", " + std::to_string(values.cols()) + ")";
        const std::string bytes = header_of("'" + order + type + "'", fortran, shape, version) +
                                  bytes_of<Item>(values, fortran, big);
        SCOPED_TRACE(type + (fortran ? " fortran" : " C") + (big ? " big" : " little"));
        EXPECT_EQ(read_table(write_npy(bytes)).values, values);
        EXPECT_EQ(read_table(write_gzip(bytes)).values, values);
      }
    }
  }
}

TEST(Npy, EveryTypeOrderAndVersion) {
  const Matrix negative = -kNumbers;
  expect_read<float>("f4", negative * 0.5);
  expect_read<double>("f8", negative / 3);
  expect_read<std::int8_t>("i1", negative);
  expect_read<std::int16_t>("i2", negative * 300);
  expect_read<std::int32_t>("i4", negative * 1e6);
  expect_read<std::int64_t>("i8", negative * 1e12);
  expect_read<std::uint8_t>("u1", kNumbers * 2);
  expect_read<std::uint16_t>("u2", kNumbers * 600);
  expect_read<std::uint32_t>("u4", kNumbers * 4e7);
  expect_read<std::uint64_t>("u8", kNumbers * 1e17);
  expect_read<std::uint8_t>("b1", Matrix{{1, 0}, {0, 1}});
}

TEST(Npy, ColumnsHaveNumbersForNames) {
  const std::string bytes =
      header_of("'<f8'", false, "(2, 3)") + bytes_of<double>(kNumbers, false, false);
  TableReader reader(write_npy(bytes));
  EXPECT_FALSE(reader.has_header());
  EXPECT_EQ(reader.names(), (std::vector<std::string>{"column1", "column2", "column3"}));
}

TEST(Npy, OneDimensionIsAColumn) {
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        header_of("'<f8'", fortran, "(3,)") + bytes_of<double>(Matrix{{1, 2, 3}}, false, false);
    EXPECT_EQ(read_table(write_npy(bytes)).values, (Matrix{{1}, {2}, {3}}));
  }
}

TEST(Npy, SelectedColumnsAndLabels) {
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        header_of("'<f8'", fortran, "(2, 3)") + bytes_of<double>(kNumbers, fortran, false);
    for (const std::string& path : {write_npy(bytes), write_gzip(bytes)}) {
      TableReader reader(path);
      reader.select({2, 0}, std::vector<Index>{0});
      const Table table = reader.read_all();
      EXPECT_EQ(table.values, (Matrix{{100, 1}, {4, 17}}));
      EXPECT_EQ(table.labels.at(1), (std::vector<std::string>{"1", "17"}));
      EXPECT_FALSE(table.holds_words(1));
    }
  }
}

TEST(Npy, BlocksEqualTheWholeForEveryOrder) {
  const Matrix values = Matrix::Random(40001, 31);  // several internal blocks
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        header_of("'>f8'", fortran, "(40001, 31)") + bytes_of<double>(values, fortran, true);
    for (const std::string& path : {write_npy(bytes), write_gzip(bytes)}) {
      for (const Index size : {1000, 33825, 65536}) {
        TableReader reader(path);
        Index row = 0;
        for (Table block; reader.next(block, size); row += block.values.rows()) {
          ASSERT_EQ(block.values.rows(), std::min(size, 40001 - row));
          ASSERT_EQ(block.values, values.middleRows(row, block.values.rows()));
        }
        EXPECT_EQ(row, 40001);
      }
    }
  }
}

TEST(Npy, RefusesWhatIsNoMatrixOfNumbers) {
  const auto error = [](const std::string& descr, const std::string& shape) {
    return error_in_npy(header_of(descr, false, shape) + std::string(64, '\0'));
  };
  expect_contains(error("[('a', '<f8'), ('b', '<i4')]", "(2,)"), "structured array");
  expect_contains(error("'|O'", "(2,)"), "'|O', Python objects: convert");
  for (const char* dtype : {"'<f2'", "'<f16'", "'<c16'", "'<U5'", "'|S3'", "'<M8[ns]'", "'<i3'"}) {
    expect_contains(error(dtype, "(2,)"), "which is not supported: convert");
  }
  expect_contains(error("'<f8'", "()"), "array of 0 dimensions");
  expect_contains(error("'<f8'", "(2, 2, 2)"), "array of 3 dimensions");
  expect_contains(error("'<f8'", "(8, 0)"), "without columns");
  expect_contains(error("'<f8'", "(0, 8)"), "has no rows");
  expect_contains(error("'<f8'", "(4611686018427387904, 4)"), "impossible shape");
  expect_contains(error("'<f8'", "(-1, 4)"), "no tuple of sizes");
  expect_contains(error("'<f8'", "(2, 3)"), "goes on after the end of the array");
  expect_contains(error("'<f8'", "(5000000000, 3)"), "truncated");
  expect_contains(error_in_npy(header("{'shape': (2,)}")), "no 'descr'");
  expect_contains(error_in_npy(header("{'descr': '<f8', 'shape': (2, 2)}")), "no 'fortran_order'");
  expect_contains(error("'<f8', 'descr': '<f4'", "(2,)"), "'descr' twice");
  expect_contains(error("'<f8', \"shape\": (1,)", "(2,)"), "'shape' twice");
  expect_contains(error_in_npy(header_of("'<f8'", false, "(2,)", 4)), "version 4 is unknown");
}

TEST(Npy, RefusesEveryTruncation) {
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        header_of("'<f8'", fortran, "(2, 3)") + bytes_of<double>(kNumbers, fortran, false);
    for (std::size_t size = 6; size < bytes.size(); ++size) {
      expect_contains(error_in_npy(bytes.substr(0, size)), "truncated");
      expect_contains(error_of([&] { read_table(write_gzip(bytes.substr(0, size))); }),
                      "truncated");
    }
    expect_contains(error_in_npy(bytes + "x"), "goes on after the end of the array");
  }
}

// 113 bytes must not take gigabytes: without the check, every column would get a name first.
TEST(Npy, AShapeThatTheFileCannotHoldTakesNoMemory) {
  for (const bool fortran : {false, true}) {
    for (const char* shape : {"(1, 999999999999)", "(0, 99999999999999)"}) {
      const std::string bytes = header_of("'<f8'", fortran, shape) + std::string(8, '\0');
      for (const std::string& path : {write_npy(bytes), write_gzip(bytes)}) {
        const std::string message = error_of([&] { read_table(path); });
        expect_contains(message, path + ": ");
        expect_contains(message, shape);
        if (shape[1] == '1') expect_contains(message, "has 7999999999992 bytes, the file 8 of");
      }
    }
  }
}

TEST(Npy, AWideRowThroughAPipe) {
  const Matrix wide = Matrix::Random(2, 300001);  // larger than the first look into a stream
  for (const bool fortran : {false, true}) {
    const std::string bytes =
        header_of("'<f8'", fortran, "(2, 300001)") + bytes_of<double>(wide, fortran, false);
    EXPECT_EQ(read_table(write_gzip(bytes)).values, wide);
    expect_contains(error_of([&] { read_table(write_gzip(bytes.substr(0, 2000000))); }),
                    "truncated: an array of shape (2, 300001) has 4800016 bytes");
  }
}

TEST(Npy, MissingAndInfiniteValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const auto error = [](const Matrix& values, bool fortran) {
    const std::string shape =
        "(" + std::to_string(values.rows()) + ", " + std::to_string(values.cols()) + ")";
    return error_in_npy(header_of("'<f8'", fortran, shape) +
                        bytes_of<double>(values, fortran, false));
  };
  Matrix large = Matrix::Zero(200000, 7);
  large(150000, 3) = -inf;
  large(199999, 1) = nan;
  for (const bool fortran : {false, true}) {
    expect_contains(error(Matrix{{1, 2}, {3, nan}, {nan, 4}}, fortran),
                    ": 2 missing values: row 2, column 2; row 3, column 1. Remove");
    expect_contains(error(Matrix{{1, 2}, {3, inf}, {nan, 4}}, fortran),
                    "row 2, column 2: is infinite");
    expect_contains(error(large, fortran), "row 150001, column 4: is infinite");
    large(10, 6) = nan;
    expect_contains(error(large, fortran), "a missing value up to row 150001: row 11, column 7");
    large(10, 6) = 0;
  }
}

TEST(Npy, WritesWhatNumPyWrites) {
  TableWriter writer(npy_file("w.npy"), {"a", "b", "c"});
  writer.write(kNumbers.topRows(1));
  writer.write(kNumbers.bottomRows(1));
  writer.commit();
  std::ifstream in(npy_file("w.npy"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  ASSERT_EQ(bytes.size(), 128 + 6 * sizeof(double));
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(
      bytes.substr(10, 60).find("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"), 0u);
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(128), bytes_of<double>(kNumbers, false, false));

  TableWriter column(npy_file("c.npy"), {"a"});
  column.write(Matrix{{1}, {2}});
  column.commit();
  std::ifstream column_in(npy_file("c.npy"), std::ios::binary);
  const std::string column_bytes{std::istreambuf_iterator<char>(column_in), {}};
  expect_contains(column_bytes, "'shape': (2,), }");
}

TEST(Npy, WritesOnlyNumbersAndIsNotCompressed) {
  TableWriter writer(npy_file("w.npy"), {"a"});
  expect_contains(error_of([&] { writer.write(Matrix{{1}}, {{0, {"word"}}}); }), "only numbers");
  expect_contains(error_of([] { TableWriter(npy_file("w.npy.gz"), {"a"}); }), ".csv.gz");
}

}  // namespace
}  // namespace bkernn::tables
