// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Results for people: the summary of a solve and the first form of a profile.
#include "report_text.hpp"

#include <algorithm>
#include <cmath>

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
  const std::vector<std::uint32_t> order = slot_order(problem, options, run);
  Table table({"slowest row", "slot", "kind", "body a", "body b", "cycles/visit", "body wait",
               "parent wait", "fetch wait"});
  for (const std::size_t row : slowest_rows(run, 10)) {
    const ppu_row_profile& entry = run.profile[row];
    const double scale = entry.cycles > 0 ? cycles_per_visit(run, row) / entry.cycles : 0;
    table.add({std::to_string(row), std::to_string(slot_of(order, row)),
               kind_name(problem.kind[row]), body_name(problem.body[row][0]),
               body_name(problem.body[row][1]), fixed(scale * entry.cycles, 1),
               fixed(scale * entry.body_stall, 1), fixed(scale * entry.parent_stall, 1),
               fixed(scale * entry.fetch_stall, 1)});
  }
  return table.str();
}

}  // namespace

std::string summary(const model::RowProblem& problem, const Options& options, const Run& run) {
  const auto cycles = [&run](ppu_counter counter) {
    return run.timed() ? grouped(run.counter(counter)) : "-";
  };
  Table table({"problem", options.problem});
  table.add({"back end",
             options.backend + ", config " + options.config + " " + hex64(run.device.config_hash)});
  table.add({"program", options.program + ", order " + options.order + ", friction " +
                            options.friction + ", start " + options.start});
  table.add({"rows", grouped(problem.rows())});
  table.add({"bodies", grouped(problem.bodies())});
  table.add({"sweeps", grouped(run.report.sweeps)});
  table.add({"cycles", cycles(PPU_COUNTER_CYCLES)});
  table.add({"load, store cycles",
             cycles(PPU_COUNTER_LOAD_CYCLES) + ", " + cycles(PPU_COUNTER_STORE_CYCLES)});
  table.add({"rows/cycle", fixed(run.rows_per_cycle(), 4)});
  table.add({"cycles/row", fixed(run.cycles_per_row(), 3)});
  table.add({"flops/row", fixed(run.flops_per_row(), 2)});
  table.add({"bytes/row", fixed(run.bytes_per_row(), 1)});
  table.add({"max residual", scientific(run.report.max_residual)});
  const double error = error_against_engine(problem, options, run);
  table.add({"reference error", scientific(error) + (std::isnan(error) ? "" : " of max|x|")});
  table.add({"state hash", hex64(run.state_hash)});
  table.add({"host seconds", fixed(run.wall_seconds, 3)});
  table.add({"stalls", run.timed() ? stall_line(run) : "-"});
  return table.str();
}

std::string profile_text(const model::RowProblem& problem, const Options& options, const Run& run) {
  const std::string whole =
      "bound by " + bound_in_words(options, run) + "\n\n" + stall_table(run) + "\n";
  const double visits = mean_visits(run);
  if (visits == 0) return whole + "no row went through the row pipe\n";
  return whole +
         "cycles per visit: cycles of a row / mean visits of a row, which is row updates / " +
         "rows = " + fixed(visits, 2) + "\n\n" + histogram_table(run) + "\n" +
         kind_table(problem, run) + "\n" + slowest_table(problem, options, run);
}

}  // namespace ppu::sim
