// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve.
#include "sim/report/report_text.hpp"

#include "sim/base/text.hpp"
#include "sim/base/words.hpp"
#include "sim/measure/frame_cost.hpp"
#include "sim/measure/measures.hpp"
#include "sim/problem/problem.hpp"
#include "sim/report/reference_check.hpp"

namespace ppu::sim {
namespace {

std::string threshold_in_words(const Options& options, const Run& run) {
  return scientific(static_cast<double>(*run.threshold)) +
         (options.threshold ? "" : ", as none was given,") +
         (*converged(run) ? " reached" : " NOT reached") + ": last residual " +
         scientific(static_cast<double>(run.report.run.last_residual)) + " after " +
         counted(run.report.sweeps, "sweep") +
         (stops_above(run) ? "; by the program's own test only: the true residual is " +
                                 scientific(run.report.max_residual)
                           : "");
}

std::string budget_in_words(const Options& options, const Run& run) {
  return fixed(*options.budget_us, 3) + " µs = " + counted(run.budget_cycles, "cycle") +
         (run.report.late ? ": SPENT after " : ": enough for ") +
         counted(run.counter(PPU_COUNTER_ROW_UPDATES), "row update") + " and " +
         counted(run.report.sweeps, "whole sweep") + ", true residual " +
         scientific(run.report.max_residual);
}

std::string reference_in_words(const model::RowProblem& problem, const Options& options,
                               const Run& run) {
  const std::string other = other_question(problem, options, run);
  if (!other.empty()) return "-: the engine's answer is for " + other;
  return scientific(error_against_engine(problem, options, run)) + " of max|x|";
}

}  // namespace

std::string device_in_words(const ppu_device_info& device) {
  return counted(device.engines, "engine") + " x " + counted(device.pipes, "pipe") + " x " +
         counted(device.lanes, "lane") + ", " + counted(device.velocity_banks, "velocity bank") +
         ", body latency " + counted(device.body_latency_cycles, "cycle");
}

std::string summary(const model::RowProblem& problem, const Options& options, const Run& run) {
  const bool timed = run.timed();
  Table table({"problem", options.problem});
  table.add({"back end",
             options.backend + ", config " + options.config + " " + hex64(run.device.config_hash)});
  table.add({"device", device_in_words(run.device)});
  table.add({"program", options.program + ", order " + options.order + ", friction " +
                            options.friction + ", start " + options.start});
  if (options.relaxation != 1) table.add({"relaxation", fixed(double{options.relaxation}, 3)});
  if (!options.sweeps_of.empty()) table.add({"sweeps of", options.sweeps_of});
  table.add({"rows", grouped(problem.rows())});
  table.add({"bodies", grouped(problem.bodies())});
  table.add({"sweeps", grouped(run.report.sweeps)});
  if (run.threshold) table.add({"threshold", threshold_in_words(options, run)});
  if (options.budget_us) table.add({"budget", budget_in_words(options, run)});
  table.add({"cycles", timed ? grouped(run.counter(PPU_COUNTER_CYCLES)) : "-"});
  if (timed && run.report.runs > 1)
    table.add({"engine cycles", grouped(run.report.engine_cycles) + ": those of " +
                                    grouped(run.report.runs) + " runs, summed"});
  table.add({"rows/cycle", fixed(run.rows_per_cycle(), 4)});
  table.add({"cycles/row", fixed(run.cycles_per_row(), 3)});
  table.add({"flops/row", fixed(run.flops_per_row(), 2)});
  table.add({"bytes/row", fixed(run.bytes_per_row(), 1)});
  table.add({"max residual", scientific(run.report.max_residual)});
  if (problem.reference) table.add({"reference error", reference_in_words(problem, options, run)});
  table.add({"state hash", hex64(run.state_hash)});
  table.add({"host seconds", fixed(run.wall_seconds, 3)});
  table.add({"stalls", timed ? stall_line(run) : "-"});
  table.add({"frame cycles", timed ? frame_line(run) : "-"});
  return table.str();
}

}  // namespace ppu::sim
