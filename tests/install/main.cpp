// Built against the installed library only.
#include <bkernn/bkernn.hpp>
#include <cstdio>

int main() {
  const bkernn::Matrix X = bkernn::Matrix::Random(200, 3);
  const bkernn::Vector y = X.col(0).array().abs();
  const bkernn::FitResult result = bkernn::fit(X, y);
  const double r2 = bkernn::r2_score(y, result.model.predict(X));
  std::printf("R2 %.4f\n", r2);
  return r2 > 0.9 ? 0 : 1;
}
