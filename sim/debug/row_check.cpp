// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "sim/debug/row_check.hpp"

#include "model/reference/exact_row.hpp"
#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/debug/debug_walk.hpp"

namespace ppu::sim {
namespace {

using At = hw::SteppingEngine::At;

void check_run(const WalkedRun& run, RowCheck* check) {
  hw::SteppingEngine& engine = run.engine();
  for (; engine.at() != At::kEnd; engine.step()) {
    if (engine.at() != At::kRow) continue;
    const std::uint32_t slot = engine.state().pass.next;
    const model::RowDeviation found = model::deviation_of(
        engine.state().pass.kernel.control, engine.operands(slot), engine.result(slot));
    ++check->updates;
    if (found.share <= check->share) continue;
    check->share = found.share;
    check->worst = std::string(found.value) + " of row " + std::to_string(run.row_of(slot)) +
                   " in pass " + std::to_string(engine.state().passes);
  }
}

}  // namespace

RowCheck check_rows(const model::RowProblem& problem, const Options& options,
                    const SolveResult& result) {
  const Progress progress("checks the rows of " + options.problem);
  Options same = options;
  // A budget ends a run in a cycle; else the bits do not depend on time.
  same.backend = options.budget_us ? "systemc" : "functional";
  same.trace.clear();
  same.wave.clear();
  same.wave_scope.clear();
  same.wave_window.clear();
  same.wave_row.clear();
  const Walk walk(solve_for_debugger(problem, same));
  RowCheck check;
  if (!walk.differences().empty())
    check.missing = "they cannot be followed: " + walk.differences().front();
  else if (walk.device().solve.state_hash != result.state_hash)
    check.missing = "they come to state hash " + hex64(walk.device().solve.state_hash) +
                    " where back end " + options.backend + " comes to " + hex64(result.state_hash);
  for (std::size_t run = 0; check.missing.empty() && run < walk.runs(); ++run)
    check_run(walk.run(run), &check);
  return check;
}

}  // namespace ppu::sim
