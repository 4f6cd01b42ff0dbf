// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What holds a row back at the issue stage of the clocked engine: pipes, bodies, impulses and banks
// that are busy, counted down tick by tick, from docs/inside/device.md (Issue).
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "hw/contract/config.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::hw::test {

class ClockedHazards {
 public:
  ClockedHazards(const Config& config, std::size_t bodies, std::size_t rows)
      : config_(config), body_busy_(bodies), impulse_busy_(rows), pipe_busy_(config.pipes) {}

  void begin_cycle() {
    used_banks_.clear();
    used_parents_.clear();
  }

  /// Rows are in flight.
  [[nodiscard]] bool busy() const { return flight_ > 0; }
  /// The pipe of the row in `slot` takes none.
  [[nodiscard]] bool lanes_busy(std::uint32_t slot) const {
    return pipe_busy_[slot % config_.pipes] > 0;
  }

  /// What holds the next row, in `slot`, back in this cycle; `first` says that none has gone in it.
  std::optional<ppu_counter> hold(const LoadedKernel& kernel, const ppu_row& row,
                                  std::uint32_t slot, bool first) {
    const bool parent_busy = reads_parent(kernel, row) && impulse_busy_[row.parent] > 0;
    if (lanes_busy(slot)) return PPU_COUNTER_LANE_CYCLES;
    if (is_busy(row.body_a) || is_busy(row.body_b)) return PPU_COUNTER_BODY_STALL_CYCLES;
    if (impulse_busy_[slot] > 0 || parent_busy) return PPU_COUNTER_PARENT_STALL_CYCLES;
    for (const std::uint32_t bank : banks_of(row))
      if (used_banks_.count(bank) > 0 || (blocked_for_ > 0 && bank == blocked_bank_))
        return PPU_COUNTER_BANK_STALL_CYCLES;
    if (reads_parent(kernel, row) && used_parents_.count(row.parent % config_.pipes) > 0)
      return PPU_COUNTER_BANK_STALL_CYCLES;
    if (!has_one_bank(row) || half_read_) return std::nullopt;
    // Reads one velocity, if no row goes in this cycle.
    half_read_ = first;
    return PPU_COUNTER_BANK_STALL_CYCLES;
  }

  /// That row, which nothing holds back, issues.
  void issue(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot) {
    const int latency = body_latency(config_);
    const int later = has_one_bank(row) ? 1 : 0;
    const bool divides = kernel.control.resid() == spec::Resid::kQuotient;
    const int division = divides ? static_cast<int>(config_.fp_div_stages) : 0;
    flight_ = std::max({flight_, latency + 1 + later, latency + 1 + division});
    if (kernel.stores_impulse()) impulse_busy_[slot] = latency;
    if (kernel.stores_velocity()) {
      if (row.body_a != PPU_NONE) body_busy_[row.body_a] = latency;
      if (row.body_b != PPU_NONE) body_busy_[row.body_b] = latency + later;
    }
    const std::vector<std::uint32_t> banks = banks_of(row);
    used_banks_.insert(banks.begin(), banks.end());
    if (reads_parent(kernel, row)) used_parents_.insert(row.parent % config_.pipes);
    pipe_busy_[slot % config_.pipes] = 12 / static_cast<int>(config_.lanes);
    half_read_ = false;
    if (!has_one_bank(row)) return;
    blocked_bank_ = banks[0];
    blocked_for_ = 2;  // This cycle, in which the bank is used anyway, and the next.
  }

  void tick() {
    const auto down = [](int& count) { count = std::max(0, count - 1); };
    std::for_each(body_busy_.begin(), body_busy_.end(), down);
    std::for_each(impulse_busy_.begin(), impulse_busy_.end(), down);
    std::for_each(pipe_busy_.begin(), pipe_busy_.end(), down);
    down(flight_);
    down(blocked_for_);
  }

 private:
  static bool reads_parent(const LoadedKernel& kernel, const ppu_row& row) {
    return kernel.reads_parent() && row.parent != PPU_NONE;
  }
  [[nodiscard]] bool is_busy(std::uint32_t body) const {
    return body != PPU_NONE && body_busy_[body] > 0;
  }
  /// Those of the row's dynamic bodies.
  [[nodiscard]] std::vector<std::uint32_t> banks_of(const ppu_row& row) const {
    std::vector<std::uint32_t> banks;
    if (row.body_a != PPU_NONE) banks.push_back(row.body_a % config_.velocity_banks);
    if (row.body_b != PPU_NONE) banks.push_back(row.body_b % config_.velocity_banks);
    return banks;
  }
  [[nodiscard]] bool has_one_bank(const ppu_row& row) const {
    const std::vector<std::uint32_t> banks = banks_of(row);
    return banks.size() == 2 && banks[0] == banks[1];
  }

  const Config& config_;
  std::vector<int> body_busy_, impulse_busy_, pipe_busy_;
  int flight_ = 0;
  std::uint32_t blocked_bank_ = 0;
  int blocked_for_ = 0;
  bool half_read_ = false;  ///< The next row has read one of two velocities in one bank.
  std::set<std::uint32_t> used_banks_, used_parents_;  ///< In this cycle.
};

}  // namespace ppu::hw::test
