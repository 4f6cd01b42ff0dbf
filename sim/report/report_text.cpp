// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve.
#include "sim/report/report_text.hpp"

#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/reference_check.hpp"

namespace ppu::sim {
namespace {

std::string threshold_in_words(const Options& options, const SolveResult& result) {
  return scientific(static_cast<double>(*result.threshold)) +
         (options.threshold ? "" : ", as none was given,") +
         (*converged(result) ? " reached" : " NOT reached") + ": last residual " +
         scientific(static_cast<double>(result.report.run.last_residual)) + " after " +
         counted(result.report.sweeps, "sweep") +
         (stops_above(result) ? "; by the program's own test only: the true residual is " +
                                    scientific(result.report.max_residual)
                              : "");
}

std::string budget_in_words(const Options& options, const SolveResult& result) {
  return fixed(*options.budget_us, 3) + " µs = " + counted(result.budget_cycles, "cycle") +
         (result.report.late ? ": SPENT after " : ": enough for ") +
         counted(result.counter(PPU_COUNTER_ROW_UPDATES), "row update") + " and " +
         counted(result.report.sweeps, "whole sweep") + ", true residual " +
         scientific(result.report.max_residual);
}

std::string reference_in_words(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result) {
  const std::string other = other_question(problem, options, result);
  if (!other.empty()) return "-: the engine's answer is for " + other;
  return scientific(error_against_engine(problem, options, result)) + " of max|x|";
}

}  // namespace

std::string summary(const model::RowProblem& problem, const Options& options,
                    const SolveResult& result) {
  const bool timed = result.timed();
  Table table({"problem", options.problem});
  table.add({"back end", options.backend + ", config " + options.config + " " +
                             hex64(result.device.config_hash)});
  table.add({"device", device_in_words(result.device)});
  table.add({"program", options.program + ", order " + options.order + ", friction " +
                            options.friction + ", start " + options.start});
  if (options.relaxation != 1) table.add({"relaxation", fixed(double{options.relaxation}, 3)});
  if (!options.sweeps_of.empty()) table.add({"sweeps of", options.sweeps_of});
  table.add({"rows", grouped(problem.rows())});
  table.add({"bodies", grouped(problem.bodies())});
  table.add({"sweeps", grouped(result.report.sweeps)});
  if (result.threshold) table.add({"threshold", threshold_in_words(options, result)});
  if (options.budget_us) table.add({"budget", budget_in_words(options, result)});
  table.add({"cycles", timed ? grouped(result.counter(PPU_COUNTER_CYCLES)) : "-"});
  if (timed && result.report.runs > 1)
    table.add({"engine cycles", grouped(result.report.engine_cycles) + ": those of " +
                                    grouped(result.report.runs) + " runs, summed"});
  table.add({"rows/cycle", fixed(result.rows_per_cycle(), 4)});
  table.add({"cycles/row", fixed(result.cycles_per_row(), 3)});
  table.add({"flops/row", fixed(result.flops_per_row(), 2)});
  table.add({"bytes/row", fixed(result.bytes_per_row(), 1)});
  table.add({"max residual", scientific(result.report.max_residual)});
  if (problem.reference)
    table.add({"reference error", reference_in_words(problem, options, result)});
  table.add({"state hash", hex64(result.state_hash)});
  table.add({"host seconds", fixed(result.wall_seconds, 3)});
  table.add({"stalls", timed ? stall_line(result) : "-"});
  table.add({"frame cycles", timed ? cost_line(result) : "-"});
  return table.str();
}

}  // namespace ppu::sim
