// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The time of a frame over different host links, beside the plain CPU solver.
#include "sim/bench/frame_times.hpp"

#include <algorithm>

#include "sim/bench/bench.hpp"
#include "sim/measure/solve_cost.hpp"

namespace ppu::sim {
namespace {

constexpr int kCpuRounds = 5;
constexpr double kCpuSeconds = 0.02;

/// One contact row on one body that lies on the ground.
model::RowProblem single_row() {
  model::RowProblem problem;
  problem.name = "one row";
  problem.body = {{0, -1}};
  problem.kind = {model::RowKind::kContact};
  problem.parent = {-1};
  problem.jacobian.resize(12);
  problem.jacobian[1] = 1;
  problem.inv_mass_jacobian = problem.jacobian;
  problem.rate_bias = {-1};
  problem.inv_diagonal = {1};
  problem.lower = {0};
  problem.upper = {1};
  problem.friction = problem.compliance = problem.impulse = {0};
  problem.velocity_change.resize(6);
  return problem;
}

/// Of a part of the frame: microseconds beyond those of a single row.
double beyond(const SolveResult& result, const SolveResult& single, const std::string& key) {
  const std::uint64_t all = cost_part(result, key);
  return microseconds(result, all - std::min(all, cost_part(single, key)));
}

}  // namespace

FrameTime measure_frame(const model::RowProblem& problem, const Options& options,
                        const std::string& link) {
  Options mine = options;
  mine.config += "+" + link;
  const Solver solver(mine);
  const SolveResult single = solver.solve(single_row(), 1);
  const SolveResult result = solver.solve(problem, options.sweeps);
  FrameTime time;
  time.problem = options.problem;
  time.name = problem.name;
  time.rows = problem.rows();
  time.link = link;
  // What of the load is not under the upload is part of it.
  time.upload = beyond(result, single, "upload_cycles") + beyond(result, single, "load_cycles") +
                beyond(result, single, "load_store_report_cycles");
  time.sweeps = beyond(result, single, "sweep_cycles");
  time.store = beyond(result, single, "store_cycles");
  time.read_back = beyond(result, single, "read_back_cycles");
  time.fixed = microseconds(result, result.report.device_cycles) - time.whole();
  return time;
}

double measure_cpu(const model::RowProblem& problem, std::uint32_t sweeps) {
  const Contender plain = bench_plain(problem);
  std::uint32_t repeats = 1;
  while (plain.run(sweeps * repeats).seconds < kCpuSeconds) repeats *= 2;
  std::vector<double> seconds;
  for (int round = 0; round < kCpuRounds; ++round)
    seconds.push_back(plain.run(sweeps * repeats).seconds);
  std::sort(seconds.begin(), seconds.end());
  return 1e6 * seconds[seconds.size() / 2] / repeats;
}

const FrameTime* cross_over(const std::vector<FrameTime>& frames) {
  std::vector<const FrameTime*> by_rows;
  for (const FrameTime& frame : frames) by_rows.push_back(&frame);
  std::stable_sort(by_rows.begin(), by_rows.end(),
                   [](const FrameTime* a, const FrameTime* b) { return a->rows > b->rows; });
  const FrameTime* first = nullptr;
  for (const FrameTime* frame : by_rows) {
    if (frame->whole() >= frame->cpu) break;
    first = frame;
  }
  return first;
}

}  // namespace ppu::sim
