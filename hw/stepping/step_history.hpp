// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A whole run on the stepping engine, to go to and fro in: states are kept now and then, and what
// lies between them is executed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hw/stepping/stepping_engine.hpp"

namespace ppu::hw {

/// Where to stop on the way.
class StopRule {
 public:
  virtual ~StopRule() = default;
  /// The way begins here.
  virtual void begin(const SteppingEngine& engine) = 0;
  /// A step has been taken. True to stop behind it.
  virtual bool stops(const SteppingEngine& engine) = 0;
};

class StepHistory {
 public:
  /// Goes through the run, `most_steps` at most: one that is not at its end then is given up.
  /// Leaves the engine at the beginning.
  StepHistory(SteppingEngine& engine, std::uint64_t most_steps);

  [[nodiscard]] std::uint64_t steps() const { return end_.position; }
  /// At the end of the run.
  [[nodiscard]] const SteppingEngine::State& end() const { return end_; }

  /// To a position, or to the end if it lies behind it.
  void go(std::uint64_t position);
  /// To the next place where `rule` stops; false if there is none, at the end.
  bool forward(StopRule& rule);
  /// To the last place before this one where forward() would stop on its way from the beginning;
  /// false if there is none, at the beginning.
  bool backward(StopRule& rule);

 private:
  static constexpr std::size_t kMostStates = 64;
  static constexpr std::uint64_t kFirstStride = 256;

  void keep();
  /// The last kept state at `position` or before.
  [[nodiscard]] std::size_t kept_before(std::uint64_t position) const;

  SteppingEngine& engine_;
  std::vector<SteppingEngine::State> kept_;  ///< At multiples of the stride, from 0 on.
  std::uint64_t stride_ = kFirstStride;
  SteppingEngine::State end_;
};

}  // namespace ppu::hw
