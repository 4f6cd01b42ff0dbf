// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The frames of a demo as lines, as a table and as JSON.
#include "frame_record.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;
using Number = std::function<double(const FrameRecord&)>;

/// A row of the summary: median and most of a number over all frames, and the frame of the most.
void add_row(const SceneRecord& record, const std::string& name, int digits, const Number& number,
             Table& table) {
  std::vector<double> sorted;
  const FrameRecord* most = &record.frames.front();
  for (const FrameRecord& frame : record.frames) {
    sorted.push_back(number(frame));
    if (number(frame) > number(*most)) most = &frame;
  }
  std::sort(sorted.begin(), sorted.end());
  const auto text = [digits](double value) {
    return digits == 0 ? grouped(static_cast<std::uint64_t>(value)) : fixed(value, digits);
  };
  table.add({name, text(sorted[sorted.size() / 2]), text(number(*most)), grouped(most->frame)});
}

/// The double with the fewest digits that is `value` when rounded to float.
double shortest(float value) {
  char digits[32];
  *std::to_chars(digits, digits + sizeof digits - 1, value).ptr = '\0';
  return std::strtod(digits, nullptr);
}

template <class Numbers>
Json numbers_of(const Numbers& numbers) {
  Json json = Json::array();
  for (const float number : numbers) json.push_back(shortest(number));
  return json;
}

Json json_of(const BodyRecord& body) {
  Json json{{"mass", shortest(body.mass)}};
  switch (body.shape.kind) {
    case scenes::ShapeKind::kBox:
      json["shape"] = "box";
      json["half_extents"] = numbers_of(body.shape.half_extents);
      break;
    case scenes::ShapeKind::kSphere:
      json["shape"] = "sphere";
      json["radius"] = shortest(body.shape.radius);
      break;
    case scenes::ShapeKind::kCapsule:
      json["shape"] = "capsule";
      json["radius"] = shortest(body.shape.radius);
      json["height"] = shortest(body.shape.height);
      break;
  }
  return json;
}

Json json_of(const scenes::Pose& pose) {
  Json json = numbers_of(pose.position);
  for (const float number : pose.rotation) json.push_back(shortest(number));
  return json;
}

Json json_of(const FrameRecord& frame, bool timed) {
  const auto cycles = [timed](std::uint64_t count) { return timed ? Json(count) : Json(); };
  Json json{{"frame", frame.frame},
            {"rows", frame.rows},
            {"islands", frame.islands},
            {"sweeps", frame.sweeps},
            {"device_cycles", cycles(frame.device_cycles)},
            {"upload_cycles", cycles(frame.upload_cycles)},
            {"run_cycles", cycles(frame.run_cycles)},
            {"read_back_cycles", cycles(frame.read_back_cycles)},
            {"cpu_seconds", frame.cpu_seconds},
            {"simulation_seconds", frame.simulation_seconds},
            {"transforms", Json::array()}};
  for (const scenes::Pose& pose : frame.poses) json["transforms"].push_back(json_of(pose));
  return json;
}

/// What comparing has shown, in a sentence.
std::string verdict(const SceneRecord& record) {
  const std::string frames =
      grouped(record.frames.size()) + (record.frames.size() == 1 ? " frame" : " frames");
  if (!record.difference) {
    return "CPU engine and PPU: every position, rotation and velocity of " +
           grouped(record.moving()) + " moving bodies equal bit for bit in " + frames + ".\n";
  }
  return "CPU engine and PPU DIFFER after frame " + grouped(record.frames.back().frame) + ": " +
         record.difference->str() + ".\n";
}

}  // namespace

std::size_t SceneRecord::moving() const {
  return static_cast<std::size_t>(std::count_if(
      bodies.begin(), bodies.end(), [](const BodyRecord& body) { return body.mass > 0; }));
}

double SceneRecord::microseconds(std::uint64_t cycles) const {
  return device.timed ? static_cast<double>(cycles) / device.clock_mhz
                      : std::numeric_limits<double>::quiet_NaN();
}

std::string record_titles() {
  return "  frame     rows  islands  sweeps     CPU µs     PPU µs  simulation s\n";
}

std::string record_line(const SceneRecord& record, const FrameRecord& frame) {
  char line[160];
  std::snprintf(line, sizeof line, "%7s %8s %8s %7s %10s %10s %13s\n", grouped(frame.frame).c_str(),
                grouped(frame.rows).c_str(), grouped(frame.islands).c_str(),
                grouped(frame.sweeps).c_str(), fixed(1e6 * frame.cpu_seconds, 1).c_str(),
                fixed(record.microseconds(frame.device_cycles), 1).c_str(),
                fixed(frame.simulation_seconds, 4).c_str());
  return line;
}

std::string record_summary(const SceneRecord& record) {
  const auto add_cycles = [&record](const std::string& name, std::uint64_t FrameRecord::*cycles,
                                    Table& table) {
    add_row(
        record, name, 1,
        [&record, cycles](const FrameRecord& f) { return record.microseconds(f.*cycles); }, table);
  };
  Table table({"of a frame", "median", "most", "in frame"});
  add_row(
      record, "rows", 0, [](const auto& f) { return static_cast<double>(f.rows); }, table);
  add_row(
      record, "islands", 0, [](const auto& f) { return static_cast<double>(f.islands); }, table);
  add_row(
      record, "CPU engine, iterations, µs", 1, [](const auto& f) { return 1e6 * f.cpu_seconds; },
      table);
  if (record.device.timed) {
    add_cycles("PPU, from upload to read-back, µs", &FrameRecord::device_cycles, table);
    add_cycles("  upload, µs", &FrameRecord::upload_cycles, table);
    add_cycles("  run, µs", &FrameRecord::run_cycles, table);
    add_cycles("  read-back, µs", &FrameRecord::read_back_cycles, table);
  }
  add_row(
      record, "simulation on this machine, ms", 2,
      [](const auto& f) { return 1e3 * f.simulation_seconds; }, table);
  return "\n" + table.str() + "\n" + verdict(record);
}

Json json_of(const SceneRecord& record) {
  Json json{{"scene", record.identity.name},
            {"description", record.identity.description},
            {"params", record.identity.params},
            {"seed", record.identity.seed},
            {"backend", record.backend},
            {"config", record.config},
            {"clock_mhz", record.device.clock_mhz},
            {"frame_seconds", shortest(scenes::kFrameSeconds)},
            {"equal", !record.difference},
            {"difference", record.difference ? Json(record.difference->str()) : Json()},
            {"bodies", Json::array()},
            {"frames", Json::array()}};
  for (const BodyRecord& body : record.bodies) json["bodies"].push_back(json_of(body));
  for (const FrameRecord& frame : record.frames)
    json["frames"].push_back(json_of(frame, record.device.timed));
  return json;
}

}  // namespace ppu::sim
