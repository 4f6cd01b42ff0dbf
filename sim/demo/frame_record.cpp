// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The frames of a demo as lines, as a table and as JSON.
#include "sim/demo/frame_record.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;
/// A number of a frame, for people.
struct Measure {
  const char* name;
  int digits;
  std::function<double(const FrameRecord&)> of;
};

/// Of the host's share, for people and in JSON.
struct HostPart {
  const char* name;
  const char* key;
  double HostShare::*seconds;
};
constexpr HostPart kHostParts[] = {
    {"host, set-up, µs", "set_up_seconds", &HostShare::set_up},
    {"host, whole iterations, µs", "whole_seconds", &HostShare::whole},
    {"host, conversion, µs", "conversion_seconds", &HostShare::conversion},
    {"host, plan, µs", "plan_seconds", &HostShare::plan},
    {"host, packing and unpacking, µs", "packing_seconds", &HostShare::packing},
    {"host, waiting for the simulation, µs", "waiting_seconds", &HostShare::waiting},
    {"host, copying back, µs", "copying_back_seconds", &HostShare::copying_back},
    {"host, finish, µs", "finish_seconds", &HostShare::finish},
    {"host, while the PPU works, too, µs", "overlap_seconds", &HostShare::overlap},
};

std::vector<Measure> measures_of(const SceneRecord& record) {
  const auto count = [](std::uint64_t FrameRecord::*number) {
    return [number](const FrameRecord& frame) { return static_cast<double>(frame.*number); };
  };
  const auto time = [&record](std::uint64_t FrameRecord::*cycles) {
    return [&record, cycles](const FrameRecord& f) { return record.microseconds(f.*cycles); };
  };
  std::vector<Measure> measures = {
      {"rows", 0, count(&FrameRecord::rows)},
      {"islands", 0, count(&FrameRecord::islands)},
      {"CPU engine, set-up, µs", 1, [](const FrameRecord& f) { return 1e6 * f.cpu.set_up; }},
      {"CPU engine, iterations, µs", 1,
       [](const FrameRecord& f) { return 1e6 * f.cpu.iterations; }},
      {"CPU engine, finish, µs", 1, [](const FrameRecord& f) { return 1e6 * f.cpu.finish; }}};
  if (record.device.timed) {
    measures.push_back({"PPU, whole, µs", 1, time(&FrameRecord::device_cycles)});
    measures.push_back({"PPU, upload, µs", 1, time(&FrameRecord::upload_cycles)});
    measures.push_back({"PPU, run, µs", 1, time(&FrameRecord::run_cycles)});
    measures.push_back({"PPU, read-back, µs", 1, time(&FrameRecord::read_back_cycles)});
  }
  for (const HostPart& part : kHostParts)
    measures.push_back(
        {part.name, 1, [&part](const FrameRecord& f) { return 1e6 * f.host.*part.seconds; }});
  if (record.device.timed)
    measures.push_back({"whole step, CPU engine / PPU", 2,
                        [&record](const FrameRecord& f) { return record.gain(f); }});
  measures.push_back({"simulation on this machine, ms", 2,
                      [](const FrameRecord& f) { return 1e3 * f.simulation_seconds; }});
  return measures;
}

/// Median and most of a number over all frames, and the frame of the most.
std::vector<std::string> cells_of(const Measure& measure, const std::vector<FrameRecord>& frames) {
  std::vector<double> sorted;
  const FrameRecord* most = &frames.front();
  for (const FrameRecord& frame : frames) {
    sorted.push_back(measure.of(frame));
    if (measure.of(frame) > measure.of(*most)) most = &frame;
  }
  std::sort(sorted.begin(), sorted.end());
  const auto text = [&measure](double value) {
    return measure.digits == 0 ? grouped(static_cast<std::uint64_t>(value))
                               : fixed(value, measure.digits);
  };
  return {measure.name, text(sorted[sorted.size() / 2]), text(measure.of(*most)),
          grouped(most->frame)};
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
            {"cpu_set_up_seconds", frame.cpu.set_up},
            {"cpu_seconds", frame.cpu.iterations},
            {"cpu_finish_seconds", frame.cpu.finish},
            {"simulation_seconds", frame.simulation_seconds},
            {"host", Json::object()},
            {"transforms", Json::array()}};
  for (const HostPart& part : kHostParts) json["host"][part.key] = frame.host.*part.seconds;
  for (const scenes::Pose& pose : frame.poses) json["transforms"].push_back(json_of(pose));
  return json;
}

std::string frames(std::uint64_t count) {
  return grouped(count) + (count == 1 ? " frame" : " frames");
}

/// What comparing has shown.
std::string verdict(const SceneRecord& record) {
  if (record.difference) {
    return "CPU engine and PPU DIFFER after frame " + grouped(record.frames.back().frame) + ": " +
           record.difference->str() + ".\n";
  }
  return "CPU engine and PPU: every position, rotation and velocity of " +
         grouped(record.moving()) + " moving bodies equal bit for bit in " +
         frames(record.frames.size()) + ".\n";
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

double SceneRecord::gain(const FrameRecord& frame) const {
  return frame.cpu.whole() /
         (frame.host.work() + 1e-6 * microseconds(frame.device_cycles) - frame.host.overlap);
}

std::string record_titles() {
  return "  frame     rows  islands  sweeps     CPU µs     PPU µs  simulation s\n";
}

std::string record_line(const SceneRecord& record, const FrameRecord& frame) {
  char line[160];
  std::snprintf(line, sizeof line, "%7s %8s %8s %7s %10s %10s %13s\n", grouped(frame.frame).c_str(),
                grouped(frame.rows).c_str(), grouped(frame.islands).c_str(),
                grouped(frame.sweeps).c_str(), fixed(1e6 * frame.cpu.iterations, 1).c_str(),
                fixed(record.microseconds(frame.device_cycles), 1).c_str(),
                fixed(frame.simulation_seconds, 4).c_str());
  return line;
}

std::string record_summary(const SceneRecord& record) {
  Table table({"of a frame", "median", "most", "in frame"});
  for (const Measure& measure : measures_of(record)) table.add(cells_of(measure, record.frames));
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
