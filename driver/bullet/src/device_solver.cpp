// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solving rows of one kind of program.
#include "device_solver.hpp"

#include <string>

namespace ppu {
namespace bullet {
namespace {

/// Bullet's update of a row (firmware/programs/impulse.s) under the name `name`; `skip` and `resid`
/// are operations, or empty.
std::string kernel(const std::string& name, const char* skip, const char* resid) {
  return ".kernel " + name + "\n ldrow r\n ldvel dv, r.ia, r.ib\n " + skip +
         "\n relax c, r.b, r.cfm, r.x\n dotp q, r.J, dv\n corr delta, c, r.d, q\n"
         " acc sum, r.x, delta\n cone lo, hi, r.mu, r.xp\n limit x, dx, lo, sum, hi, delta\n " +
         resid + "\n axpy dv, dx, r.JM\n stvel dv, r.ia, r.ib\n stimp x\n.end\n";
}

/// a1 sweeps over three classes of rows, the first a4, the next a6 and the rest: joints, contacts
/// and friction; caps, which must follow their contacts to 0, do not count in the residual and so
/// have a kernel of their own; rolling rows. With `testing` it stops as impulse-threshold.s does.
std::string rolling_program(bool testing) {
  const char* const resid = testing ? "resid dx, r.d" : "";
  const std::string test = testing ? " rdmax t1\n bgeu a2, t1, done\n" : "";
  return " li t0, 0\n beq a1, zero, done\n add t2, a4, a6\n sub t3, a0, t2\n"
         "sweep: kernel row\n rows zero, a4\n kernel cap\n rows a4, a6\n kernel row\n rows t2, t3\n"
         " addi t0, t0, 1\n" +
         test + " bltu t0, a1, sweep\ndone: wait\n signal t0\n halt\n" +
         kernel("row", "skip r.xp", resid) + kernel("cap", "", "");
}

void add(const ppu_solve_report& solved, BulletReport* report) {
  ++report->solves;
  report->runs += solved.runs;
  report->engine_cycles += solved.engine_cycles;
  report->upload_cycles += solved.upload_cycles;
  report->run_cycles += solved.run_cycles;
  report->download_cycles += solved.download_cycles;
  report->device_cycles += solved.device_cycles;
  report->schedule_seconds += solved.schedule_seconds;
  report->transfer_seconds += solved.transfer_seconds;
  report->device_seconds += solved.device_seconds;
  for (std::size_t i = 0; i < report->counters.size(); ++i)
    report->counters[i] += solved.run.counters[i];
}

/// Rows up to and with the last one without effective mass (d = 0). Bullet's residual of such a row
/// is 0 * (1 / 0), not a number, and the next row's takes its place in the maximum.
std::size_t rows_forgotten(const std::vector<Visit>& visits) {
  std::size_t rows = visits.size();
  while (rows > 0 && visits[rows - 1].row->m_jacDiagABInv != 0) --rows;
  return rows;
}

}  // namespace

ppu_program DeviceSolver::program(Kind kind) {
  auto& owner = programs_[kind];
  if (!owner) {
    ppu_program made;
    const bool testing = kind == kTesting || kind == kRollingTesting;
    if (kind == kPlain || kind == kTesting) {
      check(ppu_program_load(device_, testing ? "impulse-threshold" : "impulse", &made));
    } else {
      check(ppu_program_assemble(device_, testing ? "rolling-threshold" : "rolling",
                                 rolling_program(testing).c_str(), &made));
    }
    owner.emplace(made);
  }
  return owner->get();
}

ppu_solve_report DeviceSolver::solve(ImpulseRows* rows, std::uint32_t iterations,
                                     const StopRule& rule) {
  ppu_solve_def def = ppu_default_solve_def();
  if (rows->rolls()) {
    def.program = program(rule.tests() ? kRollingTesting : kRolling);
    for (std::size_t i = 0; i < 2; ++i) def.class_rows[i] = rows->classes()[i];
  } else {
    def.program = program(rule.tests() ? kTesting : kPlain);
  }
  def.max_sweeps = iterations;
  def.friction = PPU_FRICTION_SKIP;
  if (rule.tests()) def.threshold = rule.device_threshold();
  const ppu_problem problem = rows->view();
  ppu_solve_report report{};
  report.run.status = PPU_RUN_RUNNING;
  report.run.fault_row = report.fault_row = PPU_NONE;
  const ppu_result result =
      ppu_solve(device_, &problem, &def, rows->impulse_answer(), rows->velocity_answer(), &report);
  if (result != PPU_OK) throw SolveError(result, ppu_last_error(), report);
  return report;
}

Iterated DeviceSolver::iterate(const Pools& pools, const std::vector<Visit>& visits, Bank bank,
                               const Limit& limit, const StopRule& rule, BulletReport* report) {
  using Verdict = StopRule::Verdict;
  if (visits.empty()) {
    // Nothing changes, and the residual of nothing is 0, less than any R.
    if (rule.tests()) return {1, 0, Verdict::kStops};
    return {limit.iterations, 0, Verdict::kGoesOn};
  }
  const bool single = limit.last && limit.iterations == 1;
  const std::size_t forgotten = rule.tests() && !single ? rows_forgotten(visits) : 0;
  if (forgotten > 0 && forgotten < visits.size()) return {0, 0, Verdict::kUndecided};
  // Where the last row is without a residual Bullet never stops.
  const StopRule& asked = single || forgotten > 0 ? StopRule::never() : rule;

  ImpulseRows rows(pools, visits, bank);
  const ppu_solve_report solved = solve(&rows, limit.iterations, asked);
  add(solved, report);
  Iterated done{solved.sweeps, solved.run.last_residual, asked.judge(solved.run.last_residual)};
  if (limit.last && done.iterations == limit.iterations) done.verdict = Verdict::kStops;
  if (done.verdict == Verdict::kUndecided) return done;
  rows.write_back();
  report->sweeps += done.iterations;
  report->row_updates += std::uint64_t{done.iterations} * visits.size();
  return done;
}

}  // namespace bullet
}  // namespace ppu
