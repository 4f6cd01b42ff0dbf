// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity workloads of sweeps that overlap where rows issue when their bodies come free, and of what
// keeps them apart. Where rows issue in slot order they are the same sweeps, one after the other.
#include <deque>

#include "base/bits/float_bits.hpp"
#include "sim/parity/parity_job.hpp"
#include "sim/parity/parity_problems.hpp"
#include "sim/parity/parity_workloads.hpp"

namespace ppu::sim {
namespace {

/// Rows in the problem's own order.
ParityBuffers as_given(const Bench& bench, const model::RowProblem& problem,
                       const RowLayout& layout = {}) {
  const auto bodies = static_cast<std::uint32_t>(problem.bodies()) * layout.body_stride;
  return {bench.device, device_rows(problem, layout), bodies};
}

/// A run of each of `arguments` in argument `which`, one after the other.
Outcome runs_with(const Bench& bench, const char* program, const ParityBuffers& memory,
                  std::uint32_t sweeps, spec::Argument which,
                  const std::vector<std::uint32_t>& arguments) {
  const Program loaded = Program::load(bench.device, program);
  RecordedJob job(bench.device);
  memory.upload(job.commands());
  for (const std::uint32_t argument : arguments) {
    job.commands().barrier();
    ppu_run_def def = memory.run(loaded, sweeps);
    def.arguments[static_cast<std::size_t>(which)] = argument;
    job.run(def);
  }
  return finish(&job, memory.results());
}

constexpr spec::Argument kFriction = spec::Argument::kFrictionRule;

/// Short chains finish their sweeps long before the longest one.
Outcome sweeps_overlap(const Bench& bench) {
  return runs_with(bench, "boxed", as_given(bench, make_islands({12, 4, 90, 11})), 5, kFriction,
                   {0, 1});
}

/// More rows are ready than the windows hold.
Outcome full_windows(const Bench& bench) {
  return runs_with(bench, "pgs", as_given(bench, make_islands({150, 1, 3, 12})), 4, kFriction, {0});
}

/// All bodies lie in two banks, so that rows look for one behind the first that fits.
Outcome look_ahead(const Bench& bench) {
  RowLayout layout;
  layout.body_stride = bench.device.info().velocity_banks / 2;
  return runs_with(bench, "boxed", as_given(bench, make_islands({12, 5, 20, 13}), layout), 5,
                   kFriction, {0, 1});
}

/// Residuals are tested after each sweep: no row, some rows or all are above.
Outcome tested_sweeps(const Bench& bench) {
  RowLayout layout;
  layout.impulse_form = true;
  return runs_with(
      bench, "impulse-threshold", as_given(bench, make_islands({8, 3, 60, 14}), layout), 6,
      spec::Argument::kThreshold, {bits_of(0.0F), bits_of(1e-3F), bits_of(0.1F), bits_of(1e9F)});
}

/// The budget ends two sweeps that overlap.
Outcome cut_overlap(const Bench& bench) {
  return runs_with(bench, "boxed", as_given(bench, make_islands({20, 4, 60, 15})), 9,
                   spec::Argument::kBudgetCycles, {1, 40, 333, 1234, 2500});
}

/// Passes over parts that go around the rows, and passes that begin elsewhere.
Outcome parts_of_a_ring(const Bench& bench) {
  const Program program = Program::assemble(bench.device, "parts.s", R"(
        kernel  move
        li      t2, 7
        sub     t3, a0, t2
again:  rows    zero, t2
        rows    t2, t3
        addi    t0, t0, 1
        bltu    t0, a1, again
        rows    t2, t2
        rows    zero, a0
        rows    zero, a0
        halt

.kernel move
        ldrow   r
        ldvel   v, r.ia, r.ib
        soft    b, r.b, r.cfm, r.x
        cone    lo, hi, r.mu, r.xp
        dot     u, r.J, v, b
        step    t, r.x, r.d, u
        med     x, lo, t, hi
        sub     dx, x, r.x
        axpy    v, dx, r.JM
        stvel   v, r.ia, r.ib
        stimp   x
.end
)");
  const ParityBuffers memory = as_given(bench, make_islands({6, 5, 40, 16}));
  RecordedJob job(bench.device);
  memory.upload(job.commands());
  job.commands().barrier();
  job.run(memory.run(program, 5));
  return finish(&job, memory.results());
}

}  // namespace

std::vector<Workload> overlap_workloads() {
  return {
      {"sweeps-overlap", "chains of all lengths side by side", true, sweeps_overlap},
      {"full-windows", "more rows are ready than may be looked at", false, full_windows},
      {"look-ahead", "rows behind others that wait for a bank", true, look_ahead},
      {"tested-sweeps", "a test of the residual after each sweep", true, tested_sweeps},
      {"cut-overlap", "budgets that end sweeps that overlap", false, cut_overlap},
      {"parts-of-a-ring", "passes over parts, in a ring and out of it", false, parts_of_a_ring},
  };
}

}  // namespace ppu::sim
