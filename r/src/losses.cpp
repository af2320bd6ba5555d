// What the losses of the core are for.
#include "bkernn/loss.hpp"

#include "entries.hpp"
#include "values.hpp"

namespace bkernn::r {
namespace {

SEXP loss_columns() {
  std::vector<std::string> targets;
  std::vector<int> two_in_one, quantile;
  for (const std::string& name : loss_names()) {
    const std::unique_ptr<Loss> loss = make_loss(name);
    targets.emplace_back(name_of(loss->targets()));
    two_in_one.push_back(loss->class_outputs(2) == 1 ? 1 : 0);
    quantile.push_back(loss->quantile() ? 1 : 0);
  }
  List columns(4);
  columns.add("name", loss_names());
  columns.add("targets", targets);
  columns.add("two_in_one", two_in_one);  // two classes have one output
  columns.add("quantile", quantile);
  return columns.get();
}

}  // namespace
}  // namespace bkernn::r

extern "C" SEXP bkernn_losses() {
  return bkernn::r::guarded(bkernn::r::loss_columns);
}
