// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a run works on: checked row records, impulses and velocities on chip, and the counts of rows
// that the counters need. Used by every engine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/contract/row_records.hpp"
#include "hw/contract/run_stop.hpp"
#include "hw/program/sequencer.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

/// A body or parent of a record that the run does not have.
struct BadField {
  ppu_fault_detail detail = PPU_FAULT_NONE;
  std::uint32_t value = 0;  ///< What the record names.
};
/// The first one, if any.
BadField find_bad_field(const ppu_row& row, std::uint32_t slot, const RunCommand& command);
/// The stop of a row that has one.
RunStop bad_row(std::uint32_t slot, const BadField& bad);
/// Throws RunStop (PPU_RUN_BAD_ROW) if there is one.
void check_row(const ppu_row& row, std::uint32_t slot, const RunCommand& command);

/// Dynamic bodies of a row: 0 to 2.
inline int dynamic_bodies(const ppu_row& row) {
  return (row.body_a != PPU_NONE ? 1 : 0) + (row.body_b != PPU_NONE ? 1 : 0);
}

/// Impulses and velocities on chip, in slot and body order.
struct WorkingSet {
  using Velocity = std::array<float, 6>;  ///< Linear, angular.
  class View;

  std::vector<float> impulses;
  std::vector<Velocity> velocities;
  std::vector<float> leads{};     ///< By slot; empty while every impulse is its own lead.
  std::vector<Velocity> bases{};  ///< The velocities that extrapolate() goes on from.
  bool based = false;             ///< There are bases.
  float lead_factor = 0;
  /// The last walk over the bodies was an `ahead`, not a `settle`: rows of kernels with `lead`
  /// start from their leads.
  bool extrapolating = false;

  /// Reads what a run starts from out of device memory.
  static WorkingSet load(const Memory& memory, const RunCommand& command);
  /// Writes it back: all of it, or one of its beats, those of the impulses first, and says which
  /// bytes of the beat those are.
  void store(const Memory& memory, const RunCommand& command) const;
  std::uint64_t store_beat(const Memory& memory, const RunCommand& command,
                           std::uint32_t beat) const;

  View view();

  /// A kernel with `lead` is about to run.
  void keep_leads();
  /// The instructions `settle` and `ahead`: see docs/inside/device.md. extrapolate() is false, and
  /// does nothing, without bases.
  void rebase(Counters* counters);
  bool extrapolate(Counters* counters);
};

/// Where a working set is. A loop over rows holds it by value, so that the compiler knows that no
/// store moves it.
class WorkingSet::View {
 public:
  explicit View(WorkingSet& set)
      : impulses_(set.impulses.data()),
        velocities_(set.velocities.data()),
        leads_(set.leads.empty() ? nullptr : set.leads.data()),
        lead_factor_(set.lead_factor),
        extrapolating_(set.extrapolating) {}

  /// The impulse of the row's parent, 0 if it has none.
  [[nodiscard]] PPU_INLINE float parent_impulse(const ppu_row& row) const {
    return row.parent != PPU_NONE ? impulses_[row.parent] : 0.0F;
  }

  /// The operands of `row` in slot `slot`; the pointers are those of `row`.
  [[nodiscard]] PPU_INLINE model::RowOperands operands(const ppu_row& row,
                                                       std::uint32_t slot) const {
    model::RowOperands in{row.jacobian,
                          row.inv_mass_jacobian,
                          row.bias,
                          row.inv_diagonal,
                          row.lower,
                          row.upper,
                          row.compliance,
                          impulses_[slot],
                          parent_impulse(row),
                          row.parent != PPU_NONE,
                          {}};
    if (row.body_a != PPU_NONE)
      model::Lanes::copy_body(velocities_[row.body_a].data(), in.velocity.data());
    if (row.body_b != PPU_NONE)
      model::Lanes::copy_body(velocities_[row.body_b].data(), in.velocity.data() + 6);
    return in;
  }

  /// What a kernel with `lead` reads besides, and instead of its impulse.
  PPU_INLINE void add_lead(std::uint32_t slot, model::RowOperands* in) const {
    in->stored = in->impulse;
    in->lead_factor = lead_factor_;
    if (extrapolating_) in->impulse = leads_[slot];
  }

  /// Writes what a kernel under `control` stores of `result`.
  template <class Control>
  PPU_INLINE void commit(Control control, const ppu_row& row, std::uint32_t slot,
                         const model::RowResult& result) const {
    if (result.skipped) return;
    if (control.store_impulse() == spec::StoreImpulse::kOn) {
      impulses_[slot] = result.impulse;
      if (leads_ != nullptr) leads_[slot] = result.lead;
    }
    if (control.store_velocity() == spec::StoreVelocity::kOn) {
      const float* v = result.velocity.data();
      if (row.body_a != PPU_NONE) model::Lanes::copy_body(v, velocities_[row.body_a].data());
      if (row.body_b != PPU_NONE) model::Lanes::copy_body(v + 6, velocities_[row.body_b].data());
    }
  }

 private:
  float* impulses_;
  Velocity* velocities_;
  float* leads_;  ///< Null while every impulse is its own lead.
  float lead_factor_;
  bool extrapolating_;
};

inline WorkingSet::View WorkingSet::view() {
  return View(*this);
}

/// Rows that went through the row pipe, and what the counters must know of them.
struct RowSums {
  std::uint64_t rows = 0, with_cfm = 0, with_parent = 0, bodies = 0;
  std::uint64_t skipped = 0, skipped_bodies = 0;  ///< Those of them that wrote nothing.

  PPU_INLINE void add(const ppu_row& row) {
    ++rows;
    with_cfm += row.compliance != 0.0F ? 1U : 0U;
    with_parent += row.parent != PPU_NONE ? 1U : 0U;
    bodies += static_cast<std::uint64_t>(dynamic_bodies(row));
  }
  PPU_INLINE void skip(const ppu_row& row) {
    ++skipped;
    skipped_bodies += static_cast<std::uint64_t>(dynamic_bodies(row));
  }
  /// Adds them to the counters of a run; `kernel` is that of their pass.
  void count(const LoadedKernel& kernel, Counters* counters) const;
};

/// Numbers of rows with compliance, with a parent, and of dynamic bodies before each slot, so that
/// the rows of a whole pass are known in O(1).
class RowCensus {
 public:
  RowCensus(const RowRecords& records, std::uint32_t count);

  /// Adds rows [first, first + count).
  void add(std::uint32_t first, std::uint32_t count, RowSums* sums) const;

 private:
  struct Before {
    std::uint32_t with_cfm = 0, with_parent = 0, bodies = 0;
  };
  std::vector<Before> before_;
};

/// The stop of a row that faulted: which value went wrong.
RunStop row_fault(std::uint32_t slot, const model::RowResult& result);

/// True if the rows of a run do not stay on chip.
inline bool is_streamed(const Config& config, const RunCommand& command) {
  return command.stream || command.row_count > config.row_memory_rows;
}

}  // namespace ppu::hw
