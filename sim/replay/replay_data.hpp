// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay: the bodies of a scene frame by frame, with what the device did in each frame. What the
// report page and the glTF file are made from. Units: m, s, N s; cycles of the device's clock.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/measure/roofline.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/replay/replay_rows.hpp"
#include "sim/replay/shape_mesh.hpp"
#include "sim/scenes/body_state.hpp"

namespace ppu::sim {

using scenes::Pose;

/// `rotation` or its negative, the same rotation: the one nearer to `last`. What changes little
/// stays small, and viewers that do not look for the shorter way between two find it.
std::array<float, 4> nearer(std::array<float, 4> rotation, const std::array<float, 4>& last);

struct ReplayBody {
  std::size_t shape = 0;  ///< Index into ReplayReport::shapes.
  float mass = 0;         ///< kg; 0: it never moves.
};

/// What the rows of one body cost in a frame.
struct BodyLoad {
  std::uint32_t cycles = 0;       ///< Summed over its rows and their visits.
  float impulse = 0;              ///< The largest |impulse| of its rows, N s.
  std::int32_t island = kNoBody;  ///< Islands are numbered in each frame; kNoBody: no rows.
};

struct ReplayFrame {
  std::uint32_t number = 0;
  std::uint64_t rows = 0;
  std::uint64_t islands = 0;
  std::uint64_t sweeps = 0;
  std::uint64_t row_updates = 0;
  std::uint64_t device_cycles = 0;
  std::uint64_t engine_cycles = 0;    ///< Summed over the runs: what the stalls add up to.
  std::optional<Roofline> roofline;   ///< None without time, or where nothing ran.
  std::vector<CostPart> parts;        ///< Of the device cycles, in the order of time.
  std::vector<std::uint64_t> stalls;  ///< Engine cycles by ReplayReport::stall_labels.
  double pack_seconds = 0;            ///< Plan, packing and unpacking on the host,
  double overlap_seconds = 0;         ///< and what of it passes while the device works.
  double cpu_seconds = 0;             ///< The CPU engine's solver, the same frame; 0: none.
  std::vector<double> residuals;      ///< True residual after 0, 1, ... sweeps; may be empty.
  std::string bound;                  ///< What bounds the frame; empty where nothing ran.
  std::vector<Pose> poses;            ///< Of each body.
  std::vector<Pose> cpu_poses;        ///< With the CPU engine; empty: bit for bit the same.
  std::vector<BodyLoad> loads;        ///< Of each body.
};

/// What a replay may take on a page, so that the page stays below 3 MB: three.js and the scripts
/// are the rest.
inline constexpr std::size_t kReplayBytes = 2600000;

struct ReplayReport {
  std::string scene;        ///< "wall32".
  std::string description;  ///< One sentence.
  std::string backend;
  std::string program;
  std::string order;
  std::string config;
  std::string config_toml;
  std::uint64_t config_hash = 0;
  std::string device;   ///< In words.
  std::string command;  ///< Repeats the run.
  std::string bound;    ///< What bounds the whole run and which change would move it.
  bool timed = false;
  bool against_cpu = false;  ///< A CPU engine ran beside it.
  std::uint32_t clock_mhz = 0;
  double frame_seconds = 0;
  std::vector<std::string> stall_labels;
  std::vector<ShapeMesh> shapes;
  std::vector<ReplayBody> bodies;
  std::vector<ReplayFrame> frames;
  KeptRows rows{kReplayBytes};
};

/// The replay as text for the page: one block with everything but the rows, and the rows of as many
/// frames as fit.
struct ReplayBlocks {
  std::vector<std::size_t> frames;  ///< Those in the blocks, indices into ReplayReport::frames.
  std::string main;
  std::vector<PackedRows> rows;
};

/// All blocks together have at most `budget_bytes`, if one frame has: of a long run every 1st, 2nd,
/// 4th, ... frame is left, with the one that has most rows and the last.
ReplayBlocks replay_blocks(const ReplayReport& report, std::size_t budget_bytes);

}  // namespace ppu::sim
