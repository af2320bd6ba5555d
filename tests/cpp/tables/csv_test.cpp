// CSV files: every feature of the format and every way in which a file can be wrong.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "scratch.hpp"
#include "tables/csv/csv_cell.hpp"
#include "tables/csv/csv_reader.hpp"
#include "tables/table_reader.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::tables {
namespace {

std::string write_file(const std::string& text) {
  static const ScratchDirectory directory("csv_test");
  const std::string path = directory.path + "/t.csv";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(compressBound(text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Table read(const std::string& text, const CsvFormat& format = {},
           const std::vector<std::string>& words = {}) {
  return read_table(write_file(text), format, words);
}

std::string error_in(const std::string& text, const CsvFormat& format = {},
                     const std::vector<std::string>& words = {}) {
  return error_of([&] { read(text, format, words); });
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) expect_contains(text, part);
}

using Names = std::vector<std::string>;

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  return Matrix(rows);
}

const Matrix kTwoByTwo = matrix({{1, 2}, {3.5, -4}});

TEST(Csv, ReadsTheSameTableHoweverItIsWritten) {
  for (const char* text : {
           "a,b\n1,2\n3.5,-4\n",
           "a,b\n1,2\n3.5,-4",          // no line feed at the end
           "a,b\r\n1,2\r\n3.5,-4\r\n",  // CRLF
           "a,b\r\n1,2\r\n3.5,-4\r",    // cut CRLF
           "\xef\xbb\xbf"
           "a,b\n1,2\n3.5,-4\n",  // byte order mark
           "a;b\n1;2\n3.5;-4\n",  // separators
           "a\tb\n1\t2\n3.5\t-4\n",
           "\"a\",\"b\"\n\"1\",\"2\"\r\n\"3.5\",-4\n",  // quotes
           "a, b\n 1 ,+2\n3.5\t, \"-4\" \n",            // blanks, plus sign
           "\n\r\na,b\n\n1,2\n\r\n3.5,-4\n\n\n",        // empty lines
           "a,b\n1e0,.2e1\n35e-1,-4.\n",
       }) {
    SCOPED_TRACE(text);
    const Table table = read(text);
    EXPECT_EQ(table.names, (Names{"a", "b"}));
    EXPECT_EQ(table.values, kTwoByTwo);
    EXPECT_TRUE(table.labels.empty());
  }
}

TEST(Csv, DetectsOrIsToldTheHeader) {
  EXPECT_FALSE(TableReader(write_file("1,2\n3.5,-4\n")).has_header());
  EXPECT_EQ(read("1,2\n3.5,-4\n").values, kTwoByTwo);
  EXPECT_EQ(read("1,2\n3.5,-4\n").names, (Names{"column1", "column2"}));
  EXPECT_EQ(read("1,2\n3.5,-4\n", {.separator = {}, .header = true}).names, (Names{"1", "2"}));
  EXPECT_EQ(read("1,b\n3.5,-4\n").names, (Names{"1", "b"}));
  expect_parts(error_in("1,b\n3.5,-4\n", {.separator = {}, .header = false}),
               {"line 1, column 2: \"b\" is not a number"});
  expect_parts(error_in("1,NA\n3.5,-4\n"), {"a missing value: line 1, column 2"});
}

TEST(Csv, SeparatorInQuotesOrForced) {
  EXPECT_EQ(read("\"a;b;c\",d\n1,2\n").names, (Names{"a;b;c", "d"}));
  const CsvFormat semicolon{.separator = ';', .header = {}};
  EXPECT_EQ(read("a,b,c;d\n1;2\n", semicolon).names, (Names{"a,b,c", "d"}));
  EXPECT_THROW(read("a\n1\n", {.separator = '|', .header = {}}), InvalidArgument);
}

TEST(Csv, QuotedCellsHoldAnything) {
  const Table table =
      read("\"a\"\"1\"\"\",\"b,\nc\",t\n1,2,\"x\r\n\"\"y\"\", z\"\n3,4, w \n", {}, {"t"});
  EXPECT_EQ(table.names, (Names{"a\"1\"", "b,\nc", "t"}));
  EXPECT_EQ(table.labels.at(2), (Names{"x\r\n\"y\", z", "w"}));
  EXPECT_EQ(table.values.leftCols(2), matrix({{1, 2}, {3, 4}}));
}

TEST(Csv, WordsOnlyWhereDeclared) {
  const Table table = read("x,t,u\n1,cat,0\n2,7,1\n3,\"NA\",1\n4,inf,0\n", {}, {"t", "u"});
  EXPECT_EQ(table.labels.at(1), (Names{"cat", "7", "NA", "inf"}));
  EXPECT_TRUE(table.holds_words(1));
  EXPECT_TRUE(std::isnan(table.values(0, 1)));
  EXPECT_EQ(table.values(1, 1), 7);
  EXPECT_FALSE(table.holds_words(2));
  EXPECT_FALSE(table.holds_words(0));
  EXPECT_EQ(table.labels.at(2), (Names{"0", "1", "1", "0"}));

  expect_parts(error_in("x,t\n1,cat\n2,dog\n"),
               {"/t.csv: line 2, column 2 (\"t\"): \"cat\" is not a number"});
  expect_parts(error_in("x,t\n1,cat\n2,NA\n", {}, {"t"}), {"a missing value: line 3"});
  expect_parts(error_in("a;b\n1;2,5\n"), {"\"2,5\" is not a number", "as a point"});
  for (const char* wrong : {"0x10", "1e", "1.2.3", "+-1", "--1", "1 2", "1d5", "true", "1_000"}) {
    expect_parts(error_in(std::string("a,b\n1,") + wrong + "\n"),
                 {std::string("\"") + wrong + "\" is not a number"});
  }
}

TEST(Csv, ColumnsOfWordsAndGaps) {
  const std::string path =
      write_file("n,w,m,t\n1,red,7,u\n,\"NA\",x,\n3,NA,8,v\nNaN,red,\"\",\"\"\n5,12,x,u\n");
  for (const Index block_rows : {1, 2, 100}) {
    TableReader reader(path);
    reader.select({0, 1, 2, 3},
                  {Cells::numbers_gaps, Cells::words, Cells::mixed, Cells::text_gaps});
    Names words, mixed, labels;
    std::vector<double> numbers;
    const auto word = [](const Table& block, Index column, Index row) -> std::string {
      if (!block.words.contains(column)) return "-";
      const Category& category = block.words.at(column).category;
      return category.codes[row] < 0 ? "-" : category.levels[category.codes[row]];
    };
    for (Table block; reader.next(block, block_rows);) {
      EXPECT_TRUE(block.words.contains(1));
      for (Index i = 0; i < block.values.rows(); ++i) {
        words.push_back(word(block, 1, i));
        mixed.push_back(word(block, 2, i));
        labels.push_back(block.labels.at(3)[i]);
        numbers.push_back(std::isnan(block.values(i, 0)) ? -1 : block.values(i, 0));
      }
    }
    EXPECT_EQ(words, (Names{"red", "NA", "-", "red", "12"}));
    EXPECT_EQ(mixed, (Names{"-", "x", "-", "-", "x"}));
    EXPECT_EQ(labels, (Names{"u", "", "v", "", "u"}));
    EXPECT_EQ(numbers, (std::vector<double>{1, -1, 3, -1, 5}));
  }
  TableReader reader(path);
  reader.select({2}, std::vector<Cells>{Cells::mixed});
  EXPECT_EQ(reader.read_all().words.at(0).first_line, 3);
}

TEST(Csv, WordsThatAreNoLevels) {
  const auto error = [](const std::string& text) -> std::string {
    TableReader reader(write_file(text));
    reader.select({0, 1}, {Cells::mixed, Cells::words});
    try {
      reader.read_all();
    } catch (const IoError& refused) {
      return refused.what();
    }
    return "";
  };
  expect_parts(error("a,b\nx,y\nx,\xff\n"), {"/t.csv: line 3, column 2 (\"b\")", "UTF-8"});
  expect_parts(error("a,b\nx,y\n" + std::string((1 << 20) + 1, 'z') + ",y\n"),
               {"/t.csv: line 3, column 1 (\"a\"): a word of 1048577 bytes"});
  expect_parts(error("a,b\nx,y\ninf,y\n"), {"line 3, column 1", "finite"});
  std::string names = "a,b\n1,y\n";
  for (int i = 0; i < 100000; ++i) names += "name " + std::to_string(i) + ",y\n";
  EXPECT_EQ(error(names), "");
  expect_parts(error(names + "one more,y\n"),
               {"/t.csv: line 3, column 1 (\"a\"): more than 100000 different words"});
}

TEST(Csv, TheHeaderIsThereOnce) {
  const std::string rows = "a,b\nx,y\nx,z\n";
  EXPECT_EQ(read(rows, {}, {"a", "b"}).values.rows(), 2);
  expect_parts(error_in(rows + rows, {}, {"a", "b"}), {"/t.csv: line 4: the header again"});
  EXPECT_EQ(read("1,2\n1,2\n", {.separator = {}, .header = true}).values.rows(), 1);
  EXPECT_EQ(read("a\na\nb\n", {}, {"a"}).values.rows(), 2);
}

TEST(Csv, MissingValuesAreCountedAndPlaced) {
  for (const char* missing :
       {"", "NA", "nan", "NaN", "null", "NULL", "?", "n/a", " ", "\"\"", "\"NA\"", "-nan"}) {
    SCOPED_TRACE(missing);
    expect_parts(error_in(std::string("a,b\n1,2\n1,") + missing + "\n"),
                 {": a missing value: line 3, column 2 (\"b\")", "Remove these rows"});
  }
  std::string text = "a,b\n";
  for (int i = 0; i < 100000; ++i) text += i % 100 == 7 ? "?,1\n" : "1,1\n";
  expect_parts(error_in(text), {": 1000 missing values: line 9, column 1 (\"a\"); line 109,",
                                "line 409, column 1 (\"a\"); …."});
  expect_parts(error_in("a,b\n1,\nNA,\n1,2,3\n,,\n"),
               {"3 missing values up to line 4: line 2, column 2 (\"b\"); line 3, column 1"});
  expect_parts(error_in("a\n1\n\n2\n"), {"a missing value: line 3"});
}

TEST(Csv, InfinityIsRefusedAndTheRangeOfDoubleIsUsed) {
  for (const char* infinite : {"inf", "-inf", "Infinity", "1e400", "-1e309"}) {
    expect_parts(
        error_in(std::string("a,b\n1,") + infinite + "\n"),
        {"line 2, column 2 (\"b\"): \"" + std::string(infinite) + "\" is not a finite number"});
  }
  const Table table = read("a,b\n5e-324,1e-400\n-0.0,1.7976931348623157e308\n");
  EXPECT_EQ(table.values(0, 0), 5e-324);
  EXPECT_EQ(table.values(0, 1), 0);
  EXPECT_TRUE(std::signbit(table.values(1, 0)));
  EXPECT_EQ(table.values(1, 1), 1.7976931348623157e308);
}

TEST(Csv, WrongRowsAndFiles) {
  expect_parts(error_in("a,b,c\n1,2,3\n1,2\n"), {"line 3: expected 3 fields, found 2"});
  expect_parts(error_in("a,b\n1,2\n1,x,3,\n"), {"line 3: expected 2 fields, found 4"});
  expect_parts(error_in("a,b\n1,\"2\n3\"\n"), {"line 2", "is not a number"});
  expect_parts(error_in("a,\"b\nc\"\n1,\n"), {"a missing value: line 3,"});
  expect_parts(error_in("a,t\n1,\"u\n\r\nv\"\nx,w\n", {}, {"t"}), {"line 5, column 1"});
  expect_parts(error_in("a,b,c\nNA,x,NA\n"), {"line 2, column 2 (\"b\"): \"x\""});
  expect_parts(error_in("a,b\n1,2\n1,5\"\n1,2\n"), {"line 3, column 2", "within a cell"});
  expect_parts(error_in("a,b\n1,2\n1,\"5\n1,2\n"), {"line 3, column 2", "never closed"});
  expect_parts(error_in("a,b\n1,2\n1,\"5\"x\n"), {"line 3, column 2", "after the closing"});
  expect_parts(error_in("a,\"b\n1,2\n"), {"line 1", "never closed"});
  expect_parts(error_in(""), {"is empty"});
  expect_parts(error_in("\xef\xbb\xbf\n\r\n"), {"is empty"});
  expect_parts(error_in("a,b\n"), {"has a header but no rows"});
  expect_parts(error_in("a,b\n\n\n"), {"has a header but no rows"});
  expect_parts(error_in("a,b,a\n1,2,3\n"), {"columns 1 and 3 have the same name \"a\""});
  expect_parts(error_in(std::string("\xff\xfe"
                                    "a\0,\0b\0",
                                    8)),
               {"UTF-16"});
  expect_parts(error_in("a,gr\xf6\xdf"
                        "e\n1,2\n"),
               {"/t.csv: line 1: the name of column 2 is not UTF-8 text"});
  expect_parts(error_in(std::string("PK\x03\x04\0\0\n1\n", 9)), {"neither a CSV nor a NumPy"});
  expect_parts(error_of([] { read_table("/no/such/file.csv"); }),
               {"/no/such/file.csv: cannot open: No such file"});
  expect_parts(error_of([] { read_table("/"); }), {"/: cannot read: Is a directory"});
}

TEST(Csv, ReportsTheFirstBadLineWhateverTheThreads) {
  std::string text = "a,b\n";
  for (int i = 2; i <= 400000; ++i) {
    text += i == 150000 || i == 150001 || i == 390000 ? "1,word\n"
            : i == 300000                             ? "1\n"
                                                      : "1.25,2\n";
  }
  for (const int threads : {1, 2, 3}) {
    const ThreadLimit limit(threads);
    expect_parts(error_in(text), {"line 150000, column 2 (\"b\"): \"word\""});
  }
}

TEST(Csv, Gzip) {
  const std::string text = "a,b\n1,2\n3.5,-4\n";
  EXPECT_EQ(read(gzip(text)).values, kTwoByTwo);
  EXPECT_EQ(read(gzip("a,b\n1,2\n3.") + gzip("") + gzip("5,-4\n")).values, kTwoByTwo);
  const std::string whole = gzip(text);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    expect_parts(error_in(whole.substr(0, size)), {"the gzip data end early", "truncated"});
  }
  std::string damaged = whole;
  damaged[whole.size() - 5] ^= 1;
  expect_parts(error_in(damaged), {"damaged gzip data", "check"});
  expect_parts(error_in(whole + "garbage"), {"damaged gzip data"});
  expect_parts(error_in(gzip("")), {"is empty"});
}

TEST(Csv, StandardInput) {
  const int saved = ::dup(STDIN_FILENO);
  for (const std::string& bytes : {std::string("a,b\n1,2\n3.5,-4\n"), gzip("a,b\n1,2\n3.5,-4\n")}) {
    FILE* pipe = ::popen(("cat " + write_file(bytes)).c_str(), "r");
    ::dup2(::fileno(pipe), STDIN_FILENO);
    EXPECT_EQ(read_table("-").values, kTwoByTwo);
    ::pclose(pipe);
  }
  const int empty = ::open("/dev/null", O_RDONLY);
  ::dup2(empty, STDIN_FILENO);
  EXPECT_EQ(error_of([] { read_table("-"); }), "standard input: is empty");
  ::close(empty);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST(Csv, WritesWords) {
  const std::string path = write_file("old");
  const Names words = {"a", "b;\"c", "NA", " d"};
  const Matrix values{{0, 0.1}, {0, 1}, {0, 1e300}, {0, -0.0}};
  TableWriter writer(path, {"class", "p"});
  writer.write(values, {{0, words}});
  EXPECT_THROW(writer.write(values, {{0, {"a"}}}), InvalidArgument);
  EXPECT_THROW(writer.write(Matrix(1, 3)), InvalidArgument);
  writer.commit();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "class,p\na,0.1\n\"b;\"\"c\",1\n\"NA\",1e+300\n\" d\",-0\n");
  EXPECT_EQ(read_table(path, {}, {"class"}).labels.at(0), words);
}

TEST(Csv, CutsOnlyAtRowEnds) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text(random() % 60, ' ');
    for (char& c : text) c = "a\n\",\n\""[random() % (trial % 2 ? 6 : 2)];
    const std::size_t piece = 1 + random() % 20;
    std::vector<std::size_t> row_ends = {0};
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '"') quoted = !quoted;
      if (text[i] == '\n' && !quoted) row_ends.push_back(i + 1);
    }
    std::vector<std::size_t> expected = {0};
    for (const std::size_t end : row_ends) {
      if (end > expected.back() + piece || end == row_ends.back()) expected.push_back(end);
    }
    if (row_ends.back() == 0) expected = {0};
    const auto cuts = cut_at_row_ends(text.data(), text.size(), piece);
    EXPECT_EQ(cuts, expected) << text << " " << piece;
  }
}

}  // namespace
}  // namespace bkernn::tables
