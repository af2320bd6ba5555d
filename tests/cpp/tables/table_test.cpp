// Tables whatever their format: selection, blocks, exact round trips, and files that appear whole.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>

#include "base/atomic_file.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "scratch.hpp"
#include "tables/table_reader.hpp"
#include "tables/table_writer.hpp"

namespace bkernn::tables {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Columns = std::vector<Index>;

class TableTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_ + "/" + name; }
  std::string write_file(const std::string& name, const std::string& text) const {
    std::ofstream(file(name)) << text;
    return file(name);
  }
  std::string content(const std::string& name) const {
    std::ifstream in(file(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }

  const ScratchDirectory scratch_{"table_test"};
  const std::string& directory_ = scratch_.path;
};

// Any bit pattern that is a finite double: denormals and the largest numbers as likely as 1.
Matrix random_doubles(Index rows, Index columns, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Matrix values(rows, columns);
  for (double& value : values.reshaped()) {
    do value = std::bit_cast<double>(random());
    while (!std::isfinite(value));
  }
  values(0, 0) = -0.0;
  values(rows - 1, 0) = 5e-324;
  values(0, columns - 1) = std::numeric_limits<double>::max();
  return values;
}

void expect_same_bits(const Matrix& a, const Matrix& b) {
  ASSERT_TRUE(a.rows() == b.rows() && a.cols() == b.cols());
  EXPECT_EQ(std::memcmp(a.data(), b.data(), sizeof(double) * a.size()), 0) << a << "\n\n" << b;
}

void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.labels, b.labels);
  expect_same_bits(a.values, b.values);
}

TEST(MatchColumns, ByNameInWantedOrder) {
  EXPECT_EQ(match_columns("f", {"a", "b", "c"}, true, {"c", "a"}), (Columns{2, 0}));
  EXPECT_EQ(error_of([] {
              match_columns("f", {"Height", "b"}, true, {"b", "heigth", "zzz"});
            }),
            "f: no columns \"heigth\" (did you mean \"Height\"?), \"zzz\"");
  EXPECT_EQ(error_of([] { match_columns("f", {"x1", "x2"}, true, {"q"}); }), "f: no column \"q\"");
}

TEST(MatchColumns, ByPositionWithoutHeader) {
  EXPECT_EQ(match_columns("f", {"column1", "column2"}, false, {"c", "a"}), (Columns{0, 1}));
  EXPECT_EQ(error_of([] {
              match_columns("f", {"column1"}, false, {"c", "a"});
            }),
            "f: has no header, so columns are matched by position: expected 2 columns, found 1");
}

TEST_F(TableTest, ReadsOnlySelectedColumns) {
  TableReader reader(write_file("t.csv", "id,a,t,b\n\"x,\n1\",1,u,2\nNA,3,v,inf\n"));
  reader.select(reader.match({"t", "a"}), reader.match({"t"}));
  const Table table = reader.read_all();
  EXPECT_EQ(table.names, (Names{"t", "a"}));
  EXPECT_EQ(table.values.col(1), (Vector{{1, 3}}));
  EXPECT_EQ(table.labels, (Labels{{0, {"u", "v"}}}));
  EXPECT_THROW(reader.select({0}), InvalidArgument);
  EXPECT_THROW(TableReader(file("t.csv")).select({4}), InvalidArgument);
  EXPECT_THROW(TableReader(file("t.csv")).select({1, 1}), InvalidArgument);
}

