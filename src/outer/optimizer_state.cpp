#include "outer/optimizer_state.hpp"

#include <utility>

namespace bkernn {

FitState::FitState() : FitState(OptimizerState()) {}
FitState::FitState(OptimizerState state)
    : inside_(std::make_shared<const OptimizerState>(std::move(state))) {}
FitState::FitState(const FitState& other) : FitState(OptimizerState(*other.inside_)) {}
FitState::FitState(FitState&& other) noexcept = default;
FitState& FitState::operator=(const FitState& other) {
  inside_ = FitState(other).inside_;
  return *this;
}
FitState& FitState::operator=(FitState&& other) noexcept = default;
FitState::~FitState() = default;

int FitState::iteration() const {
  return inside_->iteration;
}

const Matrix& FitState::W() const {
  return inside_->W;
}

FitState FitState::view(const OptimizerState& state) {
  return FitState(std::shared_ptr<const OptimizerState>(std::shared_ptr<void>(), &state));
}

}  // namespace bkernn
