// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What solving costs in the step of a world: Bullet's own solver and the PPU in turn, in one and
// the same world, so that both have the same rows, memory and machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ppu/bullet.h"
#include "ppu/ppu.hpp"
#include "sim/demo/frame_record.hpp"
#include "sim/demo/timed_solver.hpp"
#include "sim/scenes/scene.hpp"

namespace ppu::sim {

/// Medians over the steps, each of its own: those of the parts do not add up to that of the whole.
struct StepCost {
  std::uint64_t rows = 0;
  EngineParts cpu;
  HostShare host;
  double upload = 0, run = 0, download = 0;  ///< At the device's clock; 0 without time.

  double on_cpu = 0;     ///< The step without a PPU.
  double with_ppu = 0;   ///< The step with it: the host's work and the device, which overlap.
  double host_work = 0;  ///< What plug-in and driver do on the host in place of the iterations.
};

struct StepStudy {
  std::function<std::unique_ptr<scenes::Scene>(scenes::SolverPtr)> make;
  std::uint32_t first_frame = 120;  ///< Frames before the first that counts.
  std::uint32_t frames = 60;        ///< Those that count, half of them on each solver.
  ppu_order order = ppu_default_solve_def().order;  ///< Of the rows on the device.
};

/// Throws BulletUnsupported and ppu::Error as the solver does.
StepCost measure_steps(const StepStudy& study, const Device& device);

}  // namespace ppu::sim
