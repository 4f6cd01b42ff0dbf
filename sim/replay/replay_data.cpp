// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay as blocks of text for the page.
#include "sim/replay/replay_data.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/bits/float_bits.hpp"
#include "sim/base/text.hpp"
#include "sim/replay/packed_columns.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::uint32_t> all_bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(bits_of(value));
  return bits;
}

/// Those that a page has, in their order.
using Frames = std::vector<const ReplayFrame*>;

/// The box that all bodies stay in.
struct Box {
  std::array<float, 3> low, high;

  explicit Box(const Frames& frames) {
    low.fill(std::numeric_limits<float>::max());
    high.fill(std::numeric_limits<float>::lowest());
    for (const ReplayFrame* frame : frames) {
      for (const std::vector<Pose>* poses : {&frame->poses, &frame->cpu_poses})
        for (const Pose& pose : *poses) take(pose.position);
    }
  }
  void take(const std::array<float, 3>& point) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  }
  /// 0 at `low`, 65535 at `high`.
  [[nodiscard]] std::uint16_t place(std::size_t axis, float value) const {
    const double size = static_cast<double>(high[axis]) - static_cast<double>(low[axis]);
    const double share = size > 0 ? (static_cast<double>(value) - low[axis]) / size : 0;
    return static_cast<std::uint16_t>(std::lround(65535 * share));
  }
};

/// Poses as integers: by frame, then component, then body.
struct QuantisedPoses {
  std::vector<std::uint16_t> positions;
  std::vector<std::int16_t> rotations;
};

QuantisedPoses quantised(const Frames& frames, const Box& box, bool of_cpu) {
  QuantisedPoses out;
  std::vector<std::array<float, 4>> before(frames.front()->poses.size(), {0, 0, 0, 1});
  for (const ReplayFrame* frame : frames) {
    const bool own = of_cpu && !frame->cpu_poses.empty();
    const std::vector<Pose>& poses = own ? frame->cpu_poses : frame->poses;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const Pose& pose : poses) out.positions.push_back(box.place(axis, pose.position[axis]));
    for (std::size_t body = 0; body < poses.size(); ++body)
      before[body] = nearer(poses[body].rotation, before[body]);
    for (std::size_t part = 0; part < 4; ++part)
      for (const std::array<float, 4>& rotation : before)
        out.rotations.push_back(static_cast<std::int16_t>(std::lround(32767 * rotation[part])));
  }
  return out;
}

/// a - b, modulo 2^16.
template <class Number>
std::vector<Number> difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::vector<Number> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = static_cast<Number>(a[i] - b[i]);
  return out;
}

bool paths_differ(const Frames& frames) {
  return std::any_of(frames.begin(), frames.end(),
                     [](const ReplayFrame* frame) { return !frame->cpu_poses.empty(); });
}

void add_poses(PackedColumns& columns, const Frames& frames, const Box& box) {
  const std::size_t bodies = frames.front()->poses.size();
  const QuantisedPoses ppu = quantised(frames, box, false);
  columns.add("positions", ppu.positions, 3 * bodies);
  columns.add("rotations", ppu.rotations, 4 * bodies);
  if (!paths_differ(frames)) return;
  const QuantisedPoses cpu = quantised(frames, box, true);
  columns.add("cpu_positions", difference(cpu.positions, ppu.positions), 3 * bodies);
  columns.add("cpu_rotations", difference(cpu.rotations, ppu.rotations), 4 * bodies);
}

void add_loads(PackedColumns& columns, const Frames& frames) {
  std::vector<std::uint32_t> cycles;
  std::vector<std::uint16_t> impulses;
  std::vector<std::int32_t> islands;
  for (const ReplayFrame* frame : frames) {
    for (const BodyLoad& load : frame->loads) {
      cycles.push_back(load.cycles);
      impulses.push_back(static_cast<std::uint16_t>(rounded_bits(load.impulse, 16)));
      islands.push_back(load.island);
    }
  }
  const std::size_t bodies = frames.front()->loads.size();
  columns.add("body_cycles", cycles, bodies);
  columns.add("body_impulses", impulses, bodies);
  columns.add("body_islands", islands, bodies);
}

void add_shapes(PackedColumns& columns, const ReplayReport& report) {
  for (std::size_t i = 0; i < report.shapes.size(); ++i) {
    const std::string name = "shape" + std::to_string(i);
    columns.add(name + "_positions", all_bits_of(report.shapes[i].positions));
    columns.add(name + "_normals", all_bits_of(report.shapes[i].normals));
    columns.add(name + "_indices", report.shapes[i].indices);
  }
}