// A random table, and a text of it with every freedom that the format leaves.
struct RandomCsv {
  RandomCsv(std::mt19937& random, Index rows, Index columns) {
    const char separator = ",;\t"[random() % 3];
    const auto quoted = [&](const std::string& cell) {
      std::string inside;
      for (const char c : cell) inside += c == '"' ? "\"\"" : std::string(1, c);
      return std::string(random() % 3, ' ') + "\"" + inside + "\" ";
    };
    const auto line_break = [&] { return random() % 2 ? "\r\n" : "\n"; };
    table.values = random_doubles(rows, columns, random());
    table.values.col(0).setConstant(std::numeric_limits<double>::quiet_NaN());
    text = random() % 2 ? "\xef\xbb\xbf" : "";
    for (Index j = 0; j < columns; ++j) {
      // Separators in quotes do not count when the separator is detected.
      table.names.push_back("v\"" + std::string(random() % 3, ";,\n"[random() % 3]) +
                            std::to_string(j));
      text += quoted(table.names.back()) + (j + 1 < columns ? std::string(1, separator) : "\n");
    }
    for (Index i = 0; i < rows; ++i) {
      std::string word = "w";
      for (auto n = random() % 12; n > 0; --n) word += "a,;\t\r\n\" é"[random() % 10];
      table.labels[0].push_back(word);
      text += quoted(word);
      for (Index j = 1; j < columns; ++j) {
        char digits[40];
        std::snprintf(digits, sizeof digits, "%.17g", table.values(i, j));
        text += separator + (random() % 4 ? digits : quoted(digits));
      }
      if (i + 1 < rows || random() % 2) text += line_break();
      if (columns > 1 && random() % 8 == 0) text += line_break();
    }
  }

  Table table;
  std::string text;
};

TEST_F(TableTest, ReadsRandomCsvBackInBlocksOfEverySize) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 40; ++trial) {
    const Index rows = 1 + random() % 12;
    const RandomCsv csv(random, rows, 2 + random() % 4);
    SCOPED_TRACE(csv.text);
    const std::string path = write_file("t.csv", csv.text);
    Table whole = read_table(path, {}, {csv.table.names[0]});
    EXPECT_TRUE(whole.holds_words(0));
    expect_same(whole, csv.table);
    for (Index size = 1; size <= rows + 1; ++size) {
      TableReader reader(path);
      reader.select(reader.match(csv.table.names), std::vector<Index>{0});
      Table joined;
      joined.names = whole.names;
      joined.values.resize(rows, whole.values.cols());
      Index row = 0;
      for (Table block; reader.next(block, size); row += block.values.rows()) {
        ASSERT_EQ(block.values.rows(), std::min(size, rows - row));
        joined.values.middleRows(row, block.values.rows()) = block.values;
        for (const std::string& word : block.labels.at(0)) joined.labels[0].push_back(word);
      }
      ASSERT_EQ(row, rows);
      expect_same(joined, whole);
    }
  }
}

TEST_F(TableTest, LargeFilesAreReadInPieces) {
  std::mt19937 random(2);
  const RandomCsv csv(random, 60000, 12);
  ASSERT_GT(csv.text.size(), std::size_t{12} << 20);  // more than one chunk
  const std::string path = write_file("t.csv", csv.text);
  for (const int threads : {1, 3}) {
    const ThreadLimit limit(threads);
    expect_same(read_table(path, {}, {csv.table.names[0]}), csv.table);
    TableReader reader(path);
    reader.select({5, 11});
    Index row = 0;
    for (Table block; reader.next(block, 7001); row += block.values.rows()) {
      const auto rows = csv.table.values.middleRows(row, block.values.rows());
      expect_same_bits(block.values.col(0), rows.col(5));
      expect_same_bits(block.values.col(1), rows.col(11));
    }
    EXPECT_EQ(row, 60000);
  }
}

TEST_F(TableTest, RowsLongerThanAChunk) {
  const std::string word(20 << 20, '\n');
  const std::string path = write_file("t.csv", "a,t\n1,\"" + word + "\"\n2,x\n");
  EXPECT_EQ(read_table(path, {}, {"t"}).labels.at(1), (Names{word, "x"}));
  write_file("t.csv", "a,b\n1,2\n1,\"" + word + word + word + word);
  const std::string error = error_of([&] { read_table(path); });
  EXPECT_NE(error.find("line 3, column 2 (\"b\"): a quote"), std::string::npos) << error;
}

