// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a demo keeps of a frame, and of all its frames: for its table, for --json, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ppu/ppu.h"
#include "sim/demo/timed_solver.hpp"
#include "sim/scenes/body_state.hpp"

namespace ppu::sim {

/// Host time of a frame's step beside the device: where it goes.
struct HostShare {
  double whole = 0;         ///< Of the iterations, wait included.
  double set_up = 0;        ///< Bullet's own, before the iterations.
  double conversion = 0;    ///< The engine's rows and bodies to a problem of the driver's.
  double plan = 0;          ///< Which rows and bodies go to which engine.
  double packing = 0;       ///< Records for the device, and out of its answer.
  double waiting = 0;       ///< For the simulated device.
  double copying_back = 0;  ///< The answer to the engine's rows and bodies.
  double finish = 0;        ///< Bullet's own, after the iterations.
  double overlap = 0;       ///< Of the conversion, in which the device has begun to copy.

  /// All that the host does, without the wait: a device that takes no time would leave this.
  [[nodiscard]] double work() const { return set_up + whole - waiting + finish; }
};

struct FrameRecord {
  std::uint32_t frame = 0;  ///< From 0.
  std::uint64_t rows = 0;
  std::uint64_t islands = 0;  ///< Of bodies that rows connect.
  std::uint64_t sweeps = 0;
  /// Of the simulated device, host link included; 0 on back ends without time.
  std::uint64_t device_cycles = 0, upload_cycles = 0, run_cycles = 0, read_back_cycles = 0;
  EngineParts cpu;                ///< Host time of the step on the CPU engine.
  double simulation_seconds = 0;  ///< Host time of the step of the world on the PPU.
  HostShare host;
  /// Of all bodies after the frame, in the order of the scene; empty if nobody asked.
  std::vector<scenes::Pose> poses;
};

struct BodyRecord {
  scenes::Shape shape;
  float mass = 0;  ///< In kg; 0: it never moves.
};

/// A scene on the CPU engine and on the PPU, frame by frame.
struct SceneRecord {
  scenes::SceneIdentity identity;
  std::string backend;
  std::string config;
  ppu_device_info device{};
  std::string config_toml;  ///< Resolved configuration of the device.
  std::vector<BodyRecord> bodies;
  std::vector<FrameRecord> frames;
  /// Between the worlds after the last frame, CPU engine first; none if they are equal.
  std::optional<scenes::Difference> difference;

  /// Bodies that can move.
  [[nodiscard]] std::size_t moving() const;
  /// Microseconds of `cycles` at the device's clock; NaN on back ends without time.
  [[nodiscard]] double microseconds(std::uint64_t cycles) const;
  /// How many times as long the CPU engine's step takes as that with the PPU, set-up and finish
  /// included in both: the host's work and the device, which overlap. NaN on back ends without
  /// time.
  [[nodiscard]] double gain(const FrameRecord& frame) const;
};

/// The titles of record_line(), in columns of the same widths.
std::string record_titles();
/// One line for people.
std::string record_line(const SceneRecord& record, const FrameRecord& frame);
/// Medians and worst cases of all frames, and whether the worlds were equal.
std::string record_summary(const SceneRecord& record);

nlohmann::ordered_json json_of(const SceneRecord& record);

}  // namespace ppu::sim
