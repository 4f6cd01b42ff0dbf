// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The roofline of a run.
#include "sim/measure/roofline.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hw/contract/config.hpp"
#include "sim/measure/solve_cost.hpp"

namespace ppu::sim {
namespace {

/// Pins of the memory, behind the port that rows come through.
double memory_bytes_per_cycle(const hw::Config& config) {
  const double pins = config.dram_bus_bits / 8.0 * config.dram_mega_transfers / config.clock_mhz;
  return std::min(pins, static_cast<double>(config.memory_port_beats * spec::kBeatBytes));
}

/// A direction of the link, or the whole if it has one for both, without the overhead of each beat.
double link_bytes_per_cycle(const hw::Config& config) {
  const double payload = static_cast<double>(spec::kBeatBytes) /
                         static_cast<double>(spec::kBeatBytes + config.link_overhead_bytes);
  return static_cast<double>(config.link_mb_per_s) / config.clock_mhz * payload;
}

}  // namespace

double Roofline::share_of(const RooflineLevel& level) const {
  return level.rows_per_cycle / std::min(ceiling, level.ceiling());
}

std::optional<Roofline> roofline_of(const Options& options, const SolveResult& result) {
  const auto updates = static_cast<double>(result.counter(PPU_COUNTER_ROW_UPDATES));
  if (!result.timed() || updates == 0) return std::nullopt;
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  Roofline roofline;
  roofline.clock_mhz = config.clock_mhz;
  roofline.flops_per_row = result.flops_per_row();
  roofline.ceiling =
      static_cast<double>(config.engines * config.pipes) / hw::initiation_interval(config);
  roofline.rows_per_cycle = result.rows_per_cycle();
  roofline.rows_per_frame_cycle = updates / static_cast<double>(result.report.device_cycles);
  const auto beat_bytes = [&](std::uint64_t beats) {
    return static_cast<double>(beats * spec::kBeatBytes) / updates;
  };
  const double in_frame = roofline.rows_per_frame_cycle;
  const double chip = result.bytes_per_row();
  const double memory = beat_bytes(result.counter(PPU_DEVICE_COUNTER_MEMORY_BEATS));
  const double link = beat_bytes(link_beats(result, options));
  // On-chip memory is as wide as the pipes need.
  roofline.levels = {
      {"on-chip memory", false, roofline.ceiling * chip, chip, roofline.rows_per_cycle},
      {"device memory", true, memory_bytes_per_cycle(config), memory, in_frame},
      {"host link", true, link_bytes_per_cycle(config), link, in_frame}};
  const auto idle = [](const RooflineLevel& level) { return level.bytes_per_row == 0; };
  roofline.levels.erase(std::remove_if(roofline.levels.begin(), roofline.levels.end(), idle),
                        roofline.levels.end());
  return roofline;
}

nlohmann::ordered_json json_of(const Roofline& roofline) {
  using Json = nlohmann::ordered_json;
  Json levels = Json::array();
  for (const RooflineLevel& level : roofline.levels) {
    levels.push_back({{"level", level.name},
                      {"over", level.of_frame ? "frame" : "sweeps"},
                      {"gb_per_s", roofline.gigabytes(level.roof_bytes)},
                      {"bytes_per_row", level.bytes_per_row},
                      {"flop_per_byte", roofline.flops_per_row / level.bytes_per_row},
                      {"ceiling_mrows_per_s", roofline.mega_rows(level.ceiling())},
                      {"reached_mrows_per_s", roofline.mega_rows(level.rows_per_cycle)},
                      {"reached_gflops", roofline.gflops(level.rows_per_cycle)},
                      {"share", roofline.share_of(level)}});
  }
  return {{"flop_per_row", roofline.flops_per_row},
          {"pipes_mrows_per_s", roofline.mega_rows(roofline.ceiling)},
          {"pipes_gflops", roofline.gflops(roofline.ceiling)},
          {"sweeps_mrows_per_s", roofline.mega_rows(roofline.rows_per_cycle)},
          {"frame_mrows_per_s", roofline.mega_rows(roofline.rows_per_frame_cycle)},
          {"levels", levels}};
}

}  // namespace ppu::sim