Json frame_json(const ReplayFrame& frame) {
  Json parts = Json::array();
  for (const CostPart& part : frame.parts)
    parts.push_back({{"name", part.name}, {"cycles", part.cycles}});
  return {{"number", frame.number},
          {"rows", frame.rows},
          {"islands", frame.islands},
          {"sweeps", frame.sweeps},
          {"row_updates", frame.row_updates},
          {"device_cycles", frame.device_cycles},
          {"engine_cycles", frame.engine_cycles},
          {"parts", parts},
          {"stalls", frame.stalls},
          {"roofline", frame.roofline ? json_of(*frame.roofline) : Json()},
          {"pack_seconds", frame.pack_seconds},
          {"overlap_seconds", frame.overlap_seconds},
          {"cpu_seconds", frame.cpu_seconds},
          {"residuals", frame.residuals},
          {"bound", frame.bound},
          {"same", frame.cpu_poses.empty()}};
}

Json head_of(const ReplayReport& report, const Frames& of_page, const Box& box) {
  Json shapes = Json::array();
  for (const ShapeMesh& shape : report.shapes)
    shapes.push_back({{"name", shape.name}, {"kind", shape.kind}});
  Json bodies = Json::array();
  for (const ReplayBody& body : report.bodies) bodies.push_back({body.shape, body.mass});
  Json frames = Json::array();
  for (const ReplayFrame* frame : of_page) frames.push_back(frame_json(*frame));
  return {{"scene", report.scene},
          {"description", report.description},
          {"backend", report.backend},
          {"program", report.program},
          {"order", report.order},
          {"config", report.config},
          {"config_toml", report.config_toml},
          {"config_hash", hex64(report.config_hash)},
          {"device", report.device},
          {"version", ppu_version()},
          {"command", report.command},
          {"bound", report.bound},
          {"timed", report.timed},
          {"against_cpu", report.against_cpu},
          {"clock_mhz", report.clock_mhz},
          {"frame_seconds", report.frame_seconds},
          {"stall_labels", report.stall_labels},
          {"shapes", shapes},
          {"bodies", bodies},
          {"box", {{"low", box.low}, {"high", box.high}}},
          {"frames", frames}};
}

std::string main_block(const ReplayReport& report, const std::vector<std::size_t>& chosen,
                       std::size_t step) {
  Frames frames;
  for (const std::size_t frame : chosen) frames.push_back(&report.frames[frame]);
  const Box box(frames);
  Json head = head_of(report, frames, box);
  head["frames_of_run"] = report.frames.size();
  head["frame_step"] = step;
  PackedColumns columns(std::move(head));
  add_shapes(columns, report);
  add_poses(columns, frames, box);
  add_loads(columns, frames);
  return columns.block();
}

/// Every `step`-th frame, that with most rows, and the last one, after which worlds may differ.
std::vector<std::size_t> frames_of_page(const ReplayReport& report, std::size_t step) {
  std::vector<std::size_t> frames;
  for (std::size_t i = 0; i < report.frames.size(); ++i)
    if (i % step == 0 || i == report.rows.heaviest() || i + 1 == report.frames.size())
      frames.push_back(i);
  return frames;
}

}  // namespace

std::array<float, 4> nearer(std::array<float, 4> rotation, const std::array<float, 4>& last) {
  if (std::inner_product(rotation.begin(), rotation.end(), last.begin(), 0.0F) < 0)
    std::transform(rotation.begin(), rotation.end(), rotation.begin(), std::negate<>());
  return rotation;
}

ReplayBlocks replay_blocks(const ReplayReport& report, std::size_t budget_bytes) {
  // A quarter is for rows.
  const std::size_t most = budget_bytes / 4 * 3;
  ReplayBlocks blocks;
  std::size_t step = 1;
  for (;; step *= 2) {
    blocks.frames = frames_of_page(report, step);
    blocks.main = main_block(report, blocks.frames, step);
    if (blocks.main.size() <= most || step >= report.frames.size()) break;
  }
  KeptRows rows = report.rows;
  rows.thin_out(step);
  rows.fit(budget_bytes - std::min(budget_bytes, blocks.main.size()));
  blocks.rows = rows.all();
  return blocks;
}

}  // namespace ppu::sim
