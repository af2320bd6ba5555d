#include "export/c_encoder.hpp"

#include <algorithm>

#include "export/c_text.hpp"

namespace bkernn {
namespace {

constexpr const char* kLevelDeclaration = R"(#ifndef BKERNN_LEVEL
#define BKERNN_LEVEL level
#endif

double BKERNN_LEVEL(long column, const char *word);

)";

constexpr const char* kLevel = R"(
double BKERNN_LEVEL(long column, const char *word) {
  long k;
  for (k = 0; k < (long)(sizeof levels / sizeof levels[0]); ++k) {
    if (levels[k].column == column && strcmp(levels[k].word, word) == 0) return levels[k].number;
  }
  return -1.0;
}
)";

constexpr const char* kOutcome = R"(
/* Two outcomes are -1 and +1; of more, the coordinate of the right one is 1 and the others are 0.
 * An outcome that is none of them gives the average row. */
static void outcome(long k, long outcomes, long width, const double *average, double *x) {
  long i;
  for (i = 0; i < width; ++i) {
    x[i] = k < 0 ? average[i] : outcomes == 2 ? (k == 1 ? 1.0 : -1.0) : (k == i ? 1.0 : 0.0);
  }
}

static long outcome_of(double number, long named, long unseen, long gap) {
  if (isnan(number)) return gap;
  return number >= 0.0 && number < named && floor(number) == number ? (long)number : unseen;
}
)";

std::string levels_table(const Encoder& encoder) {
  std::string code =
      "\nstatic const struct { long column; double number; const char *word; } levels[] = {\n";
  bool any = false;
  for (Index a = 0; a < encoder.size(); ++a) {
    const std::vector<std::string>& levels = encoder.columns[a].levels;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      any = true;
      code += "    {" + std::to_string(a) + ", " + std::to_string(k) + ".0, " + quoted(levels[k]) +
              "},\n";
    }
  }
  if (!any) code += "    {-1, -1.0, \"\"},\n";
  return code + "};\n";
}

std::string put_number(const EncodedColumn& column, const std::string& from, const std::string& to,
                       const std::string& next) {
  std::string code = "  if (isinf(" + from + ")) return 0;\n  " + to + " = isnan(" + from + ") ? " +
                     literal(column.mean) + " : " + from + ";\n";
  if (column.gaps > 0) code += "  " + next + " = isnan(" + from + ") ? 1.0 : 0.0;\n";
  return code;
}

std::string put_category(const EncodedColumn& column, const std::string& from, Index at) {
  const auto text = [](Index value) { return std::to_string(value); };
  const auto named = static_cast<Index>(column.levels.size());
  return "  outcome(outcome_of(" + from + ", " + text(named) + ", " +
         text(column.unseen_outcome()) + ", " + text(column.gap_outcome()) + "), " +
         text(column.outcomes().size()) + ", " + text(column.coordinates()) + ", average + " +
         text(at) + ", x + " + text(at) + ");\n";
}

}  // namespace

bool has_words(const Encoder& encoder) {
  return std::any_of(encoder.columns.begin(), encoder.columns.end(),
                     [](const EncodedColumn& column) { return column.category; });
}

std::string level_declaration() {
  return kLevelDeclaration;
}

std::string encoder_to_c(const Encoder& encoder) {
  const bool words = has_words(encoder);
  std::string code = words ? levels_table(encoder) + kLevel + kOutcome : "";
  std::string body;
  std::vector<double> average;
  Index at = 0;
  for (Index a = 0; a < encoder.size(); ++a) {
    const EncodedColumn& column = encoder.columns[a];
    const auto place = [](const char* array, Index i) {
      return std::string(array) + "[" + std::to_string(i) + "]";
    };
    body += column.category
                ? put_category(column, place("column", a), at)
                : put_number(column, place("column", a), place("x", at), place("x", at + 1));
    for (const double mean : column.means()) average.push_back(mean);
    at += column.coordinates();
  }
  code += "\n";
  if (words) put_doubles(code, "average", average.data(), at);
  return code +
         "\n/* The coordinates of a row; 0 where a number is infinite. */\n"
         "static int encode(const double *column, double *x) {\n" +
         body + "  return 1;\n}\n";
}

}  // namespace bkernn