TEST_F(TableTest, WritesExactlyWhatIsReadBack) {
  const Matrix values = random_doubles(5000, 4, 3);
  const Names names = {"a", "b c", "d,\"e\"\n", " f"};
  for (const char* name : {"t.csv", "t.csv.gz", "t.npy"}) {
    TableWriter writer(file(name), names);
    writer.write(values.topRows(3000));
    writer.write(values.bottomRows(2000));
    EXPECT_FALSE(fs::exists(file(name)));
    writer.commit();
    const Table table = read_table(file(name));
    expect_same_bits(table.values, values);
    EXPECT_EQ(table.names == names, std::string(name) != "t.npy");
  }
  EXPECT_EQ(content("t.csv.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(files(), 3);
}

TEST_F(TableTest, WritesToStandardOutput) {
  const int saved = ::dup(STDOUT_FILENO);
  const int out = ::open(file("out").c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(out, STDOUT_FILENO);
  TableWriter writer("-", {"a"});
  writer.write(Matrix{{1.5}});
  writer.commit();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(out);
  EXPECT_EQ(content("out"), "a\n1.5\n");
}

TEST_F(TableTest, AnAbandonedFileLeavesTheOldOne) {
  write_file("t", "old");
  auto abandoned = std::make_unique<AtomicFile>(file("t"));
  abandoned->write(std::string(1 << 20, 'x').data(), 1 << 20);
  EXPECT_EQ(files(), 2);
  abandoned.reset();
  EXPECT_EQ(content("t"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(TableTest, ASignalRemovesTheTemporariesOfAllFilesThatAreTracked) {
  std::vector<std::unique_ptr<AtomicFile>> open;
  const auto add = [&] {
    open.push_back(std::make_unique<AtomicFile>(file("t" + std::to_string(open.size()))));
  };
  for (int i = 0; i < AtomicFile::kMostTracked; ++i) add();
  open[3].reset();  // its place serves the next one
  add();
  EXPECT_EQ(files(), AtomicFile::kMostTracked);
  AtomicFile::remove_temporaries();
  EXPECT_EQ(files(), 0);
  open.clear();
  for (int i = 0; i <= AtomicFile::kMostTracked; ++i) add();
  AtomicFile::remove_temporaries();
  EXPECT_EQ(files(), 1);
  open.back()->commit();
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(fs::exists(file("t" + std::to_string(AtomicFile::kMostTracked))));
}

TEST_F(TableTest, AReplacedFileKeepsItsPermissionsAndLinks) {
  write_file("t", "old");
  fs::permissions(file("t"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(file("t"), file("link"));
  AtomicFile atomic(file("link"));
  atomic.write("neX", 3);
  atomic.rewrite(2, "w", 1);
  EXPECT_EQ(content("t"), "old");
  atomic.commit();
  EXPECT_EQ(content("t"), "new");
  EXPECT_TRUE(fs::is_symlink(file("link")));
  EXPECT_EQ(fs::status(file("t")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 2);
}

TEST_F(TableTest, AFullDiskLeavesTheOldFile) {
  EXPECT_EQ(error_of([] { TableWriter("/dev/full", {"a"}).commit(); }),
            "/dev/full: cannot write: No space left on device");
  write_file("t.csv", "old");
  struct rlimit before {};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const struct rlimit small { 1 << 20, before.rlim_max };
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] {
    TableWriter writer(file("t.csv"), {"a", "b"});
    for (int i = 0; i < 10; ++i) writer.write(Matrix::Random(50000, 2));
    writer.commit();
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(error, file("t.csv") + ": cannot write: File too large");
  EXPECT_EQ(content("t.csv"), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(TableTest, TargetsThatCannotBeWritten) {
  EXPECT_EQ(error_of([&] { AtomicFile(file("no/t")); }),
            file("no/t") + ": cannot write: No such file or directory");
  EXPECT_EQ(error_of([&] { AtomicFile{directory_}; }),
            directory_ + ": cannot write: Is a directory");
  write_file("t", "old");
  fs::permissions(file("t"), fs::perms::owner_read | fs::perms::others_read);
  fs::permissions(directory_, fs::perms::all);
  const uid_t user = ::geteuid();  // root is forbidden nothing
  EXPECT_EQ(::seteuid(user == 0 ? 65534 : user), 0);
  const std::string error = error_of([&] { AtomicFile(file("t")); });
  EXPECT_EQ(::seteuid(user), 0);
  EXPECT_EQ(error, file("t") + ": cannot write: Permission denied");
  EXPECT_EQ(content("t"), "old");
}

}  // namespace
}  // namespace bkernn::tables
