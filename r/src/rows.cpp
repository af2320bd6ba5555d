#include "rows.hpp"

#include <algorithm>
#include <limits>

#include "options.hpp"

namespace bkernn::r {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Rows::Rows(SEXP given) {
  if (TYPEOF(given) == REALSXP) {
    const Eigen::Map<const Matrix> all = matrix(given);
    data_ = all.data();
    n_ = all.rows();
    columns_ = all.cols();
    return;
  }
  columns_ = Rf_xlength(given);
  n_ = columns_ > 0 ? Rf_xlength(VECTOR_ELT(given, 0)) : 0;
  copied_.resize(n_, columns_);
  for (Index a = 0; a < columns_; ++a) take_column(VECTOR_ELT(given, a), a);
  data_ = copied_.data();
}

void Rows::take_column(SEXP column, Index a) {
  if (Rf_isFactor(column) == TRUE) {
    Category& category = categories_[a];
    category.levels = texts(Rf_getAttrib(column, R_LevelsSymbol));
    category.codes.resize(n_);
    const int* codes = INTEGER_RO(column);
    std::transform(codes, codes + n_, category.codes.begin(),
                   [](int code) { return code == NA_INTEGER ? Category::kGap : code - 1; });
    copied_.col(a).setConstant(kGap);
  } else if (TYPEOF(column) == INTSXP) {
    const int* values = INTEGER_RO(column);
    std::transform(values, values + n_, copied_.col(a).data(),
                   [](int value) { return value == NA_INTEGER ? kGap : value; });
  } else {
    copied_.col(a) = matrix(column).col(0);
  }
}

Problem::Problem(SEXP list)
    : options_(options_of(member(list, "options"))),
      names_(texts(member(list, "names"))),
      classes_(texts(member(list, "classes"))),
      targets_(texts(member(list, "targets"))),
      Y_(matrix(member(list, "y"))) {
  rows_.emplace(member(list, "x"));
  const SEXP given = member(list, "weights");
  if (!is_null(given)) weights_ = matrix(given).col(0);
  const ThreadLimit limit(options_.n_threads);
  encoder_ = learn_encoder(rows_->mixed(), weights_ ? &*weights_ : nullptr, names_);
  if (!encoder_.empty()) {
    encoded_ = encoder_.encode(rows_->mixed(), names_);
    rows_.reset();  // their numbers are in both
  }
  const SEXP fraction = member(list, "validation");
  if (is_null(fraction)) {
    input_.emplace(FitInput{.X = X(), .Y = Y_});
  } else {
    hold_out(number(fraction));
  }
  if (weights_) input_->weights = &*weights_;
  input_->encoder = &encoder_;
}

void Problem::hold_out(double fraction) {
  require(fraction > 0 && fraction < 1, "validation", fraction, "must lie between 0 and 1");
  const RowSplit split = split_rows(X().rows(), fraction, options_.seed);
  part_X_ = X()(split.rest, Eigen::all);
  part_Y_ = Y_(split.rest, Eigen::all);
  held_X_ = X()(split.part, Eigen::all);
  held_Y_ = Y_(split.part, Eigen::all);
  if (weights_) weights_ = Vector((*weights_)(split.rest));
  input_.emplace(FitInput{.X = part_X_, .Y = part_Y_});
  input_->validation_X = &validation_X_.emplace(held_X_);
  input_->validation_Y = &validation_Y_.emplace(held_Y_);
}

Eigen::Map<const Matrix> Problem::X() const {
  if (!encoded_) return rows_->view();
  return {encoded_->data(), encoded_->rows(), encoded_->cols()};
}

SavedModel Problem::describe(const FitResult& result, const FitOptions& options) const {
  SavedModel saved{.model = result.model,
                   .target_names = targets_,
                   .options = options,
                   .regularization = result.regularization,
                   .report = result.report,
                   .data = fingerprint(input().X, input().Y)};
  saved.options.init.resize(0, 0);
  saved.model.feature_names = names_;
  saved.model.class_names = classes_;
  return saved;
}

}  // namespace bkernn::r
