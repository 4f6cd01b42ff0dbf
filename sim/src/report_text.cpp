// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve and the first form of a profile.
#include "report_text.hpp"

#include <algorithm>
#include <cmath>

#include "frame_cost.hpp"
#include "measures.hpp"
#include "problem.hpp"
#include "reference_check.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

constexpr double kBarWidth = 40;

std::string bar(double share) {
  return std::string(static_cast<std::size_t>(std::lround(share * kBarWidth)), '#');
}

std::string stall_table(const Run& run) {
  Table table({"cycles by reason", "cycles", "share", ""});
  std::uint64_t cycles = 0;
  double share = 0;
  for (const Stall& stall : stalls_of(run)) {
    cycles += stall.cycles;
    share += stall.share;
    table.add({std::string(stall.label), grouped(stall.cycles), fixed(100 * stall.share, 1) + " %",
               bar(stall.share)});
  }
  table.add({"sum", grouped(cycles), fixed(100 * share, 1) + " %", ""});
  return table.str();
}

std::string histogram_table(const Run& run) {
  const std::vector<HistogramBin> bins = cycle_histogram(run);
  std::size_t most = 1;
  for (const HistogramBin& bin : bins) most = std::max(most, bin.rows);
  Table table({"cycles per visit of a row", "rows", ""});
  for (const HistogramBin& bin : bins) {
    const std::string high = std::isinf(bin.high) ? "" : " to " + fixed(bin.high, 1);
    table.add({fixed(bin.low, 1) + high, grouped(bin.rows),
               bar(static_cast<double>(bin.rows) / static_cast<double>(most))});
  }
  return table.str();
}

std::string kind_table(const model::RowProblem& problem, const Run& run) {
  Table table({"kind of row", "rows", "cycles/row", "rows/cycle"});
  for (const KindMeasure& kind : measure_kinds(problem, run)) {
    table.add({kind_name(kind.kind), grouped(kind.rows), fixed(kind.cycles_per_row, 2),
               fixed(1 / kind.cycles_per_row, 3)});
  }
  return table.str();
}

std::string slowest_table(const model::RowProblem& problem, const Options& options,
                          const Run& run) {
  Table table(slowest_titles());
  for (const std::vector<std::string>& cells : slowest_cells(problem, options, run, 10))
    table.add(cells);
  return table.str();
}

std::string counted(std::uint64_t count, const std::string& what) {
  return grouped(count) + " " + what + (count == 1 ? "" : "s");
}

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

std::string runs_line(const model::RowProblem& problem, const Run& run) {
  return counted(island_rows(problem).size(), "island") + " in " + counted(run.report.runs, "run") +
         " on " + device_in_words(run.device) + "\n";
}

std::string frame_table(const Run& run) {
  Table table({"frame", "cycles", "µs", "share", ""});
  const auto total = static_cast<double>(run.report.device_cycles);
  const auto add = [&](const std::string& name, std::uint64_t cycles, bool with_bar) {
    const double share = static_cast<double>(cycles) / total;
    table.add({name, grouped(cycles), fixed(microseconds(run, cycles), 1),
               fixed(100 * share, 1) + " %", with_bar ? bar(share) : ""});
  };
  for (const FramePart& part : frame_parts(run)) add(part.name, part.cycles, true);
  add("whole", run.report.device_cycles, false);
  return table.str();
}

std::string host_line(const Run& run) {
  const auto micro = [](double seconds) { return fixed(1e6 * seconds, 0) + " µs"; };
  return "on the host, measured: scheduling " + micro(run.report.schedule_seconds) +
         " (kept while the contacts stay the same), packing and unpacking " +
         micro(run.report.transfer_seconds) + "\n";
}

std::string use_line(const Run& run, const Options& options) {
  std::vector<std::string> parts;
  for (const UnitUse& use : unit_uses(run, options))
    parts.push_back(use.name + " " + fixed(100 * use.share, 1) + " %");
  return "busy: " + joined(parts) + " of the frame\n";
}

std::string device_counter_table(const Run& run) {
  Table table({"device counter", "in this frame"});
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    const auto counter = static_cast<ppu_device_counter>(i);
    table.add({ppu_device_counter_name(counter), grouped(run.counter(counter))});
  }
  return table.str();
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
  table.add({"frame", timed ? frame_line(run) : "-"});
  return table.str();
}

std::string profile_text(const model::RowProblem& problem, const Options& options, const Run& run) {
  const std::string whole = "bound by " + bound_in_words(problem, options, run) + "\n\n" +
                            runs_line(problem, run) + "\n" + stall_table(run) + "\n" +
                            frame_table(run) + "\n" + host_line(run) + use_line(run, options) +
                            "\n" + device_counter_table(run) + "\n";
  if (!run.device.profiles)
    return whole + "the back end keeps no cycles of single rows; systemc and cosim do\n";
  const double visits = mean_visits(run);
  if (visits == 0) return whole + "no row went through the row pipe\n";
  return whole +
         "cycles per visit: cycles of a row / mean visits of a row, which is row updates / " +
         "rows = " + fixed(visits, 2) + "\n\n" + histogram_table(run) + "\n" +
         kind_table(problem, run) + "\n" + slowest_table(problem, options, run);
}

}  // namespace ppu::sim
