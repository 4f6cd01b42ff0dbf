// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/engine/token_network.hpp"

namespace ppu::hw {

TokenNetwork::TokenNetwork(std::uint32_t pipes) : pipes_(pipes), arrivals_(pipes) {
  while (1U << steps_ < pipes) ++steps_;
  for (std::uint32_t lane = 0; lane < 2; ++lane) {
    queues_[lane].assign(steps_, std::vector<Queue>(pipes));
    held_[lane].assign(steps_, std::vector<std::size_t>(pipes));
    upper_[lane].assign(steps_, std::vector<bool>(pipes));
    owed_[lane].assign(pipes, 0);
  }
}

void TokenNetwork::push(std::uint32_t lane, std::uint32_t pipe, const Message* message) {
  if (steps_ == 0) {
    if (message != nullptr) arrivals_[pipe][lane].push_back(*message);
  } else if (message != nullptr) {
    queues_[lane][0][pipe].push_back(*message);
    ++under_way_;
  } else {
    --owed_[lane][pipe];
  }
}

void TokenNetwork::move() {
  for (std::uint32_t lane = 0; lane < 2; ++lane)
    for (std::uint32_t step = 0; step < steps_; ++step)
      for (std::uint32_t pipe = 0; pipe < pipes_; ++pipe)
        held_[lane][step][pipe] = queues_[lane][step][pipe].size();
  for (std::uint32_t lane = 0; lane < 2; ++lane)
    for (std::uint32_t step = 0; step < steps_; ++step)
      for (std::uint32_t pipe = 0; pipe < pipes_; ++pipe)
        if ((pipe >> step & 1U) == 0) move_switch(lane, step, pipe);
}

bool TokenNetwork::is_full(std::uint32_t lane, std::uint32_t step, std::uint32_t pipe) const {
  return step < steps_ && held_[lane][step][pipe] == kPlaces;
}

void TokenNetwork::move_switch(std::uint32_t lane, std::uint32_t step, std::uint32_t low) {
  const std::array<std::uint32_t, 2> pipes{low, low | 1U << step};
  // The output that each head wants; 2: there is none.
  std::array<std::uint32_t, 2> wants{2, 2};
  for (std::uint32_t side = 0; side < 2; ++side)
    if (held_[lane][step][pipes[side]] > 0)
      wants[side] = queues_[lane][step][pipes[side]].front().slot >> step & 1U;
  for (std::uint32_t output = 0; output < 2; ++output) {
    const std::uint32_t to = pipes[output];
    const bool conflict = wants[0] == output && wants[1] == output;
    std::uint32_t side = wants[0] == output ? 0 : 1;
    if (conflict && upper_[lane][step][to]) side = 1;
    if (wants[side] != output || is_full(lane, step + 1, to)) continue;
    if (conflict) upper_[lane][step][to] = side == 0;
    Queue& from = queues_[lane][step][pipes[side]];
    if (step + 1 == steps_) {
      arrivals_[to][lane].push_back(from.front());
      --under_way_;
    } else {
      queues_[lane][step + 1][to].push_back(from.front());
    }
    from.pop_front();
    if (step == 0) --owed_[lane][pipes[side]];
  }
}

}  // namespace ppu::hw
