#include <algorithm>

#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/version.hpp"
#include "export/c_encoder.hpp"
#include "export/c_text.hpp"
#include "export/flat_model.hpp"

namespace bkernn {
namespace {

// ---- The comment at the head of the file

constexpr const char* kLevelText =
    " * level(a, word) gives the number of a word in column a. A number that is none of them, "
    "such\n"
    " * as -1, is a level that the fit did not see; NAN is a gap.\n"
    " *\n";

std::string column_text(const Model& model, Index a) {
  if (model.encoder.empty())
    return "center " + short_text(model.center(a)) + ", scale " + short_text(model.scale(a));
  const EncodedColumn& column = model.encoder.columns[a];
  if (!column.category) return "mean " + short_text(column.mean) + ", NAN where it is missing";
  std::string text = "the number of a level";
  for (std::size_t k = 0; k < column.levels.size(); ++k)
    text += (k == 0 ? ": " : ", ") + std::to_string(k) + " " + in_comment(column.levels[k]);
  return text;
}

std::string inputs_text(const Model& model) {
  const Vector importances = model.importances();
  std::string text = " * x: " + std::to_string(model.n_columns()) +
                     " numbers, in the units of the table that the model was fitted on:\n *\n";
  for (Index a = 0; a < model.n_columns(); ++a) {
    const std::string name =
        model.feature_names.empty() ? "(no name)" : in_comment(model.feature_names[a]);
    text += " *   x[" + std::to_string(a) + "]  " + name + ": importance " +
            short_text(importances(a)) + ", " + column_text(model, a) + "\n";
  }
  return text + " *\n" + (has_words(model.encoder) ? kLevelText : "");
}

std::string outputs_text(const SavedModel& saved, Response response) {
  const Model& model = saved.model;
  const auto listed = [&](const std::string& word, Index count,
                          const std::vector<std::string>& names) {
    std::string text;
    for (Index k = 0; k < count; ++k) {
      text += " *   out[" + std::to_string(k) + "]  " + word +
              (names.empty() ? std::to_string(k) : in_comment(names[k])) + ".\n";
    }
    return text + " *\n";
  };
  if (model.n_classes() > 0) {
    return " * out: the probability of each class, or NULL if it is not wanted:\n *\n" +
           listed("class ", model.n_classes(), model.class_names) +
           " * Returned: the number of the likeliest class.\n";
  }
  const std::string what =
      response == Response::exponential ? "the mean count" : "the prediction, in the units of y";
  if (!model.quantiles.empty()) {
    std::vector<std::string> levels;
    for (const double level : model.quantiles) levels.push_back(short_text(level));
    return " * out: " + what + ", or NULL if it is not wanted; in increasing order:\n *\n" +
           listed("quantile ", model.n_outputs(), levels) + " * Returned: out[0].\n";
  }
  return " * out: " + what + ", or NULL if it is not wanted:\n *\n" +
         listed("target ", model.n_outputs(), saved.target_names) + " * Returned: out[0].\n";
}

std::string head(const SavedModel& saved, Response response) {
  const Model& model = saved.model;
  const std::string made =
      saved.library_version.empty() ? std::string(version()) : in_comment(saved.library_version);
  return "/* A Brownian kernel neural network as C99: no dependencies beyond the standard "
         "library,\n"
         " * no allocation, safe to call from several threads.\n"
         " *\n"
         " *   double predict(const double *x, double *out);\n"
         " *\n" +
         inputs_text(model) + outputs_text(saved, response) +
         (model.encoder.empty() ? " * Where some x is not finite, all of these are NaN.\n"
                                : " * Where a number is infinite, all of these are NaN.\n") +
         " *\n"
         " * The model: f(x) = c + (1/m) * sum of h_j(w_j . z) over j, with z = (x - center) / "
         "scale.\n"
         " * Directions w_j and functions h_j, given by their values at knots, were learned by\n"
         " * bkernn " +
         made + " from " + std::to_string(saved.data.rows) + " rows: " + model.loss + " loss, " +
         model.kernel + " kernel, " + model.penalty +
         " penalty, m = " + std::to_string(model.n_particles) +
         ".\n"
         " *\n"
         " * -ffp-contract=off gives the same bits as the library; -DBKERNN_PREDICT=name gives "
         "the\n"
         " * function another name; link with -lm.\n"
         " */\n";
}

// ---- Code

constexpr const char* kIncludes = R"(#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#ifndef BKERNN_PREDICT
#define BKERNN_PREDICT predict
#endif

double BKERNN_PREDICT(const double *x, double *out);

)";

// The largest k with t[k] <= p, clamped to [0, n - 2].
constexpr const char* kSegment = R"(
static long segment(long n, const double *t, double p) {
  long low = 0, length = n - 1;
  while (length > 1) {
    const long half = length / 2;
    if (t[low + half] <= p) low += half;
    length -= half;
  }
  return low;
}
)";

