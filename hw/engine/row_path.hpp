// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The way of a row through an engine: from row, impulse and velocity memory through its pipe, and
// back. All of it happens when the row issues, with the cycles that it takes: the issue stage lets
// nobody read what a row writes before the cycle of that write.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "hw/engine/row_memory.hpp"
#include "hw/engine/row_pipe.hpp"
#include "hw/program/row_state.hpp"

namespace ppu::hw {

/// How often velocities are kept: rows that issue by dataflow read each body from a copy of its
/// own.
inline std::uint32_t velocity_copies(const Config& config) {
  return config.dataflow != 0 ? 2 : 1;
}

class RowPath {
 public:
  struct Blocks {
    std::vector<RowMemory*> rows;             ///< By pipe.
    std::vector<RowPipe*> pipes;              ///< As many.
    std::vector<VelocityMemory*> velocities;  ///< Copies, the last one for body b.
    ImpulseMemory* impulses = nullptr;
    BodyTags* tags = nullptr;
  };

  /// All must last.
  void connect(Blocks blocks);

  /// A run begins: there are no rows, no tags.
  void clear(const RunCommand& command);
  /// Impulses and velocities arrive.
  void load(const Memory& memory, const RunCommand& command);
  /// Beats of the store, those of the impulses first.
  std::uint64_t store_beat(const Memory& memory, const RunCommand& command,
                           std::uint32_t beat) const;

  /// The next resident row, in `slot`, arrives.
  void add(std::uint32_t slot, const ppu_row& row) { memory(slot).add(row); }
  [[nodiscard]] PPU_INLINE const ppu_row& row(std::uint32_t slot) const {
    return memory(slot)[slot >> pipe_bits_];
  }
  /// Of the pipe of `slot`, see RowMemory.
  [[nodiscard]] RowMemory& memory(std::uint32_t slot) const { return *blocks_.rows[pipe_of(slot)]; }
  [[nodiscard]] ImpulseMemory& impulses() const { return *blocks_.impulses; }
  /// All copies.
  [[nodiscard]] const std::vector<VelocityMemory*>& velocities() const {
    return blocks_.velocities;
  }
  [[nodiscard]] BodyTags& tags() const { return *blocks_.tags; }

  /// See VelocityMemory.
  void rebase(Counters* counters);
  bool extrapolate(Counters* counters);

  /// What comes of a row, which enters its pipe in `cycle`.
  template <class Control>
  [[nodiscard]] PPU_INLINE RowInPipe run(Control control, const ppu_row& row, std::uint32_t slot,
                                         std::uint64_t cycle) const {
    RowInPipe in(row, slot, cycle);
    const ImpulseMemory::View impulses = blocks_.impulses->view();
    impulses.read(row, slot, &in.operands);
    if (control.lead() == spec::Lead::kOn) impulses.add_lead(slot, &in.operands);
    float* const velocity = in.operands.velocity.data();
    blocks_.velocities.front()->view().read(row.body_a, velocity);
    blocks_.velocities.back()->view().read(row.body_b, velocity + 6);
    in.operands.mark_threshold = blocks_.tags->threshold;
    blocks_.pipes[pipe_of(slot)]->take(control, &in);
    return in;
  }

  /// The stop of a row that faults: which value goes wrong. Computes the row again, so that a loop
  /// over rows need not keep any result in memory.
  [[nodiscard, gnu::cold, gnu::noinline]] RunStop fault(const LoadedKernel& kernel,
                                                        const ppu_row& row,
                                                        std::uint32_t slot) const;

  /// Writes what comes of it. False if it faults; then nothing has changed.
  template <class Control>
  [[nodiscard]] PPU_INLINE bool keep(Control control, const RowInPipe& row, RowSums* sums,
                                     float* max_residual) const {
    const model::RowResult& result = row.result;
    if (!count_result(control, *row.row, result, blocks_.tags, sums, max_residual)) return false;
    blocks_.impulses->view().write(control, row.slot, result);
    for (VelocityMemory* const copy : blocks_.velocities)
      copy->view().write(control, *row.row, result);
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t pipe_of(std::uint32_t slot) const {
    return slot & ((1U << pipe_bits_) - 1);
  }
  /// The first copy has changed.
  void copy_velocities();

  Blocks blocks_;
  std::uint32_t pipe_bits_ = 0;  ///< Of a slot: the number of its pipe.
};

/// A path with blocks of its own.
class OwnRowPath {
 public:
  explicit OwnRowPath(const Config& config);
  OwnRowPath(const OwnRowPath&) = delete;
  OwnRowPath& operator=(const OwnRowPath&) = delete;
  RowPath path;

 private:
  DotLanes dot_;
  RowStep step_;
  AxpyLanes axpy_;
  RowPipe pipe_;  ///< Holds nothing, so that one does for all.
  std::deque<RowMemory> rows_;
  ImpulseMemory impulses_;
  std::array<VelocityMemory, 2> velocities_;
  BodyTags tags_{0};
};

}  // namespace ppu::hw
