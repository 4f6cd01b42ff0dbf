// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// From what the driver says of a solve to a frame of a replay.
#include "sim/replay/replay_record.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/measure/impulse_residual.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/problem/islands.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

std::vector<BodyLoad> loads_of(const model::RowProblem& problem, const FrameDetail& detail,
                               const std::vector<std::int32_t>& scene_body, std::size_t bodies) {
  std::vector<BodyLoad> loads(bodies);
  const std::vector<std::int32_t> islands = find_islands(problem).of_body;
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

/// The parts of all frames, summed by name, in the order in which the names come.
std::vector<CostPart> part_sums(const ReplayReport& report) {
  std::vector<CostPart> sums;
  for (const ReplayFrame& frame : report.frames) {
    for (const CostPart& part : frame.parts) {
      const auto known = std::find_if(
          sums.begin(), sums.end(), [&part](const CostPart& sum) { return sum.name == part.name; });
      if (known == sums.end()) {
        sums.push_back(part);
      } else {
        known->cycles += part.cycles;
      }
    }
  }
  return sums;
}

}  // namespace

void describe_device(const Options& options, const SolveResult& result, ReplayReport* report) {
  report->backend = options.backend;
  report->program = options.program;
  report->order = options.order;
  report->config = options.config;
  report->config_toml = result.config_toml;
  report->config_hash = result.device.config_hash;
  report->device = device_in_words(result.device);
  report->timed = result.timed();
  report->clock_mhz = result.device.clock_mhz;
  report->stall_labels.clear();
  for (const Stall& stall : stalls_of(result)) report->stall_labels.emplace_back(stall.label);
}

FrameDetail detail_of(const model::RowProblem& problem, const Options& options,
                      const SolveResult& result, const std::vector<std::int32_t>& scene_body) {
  FrameDetail detail;
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    RowDetail one;
    one.kind = problem.kind[row];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t body = problem.body[row][side];
      if (body >= 0) one.body[side] = scene_body[static_cast<std::size_t>(body)];
    }
    one.impulse = result.solution.impulse[row];
    if (!result.profile.empty()) one.profile = result.profile[row];
    detail.rows.push_back(one);
  }
  if (result.report.runs != 1) return detail;
  detail.row_of_slot = slot_order(problem, options);
  detail.held_by = token_senders(problem.body, detail.row_of_slot, result.profile);
  return detail;
}

ReplayFrame frame_of(const model::RowProblem& problem, const Options& options,
                     const SolveResult& result, const FrameDetail& detail,
                     const std::vector<std::int32_t>& scene_body, std::size_t bodies) {
  ReplayFrame frame;
  frame.rows = problem.rows();
  frame.islands = find_islands(problem).count;
  frame.sweeps = result.report.sweeps;
  frame.row_updates = result.counter(PPU_COUNTER_ROW_UPDATES);
  frame.pack_seconds = result.report.plan_seconds + result.report.transfer_seconds;
  frame.overlap_seconds = result.report.overlap_seconds;
  if (result.timed()) {
    frame.device_cycles = result.report.device_cycles;
    frame.engine_cycles = result.report.engine_cycles;
    frame.parts = cost_parts(result);
    for (const Stall& stall : stalls_of(result)) frame.stalls.push_back(stall.cycles);
    frame.bound = bound_in_words(problem, options, result);
    frame.roofline = roofline_of(options, result);
  }
  frame.loads = loads_of(problem, detail, scene_body, bodies);
  return frame;
}

std::vector<double> residuals_of(const model::RowProblem& problem, const Options& options,
                                 std::uint32_t sweeps) {
  Options again = options;
  again.backend = "functional";
  again.row_profile = false;
  again.trace.clear();
  again.wave.clear();
  std::vector<float> start = problem.impulse;
  if (start_of(options) == PPU_START_COLD) std::fill(start.begin(), start.end(), 0.0F);
  std::vector<double> residuals = {residual_of_impulses(problem, start)};
  const Solver solver(again);
  for (std::uint32_t sweep = 1; sweep <= sweeps; ++sweep) {
    const SolveResult result = solver.solve(problem, sweep);
    residuals.push_back(residual_of_impulses(problem, result.solution.impulse));
  }
  return residuals;
}

std::string bound_of(const ReplayReport& report) {
  const std::vector<CostPart> parts = part_sums(report);
  if (parts.empty()) return {};
  const std::string bound = cost_bound_in_words(parts, report.config);
  if (largest_part(parts).name != "sweeps") return bound;
  const auto heaviest =
      std::max_element(report.frames.begin(), report.frames.end(),
                       [](const ReplayFrame& a, const ReplayFrame& b) { return a.rows < b.rows; });
  return bound + ", and those of frame " + std::to_string(heaviest->number) +
         ", with the most rows, by " + heaviest->bound;
}

}  // namespace ppu::sim
