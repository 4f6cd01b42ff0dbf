// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checks of what a solve asks for.
#include "driver/solve/solve_checks.hpp"

#include <cmath>

#include "driver/base/failure.hpp"

namespace ppu::driver {
namespace {

void check_def(const ppu_solve_def& def) {
  if (!std::isfinite(def.threshold) || def.threshold < 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "threshold is ", def.threshold,
         ", expected a finite number >= 0");
  if (!std::isfinite(def.mark_threshold) || def.mark_threshold < 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "mark_threshold is ", def.mark_threshold,
         ", expected a finite number >= 0");
  if (!(def.relaxation > 0 && def.relaxation < 2))
    fail(PPU_ERROR_INVALID_ARGUMENT, "relaxation is ", def.relaxation,
         ", expected more than 0 and less than 2");
  if (def.friction != PPU_FRICTION_CLAMP && def.friction != PPU_FRICTION_SKIP)
    fail(PPU_ERROR_INVALID_ARGUMENT, "friction is ", static_cast<int>(def.friction),
         ", expected a ppu_friction_rule");
  if (def.start != PPU_START_WARM && def.start != PPU_START_COLD)
    fail(PPU_ERROR_INVALID_ARGUMENT, "start is ", static_cast<int>(def.start),
         ", expected a ppu_start");
}

void check_forms(const Program& program, const ppu_problem& problem) {
  if (problem.impulse_form && program.rate_form)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "problem->impulse_form is set, but the program has kernels of the rate form; expected ",
         "one of the impulse form, as 'impulse'");
  if (program.rate_form && program.impulse_form)
    fail(PPU_ERROR_PROGRAM,
         "the program has kernels of the rate form and of the impulse form, which want b and cfm ",
         "scaled differently; ppu_solve takes programs of one form");
}

bool has_classes(const ppu_solve_def& def) {
  return def.class_rows[0] > 0 || def.class_rows[1] > 0 || def.class_sweeps[0] > 0 ||
         def.class_sweeps[1] > 0;
}

/// True if both the sweeps of a class and the threshold are asked for: they are in one register.
bool sweeps_stand_for(const Program& program, const ppu_solve_def& def) {
  if (!program.reads_residual) return def.threshold > 0;
  return def.class_sweeps[0] > 0 || def.class_sweeps[1] > 0;
}

void check_classes(const Program& program, const ppu_problem& problem, const ppu_solve_def& def) {
  if (has_classes(def) && !program.takes_classes)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "def->class_rows or class_sweeps is set, but the program has no `rows` that begins at "
         "row a4; expected one as the program 'classes', or 0");
  if (program.takes_classes && (def.mark_threshold > 0 || sweeps_stand_for(program, def)))
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "the program takes classes, which stand in the registers of the thresholds; expected ",
         program.reads_residual ? "class_sweeps" : "threshold", " and mark_threshold 0");
  if (std::uint64_t{def.class_rows[0]} + def.class_rows[1] > problem.row_count)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->class_rows is ", def.class_rows[0], " and ",
         def.class_rows[1], ", but the problem has ", problem.row_count, " rows");
}

void check_budget(const Device& device, const Program& program, std::uint32_t cycles) {
  if (cycles == 0) return;
  device.require_time("def->budget_cycles");
  if (!program.takes_budget)
    fail(PPU_ERROR_INVALID_ARGUMENT, "def->budget_cycles is ", cycles,
         ", but the program has no `budget`; expected 0");
}

void check_friction(const Program& program, const ppu_solve_def& def) {
  if (def.friction == PPU_FRICTION_SKIP && program.cones && !program.skips)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "def->friction is PPU_FRICTION_SKIP, but the program has no kernel with `skip`; expected ",
         "PPU_FRICTION_CLAMP");
}

}  // namespace

void check_solve(const Device& device, const Program& program, const ppu_problem& problem,
                 const ppu_solve_def& def) {
  check_def(def);
  if (def.profile != nullptr) device.require_profiles("def->profile");
  check_friction(program, def);
  check_budget(device, program, def.budget_cycles);
  check_classes(program, problem, def);
  check_forms(program, problem);
}

}  // namespace ppu::driver
