// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a run works on: the checked command, impulses and velocities on chip, and the counts of rows
// that the counters need. Used by every engine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ppu/hw/device.hpp"
#include "ppu/hw/sequencer.hpp"
#include "ppu/model/row_arithmetic.hpp"

namespace ppu::hw {

inline constexpr std::uint64_t kImpulseBytes = 4;
inline constexpr std::uint64_t kVelocityBytes = 24;

/// Checks that a command fits the configuration and device memory, and that every row names bodies
/// and a parent that exist. Throws RunStop (PPU_RUN_BAD_COMMAND, PPU_RUN_BAD_ROW).
void check_command(const Config& config, const DeviceMemory& memory, const RunCommand& command);

/// Dynamic bodies of a row: 0 to 2.
inline int dynamic_bodies(const ppu_row& row) {
  return (row.body_a != PPU_NONE ? 1 : 0) + (row.body_b != PPU_NONE ? 1 : 0);
}

/// Impulses and velocities on chip, in slot and body order.
struct WorkingSet {
  using Velocity = std::array<float, 6>;  ///< Linear, angular.
  std::vector<float> impulses;
  std::vector<Velocity> velocities;

  /// The operands of `row` in slot `slot`; the pointers are those of `row`.
  [[nodiscard]] model::RowOperands operands(const ppu_row& row, std::uint32_t slot) const {
    model::RowOperands in{row.jacobian,
                          row.inv_mass_jacobian,
                          row.bias,
                          row.inv_diagonal,
                          row.lower,
                          row.upper,
                          row.compliance,
                          impulses[slot],
                          0.0F,
                          row.parent != PPU_NONE,
                          {}};
    if (in.has_parent) in.parent_impulse = impulses[row.parent];
    read_body(row.body_a, in.velocity.data());
    read_body(row.body_b, in.velocity.data() + 6);
    return in;
  }

  /// Writes what the kernel stores of `result`.
  void commit(const LoadedKernel& kernel, const ppu_row& row, std::uint32_t slot,
              const model::RowResult& result) {
    if (result.skipped) return;
    if (kernel.stores_impulse()) impulses[slot] = result.impulse;
    if (kernel.stores_velocity()) {
      write_body(row.body_a, result.velocity.data());
      write_body(row.body_b, result.velocity.data() + 6);
    }
  }

 private:
  void read_body(std::uint32_t body, float* out) const {
    if (body == PPU_NONE) return;
    const Velocity& v = velocities[body];
    for (int i = 0; i < 6; ++i) out[i] = v[static_cast<std::size_t>(i)];
  }
  void write_body(std::uint32_t body, const float* in) {
    if (body == PPU_NONE) return;
    Velocity& v = velocities[body];
    for (int i = 0; i < 6; ++i) v[static_cast<std::size_t>(i)] = in[i];
  }
};

/// Numbers of rows with compliance, with a parent, and of dynamic bodies before each slot, so that
/// a whole pass is counted in O(1).
class RowCensus {
 public:
  explicit RowCensus(const ppu_row* rows, std::uint32_t count);

  /// Adds a pass over [first, first + count) to the counters, of which `skipped` rows with
  /// `skipped_bodies` dynamic bodies wrote nothing.
  void count_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count,
                  std::uint64_t skipped, std::uint64_t skipped_bodies, Counters* counters) const;

 private:
  struct Sums {
    std::uint32_t with_cfm = 0, with_parent = 0, bodies = 0;
  };
  std::vector<Sums> before_;
};

/// The sentence for a row that faulted: which value went wrong.
std::string describe_fault(std::uint32_t slot, const model::RowOperands& in,
                           const model::RowResult& result);

}  // namespace ppu::hw
