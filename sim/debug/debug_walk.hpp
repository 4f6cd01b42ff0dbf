// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The runs of `ppu debug` on the host: each to go to and fro in, all compared with the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hw/stepping/step_history.hpp"
#include "sim/debug/debug_job.hpp"

namespace ppu::sim {

/// What a register holds that a program reads as a float.
float float_of(std::uint32_t bits);

/// One run. Slots and numbers are the device's names for rows and bodies.
class WalkedRun {
 public:
  /// `number` of `device`, which must last; takes the rows of its log.
  WalkedRun(DebuggedJob& device, std::size_t number);
  WalkedRun(const WalkedRun&) = delete;
  WalkedRun& operator=(const WalkedRun&) = delete;

  [[nodiscard]] hw::SteppingEngine& engine() const { return *engine_; }
  [[nodiscard]] hw::StepHistory& history() const { return *history_; }
  [[nodiscard]] const hw::ObservedRun& observed() const { return observed_; }
  [[nodiscard]] const hw::SteppingEngine::State& state() const { return engine_->state(); }
  [[nodiscard]] bool reduced() const { return view_.reduced; }
  /// Cycle in which the run began; none on a back end without time.
  [[nodiscard]] std::optional<std::uint64_t> first_instruction() const {
    return first_instruction_;
  }

  [[nodiscard]] std::uint32_t row_of(std::uint32_t slot) const { return view_.row_of_slot[slot]; }
  /// Body of the problem; PPU_NONE of PPU_NONE and of a number that no body has.
  [[nodiscard]] std::uint32_t body_of(std::uint32_t number) const {
    return number == PPU_NONE ? PPU_NONE : view_.body_of_number[number];
  }
  [[nodiscard]] std::uint32_t row_count() const { return view_.row_count; }
  [[nodiscard]] std::uint32_t body_count() const { return view_.body_count; }
  /// PPU_NONE if the run does not have it.
  [[nodiscard]] std::uint32_t slot_of(std::uint32_t row) const;
  [[nodiscard]] std::uint32_t number_of(std::uint32_t body) const;

 private:
  void observe(DebuggedJob& device, std::size_t number);
  void place(const DebuggedJob& device);

  ppu_job_run view_;
  hw::RunCommand command_;
  hw::ObservedRun observed_;
  std::optional<std::uint64_t> first_instruction_;
  std::vector<std::byte> memory_;
  std::unique_ptr<hw::SteppingEngine> engine_;
  std::unique_ptr<hw::StepHistory> history_;
};

class Walk {
 public:
  explicit Walk(DebuggedJob device);

  [[nodiscard]] const DebuggedJob& device() const { return device_; }
  [[nodiscard]] std::size_t runs() const { return runs_.size(); }
  [[nodiscard]] WalkedRun& run(std::size_t number) const { return *runs_[number]; }
  /// What the device did otherwise than the walk, a sentence each.
  [[nodiscard]] const std::vector<std::string>& differences() const { return differences_; }
  /// Rows of the walk that the device's log has, too.
  [[nodiscard]] std::uint64_t matched_rows() const;

  /// Velocity of a body of the problem where run `number` is: that of the device, unless its rows
  /// are of the reduced form.
  [[nodiscard]] std::array<float, 6> velocity(std::size_t number, std::uint32_t body) const;

 private:
  void compare();
  /// What the run's report would be: in counters that the walk cannot know, the device's.
  [[nodiscard]] ppu_run_report report() const;
  /// Of run `present` where it is, of the others at their ends.
  [[nodiscard]] model::Solution answer(std::size_t present) const;

  DebuggedJob device_;
  std::vector<std::unique_ptr<WalkedRun>> runs_;
  std::vector<std::string> differences_;
};

}  // namespace ppu::sim
