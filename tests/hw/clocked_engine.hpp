// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine clocked tick by tick, with busy counters instead of timestamps: slow, plain, and the
// judge of the timed engine's cycles. It knows no arithmetic, so programs must not branch on the
// residual.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "ppu/hw/config.hpp"
#include "ppu/hw/sequencer.hpp"

namespace ppu::hw::test {

struct PassRequest {
  LoadedKernel kernel;
  std::uint32_t first;
  std::uint32_t count;
};

/// What the sequencer does, in order: cycles spent, passes queued, drains.
struct Action {
  enum Kind { kSpend, kRows, kDrain } kind;
  int cycles = 0;
  PassRequest pass{};
};

/// Records the actions of a program.
class ActionRecorder final : public RowUnit {
 public:
  void spend(int cycles) override { actions.push_back({Action::kSpend, cycles}); }
  void run_rows(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    actions.push_back({Action::kRows, 0, {kernel, first, count}});
  }
  void drain() override { actions.push_back({Action::kDrain}); }
  std::uint32_t take_max_residual() override { return 0; }
  std::vector<Action> actions;
};

/// Cycles a program takes with all rows on chip, one loop iteration per clock.
class ClockedEngine {
 public:
  ClockedEngine(const Config& config, const std::vector<ppu_row>& rows, std::uint32_t bodies)
      : interval_(initiation_interval(config)),
        latency_(body_latency(config)),
        rows_(rows),
        body_busy_(bodies),
        impulse_busy_(rows.size()) {}

  std::uint64_t run(const std::vector<Action>& actions) {
    std::size_t next = 0;  // Action under way.
    int left = 0;          // Cycles left of a kSpend.
    std::uint64_t cycle = 0;
    for (;; ++cycle) {
      // The issue unit takes a queued pass when it has none, then issues at most one row.
      if (!active_ && queue_) {
        active_ = queue_;
        queue_.reset();
        row_ = active_->first;
        retire_empty_pass();
      }
      if (active_) try_issue();
      // The sequencer.
      while (next < actions.size()) {
        const Action& action = actions[next];
        if (action.kind == Action::kSpend) {
          if (left == 0) left = action.cycles;
          // A `rows` occupies its own cycle only once the queue has room.
          if (left == 1 && next + 1 < actions.size() && actions[next + 1].kind == Action::kRows) {
            if (queue_) break;
            queue_ = actions[next + 1].pass;
            ++next;
          }
          if (--left == 0) ++next;
          break;
        }
        if (active_ || queue_ || in_flight()) break;
        ++next;  // Drained.
      }
      if (next == actions.size()) return cycle + (actions.back().kind == Action::kSpend ? 1 : 0);
      tick();
    }
  }

 private:
  void retire_empty_pass() {
    if (active_ && row_ == active_->first + active_->count) active_.reset();
  }
  [[nodiscard]] bool busy(std::uint32_t body) const {
    return body != PPU_NONE && body_busy_[body] > 0;
  }
  [[nodiscard]] bool in_flight() const { return flight_ > 0; }

  void try_issue() {
    if (pipe_busy_ > 0) return;
    const ppu_row& row = rows_[row_];
    const LoadedKernel& kernel = active_->kernel;
    const bool parent_busy =
        kernel.reads_parent() && row.parent != PPU_NONE && impulse_busy_[row.parent] > 0;
    if (busy(row.body_a) || busy(row.body_b) || parent_busy || impulse_busy_[row_] > 0) return;
    pipe_busy_ = interval_;
    flight_ = latency_;
    if (kernel.stores_impulse()) impulse_busy_[row_] = latency_;
    if (kernel.stores_velocity()) {
      if (row.body_a != PPU_NONE) body_busy_[row.body_a] = latency_;
      if (row.body_b != PPU_NONE) body_busy_[row.body_b] = latency_;
    }
    ++row_;
  }

  void tick() {
    const auto down = [](int& count) { count = std::max(0, count - 1); };
    std::for_each(body_busy_.begin(), body_busy_.end(), down);
    std::for_each(impulse_busy_.begin(), impulse_busy_.end(), down);
    down(pipe_busy_);
    down(flight_);
    // The pass ends when its last row has had all its issue cycles.
    if (active_ && pipe_busy_ == 0) retire_empty_pass();
  }

  int interval_;
  int latency_;
  const std::vector<ppu_row>& rows_;
  std::vector<int> body_busy_, impulse_busy_;
  int pipe_busy_ = 0;
  int flight_ = 0;
  std::optional<PassRequest> active_, queue_;
  std::uint32_t row_ = 0;
};

}  // namespace ppu::hw::test
