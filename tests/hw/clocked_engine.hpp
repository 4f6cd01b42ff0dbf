// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine clocked tick by tick, with busy counters instead of timestamps: slow, plain, and the
// judge of the timed engine's cycles. It follows docs/device.md (Engine) for rows that stay on
// chip. It knows no arithmetic, so programs must not branch on the residual.
#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "ppu/hw/config.hpp"
#include "ppu/hw/sequencer.hpp"

namespace ppu::hw::test {

/// What the sequencer does, in order.
struct Action {
  enum Kind { kSpend, kPass, kDrain } kind;
  int cycles = 0;
  LoadedKernel kernel{};
  std::uint32_t first = 0, count = 0;
};

/// Records the actions of a program.
class ActionRecorder final : public RowUnit {
 public:
  void spend(int cycles) override { actions.push_back({Action::kSpend, cycles}); }
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    actions.push_back({Action::kPass, 0, kernel, first, count});
    return true;
  }
  bool drain() override {
    actions.push_back({Action::kDrain});
    return true;
  }
  std::uint32_t take_max_residual() override { return 0; }
  std::vector<Action> actions;
};

/// Cycles a program takes with all rows on chip, one loop iteration per clock.
class ClockedEngine {
 public:
  ClockedEngine(const Config& config, const std::vector<ppu_row>& rows, std::uint32_t bodies)
      : config_(config),
        rows_(rows),
        body_busy_(bodies),
        impulse_busy_(rows.size()),
        pipe_busy_(config.pipes) {}

  std::uint64_t run(const std::vector<Action>& actions) {
    std::size_t next = 0;
    int left = 0;  // Cycles left of an instruction under way.
    for (;; ++cycle_) {
      const std::size_t pending = passes_.size();  // As of the start of the cycle.
      const bool in_flight = flight_ > 0;
      issue_rows();
      // One instruction: an optional wait, then its cycles.
      if (left == 0) {
        bool ready = true;
        if (actions[next].kind == Action::kPass) {
          ready = pending < 2;
          const Action& pass = actions[next];
          if (ready && pass.count > 0) passes_.push_back({pass, pass.first, cycle_ + 3});
        } else if (actions[next].kind == Action::kDrain) {
          ready = pending == 0 && !in_flight;
        }
        if (ready) {
          if (actions[next].kind != Action::kSpend) ++next;
          left = actions[next++].cycles;
        }
      }
      if (left > 0) --left;
      if (left == 0 && next == actions.size()) return cycle_ + 1;
      tick();
    }
  }

 private:
  struct Pass {
    Action action;
    std::uint32_t next;
    std::uint64_t visible;
  };

  [[nodiscard]] bool busy(std::uint32_t body) const {
    return body != PPU_NONE && body_busy_[body] > 0;
  }
  [[nodiscard]] std::uint32_t bank(std::uint32_t body) const {
    return body % config_.velocity_banks;
  }

  /// The rows of this cycle, all of the oldest pass.
  void issue_rows() {
    used_banks_.clear();
    used_parents_.clear();
    if (passes_.empty() || cycle_ < passes_.front().visible) return;
    Pass& pass = passes_.front();
    while (pass.next < pass.action.first + pass.action.count && try_issue(pass)) ++pass.next;
    if (pass.next == pass.action.first + pass.action.count) passes_.pop_front();
  }

  bool try_issue(const Pass& pass) {
    const ppu_row& row = rows_[pass.next];
    const LoadedKernel& kernel = pass.action.kernel;
    int& pipe = pipe_busy_[pass.next % config_.pipes];
    const bool reads_parent = kernel.reads_parent() && row.parent != PPU_NONE;
    if (pipe > 0 || busy(row.body_a) || busy(row.body_b) || impulse_busy_[pass.next] > 0 ||
        (reads_parent && impulse_busy_[row.parent] > 0))
      return false;
    std::vector<std::uint32_t> banks;
    if (row.body_a != PPU_NONE) banks.push_back(bank(row.body_a));
    if (row.body_b != PPU_NONE) banks.push_back(bank(row.body_b));
    for (const std::uint32_t b : banks)
      if (used_banks_.count(b) > 0 || (blocked_for_ > 0 && b == blocked_bank_)) return false;
    if (reads_parent && used_parents_.count(row.parent % config_.pipes) > 0) return false;
    const bool twice = banks.size() == 2 && banks[0] == banks[1];
    if (twice && !first_half_read_) {
      // Reads one velocity, if no row issues in this cycle.
      if (!issued_any_) first_half_read_ = true;
      return false;
    }
    first_half_read_ = false;
    issue(row, kernel, pass.next, banks, twice);
    if (reads_parent) used_parents_.insert(row.parent % config_.pipes);
    pipe = initiation_interval(config_);
    return true;
  }

  void issue(const ppu_row& row, const LoadedKernel& kernel, std::uint32_t slot,
             const std::vector<std::uint32_t>& banks, bool twice) {
    issued_any_ = true;
    used_banks_.insert(banks.begin(), banks.end());
    const int latency = body_latency(config_);
    const int later = twice ? 1 : 0;
    flight_ = std::max(flight_, latency + 1 + later);
    if (kernel.stores_impulse()) impulse_busy_[slot] = latency;
    if (kernel.stores_velocity()) {
      if (row.body_a != PPU_NONE) body_busy_[row.body_a] = latency;
      if (row.body_b != PPU_NONE) body_busy_[row.body_b] = latency + later;
    }
    if (twice) {
      blocked_bank_ = banks[0];
      blocked_for_ = 2;  // This cycle, in which the bank is used anyway, and the next.
    }
  }

  void tick() {
    const auto down = [](int& count) { count = std::max(0, count - 1); };
    std::for_each(body_busy_.begin(), body_busy_.end(), down);
    std::for_each(impulse_busy_.begin(), impulse_busy_.end(), down);
    std::for_each(pipe_busy_.begin(), pipe_busy_.end(), down);
    down(flight_);
    down(blocked_for_);
    issued_any_ = false;
  }

  const Config& config_;
  const std::vector<ppu_row>& rows_;
  std::uint64_t cycle_ = 0;
  std::deque<Pass> passes_;
  std::vector<int> body_busy_, impulse_busy_, pipe_busy_;
  int flight_ = 0;
  std::set<std::uint32_t> used_banks_, used_parents_;
  std::uint32_t blocked_bank_ = 0;
  int blocked_for_ = 0;
  bool first_half_read_ = false, issued_any_ = false;
};

}  // namespace ppu::hw::test
