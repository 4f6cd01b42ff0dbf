// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a run works on: checked row records, impulses and velocities on chip, and the counts of rows
// that the counters need. Used by every engine.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/contract/row_records.hpp"
#include "hw/contract/run_stop.hpp"
#include "hw/program/impulse_memory.hpp"
#include "hw/program/sequencer.hpp"
#include "hw/program/velocity_memory.hpp"
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

/// Impulses and velocities on chip.
struct WorkingSet : ImpulseMemory, VelocityMemory {
  class View;

  /// Reads what a run starts from out of device memory.
  static WorkingSet load(const Memory& memory, const RunCommand& command);
  /// Writes it back.
  void store(const Memory& memory, const RunCommand& command) const;

  View view();

  /// The instructions `settle` and `ahead`: see VelocityMemory.
  void rebase(Counters* counters);
  bool extrapolate(Counters* counters);
};

/// Where a working set is, see ImpulseMemory::View.
class WorkingSet::View {
 public:
  explicit View(WorkingSet& set)
      : impulses_(set.ImpulseMemory::view()), velocities_(set.VelocityMemory::view()) {}

  [[nodiscard]] PPU_INLINE float parent_impulse(const ppu_row& row) const {
    return impulses_.parent_impulse(row);
  }

  /// The operands of `row` in slot `slot`; the pointers are those of `row`.
  [[nodiscard]] PPU_INLINE model::RowOperands operands(const ppu_row& row,
                                                       std::uint32_t slot) const {
    model::RowOperands in = model::operands_of(row);
    impulses_.read(row, slot, &in);
    velocities_.read(row, &in);
    return in;
  }

  /// What a kernel with `lead` reads besides, and instead of its impulse.
  PPU_INLINE void add_lead(std::uint32_t slot, model::RowOperands* in) const {
    impulses_.add_lead(slot, in);
  }

  /// Writes what a kernel under `control` stores of `result`.
  template <class Control>
  PPU_INLINE void commit(Control control, const ppu_row& row, std::uint32_t slot,
                         const model::RowResult& result) const {
    impulses_.write(control, slot, result);
    velocities_.write(control, row, result);
  }

 private:
  ImpulseMemory::View impulses_;
  VelocityMemory::View velocities_;
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

}  // namespace ppu::hw
