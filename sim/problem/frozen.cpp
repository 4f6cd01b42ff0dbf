// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems whose friction bounds stand still.
#include "sim/problem/frozen.hpp"

#include "model/reference/reference.hpp"
#include "sim/base/cli_error.hpp"

namespace ppu::sim {

model::RowProblem frozen(const model::RowProblem& problem, const std::string& name) {
  if (problem.reference) return model::freeze_friction(problem, problem.reference->impulse);
  if (problem.solution) return model::freeze_friction(problem, problem.solution->impulse);
  throw CliError(kExitUsage, name +
                                 ": --frozen needs impulses to freeze friction at, expected "
                                 "/reference or /solution (ppu solve --output writes one)");
}

}  // namespace ppu::sim
