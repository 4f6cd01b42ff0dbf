// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A replay as blocks of text for the page.
#include "replay_data.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "packed_columns.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// The upper `kept` bits of a float, rounded: 16 hold two digits, 24 hold five.
std::uint32_t rounded_bits(float value, unsigned kept) {
  return (bits_of(value) + (1U << (31 - kept))) >> (32 - kept);
}

std::vector<std::uint32_t> bits_of(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float value : values) bits.push_back(bits_of(value));
  return bits;
}

/// The box that all bodies stay in.
struct Box {
  std::array<float, 3> low, high;

  explicit Box(const ReplayReport& report) {
    low.fill(std::numeric_limits<float>::max());
    high.fill(std::numeric_limits<float>::lowest());
    for (const ReplayFrame& frame : report.frames) {
      for (const std::vector<Pose>* poses : {&frame.poses, &frame.cpu_poses})
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

/// The same rotation with the sign that is nearer to `before`: what changes little stays small.
std::array<float, 4> with_sign_of(std::array<float, 4> rotation,
                                  const std::array<float, 4>& before) {
  float product = 0;
  for (std::size_t k = 0; k < 4; ++k) product += rotation[k] * before[k];
  if (product < 0)
    for (float& part : rotation) part = -part;
  return rotation;
}

QuantisedPoses quantised(const ReplayReport& report, const Box& box, bool of_cpu) {
  QuantisedPoses out;
  std::vector<std::array<float, 4>> before(report.bodies.size(), {0, 0, 0, 1});
  for (const ReplayFrame& frame : report.frames) {
    const bool own = of_cpu && !frame.cpu_poses.empty();
    const std::vector<Pose>& poses = own ? frame.cpu_poses : frame.poses;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const Pose& pose : poses) out.positions.push_back(box.place(axis, pose.position[axis]));
    for (std::size_t body = 0; body < poses.size(); ++body)
      before[body] = with_sign_of(poses[body].rotation, before[body]);
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

bool paths_differ(const ReplayReport& report) {
  return std::any_of(report.frames.begin(), report.frames.end(),
                     [](const ReplayFrame& frame) { return !frame.cpu_poses.empty(); });
}

void add_poses(PackedColumns& columns, const ReplayReport& report, const Box& box) {
  const std::size_t bodies = report.bodies.size();
  const QuantisedPoses ppu = quantised(report, box, false);
  columns.add("positions", ppu.positions, 3 * bodies);
  columns.add("rotations", ppu.rotations, 4 * bodies);
  if (!paths_differ(report)) return;
  const QuantisedPoses cpu = quantised(report, box, true);
  columns.add("cpu_positions", difference(cpu.positions, ppu.positions), 3 * bodies);
  columns.add("cpu_rotations", difference(cpu.rotations, ppu.rotations), 4 * bodies);
}

void add_loads(PackedColumns& columns, const ReplayReport& report) {
  std::vector<std::uint32_t> cycles;
  std::vector<std::uint16_t> impulses;
  std::vector<std::int32_t> islands;
  for (const ReplayFrame& frame : report.frames) {
    for (const BodyLoad& load : frame.loads) {
      cycles.push_back(load.cycles);
      impulses.push_back(static_cast<std::uint16_t>(rounded_bits(load.impulse, 16)));
      islands.push_back(load.island);
    }
  }
  columns.add("body_cycles", cycles, report.bodies.size());
  columns.add("body_impulses", impulses, report.bodies.size());
  columns.add("body_islands", islands, report.bodies.size());
}

void add_shapes(PackedColumns& columns, const ReplayReport& report) {
  for (std::size_t i = 0; i < report.shapes.size(); ++i) {
    const std::string name = "shape" + std::to_string(i);
    columns.add(name + "_positions", bits_of(report.shapes[i].positions));
    columns.add(name + "_normals", bits_of(report.shapes[i].normals));
    columns.add(name + "_indices", report.shapes[i].indices);
  }
}

Json frame_json(const ReplayFrame& frame) {
  Json parts = Json::array();
  for (const FramePart& part : frame.parts)
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
          {"cpu_seconds", frame.cpu_seconds},
          {"residuals", frame.residuals},
          {"bound", frame.bound},
          {"same", frame.cpu_poses.empty()}};
}

Json head_of(const ReplayReport& report, const Box& box) {
  Json shapes = Json::array();
  for (const ShapeMesh& shape : report.shapes)
    shapes.push_back({{"name", shape.name}, {"kind", shape.kind}});
  Json bodies = Json::array();
  for (const ReplayBody& body : report.bodies) bodies.push_back({body.shape, body.mass});
  Json frames = Json::array();
  for (const ReplayFrame& frame : report.frames) frames.push_back(frame_json(frame));
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

/// The rows of one frame as a block. What a row's cycles are beside its waits is nearly the same
/// for all, so that is kept in place of their sum.
std::string rows_block(const FrameDetail& detail) {
  std::vector<std::uint8_t> kind;
  std::vector<std::int32_t> body_a, body_b;
  std::vector<std::uint32_t> impulse, body_stall, parent_stall, fetch_stall, other;
  for (const RowDetail& row : detail.rows) {
    const ppu_row_profile& cycles = row.profile;
    kind.push_back(static_cast<std::uint8_t>(row.kind));
    body_a.push_back(row.body[0]);
    body_b.push_back(row.body[1]);
    impulse.push_back(rounded_bits(row.impulse, 24));
    body_stall.push_back(cycles.body_stall);
    parent_stall.push_back(cycles.parent_stall);
    fetch_stall.push_back(cycles.fetch_stall);
    other.push_back(cycles.cycles - cycles.body_stall - cycles.parent_stall - cycles.fetch_stall);
  }
  PackedColumns columns(Json::object());
  columns.add("kind", kind, 1);
  columns.add("body_a", body_a, 1);
  columns.add("body_b", body_b, 1);
  columns.add("impulse", impulse);
  columns.add("body_stall", body_stall);
  columns.add("parent_stall", parent_stall);
  columns.add("fetch_stall", fetch_stall);
  columns.add("other_cycles", other);
  columns.add("row_of_slot", detail.row_of_slot, 1);
  columns.add("held_by", detail.held_by, 1);
  return columns.block();
}

/// Frames whose rows are known: the one with most rows first, then ever denser over the run.
std::vector<std::size_t> frames_by_preference(const ReplayReport& report) {
  std::vector<std::size_t> known;
  for (std::size_t i = 0; i < report.frames.size(); ++i)
    if (report.frames[i].detail) known.push_back(i);
  if (known.empty()) return known;
  const auto fewer = [&](std::size_t a, std::size_t b) {
    return report.frames[a].detail->rows.size() < report.frames[b].detail->rows.size();
  };
  std::vector<std::size_t> order = {*std::max_element(known.begin(), known.end(), fewer)};
  std::vector<bool> taken(report.frames.size(), false);
  taken[order.front()] = true;
  std::size_t step = 1;
  while (step < known.size()) step *= 2;
  for (; step > 0; step /= 2) {
    for (std::size_t i = step / 2; i < known.size(); i += step) {
      if (!taken[known[i]]) order.push_back(known[i]);
      taken[known[i]] = true;
    }
  }
  return order;
}

std::string main_block(const ReplayReport& report, const std::vector<ReplayBlocks::Rows>& kept) {
  const Box box(report);
  Json head = head_of(report, box);
  head["frames_with_rows"] = Json::array();
  for (const ReplayBlocks::Rows& rows : kept) head["frames_with_rows"].push_back(rows.frame);
  PackedColumns columns(std::move(head));
  add_shapes(columns, report);
  add_poses(columns, report, box);
  add_loads(columns, report);
  return columns.block();
}

}  // namespace

ReplayBlocks replay_blocks(const ReplayReport& report, std::size_t budget_bytes) {
  ReplayBlocks blocks;
  // The list of frames that is still missing adds next to nothing.
  std::size_t used = main_block(report, {}).size();
  for (const std::size_t frame : frames_by_preference(report)) {
    std::string block = rows_block(*report.frames[frame].detail);
    used += block.size();
    if (used > budget_bytes && !blocks.rows.empty()) break;
    blocks.rows.push_back({frame, std::move(block)});
  }
  std::sort(blocks.rows.begin(), blocks.rows.end(),
            [](const auto& a, const auto& b) { return a.frame < b.frame; });
  blocks.main = main_block(report, blocks.rows);
  return blocks;
}

}  // namespace ppu::sim
