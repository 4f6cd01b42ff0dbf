// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where rows, impulses and velocities of a planned problem are: one range of device memory and one
// of host memory for each of the three, the same places in both, one run after another.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/device/batch.hpp"
#include "driver/device/device.hpp"
#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/row_packing.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

class SolveMemory {
 public:
  /// Takes host memory for as long as `batch` uses it, and device memory too. With `scaling` rows
  /// and velocities are in the reduced form on the device.
  SolveMemory(const Device& device, const ppu_problem& problem, const Plan& plan,
              const MassScaling* scaling, Batch* batch);

  /// Writes what the device reads; impulses and velocities are 0 unless `warm`.
  void pack(const RowScale& scale, bool warm) const;
  /// Ranges of all three, or of impulses and velocities, that are not empty.
  [[nodiscard]] std::vector<Descriptor> inputs() const;
  [[nodiscard]] std::vector<Descriptor> outputs() const;
  /// Fills in the addresses of run `run`.
  void place(std::size_t run, hw::RunCommand* command) const;
  /// Reads the answer from host memory; a body that no row names keeps its velocity.
  void unpack(bool warm, float* impulse, float* velocity_change) const;

 private:
  /// The same range of host and device memory.
  struct Region {
    std::uint32_t size_bytes = 0;
    const HostBlock* host = nullptr;
    std::shared_ptr<const Allocation> device;
  };
  /// Where a run's part of each region begins, in bytes.
  struct Place {
    std::uint32_t rows, impulses, velocities;
  };
  Region take(const Device& device, std::uint64_t size_bytes, Batch* batch) const;
  void append(const Region& region, std::vector<Descriptor>* ranges) const;
  /// Null where the region is empty: a problem may have rows and no bodies.
  template <class T>
  T* at(const Region& region, std::uint32_t place) const {
    if (region.size_bytes == 0) return nullptr;
    return reinterpret_cast<T*>(region.host->data() + place);
  }

  const ppu_problem& problem_;
  const Plan& plan_;
  const MassScaling* scaling_;
  std::vector<Place> places_;
  Region rows_, impulses_, velocities_;
};

}  // namespace ppu::driver
