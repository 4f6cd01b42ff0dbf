// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What becomes of a group that throws, and of the step that it is in.
#pragma once

#include <exception>
#include <utility>

#include "driver/bullet/visits.hpp"

namespace ppu::bullet {

/// What the finish leaves, without its results.
void abandon(const Pools& pools);

/// Bullet's list of islands does not stand an exception: the bodies of the group would be in the
/// first group of the next step, too. So a step is left behind its last group.
class GroupGuard {
 public:
  void begin_step() {
    in_step_ = true;
    failure_ = nullptr;
  }
  /// Throws what a group has thrown.
  void end_step() {
    in_step_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  /// Calls `solve`, unless a group of the step has failed before. Outside of a step it throws.
  template <class Solve>
  void run(const Pools& pools, Solve solve) {
    if (failure_) return;
    try {
      solve();
    } catch (...) {
      abandon(pools);
      if (!in_step_) throw;
      failure_ = std::current_exception();
    }
  }

 private:
  bool in_step_ = false;
  std::exception_ptr failure_;
};

}  // namespace ppu::bullet
