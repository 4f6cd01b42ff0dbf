// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/stepping/step_history.hpp"

#include <algorithm>
#include <optional>

namespace ppu::hw {

StepHistory::StepHistory(SteppingEngine& engine, std::uint64_t most_steps)
    : engine_(engine), end_(engine.state()) {
  keep();
  while (engine_.at() != SteppingEngine::At::kEnd) {
    if (engine_.position() == most_steps) {
      engine_.give_up("the walk goes on where the device has ended, after " +
                      std::to_string(most_steps) + " instructions and rows");
      break;
    }
    engine_.step();
    if (engine_.position() == kept_.size() * stride_) keep();
  }
  end_ = engine_.state();
  engine_.restore(kept_.front());
}

void StepHistory::keep() {
  kept_.push_back(engine_.state());
  if (kept_.size() < kMostStates) return;
  // Every other state, at twice the stride.
  for (std::size_t i = 1; 2 * i < kept_.size(); ++i) kept_[i] = std::move(kept_[2 * i]);
  kept_.erase(kept_.begin() + kMostStates / 2, kept_.end());
  stride_ *= 2;
}

std::size_t StepHistory::kept_before(std::uint64_t position) const {
  return std::min<std::size_t>(position / stride_, kept_.size() - 1);
}

void StepHistory::go(std::uint64_t position) {
  if (position >= steps()) return engine_.restore(end_);
  const SteppingEngine::State& state = kept_[kept_before(position)];
  if (position < engine_.position() || engine_.position() < state.position) engine_.restore(state);
  while (engine_.position() < position) engine_.step();
}

bool StepHistory::forward(StopRule& rule) {
  rule.begin(engine_);
  while (engine_.position() < steps()) {
    go(engine_.position() + 1);
    if (rule.stops(engine_)) return true;
  }
  return false;
}

bool StepHistory::backward(StopRule& rule) {
  const std::uint64_t here = engine_.position();
  std::uint64_t last = here;  // Places behind it have been looked at.
  while (last > 0) {
    const SteppingEngine::State& state = kept_[kept_before(last - 1)];
    engine_.restore(state);
    rule.begin(engine_);
    std::optional<std::uint64_t> found;
    while (engine_.position() < std::min(last, here - 1)) {
      go(engine_.position() + 1);
      if (rule.stops(engine_)) found = engine_.position();
    }
    if (found) {
      go(*found);
      return true;
    }
    last = state.position;
  }
  go(0);
  return false;
}

}  // namespace ppu::hw
