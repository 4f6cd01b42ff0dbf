// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A problem that the caller writes as records, where the device reads them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "driver/device/device.hpp"
#include "driver/device/objects.hpp"
#include "driver/solve/handover.hpp"
#include "driver/solve/solve_batch.hpp"
#include "driver/solve/solve_regions.hpp"
#include "ppu/ppu.h"
#include "ppu/records.h"

namespace ppu::driver {

/// A solve that has begun before its rows are written.
struct StartedSolve {
  std::shared_ptr<const Program> program;
  ppu_solve_def def{};
  std::uint32_t rows = 0;
  Handover handover;
  std::shared_ptr<Batch> batch;        ///< Kept from solve to solve.
  std::optional<SolveBatch> commands;  ///< None where rows do not go as they are given.
  bool under_way = false;

  /// Nothing has begun.
  void end();
};

class Records {
 public:
  Records(ppu_device of, std::shared_ptr<Device> owner) : handle(of), device(std::move(owner)) {}

  /// See ppu_records_begin() and ppu_records_commit(). Both throw Failure.
  ppu_record_memory begin(std::uint32_t row_capacity, std::uint32_t body_count);
  void commit(std::uint32_t row_count);

  /// Refuses bad velocities, and sets what is copied: `row_count` rows and their impulses.
  void complete(std::uint32_t row_count);
  /// A solve begins before all of its `row_count` rows are written; nothing else of it is there.
  StartedSolve& start(std::uint32_t row_count);
  /// What start() has begun, until it ends or rows begin anew. Throws Failure where there is none.
  StartedSolve& started();
  /// Of all that was committed.
  [[nodiscard]] const SolveRegions& regions() const { return regions_; }
  [[nodiscard]] const ppu_record_memory& memory() const { return memory_; }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }
  [[nodiscard]] std::uint32_t bodies() const { return bodies_; }

  const ppu_device handle;  ///< Of the device.
  const std::shared_ptr<Device> device;

 private:
  [[noreturn]] void refuse(std::uint32_t row_count);

  StartedSolve started_;
  SolveRegions regions_;
  ppu_record_memory memory_{};
  std::uint32_t row_capacity_ = 0;  ///< Of the problem.
  std::uint32_t rows_ = 0;          ///< Committed.
  std::uint32_t bodies_ = 0;
};

}  // namespace ppu::driver
