// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows, impulses and velocities of a planned problem: in each of its regions one run after another.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/device/device.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/row_packing.hpp"
#include "driver/solve/solve_regions.hpp"
#include "ppu/ppu.h"
#include "ppu/records.h"

namespace ppu::driver {

class SolveMemory {
 public:
  /// With `scaling` rows and velocities are in the reduced form on the device.
  SolveMemory(const Device& device, const Plan& plan, const MassScaling* scaling);

  /// Writes what the device reads; impulses and velocities are 0 unless `warm`.
  void pack(const ppu_problem& problem, const RowScale& scale, bool warm) const;
  void pack(const ppu_record_memory& records) const;
  [[nodiscard]] const SolveRegions& regions() const { return regions_; }
  /// Fills in the addresses of run `run`.
  void place(std::size_t run, hw::RunCommand* command) const;
  /// Reads the answer from host memory; a body that no row names keeps its velocity.
  void unpack(const ppu_problem& problem, bool warm, float* impulse, float* velocity_change) const;
  void unpack(const ppu_record_memory& records) const;

 private:
  void clear() const;
  /// Where a run's part of each region begins, in bytes.
  struct Place {
    std::uint32_t rows, impulses, velocities;
  };

  const Plan& plan_;
  const MassScaling* scaling_;
  std::vector<Place> places_;
  SolveRegions regions_;
};

}  // namespace ppu::driver
