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

/// Medians, part by part.
struct StepCost {
  std::uint64_t rows = 0;
  EngineParts cpu;
  HostShare host;
  double upload = 0, run = 0, download = 0;  ///< At the device's clock; 0 without time.

  /// The step with the PPU: the host's work, then the device.
  [[nodiscard]] double with_ppu() const { return host.work() + upload + run + download; }
  /// What the plug-in and the driver do on the host in place of the iterations.
  [[nodiscard]] double host_work() const { return host.whole - host.waiting; }
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
