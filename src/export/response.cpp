#include <cmath>

#include "bkernn/error.hpp"
#include "bkernn/export.hpp"
#include "bkernn/loss.hpp"

namespace bkernn {
namespace {

Response guess(const Loss& loss) {
  if (loss.targets() == Targets::numbers) return Response::identity;
  if (loss.targets() == Targets::counts) return Response::exponential;
  return loss.coupled() ? Response::softmax : Response::logistic;
}

Matrix apply(Response response, const Matrix& F) {
  if (response == Response::identity) return F;
  Matrix e = F.array().exp();
  if (response == Response::exponential) return e;
  if (response == Response::softmax) return e.array().colwise() / e.rowwise().sum().array();
  Matrix both(F.rows(), 2);
  both << (1 + e.array()).inverse(), e.array() / (1 + e.array());
  return both;
}

}  // namespace

// The traits of the loss suggest a formula; what the loss computes decides.
Response response_of(const Model& model) {
  const std::unique_ptr<Loss> loss = make_loss(model.loss);
  const Response response = guess(*loss);
  const Matrix F = Matrix::NullaryExpr(8, model.n_outputs(), [](Index i, Index k) {
    return 3 * std::sin(static_cast<double>(1 + 5 * i + 3 * k));
  });
  const Matrix wanted = loss->response(F);
  const bool fits = (response != Response::logistic || F.cols() == 1) &&
                    apply(response, F).cols() == wanted.cols() &&
                    apply(response, F).isApprox(wanted, 1e-12);
  require(fits, "loss", model.loss, "its predictions have no formula in the exported formats");
  return response;
}

}  // namespace bkernn
