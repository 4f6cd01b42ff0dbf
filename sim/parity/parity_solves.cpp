// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity workloads: problems given to ppu_solve, from real scenes and made ones.
#include "model/reference/replay.hpp"
#include "sim/parity/parity_problems.hpp"
#include "sim/parity/parity_workloads.hpp"
#include "sim/problem/problem.hpp"
#include "sim/problem/stance.hpp"

namespace ppu::sim {
namespace {

ppu_solve_def sweeps(std::uint32_t count) {
  ppu_solve_def def = ppu_default_solve_def();
  def.max_sweeps = count;
  return def;
}

ppu_solve_def streamed(ppu_solve_def def) {
  def.stream = true;
  return def;
}

Outcome solve(const Bench& bench, const ppu_problem& problem, const char* program,
              ppu_solve_def def) {
  const Program loaded = Program::load(bench.device, program);
  def.program = loaded.get();
  std::vector<float> impulse(problem.row_count);
  std::vector<float> velocity(std::size_t{problem.body_count} * 6);
  const ppu_solve_report report = bench.device.solve(problem, def, impulse.data(), velocity.data());
  return outcome_of(report, ppu_state_hash(impulse.data(), problem.row_count, velocity.data(),
                                           problem.body_count));
}

Outcome solve(const Bench& bench, const model::RowProblem& problem, const char* program,
              const ppu_solve_def& def) {
  return solve(bench, view(problem), program, def);
}

/// The rows of a scene as Bullet stores them, with its friction rule.
Outcome solve_impulse_form(const Bench& bench, const char* scene, const char* program,
                           ppu_solve_def def) {
  model::RowProblem scaled = bench.scenes.get(scene);
  for (std::size_t row = 0; row < scaled.rows(); ++row) {
    const float d = scaled.inv_diagonal[row];
    scaled.rate_bias[row] = model::impulse_form_bias(scaled.rate_bias[row], d);
    scaled.compliance[row] = model::impulse_form_compliance(scaled.compliance[row], d);
  }
  ppu_problem problem = view(scaled);
  problem.impulse_form = true;
  def.friction = PPU_FRICTION_SKIP;
  return solve(bench, problem, program, def);
}

Outcome until(const Bench& bench, const char* scene, const char* program, float threshold,
              ppu_solve_def def) {
  def.threshold = threshold;
  return solve(bench, bench.scenes.get(scene), program, def);
}

Outcome ball(const Bench& bench) {
  return solve(bench, bench.scenes.get("ball_f110"), "boxed", sweeps(5));
}

Outcome ball_engine_order(const Bench& bench) {
  ppu_solve_def def = sweeps(3);
  def.order = PPU_ORDER_ENGINE;
  return solve(bench, bench.scenes.get("ball_f110"), "boxed", def);
}

Outcome ball_colour_order(const Bench& bench) {
  ppu_solve_def def = sweeps(5);
  def.order = PPU_ORDER_COLOUR;
  return solve(bench, bench.scenes.get("ball_f110"), "boxed", def);
}

Outcome ball_pgs(const Bench& bench) {
  return solve(bench, bench.scenes.get("ball_f110"), "pgs", sweeps(5));
}

Outcome ball_threshold(const Bench& bench) {
  return until(bench, "ball_f110", "threshold", 0.01F, sweeps(10));
}

Outcome wall_filter(const Bench& bench) {
  return until(bench, "wall10_f012", "filter", 0.5F, sweeps(6));
}

Outcome ball_filter_streamed(const Bench& bench) {
  return until(bench, "ball_f110", "filter", 0.02F, streamed(sweeps(12)));
}

Outcome topple_filter_literal(const Bench& bench) {
  return until(bench, "topple_f060", "filter-literal", 0.2F, sweeps(6));
}

Outcome ball_impulse_threshold(const Bench& bench) {
  return until(bench, "ball_f110", "impulse-threshold", 0.01F, sweeps(8));
}

Outcome ball_impulse_form(const Bench& bench) {
  ppu_solve_def def = sweeps(8);
  def.threshold = 0.01F;
  return solve_impulse_form(bench, "ball_f110", "impulse-threshold", def);
}

Outcome soft_ragdolls_impulse_form(const Bench& bench) {
  ppu_solve_def def = streamed(sweeps(3));
  def.relaxation = 1.25F;
  return solve_impulse_form(bench, "ragdollcfm_f070", "impulse", def);
}

Outcome ball_nesterov(const Bench& bench) {
  return until(bench, "ball_f110", "nesterov", 0.01F, sweeps(10));
}

Outcome topple_nesterov_streamed(const Bench& bench) {
  return until(bench, "topple_f060", "nesterov", 0.1F, streamed(sweeps(6)));
}

Outcome ragdoll_nesterov(const Bench& bench) {
  return until(bench, "ragdoll_f140", "nesterov", 0.1F, sweeps(6));
}

Outcome wall_reduced(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10_f012"), "reduced", sweeps(2));
}

Outcome wall_reduced_streamed(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10_f012"), "reduced", streamed(sweeps(2)));
}

Outcome ragdoll_classes(const Bench& bench) {
  ppu_solve_def def = sweeps(2);
  def.class_rows[0] = 40;
  def.class_rows[1] = 30;
  def.class_sweeps[0] = 5;
  def.class_sweeps[1] = 3;
  return solve(bench, bench.scenes.get("ragdoll_f140"), "classes", def);
}

ppu_solve_def within(std::uint32_t cycles, ppu_solve_def def) {
  def.budget_cycles = cycles;
  return def;
}

Outcome wall_budget(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10_f012"), "boxed", within(7'001, sweeps(10)));
}

Outcome topple_budget_streamed(const Bench& bench) {
  return solve(bench, bench.scenes.get("topple_f060"), "boxed",
               within(5'003, streamed(sweeps(10))));
}

Outcome wall_budget_filter(const Bench& bench) {
  return until(bench, "wall10_f012", "filter", 0.1F, within(9'001, sweeps(20)));
}

Outcome ball_streamed(const Bench& bench) {
  return solve(bench, bench.scenes.get("ball_f110"), "boxed", streamed(sweeps(5)));
}

Outcome topple(const Bench& bench) {
  return solve(bench, bench.scenes.get("topple_f060"), "boxed", sweeps(3));
}

Outcome topple_streamed(const Bench& bench) {
  return solve(bench, bench.scenes.get("topple_f060"), "boxed", streamed(sweeps(3)));
}

Outcome topple_impulse(const Bench& bench) {
  ppu_solve_def def = sweeps(3);
  def.friction = PPU_FRICTION_SKIP;
  return solve(bench, bench.scenes.get("topple_f060"), "impulse", def);
}

Outcome wall(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10_f012"), "boxed", sweeps(3));
}

Outcome wall_streamed(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10_f012"), "boxed", streamed(sweeps(3)));
}

Outcome falling_wall_threshold(const Bench& bench) {
  return until(bench, "wall10_f040", "threshold", 1e-4F, sweeps(3));
}

Outcome soft_wall_impulse(const Bench& bench) {
  return solve(bench, bench.scenes.get("wall10cfm_f030"), "impulse", sweeps(2));
}

Outcome ragdolls(const Bench& bench) {
  return solve(bench, bench.scenes.get("ragdoll_f140"), "boxed", sweeps(4));
}

Outcome soft_ragdolls_streamed(const Bench& bench) {
  ppu_solve_def def = streamed(sweeps(3));
  def.friction = PPU_FRICTION_SKIP;
  return solve(bench, bench.scenes.get("ragdollcfm_f070"), "boxed", def);
}

Outcome mass_ratios_cold(const Bench& bench) {
  ppu_solve_def def = sweeps(2);
  def.order = PPU_ORDER_ENGINE;
  def.start = PPU_START_COLD;
  def.friction = PPU_FRICTION_SKIP;
  return solve(bench, bench.scenes.get("massratio_f040"), "boxed", def);
}

Outcome tiny_islands(const Bench& bench) {
  return solve(bench, make_islands({60, 1, 3, 1}), "boxed", sweeps(4));
}

Outcome tiny_islands_streamed(const Bench& bench) {
  return solve(bench, make_islands({60, 1, 3, 2}), "threshold", streamed(sweeps(3)));
}

Outcome many_islands(const Bench& bench) {
  return solve(bench, make_islands({40, 5, 60, 3}), "boxed", sweeps(4));
}

Outcome stance(const Bench& bench) {
  return solve(bench, make_stance(), "boxed", sweeps(6));
}

Outcome one_row(const Bench& bench) {
  return solve(bench, make_islands({1, 1, 1, 4}), "boxed", sweeps(3));
}

Outcome no_rows(const Bench& bench) {
  return solve(bench, make_nothing(), "boxed", sweeps(3));
}

}  // namespace

std::vector<Workload> solve_workloads() {
  return {
      {"ball", "a small scene, resident", true, ball},
      {"ball-engine-order", "the same as the engine gave it: bound by chains", false,
       ball_engine_order},
      {"ball-colour-order", "the same, coloured", false, ball_colour_order},
      {"ball-pgs", "the same, program pgs", false, ball_pgs},
      {"ball-threshold", "the same, until a residual: drains every sweep", true, ball_threshold},
      {"ball-streamed", "the same, rows streamed in every sweep", true, ball_streamed},
      {"ball-filter-streamed", "the same over rows of tagged bodies", true, ball_filter_streamed},
      {"ball-impulse-threshold", "until Bullet's residual: quotients", true,
       ball_impulse_threshold},
      {"ball-impulse-form", "the same, rows handed over as Bullet stores them", true,
       ball_impulse_form},
      {"wall-filter", "brick wall, searched for rows of tagged bodies", false, wall_filter},
      {"topple-filter-literal", "reduced rows, filtered as the patent prints it", false,
       topple_filter_literal},
      {"ball-nesterov", "sweeps that lead, and go ahead: a walk over all bodies", true,
       ball_nesterov},
      {"topple-nesterov-streamed", "the same while rows stream", false, topple_nesterov_streamed},
      {"ragdoll-nesterov", "the same on many islands", false, ragdoll_nesterov},
      {"wall-reduced", "reduced rows", false, wall_reduced},
      {"wall-reduced-streamed", "the same, streamed in blocks", false, wall_reduced_streamed},
      {"ragdoll-classes", "three ranges of rows with sweeps of their own", false, ragdoll_classes},
      {"wall-budget", "cut in the middle of a sweep", true, wall_budget},
      {"topple-budget-streamed", "the same while rows stream", false, topple_budget_streamed},
      {"wall-budget-filter", "the same in a filtered sweep", false, wall_budget_filter},
      {"topple", "toppling stacks", false, topple},
      {"topple-streamed", "the same, streamed", false, topple_streamed},
      {"topple-impulse", "the same in Bullet's arithmetic and friction rule", false,
       topple_impulse},
      {"wall", "brick wall", false, wall},
      {"wall-streamed", "the same, streamed", false, wall_streamed},
      {"falling-wall-threshold", "the wall later, until a residual", false, falling_wall_threshold},
      {"soft-wall-impulse", "a wall with compliance, program impulse", false, soft_wall_impulse},
      {"ragdolls", "joints and limits, many islands", false, ragdolls},
      {"soft-ragdolls-streamed", "the same with compliance, streamed, friction skipped", false,
       soft_ragdolls_streamed},
      {"soft-ragdolls-impulse-form", "the same as Bullet stores them, over-relaxed", false,
       soft_ragdolls_impulse_form},
      {"mass-ratios-cold", "1000:1, engine order, cold start", false, mass_ratios_cold},
      {"tiny-islands", "60 islands of one to three rows", true, tiny_islands},
      {"tiny-islands-streamed", "the same, streamed, until a residual", false,
       tiny_islands_streamed},
      {"many-islands", "40 islands of 5 to 60 rows, spread over the engines", false, many_islands},
      {"stance", "a robot on four legs: joints and contacts of 24 rows", true, stance},
      {"one-row", "a single row", true, one_row},
      {"no-rows", "an empty problem", true, no_rows},
      {"link-bound", "toppling stacks over conventional PCI", false, topple, "+pci"},
      {"link-slow-queue",
       "a small scene, one request on the link at a time",
       false,
       ball,
       "",
       {"link_queue=1", "link_latency_ns=2000"}},
      {"memory-bound",
       "streamed rows from 8-bit memory",
       false,
       topple_streamed,
       "",
       {"dram_bus_bits=8", "dram_mega_transfers=400", "dram_banks=2"}},
      {"memory-p1", "streamed rows from the P1's GDDR3", false, wall_streamed, "+p1_gddr3"},
      {"memory-slow-queue",
       "streamed rows, one request in the controller at a time",
       false,
       ball_streamed,
       "",
       {"dram_queue=1"}},
      {"memory-refresh",
       "streamed rows, memory refreshes half of the time",
       false,
       ball_streamed,
       "",
       {"dram_refresh_interval_ns=1000", "dram_refresh_ns=500"}},
      {"back-pressure",
       "streamed rows, memory refuses at random",
       true,
       ball_streamed,
       "",
       {"dram_stall_percent=30"}},
      {"back-pressure-wall",
       "streamed wall, memory refuses most of the time at random",
       false,
       wall_streamed,
       "",
       {"dram_stall_percent=70"}},
      {"clock-slow",
       "resident wall, slow clock: memory and link look fast",
       false,
       wall,
       "",
       {"clock_mhz=25"}},
      {"clock-fast",
       "streamed stacks, fast clock: memory and link look slow",
       false,
       topple_streamed,
       "",
       {"clock_mhz=1000"}},
  };
}

}  // namespace ppu::sim