constexpr const char* kLines = R"(
/* A straight line between knots, constant beyond them. */
static double function(long n, const double *t, const double *y, double p) {
  long k;
  double u;
  if (n == 1) return y[0];
  k = segment(n, t, p);
  u = (p - t[k]) / (t[k + 1] - t[k]);
  u = u < 0.0 ? 0.0 : u > 1.0 ? 1.0 : u;
  return y[k] + u * (y[k + 1] - y[k]);
}
)";

constexpr const char* kDecays = R"(
/* Between knots a combination of exp(p/2) and exp(-p/2), which decays beyond them. */
static double function(long n, const double *t, const double *y, double p) {
  long k;
  double left, right, whole;
  if (p <= t[0]) return y[0] * exp(-0.5 * (t[0] - p));
  if (p >= t[n - 1]) return y[n - 1] * exp(-0.5 * (p - t[n - 1]));
  k = segment(n, t, p);
  left = p - t[k];
  right = t[k + 1] - p;
  whole = expm1(-(t[k + 1] - t[k]));
  return y[k] * exp(-0.5 * left) * expm1(-right) / whole +
         y[k + 1] * exp(-0.5 * right) * expm1(-left) / whole;
}
)";

constexpr const char* kBumps = R"(
/* exp(-(p - t)^2 / 2): 2^k exp(r) with a small r, and exp(r) by its series. */
static double bump(double t, double p) {
  const double most = 700.0, to_whole = 6755399441055744.0;
  const double size = 0.5 * (t - p) * (t - p), x = -(size < most ? size : most);
  const double shifted = x * 1.44269504088896340736 + to_whole, k = shifted - to_whole;
  const double r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  double series = 1.0, power;
  uint64_t bits;
  int i;
  for (i = 13; i > 0; --i) series = 1 + series * r * (1.0 / i);
  memcpy(&bits, &shifted, sizeof bits);
  bits = (bits + 1023) << 52;
  memcpy(&power, &bits, sizeof power);
  return series * power;
}

static double function(long n, const double *t, const double *y, double p) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  long k;
  for (k = 0; k < n; ++k) sum[k % 4] += y[k] * bump(t[k], p);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}
)";

std::string function_code(const std::string& kernel) {
  const FunctionForm form = make_kernel(kernel)->function_form();
  require(form != FunctionForm::other, "kernel", kernel, "has no formula in C");
  if (form == FunctionForm::bumps) return kBumps;
  return std::string(kSegment) + (form == FunctionForm::lines ? kLines : kDecays);
}

constexpr const char* kNothing = R"(
static double nothing(double *out) {
  long k;
  for (k = 0; out != NULL && k < RESPONSES; ++k) out[k] = NAN;
  return NAN;
}

)";

constexpr const char* kOfNumbers = R"(
double BKERNN_PREDICT(const double *x, double *out) {
  double f[OUTPUTS], y[RESPONSES];
  long k;
  for (k = 0; k < VARIABLES; ++k) {
    if (!isfinite(x[k])) return nothing(out);
  }
)";

constexpr const char* kOfColumns = R"(
double BKERNN_PREDICT(const double *column, double *out) {
  double f[OUTPUTS], y[RESPONSES], x[VARIABLES];
  long k;
  if (!encode(column, x)) return nothing(out);
)";

constexpr const char* kIntercept = "  for (k = 0; k < OUTPUTS; ++k) f[k] = intercept[k];\n";

