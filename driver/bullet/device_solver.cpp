// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Choosing a program, solving, and deciding what Bullet does next.
#include "driver/bullet/device_solver.hpp"

#include <limits>
#include <string>

#include "driver/bullet/refusal.hpp"
#include "driver/bullet/report.hpp"

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

/// a1 sweeps over `ranges`; rows of the kernel "quiet" do not count in the residual, and those with
/// a parent follow it to 0. With `testing` it stops as impulse-threshold.s does.
std::string sweeps_over(const std::string& set_up, const std::string& ranges, bool testing) {
  const char* const resid = testing ? "resid dx, r.d" : "";
  const std::string test =
      testing ? " beq t0, a1, last\n bmax a2, sweep\nlast: rdmax t1\n" : " bltu t0, a1, sweep\n";
  return " li t0, 0\n beq a1, zero, done\n" + set_up + "sweep:\n" + ranges + " addi t0, t0, 1\n" +
         test + "done: wait\n signal t0\n halt\n" + kernel("row", "skip r.xp", resid) +
         kernel("quiet", "", "");
}

/// Three classes of rows, the first a4, the next a6, which are quiet, and the rest.
///   rolling friction: joints, contacts and friction; caps; rolling rows
///   joints without effective mass: none; rows that Bullet's residual forgets; the others
std::string classes(bool testing) {
  return sweeps_over(" add t2, a4, a6\n sub t3, a0, t2\n",
                     " kernel row\n rows zero, a4\n kernel quiet\n rows a4, a6\n"
                     " kernel row\n rows t2, t3\n",
                     testing);
}

/// Both at once: the first a4 rows are forgotten, the last a6 are rolling, before them their a6
/// caps. The driver knows of fewer classes, so the rows come in Bullet's order.
std::string four_ranges() {
  return sweeps_over(" sub t4, a0, a6\n sub t2, t4, a6\n sub t3, t2, a4\n",
                     " kernel quiet\n rows zero, a4\n kernel row\n rows a4, t3\n"
                     " kernel quiet\n rows t2, a6\n kernel row\n rows t4, a6\n",
                     true);
}

/// True if a row without effective mass stays as it is, whatever its bodies do. One that does not,
/// as where its bounds exclude 0, has an infinite residual.
bool rests(const btSolverConstraint& row) {
  const btScalar x = row.m_appliedImpulse;
  const btScalar delta = row.m_rhs - x * row.m_cfm;
  if (x + delta < row.m_lowerLimit) return x == row.m_lowerLimit;
  if (x + delta > row.m_upperLimit) return x == row.m_upperLimit;
  return delta == 0;
}

}  // namespace

ppu_program DeviceSolver::program(Kind kind) {
  auto& owner = programs_[kind];
  if (!owner) {
    ppu_program made;
    if (kind == kPlain || kind == kTesting) {
      check(ppu_program_load(device_, kind == kTesting ? "impulse-threshold" : "impulse", &made));
    } else {
      const std::string text = kind == kRanges ? four_ranges() : classes(kind == kClassesTesting);
      check(ppu_program_assemble(device_, "bullet-classes", text.c_str(), &made));
    }
    owner.emplace(made);
  }
  return owner->get();
}

ppu_solve_def DeviceSolver::def_of(std::uint32_t forgotten, std::uint32_t iterations,
                                   const StopRule& rule) {
  ppu_solve_def def = ppu_default_solve_def();
  def.order = order_;
  def.early = true;
  const auto set_classes = [&](Kind kind, std::uint32_t first, std::uint32_t second) {
    def.program = program(kind);
    def.class_rows[0] = first;
    def.class_rows[1] = second;
  };
  if (forgotten > 0 && rows_.caps() > 0) {
    set_classes(kRanges, forgotten, rows_.caps());
    def.order = PPU_ORDER_ENGINE;
  } else if (forgotten > 0) {
    set_classes(kClassesTesting, 0, forgotten);
  } else if (rows_.caps() > 0) {
    set_classes(rule.tests() ? kClassesTesting : kClasses, rows_.plain(), rows_.caps());
  } else {
    def.program = program(rule.tests() ? kTesting : kPlain);
  }
  def.max_sweeps = iterations;
  def.friction = PPU_FRICTION_SKIP;
  if (rule.tests()) def.threshold = rule.threshold();
  return def;
}

BulletLimits DeviceSolver::limits() const {
  ppu_device_info info;
  check(ppu_device_get_info(device_, &info));
  return {info.impulse_memory_rows, info.body_memory_bodies};
}

bool DeviceSolver::fits(const Pools& pools) const {
  const BulletLimits at_once = limits();
  return ImpulseRows::most_rows(pools) <= at_once.rows &&
         static_cast<std::uint32_t>(pools.bodies.size()) <= at_once.bodies;
}

DeviceSolver::Begun DeviceSolver::begin(std::uint32_t most, const StopRule& rule,
                                        const GroupResult* group) {
  // Bullet's residual of a row without effective mass (d = 0) is 0 * (1 / 0), not a number, and the
  // next row's takes its place in the maximum. Where the last row has no residual, or one has an
  // infinite one, Bullet goes on.
  std::uint32_t forgotten = rule.tests() ? rows_.up_to_massless() : 0;
  bool goes_on = !rule.tests() || forgotten == rows_.visits();
  float unknown = std::numeric_limits<float>::quiet_NaN();
  if (!goes_on && forgotten > 0) {
    if (forgotten > rows_.joints()) refuse_forgotten(forgotten - 1);
    if (!rests(rows_.visit(forgotten - 1))) {
      most = 1;
      goes_on = true;
      unknown = std::numeric_limits<float>::infinity();
    }
  }
  if (goes_on) forgotten = 0;
  Begun begun{goes_on ? StopRule::never() : rule, {}, false, {}};
  if (goes_on) begun.unknown = unknown;

  rows_.add_caps(forgotten > 0);
  begun.classes = forgotten > 0 || rows_.caps() > 0;
  ppu_solve_def def = def_of(forgotten, most, begun.rule);
  if (group->profile && group->profile->keeps_cycles()) {
    begun.cycles.resize(rows_.rows());
    def.profile = begun.cycles.data();
  }
  rows_.records().start(rows_.rows(), def);
  return begun;
}

Iterated DeviceSolver::end(const Begun& begun, GroupResult* group) {
  const ppu_solve_report solved = rows_.records().finish();
  group->report += report_of(solved);
  if (group->profile) group->profile->add(rows_, begun.classes, solved.runs, begun.cycles);
  driver::Stopwatch stopwatch;
  rows_.write_back();
  group->report.write_back_seconds += stopwatch.lap();
  group->report.row_updates += std::uint64_t{solved.sweeps} * rows_.visits();
  if (begun.unknown) return {solved.sweeps, *begun.unknown, false};
  return {solved.sweeps, solved.run.last_residual, begun.rule.stops(solved.run.last_residual)};
}

}  // namespace bullet
}  // namespace ppu
