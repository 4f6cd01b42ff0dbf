// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From what the driver says of a solve to a frame of a replay.
#include "replay_record.hpp"

#include <algorithm>
#include <cmath>

#include "convergence.hpp"
#include "measures.hpp"
#include "ppu/hw/config.hpp"
#include "problem.hpp"
#include "report_text.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

std::uint64_t beat_bytes(std::uint64_t beats) {
  return beats * spec::kBeatBytes;
}

Roofs roofs_of(const Options& options, const Run& run) {
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  const double clock = config.clock_mhz;
  Roofs roofs;
  roofs.rows = static_cast<double>(config.engines * config.pipes) / hw::initiation_interval(config);
  const double chip_bytes = run.bytes_per_row();
  roofs.chip_bytes = std::isnan(chip_bytes) ? 0 : roofs.rows * chip_bytes;
  roofs.memory_bytes = config.dram_bus_bits / 8.0 * config.dram_mega_transfers / clock;
  const double payload = static_cast<double>(spec::kBeatBytes) /
                         static_cast<double>(spec::kBeatBytes + config.link_overhead_bytes);
  roofs.link_bytes =
      config.link_mb_per_s / clock * payload * (config.link_full_duplex != 0 ? 2 : 1);
  return roofs;
}

/// Number of the island of each body of the problem; kNoBody for a body without rows.
std::vector<std::int32_t> island_of_bodies(const model::RowProblem& problem) {
  std::vector<std::size_t> leader(problem.bodies());
  for (std::size_t i = 0; i < leader.size(); ++i) leader[i] = i;
  const auto find = [&](std::size_t body) {
    while (leader[body] != body) body = leader[body] = leader[leader[body]];
    return body;
  };
  std::vector<bool> named(problem.bodies(), false);
  for (const auto& [a, b] : problem.body) {
    for (const std::int32_t body : {a, b})
      if (body >= 0) named[static_cast<std::size_t>(body)] = true;
    if (a >= 0 && b >= 0)
      leader[find(static_cast<std::size_t>(a))] = find(static_cast<std::size_t>(b));
  }
  std::vector<std::int32_t> number(problem.bodies(), kNoBody);
  std::vector<std::int32_t> island(problem.bodies(), kNoBody);
  std::int32_t next = 0;
  for (std::size_t body = 0; body < island.size(); ++body) {
    if (!named[body]) continue;
    std::int32_t& mine = number[find(body)];
    if (mine == kNoBody) mine = next++;
    island[body] = mine;
  }
  return island;
}

std::vector<BodyLoad> loads_of(const model::RowProblem& problem, const FrameDetail& detail,
                               const std::vector<std::int32_t>& scene_body, std::size_t bodies) {
  std::vector<BodyLoad> loads(bodies);
  const std::vector<std::int32_t> islands = island_of_bodies(problem);
  for (std::size_t body = 0; body < islands.size(); ++body)
    loads[static_cast<std::size_t>(scene_body[body])].island = islands[body];
  for (const RowDetail& row : detail.rows) {
    for (const std::int32_t body : row.body) {
      if (body == kNoBody) continue;
      BodyLoad& load = loads[static_cast<std::size_t>(body)];
      load.cycles += row.profile.cycles;
      load.impulse = std::max(load.impulse, std::abs(row.impulse));
    }
  }
  return loads;
}

/// Cycles of all frames by name, in the order in which the names come.
using Sums = std::vector<std::pair<std::string, std::uint64_t>>;

void add_to(Sums* sums, const std::string& name, std::uint64_t cycles) {
  for (auto& [other, sum] : *sums) {
    if (other == name) {
      sum += cycles;
      return;
    }
  }
  sums->emplace_back(name, cycles);
}

Sums part_sums(const ReplayReport& report) {
  Sums sums;
  for (const ReplayFrame& frame : report.frames)
    for (const FramePart& part : frame.parts) add_to(&sums, part.name, part.cycles);
  return sums;
}

}  // namespace

void describe_device(const Options& options, const Run& run, ReplayReport* report) {
  report->backend = options.backend;
  report->program = options.program;
  report->order = options.order;
  report->config = options.config;
  report->config_toml = run.config_toml;
  report->config_hash = run.device.config_hash;
  report->device = device_in_words(run.device);
  report->timed = run.timed();
  report->clock_mhz = run.device.clock_mhz;
  report->roofs = roofs_of(options, run);
  report->stall_labels.clear();
  for (const Stall& stall : stalls_of(run)) report->stall_labels.emplace_back(stall.label);
}