constexpr const char* kParticles = R"(  {
    double p[PARTICLES];
    long a, j;
    for (j = 0; j < PARTICLES; ++j) p[j] = 0.0;
    for (a = 0; a < USED; ++a) {
      const double z = (x[variable[a]] - center[a]) / scale[a];
      for (j = 0; j < PARTICLES; ++j) p[j] += direction[a * PARTICLES + j] * z;
    }
    for (j = 0; j < PARTICLES; ++j) {
      const long n = first[j + 1] - first[j];
      if (!isfinite(p[j])) return nothing(out);
      for (k = 0; k < OUTPUTS; ++k) {
        f[k] += share * function(n, knots + first[j], values + k * KNOTS + first[j], p[j]);
      }
    }
  }
)";

std::string response_code(Response response) {
  if (response == Response::identity) return "  for (k = 0; k < RESPONSES; ++k) y[k] = f[k];\n";
  if (response == Response::exponential)
    return "  for (k = 0; k < RESPONSES; ++k) y[k] = fmin(exp(f[k]), DBL_MAX);\n";
  if (response == Response::logistic)
    return "  y[1] = f[0] >= 0 ? 1 / (1 + exp(-f[0])) : exp(f[0]) / (1 + exp(f[0]));\n"
           "  y[0] = 1 - y[1];\n";
  return R"(  {
    double top = f[0], total = 0.0;
    for (k = 1; k < OUTPUTS; ++k) top = f[k] > top ? f[k] : top;
    for (k = 0; k < OUTPUTS; ++k) total += y[k] = exp(f[k] - top);
    for (k = 0; k < OUTPUTS; ++k) y[k] *= 1.0 / total;
  }
)";
}

constexpr const char* kOrder = R"(  {
    long i;
    for (k = 1; k < RESPONSES; ++k) {
      const double one = y[k];
      for (i = k; i > 0 && y[i - 1] > one; --i) y[i] = y[i - 1];
      y[i] = one;
    }
  }
)";

std::string return_code(bool classes) {
  const std::string copy = "  for (k = 0; out != NULL && k < RESPONSES; ++k) out[k] = y[k];\n";
  if (!classes) return copy + "  return y[0];\n}\n";
  return copy +
         "  {\n"
         "    long best = 0;\n"
         "    for (k = 1; k < RESPONSES; ++k) best = y[k] > y[best] ? k : best;\n"
         "    return (double)best;\n"
         "  }\n}\n";
}

}  // namespace

std::string model_to_c(const SavedModel& saved) {
  const Model& model = saved.model;
  model.validate();
  const Response response = response_of(model);
  const FlatModel flat(model);
  const Index responses = response == Response::logistic ? 2 : model.n_outputs();
  std::string code = head(saved, response) + kIncludes;
  if (has_words(model.encoder)) code += level_declaration();
  const auto put_size = [&](const char* name, Index value) {
    code += std::string("#define ") + name + " " + std::to_string(value) + "\n";
  };
  put_size("VARIABLES", model.n_features());
  put_size("OUTPUTS", model.n_outputs());
  put_size("RESPONSES", responses);
  if (flat.particles() > 0) {
    put_size("USED", static_cast<Index>(flat.variables.size()));
    put_size("PARTICLES", flat.particles());
    put_size("KNOTS", flat.knots.size());
  }
  code += "\n";
  put_doubles(code, "intercept", model.intercept.data(), model.intercept.size());
  if (flat.particles() > 0) {
    code += "static const double share = " + literal(flat.share) + "; /* 1/m */\n";
    put_integers(code, "variable", flat.variables);
    put_doubles(code, "center", flat.center.data(), flat.center.size());
    put_doubles(code, "scale", flat.scale.data(), flat.scale.size());
    const Matrix by_variable = flat.W.transpose();
    put_doubles(code, "direction", by_variable.data(), by_variable.size());
    put_integers(code, "first", flat.first);
    put_doubles(code, "knots", flat.knots.data(), flat.knots.size());
    put_doubles(code, "values", flat.values.data(), flat.values.size());
    code += function_code(model.kernel);
  }
  if (!model.encoder.empty()) code += encoder_to_c(model.encoder);
  code += kNothing;
  code += model.encoder.empty() ? kOfNumbers : kOfColumns;
  code += kIntercept;
  if (flat.particles() > 0) code += kParticles;
  code += response_code(response);
  if (!model.quantiles.empty()) code += kOrder;
  return code + return_code(model.n_classes() > 0);
}

}  // namespace bkernn
