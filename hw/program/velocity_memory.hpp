// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Velocities on chip, in the order of the bodies.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hw/contract/device.hpp"
#include "hw/contract/run.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::hw {

struct VelocityMemory {
  using Velocity = std::array<float, 6>;  ///< Linear, angular.
  class View;

  std::vector<Velocity> velocities{};
  std::vector<Velocity> bases{};  ///< The velocities that extrapolate() goes on from.
  bool based = false;             ///< There are bases.

  /// Reads what a run starts from out of device memory.
  void load(const Memory& memory, const RunCommand& command);
  /// Writes a beat of them back, and says which bytes of the beat those are.
  std::uint64_t store_beat(const Memory& memory, const RunCommand& command,
                           std::uint32_t beat) const;
  /// How many beats they are.
  [[nodiscard]] std::uint32_t beats() const;

  /// The instructions `settle` and `ahead`: see docs/inside/device.md. extrapolate() is false, and
  /// does nothing, without bases.
  void rebase(Counters* counters);
  bool extrapolate(float factor, Counters* counters);

  View view();
};

/// Where they are, see ImpulseMemory::View.
class VelocityMemory::View {
 public:
  explicit View(VelocityMemory& memory) : velocities_(memory.velocities.data()) {}

  /// The velocity of a body; a static one's is left alone.
  PPU_INLINE void read(std::uint32_t body, float* to) const {
    if (body != PPU_NONE) model::Lanes::copy_body(velocities_[body].data(), to);
  }
  /// Those of the bodies of a row.
  PPU_INLINE void read(const ppu_row& row, model::RowOperands* in) const {
    read(row.body_a, in->velocity.data());
    read(row.body_b, in->velocity.data() + 6);
  }
  /// Writes what a kernel under `control` stores of `result`.
  template <class Control>
  PPU_INLINE void write(Control control, const ppu_row& row, const model::RowResult& result) const {
    if (result.skipped || control.store_velocity() == spec::StoreVelocity::kOff) return;
    const float* v = result.velocity.data();
    if (row.body_a != PPU_NONE) model::Lanes::copy_body(v, velocities_[row.body_a].data());
    if (row.body_b != PPU_NONE) model::Lanes::copy_body(v + 6, velocities_[row.body_b].data());
  }

 private:
  Velocity* velocities_;
};

inline VelocityMemory::View VelocityMemory::view() {
  return View(*this);
}

}  // namespace ppu::hw
