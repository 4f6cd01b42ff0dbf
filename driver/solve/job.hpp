// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The runs of a solve with what the device would get for them, without a device.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "driver/plan/plan.hpp"
#include "driver/solve/mass_scaling.hpp"
#include "driver/solve/row_packing.hpp"
#include "driver/solve/solver.hpp"
#include "ppu/job.h"

namespace ppu::driver {

class Job {
 public:
  Job(const ppu_problem& problem, const ppu_solve_def& def, SolveSetup setup);

  [[nodiscard]] std::size_t runs() const { return memories_.size(); }
  /// Of the problem.
  [[nodiscard]] std::size_t rows() const { return setup_.plan.slot.size(); }
  [[nodiscard]] std::size_t bodies() const { return setup_.plan.device_body.size(); }
  [[nodiscard]] ppu_job_run run(std::size_t number) const;
  /// See ppu_job_answer().
  void answer(const float* const* impulses, const ppu_velocity* const* velocities, float* impulse,
              float* velocity_change) const;

 private:
  struct RunMemory {
    std::vector<std::byte> rows;
    std::vector<float> impulses;
    std::vector<ppu_velocity> velocities;
  };

  SolveSetup setup_;
  std::vector<float> start_;  ///< Velocities of bodies that no row names.
  std::vector<RunMemory> memories_;
};

}  // namespace ppu::driver