FrameDetail detail_of(const model::RowProblem& problem, const Options& options, const Run& run,
                      const std::vector<std::int32_t>& scene_body) {
  FrameDetail detail;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    RowDetail one;
    one.kind = problem.kind[row];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t body = problem.body[row][side];
      if (body >= 0) one.body[side] = scene_body[static_cast<std::size_t>(body)];
    }
    one.impulse = run.solution.impulse[row];
    if (!run.profile.empty()) one.profile = run.profile[row];
    detail.rows.push_back(one);
  }
  if (run.report.runs == 1) detail.row_of_slot = slot_order(problem, options, run);
  return detail;
}

ReplayFrame frame_of(const model::RowProblem& problem, const Options& options, const Run& run,
                     const FrameDetail& detail, const std::vector<std::int32_t>& scene_body,
                     std::size_t bodies) {
  ReplayFrame frame;
  frame.rows = problem.rows();
  frame.islands = island_rows(problem).size();
  frame.sweeps = run.report.sweeps;
  frame.row_updates = run.counter(PPU_COUNTER_ROW_UPDATES);
  frame.flops = run.counter(PPU_COUNTER_FLOPS);
  frame.chip_bytes = run.counter(PPU_COUNTER_ROW_BYTES_ON_CHIP);
  frame.memory_bytes = beat_bytes(run.counter(PPU_DEVICE_COUNTER_MEMORY_BEATS));
  frame.link_bytes = beat_bytes(run.counter(PPU_DEVICE_COUNTER_HOST_READ_BEATS) +
                                run.counter(PPU_DEVICE_COUNTER_HOST_WRITE_BEATS));
  frame.pack_seconds = run.report.schedule_seconds + run.report.transfer_seconds;
  if (run.timed()) {
    frame.device_cycles = run.report.device_cycles;
    frame.engine_cycles = run.report.engine_cycles;
    frame.parts = frame_parts(run);
    for (const Stall& stall : stalls_of(run)) frame.stalls.push_back(stall.cycles);
    frame.bound = bound_in_words(problem, options, run);
  }
  frame.loads = loads_of(problem, detail, scene_body, bodies);
  return frame;
}

std::vector<double> residuals_of(const model::RowProblem& problem, const Options& options,
                                 std::uint32_t sweeps) {
  Options again = options;
  again.backend = "functional";
  again.order = options.order == "scheduled" ? "engine" : options.order;  // Fewer steps, same bits.
  again.row_profile = false;
  again.trace.clear();
  again.wave.clear();
  std::vector<float> start = problem.impulse;
  if (start_of(options) == PPU_START_COLD) std::fill(start.begin(), start.end(), 0.0F);
  std::vector<double> residuals = {residual_of_impulses(problem, start)};
  const Solver solver(again);
  for (std::uint32_t sweep = 1; sweep <= sweeps; ++sweep) {
    const Run run = solver.solve(problem, sweep);
    residuals.push_back(residual_of_impulses(problem, run.solution.impulse));
  }
  return residuals;
}

std::string bound_of(const ReplayReport& report) {
  const auto most = [](const auto& a, const auto& b) { return a.second < b.second; };
  const Sums parts = part_sums(report);
  if (parts.empty()) return {};
  std::uint64_t cycles = 0;
  for (const auto& [name, sum] : parts) cycles += sum;
  const auto top = std::max_element(parts.begin(), parts.end(), most);
  const std::string share =
      fixed(100 * static_cast<double>(top->second) / static_cast<double>(cycles), 1) +
      " % of the device's cycles";
  if (top->first != "sweeps") {
    const bool over_link = top->first == "upload" || top->first == "read-back";
    return top->first + " (" + share + "): rows, impulses and velocities move between " +
           (over_link
                ? "host and device; a faster host link (--config " + report.config + "+pcie4x8)"
                : "device memory and chip; faster memory (--config " + report.config + "+hbm2)") +
           " helps, more pipes do not";
  }
  const auto heaviest =
      std::max_element(report.frames.begin(), report.frames.end(),
                       [](const ReplayFrame& a, const ReplayFrame& b) { return a.rows < b.rows; });
  return "sweeps (" + share + "), and those of frame " + std::to_string(heaviest->number) +
         ", with the most rows, by " + heaviest->bound;
}

}  // namespace ppu::sim
