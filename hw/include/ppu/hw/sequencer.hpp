// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The sequencer: executes the control instructions of a program and drives the row unit of an
// engine. It knows no time; the row unit is told what each instruction costs.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "ppu/hw/run.hpp"

namespace ppu::hw {

/// What the `kernel` instruction leaves in the kernel control register, with the cost of the
/// kernel's operations per row for the counters.
struct LoadedKernel {
  spec::ControlWord control;
  int words = 0;
  int flops = 0;              ///< Every row.
  int flops_with_cfm = 0;     ///< More for a row with compliance.
  int flops_with_parent = 0;  ///< More for a row with a parent.

  /// True if the kernel reads the parent's impulse.
  [[nodiscard]] bool reads_parent() const {
    return control.bounds() == spec::Bounds::kCone || control.skip() == spec::Skip::kOn;
  }
  [[nodiscard]] bool stores_velocity() const {
    return control.store_velocity() == spec::StoreVelocity::kOn;
  }
  [[nodiscard]] bool stores_impulse() const {
    return control.store_impulse() == spec::StoreImpulse::kOn;
  }
};

/// The part of an engine that rows run in. Throws RunStop where a row faults.
class RowUnit {
 public:
  virtual ~RowUnit() = default;
  /// The sequencer spends `cycles` on an instruction.
  virtual void spend(int cycles) = 0;
  /// Runs rows [first, first + count), which the caller has checked to exist.
  virtual void run_rows(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) = 0;
  /// Waits until no row is in flight.
  virtual void drain() = 0;
  /// Bits of the residual maximum; clears it.
  virtual std::uint32_t take_max_residual() = 0;
};

class Sequencer {
 public:
  /// `words` is instruction memory; `report` receives progress, residual and instruction counters.
  Sequencer(std::vector<std::uint32_t> words, const RunCommand& command, RunReport* report);

  /// Executes until `halt`. Throws RunStop (illegal instruction, cancelled, or from the row unit).
  void run(RowUnit& rows, const std::atomic<bool>& cancel);

 private:
  bool execute(std::uint32_t word, RowUnit& rows);
  void run_rows(RowUnit& rows, std::uint32_t first, std::uint32_t count);
  [[nodiscard]] LoadedKernel load_kernel(std::uint32_t address) const;
  [[nodiscard]] std::uint32_t fetch(std::uint32_t address) const;
  [[noreturn]] void illegal(const std::string& what) const;

  std::vector<std::uint32_t> words_;
  std::uint32_t row_count_;
  RunReport* report_;
  std::uint32_t pc_ = 0;
  std::array<std::uint32_t, spec::kRegisterNames.size()> registers_{};
  LoadedKernel kernel_;
  bool kernel_loaded_ = false;
};

}  // namespace ppu::hw
