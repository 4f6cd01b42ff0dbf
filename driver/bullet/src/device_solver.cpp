// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Choosing a program, solving, and deciding what Bullet does next.
#include "device_solver.hpp"

#include <algorithm>
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

/// a1 sweeps over three classes of rows, the first a4, the next a6 and the rest. The second class
/// has a kernel of its own: its rows do not count in the residual, and those with a parent follow
/// it to 0. With `testing` it stops as impulse-threshold.s does.
///   rolling friction: joints, contacts and friction; caps; rolling rows
///   joints without effective mass: none; rows that Bullet's residual forgets; the others
std::string class_program(bool testing) {
  const char* const resid = testing ? "resid dx, r.d" : "";
  const std::string test = testing ? " rdmax t1\n bgeu a2, t1, done\n" : "";
  return " li t0, 0\n beq a1, zero, done\n add t2, a4, a6\n sub t3, a0, t2\n"
         "sweep: kernel row\n rows zero, a4\n kernel quiet\n rows a4, a6\n kernel row\n rows t2, "
         "t3\n"
         " addi t0, t0, 1\n" +
         test + " bltu t0, a1, sweep\ndone: wait\n signal t0\n halt\n" +
         kernel("row", "skip r.xp", resid) + kernel("quiet", "", "");
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
  for (std::size_t i = 0; i < report->device_counters.size(); ++i)
    report->device_counters[i] += solved.device_counters[i];
}

/// Rows up to and with the last one without effective mass (d = 0). Bullet's residual of such a row
/// is 0 * (1 / 0), not a number, and the next row's takes its place in the maximum.
std::uint32_t rows_forgotten(const std::vector<Visit>& visits) {
  std::size_t rows = visits.size();
  while (rows > 0 && visits[rows - 1].row->m_jacDiagABInv != 0) --rows;
  return static_cast<std::uint32_t>(rows);
}

/// True if a program can leave the first `forgotten` rows out of the residual: they are joints, and
/// the last of them, whose d is 0, never changes.
bool can_forget(const std::vector<Visit>& visits, std::uint32_t forgotten) {
  const Visit& last = visits[forgotten - 1];
  const btSolverConstraint& row = *last.row;
  const bool still =
      row.m_rhs == 0 && row.m_appliedImpulse == 0 && row.m_lowerLimit <= 0 && row.m_upperLimit >= 0;
  return last.kind == RowKind::kJoint && still && visits.back().kind != RowKind::kRolling;
}

}  // namespace

ppu_program DeviceSolver::program(Kind kind) {
  auto& owner = programs_[kind];
  if (!owner) {
    ppu_program made;
    const bool testing = kind == kTesting || kind == kClassesTesting;
    if (kind == kPlain || kind == kTesting) {
      check(ppu_program_load(device_, testing ? "impulse-threshold" : "impulse", &made));
    } else {
      check(ppu_program_assemble(device_, testing ? "classes-threshold" : "classes",
                                 class_program(testing).c_str(), &made));
    }
    owner.emplace(made);
  }
  return owner->get();
}

ppu_solve_report DeviceSolver::solve(ImpulseRows* rows, const Classes& classes,
                                     std::uint32_t iterations, const StopRule& rule,
                                     std::vector<ppu_row_profile>* cycles) {
  ppu_solve_def def = ppu_default_solve_def();
  if (classes[1] > 0) {
    def.program = program(rule.tests() ? kClassesTesting : kClasses);
    std::copy(classes.begin(), classes.end(), def.class_rows);
  } else {
    def.program = program(rule.tests() ? kTesting : kPlain);
  }
  def.max_sweeps = iterations;
  def.friction = PPU_FRICTION_SKIP;
  if (rule.tests()) def.threshold = rule.device_threshold();
  const ppu_problem problem = rows->view();
  if (cycles != nullptr) {
    cycles->resize(problem.row_count);
    def.profile = cycles->data();
  }
  ppu_solve_report report{};
  report.run.status = PPU_RUN_RUNNING;
  report.run.fault_row = report.fault_row = PPU_NONE;
  const ppu_result result =
      ppu_solve(device_, &problem, &def, rows->impulse_answer(), rows->velocity_answer(), &report);
  if (result != PPU_OK) throw SolveError(result, ppu_last_error(), report);
  return report;
}

Iterated DeviceSolver::iterate(const Pools& pools, const std::vector<Visit>& visits, Bank bank,
                               const Limit& limit, const StopRule& rule, GroupResult* group) {
  using Verdict = StopRule::Verdict;
  if (visits.empty()) {
    // Nothing changes, and the residual of nothing is 0, less than any R.
    if (rule.tests()) return {1, 0, Verdict::kStops};
    return {limit.iterations, 0, Verdict::kGoesOn};
  }
  // Where the residual of the last row is none Bullet never stops.
  const std::uint32_t forgotten = rows_forgotten(visits);
  const bool single = limit.last && limit.iterations == 1;
  const bool endless = single || forgotten == visits.size();
  const StopRule& asked = endless ? StopRule::never() : rule;
  const bool forgets = asked.tests() && forgotten > 0;
  if (forgets && !can_forget(visits, forgotten)) return {0, 0, Verdict::kUndecided};

  ImpulseRows rows(pools, visits, bank);
  const Classes classes = forgets ? Classes{0, forgotten} : rows.classes();
  const bool keeps_cycles = group->profile && group->profile->keeps_cycles();
  std::vector<ppu_row_profile> cycles;
  const ppu_solve_report solved =
      solve(&rows, classes, limit.iterations, asked, keeps_cycles ? &cycles : nullptr);
  add(solved, &group->report);
  if (group->profile) group->profile->add(visits, rows, classes[1] > 0, solved.runs, cycles);
  Iterated done{solved.sweeps, solved.run.last_residual, asked.judge(solved.run.last_residual)};
  if (limit.last && done.iterations == limit.iterations) done.verdict = Verdict::kStops;
  if (done.verdict == Verdict::kUndecided) return done;
  rows.write_back();
  group->report.sweeps += done.iterations;
  group->report.row_updates += std::uint64_t{done.iterations} * visits.size();
  return done;
}

}  // namespace bullet
}  // namespace ppu
