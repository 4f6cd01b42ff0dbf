// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The sequencer: executes the control instructions of a program, one per step, and drives the row
// unit of an engine. It knows no time; the row unit is told what each instruction costs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "hw/contract/run.hpp"
#include "hw/program/memory_flip.hpp"

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
  /// True if rows of bodies without a tag are passed over.
  [[nodiscard]] bool filters() const { return control.filter() == spec::Filter::kOn; }
  /// True if rows start from their leads while the run extrapolates.
  [[nodiscard]] bool extrapolates() const { return control.lead() == spec::Lead::kOn; }
  /// True if it does the same, and costs the same.
  [[nodiscard]] bool is_like(const LoadedKernel& other) const {
    return control.bits == other.control.bits && flops == other.flops &&
           flops_with_cfm == other.flops_with_cfm && flops_with_parent == other.flops_with_parent;
  }
  /// True if rows go through the divider.
  [[nodiscard]] bool divides() const { return control.resid() == spec::Resid::kQuotient; }
};

/// The part of an engine that rows run in.
class RowUnit {
 public:
  virtual ~RowUnit() = default;
  /// The instruction executes, and takes `cycles`.
  virtual void spend(int cycles) = 0;
  /// Takes a pass over rows [first, first + count), which the caller has checked to exist. False if
  /// it must wait for passes before it.
  virtual bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) = 0;
  /// Waits until no row is pending or in flight. False if there are passes to run first.
  virtual bool drain() = 0;
  /// Bits of the residual maximum; clears it.
  virtual std::uint32_t take_max_residual() = 0;
  /// True if the residual maximum is above the number with these bits; clears it then. False only
  /// if no row is pending or in flight. None if there are passes to run first.
  virtual std::optional<bool> residual_exceeds(std::uint32_t bits) = 0;
  /// Bits of the threshold of `mark`; no row is in flight.
  virtual void set_mark_threshold(std::uint32_t bits) = 0;
  /// Sets the next tag of every body; no row is in flight.
  virtual void tag_all() = 0;
  /// Makes the next tags the current ones; no row is in flight.
  virtual void tag_next() = 0;
  /// Bits of the factor of `lead` and extrapolate(); no row is in flight.
  virtual void set_lead_factor(std::uint32_t bits) = 0;
  /// `settle`: the velocities are the base of the next extrapolate(); no row is in flight.
  virtual void rebase() = 0;
  /// `ahead`: velocities and impulses go on in the direction of their last change; no row is in
  /// flight. False if there is no base.
  virtual bool extrapolate() = 0;
  /// From `cycles` after the first instruction on, no row issues; 0: no limit. False if the row
  /// unit knows no time.
  virtual bool set_budget(std::uint32_t cycles) = 0;
  /// Passes that the budget has cut so far. None if there are passes to run first.
  virtual std::optional<std::uint32_t> cut_passes() = 0;
  /// `signal` executes.
  virtual void signal(std::uint32_t /*value*/) {}
};

/// The words of a program.
struct Program {
  Program(const std::uint32_t* first, std::uint32_t number) : words(first), count(number) {}
  /// In instruction memory, which must last.
  Program(const InstructionMemory& memory, std::uint32_t address, std::uint32_t number)
      : words(memory.at(address)), count(number), flips(&memory.flips()), entry(address) {}

  const std::uint32_t* words;
  std::uint32_t count;
  const std::map<std::uint32_t, bool>* flips = nullptr;  ///< See InstructionMemory; may be null.
  std::uint32_t entry = 0;                               ///< Address of the first word.
};

class Sequencer {
 public:
  /// `report` receives progress, residual and the instruction counters. A word that does not wait
  /// takes `word_cycles`, the last one of a program a cycle.
  Sequencer(Program program, const RunCommand& command, RunReport* report, int word_cycles = 1);

  enum class Step {
    kExecuted,
    kFetched,  ///< The next instruction: the program has gone elsewhere.
    kWaiting,  ///< For the row unit; nothing has changed.
    kHalted,
  };

  using Registers = std::array<std::uint32_t, spec::kRegisterNames.size()>;

  /// Executes one instruction, or spends the cycle in which the next one is fetched (kFetched).
  /// Throws RunStop (illegal instruction).
  Step step(RowUnit& rows);

  /// Word address of the next instruction.
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] const Registers& registers() const { return registers_; }
  /// Without words before the first `kernel`.
  [[nodiscard]] const LoadedKernel& kernel() const { return kernel_; }

 private:
  Step execute(std::uint32_t word, RowUnit& rows);
  /// Loads the kernel at `address`; false if there is none. Takes a cycle for each good word.
  bool load_kernel(std::uint32_t address, RowUnit& rows);
  /// True if the loaded kernel may run over rows [first, first + count).
  [[nodiscard]] bool may_run(std::uint32_t first, std::uint32_t count) const;
  [[nodiscard]] bool exists(std::uint32_t address) const { return address < program_.count; }
  /// The flipped word at this address of the program: true if it is lost; none if no bit of it has
  /// flipped.
  [[nodiscard]] std::optional<bool> flip(std::uint32_t address) const {
    if (program_.flips == nullptr || program_.flips->empty()) return std::nullopt;
    const auto found = program_.flips->find(program_.entry + address);
    if (found == program_.flips->end()) return std::nullopt;
    return found->second;
  }
  /// The word is used.
  void count_corrected(std::uint32_t address) {
    if (flip(address)) ++report_->counters[PPU_COUNTER_WORDS_CORRECTED];
  }
  /// Ends the run at the instruction under way, once the rows before it have retired.
  Step illegal(RowUnit& rows) const;

  Program program_;
  std::uint32_t row_count_;
  spec::Matrix matrix_;  ///< Form of the run's rows.
  RunReport* report_;
  int word_cycles_;
  std::uint32_t pc_ = 0;
  bool leaves_ = false;  ///< The next word is not the one behind that which executed last.
  Registers registers_{};
  LoadedKernel kernel_;                ///< Without words before the first `kernel`.
  std::optional<std::uint32_t> lost_;  ///< A lost word makes the instruction under way illegal.
  bool bad_kernel_ = false;            ///< The instruction under way is a `kernel` that has none.
};

}  // namespace ppu::hw
