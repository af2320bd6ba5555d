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

constexpr const char* kCurve = R"(
/* The line through two of n points; constant beyond all of them. */
static double on_curve(long n, const double *t, const double *v, double x) {
  long low = 0, high = n - 1;
  if (!(x > t[0])) return v[0];
  if (!(x < t[n - 1])) return v[n - 1];
  while (high - low > 1) {
    const long middle = low + (high - low) / 2;
    if (t[middle] <= x) low = middle; else high = middle;
  }
  return v[low] + (x - t[low]) * ((v[low + 1] - v[low]) / (t[low + 1] - t[low]));
}
)";

std::string place(const std::string& array, Index i) {
  return array + "[" + std::to_string(i) + "]";
}

// Where the points of the curve of a coordinate are.
std::string curve_points(Index coordinate) {
  return "curve_" + std::to_string(coordinate);
}

std::string curve_tables(const Encoder& encoder) {
  std::string code;
  Index at = 0;
  for (const EncodedColumn& column : encoder.columns) {
    for (std::size_t k = 0; k < column.curves.size(); ++k) {
      const Curve& curve = column.curves[k];
      if (!curve.bends()) continue;
      const std::string name = curve_points(at + static_cast<Index>(k));
      const auto count = static_cast<Index>(curve.x.size());
      put_doubles(code, name + "_x", curve.x.data(), count);
      put_doubles(code, name + "_v", curve.values.data(), count);
    }
    at += column.coordinates();
  }
  return code;
}

std::string put_number(const EncodedColumn& column, const std::string& from, Index at) {
  const std::string missing = "isnan(" + from + ")";
  const std::string value = missing + " ? " + literal(column.mean) + " : " + from;
  std::string code = "  if (isinf(" + from + ")) return 0;\n";
  for (Index k = 0; k < column.bends(); ++k) {
    const bool bends = !column.curves.empty() && column.curves[k].bends();
    code += "  " + place("x", at + k) + " = ";
    if (bends) {
      const std::string points = curve_points(at + k);
      code += "on_curve(" + std::to_string(column.curves[k].x.size()) + ", " + points + "_x, " +
              points + "_v, " + value + ");\n";
    } else {
      code += value + ";\n";
    }
  }
  if (column.gaps > 0)
    code += "  " + place("x", at + column.bends()) + " = " + missing + " ? 1.0 : 0.0;\n";
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
    body += column.category ? put_category(column, place("column", a), at)
                            : put_number(column, place("column", a), at);
    for (const double mean : column.means()) average.push_back(mean);
    at += column.coordinates();
  }
  if (const std::string tables = curve_tables(encoder); !tables.empty())
    code += "\n" + tables + kCurve;
  code += "\n";
  if (words) put_doubles(code, "average", average.data(), at);
  return code +
         "\n/* The coordinates of a row; 0 where a number is infinite. */\n"
         "static int encode(const double *column, double *x) {\n" +
         body + "  return 1;\n}\n";
}

}  // namespace bkernn
