// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile for people.
#include "sim/report/profile_text.hpp"

#include <algorithm>
#include <cmath>

#include "ppu_spec.hpp"
#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/profile_groups.hpp"
#include "sim/measure/roofline.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/measure/row_records.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

constexpr double kBarWidth = 40;
constexpr std::size_t kTableLines = 10;  ///< Lines of a table that would have very many.

std::string bar(double share) {
  return std::string(static_cast<std::size_t>(std::lround(share * kBarWidth)), '#');
}

std::string stall_table(const SolveResult& result) {
  Table table({"cycles by reason", "cycles", "share", ""});
  std::uint64_t cycles = 0;
  double share = 0;
  for (const Stall& stall : stalls_of(result)) {
    cycles += stall.cycles;
    share += stall.share;
    table.add(
        {std::string(stall.label), grouped(stall.cycles), percent(stall.share), bar(stall.share)});
  }
  table.add({"sum", grouped(cycles), percent(share), ""});
  return table.str();
}

std::string runs_line(const model::RowProblem& problem, const SolveResult& result) {
  return counted(island_rows(problem).size(), "island") + " in " +
         counted(result.report.runs, "run") + " on " + device_in_words(result.device) + "\n";
}

std::string cost_table(const SolveResult& result) {
  Table table({"frame", "cycles", "µs", "share", ""});
  const auto total = static_cast<double>(result.report.device_cycles);
  const auto add = [&](const std::string& name, std::uint64_t cycles, bool with_bar) {
    const double share = static_cast<double>(cycles) / total;
    table.add({name, grouped(cycles), fixed(microseconds(result, cycles), 1), percent(share),
               with_bar ? bar(share) : ""});
  };
  for (const CostPart& part : cost_parts(result)) add(part.name, part.cycles, true);
  add("whole", result.report.device_cycles, false);
  return table.str();
}

std::string host_line(const SolveResult& result) {
  const auto micro = [](double seconds) { return fixed(1e6 * seconds, 0) + " µs"; };
  return "on the host, measured: plan " + micro(result.report.plan_seconds) +
         ", packing and unpacking " + micro(result.report.transfer_seconds) + ", of which " +
         micro(result.report.overlap_seconds) + " pass while the device works\n";
}

std::string use_line(const SolveResult& result, const Options& options) {
  std::vector<std::string> parts;
  for (const UnitUse& use : unit_uses(result, options))
    parts.push_back(use.name + " " + percent(use.share));
  return "busy: " + joined(parts) + " of the frame\n";
}

std::string roofline_table(const Options& options, const SolveResult& result) {
  const std::optional<Roofline> roofline = roofline_of(options, result);
  if (!roofline) return "";
  Table table({"roofline", "GB/s", "bytes/row", "flop/byte", "Mrows/s", "GFLOP/s", "reached",
               "GFLOP/s", "share", "over"});
  const auto add = [&](const std::string& name, double gigabytes, double bytes, double ceiling,
                       double reached, double share, const std::string& over) {
    table.add({name, fixed(gigabytes, 2), fixed(bytes, 1),
               fixed(roofline->flops_per_row / bytes, 3), fixed(roofline->mega_rows(ceiling), 1),
               fixed(roofline->gflops(ceiling), 2), fixed(roofline->mega_rows(reached), 1),
               fixed(roofline->gflops(reached), 2), percent(share), over});
  };
  const double none = std::nan("");
  add("row pipes", none, none, roofline->ceiling, roofline->rows_per_cycle,
      roofline->rows_per_cycle / roofline->ceiling, "sweeps");
  for (const RooflineLevel& level : roofline->levels)
    add(level.name, roofline->gigabytes(level.roof_bytes), level.bytes_per_row, level.ceiling(),
        level.rows_per_cycle, roofline->share_of(level), level.of_frame ? "frame" : "sweeps");
  return table.str() +
         wrapped(
             "Ceilings of each level, then what was reached in the sweeps or over the whole "
             "frame, in millions of row updates per second and in GFLOP/s (" +
             fixed(roofline->flops_per_row, 2) +
             " flop per row update); bytes are those of a row update. share: of what the level "
             "and the row pipes allow together.");
}

std::string device_counter_table(const SolveResult& result) {
  Table table({"device counter", "in this frame"});
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    const auto counter = static_cast<ppu_device_counter>(i);
    table.add({ppu_device_counter_name(counter), grouped(result.counter(counter))});
  }
  return table.str();
}

std::string histogram_table(const SolveResult& result) {
  const std::vector<HistogramBin> bins = cycle_histogram(result);
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

/// A table of groups: their own columns, then those of their rows.
Table group_table(std::vector<std::string> titles) {
  for (const char* title :
       {"rows", "row updates", "cycles", "share", "cycles/row", "rows/cycle", "top stall", "of it"})
    titles.emplace_back(title);
  return Table(titles);
}

void add_group(Table* table, std::vector<std::string> cells, const RowGroup& group) {
  const bool waited = !group.top_stall.empty();
  for (const std::string& cell :
       {grouped(group.rows), grouped(group.updates), grouped(group.cycles), percent(group.share),
        fixed(group.cycles_per_row(), 2), fixed(group.rows_per_cycle(), 3),
        waited ? group.top_stall : "-", waited ? percent(group.top_stall_share) : "-"})
    cells.push_back(cell);
  table->add(cells);
}

std::string kind_table(const model::RowProblem& problem, const SolveResult& result) {
  Table table = group_table({"kind of row"});
  for (const KindGroup& kind : kinds_of(problem, result))
    add_group(&table, {kind_name(kind.kind)}, kind.rows);
  const std::uint64_t others = cycles_of_no_row(result);
  const std::uint64_t all = result.report.engine_cycles;
  table.add({"no row", "-", "-", grouped(others),
             percent(static_cast<double>(others) / static_cast<double>(all)), "-", "-", "-", "-"});
  table.add({"sum", grouped(problem.rows()), grouped(result.counter(PPU_COUNTER_ROW_UPDATES)),
             grouped(all), percent(1), "-", "-", "-", "-"});
  return table.str() +
         wrapped(
             "cycles: those that rows hold the issue stage, their issue and the waits before "
             "it; cycles/row and rows/cycle of row updates; of it: of the cycles of these "
             "rows. no row: the pipe drains, or the program is between two passes.");
}

/// "the 10 of 106 with the most cycles: " if not all are listed.
std::string listed(std::size_t all) {
  return all <= kTableLines ? ""
                            : "the " + std::to_string(kTableLines) + " of " + grouped(all) +
                                  " with the most cycles (all with --json); ";
}

std::string island_table(const model::RowProblem& problem, const SolveResult& result) {
  Table table = group_table({"island", "bodies", "chain"});
  const std::vector<IslandGroup> islands = islands_of(problem, result);
  for (std::size_t i = 0; i < std::min(kTableLines, islands.size()); ++i)
    add_group(&table,
              {std::to_string(islands[i].island), grouped(islands[i].bodies),
               grouped(islands[i].chain_rows)},
              islands[i].rows);
  return table.str() + wrapped("Islands: " + listed(islands.size()) +
                               "numbered by their first bodies. chain: rows that follow each other "
                               "from body to body, at most.");
}

std::string body_table(const model::RowProblem& problem, const SolveResult& result) {
  Table table = group_table({"body", "island"});
  const std::vector<BodyGroup> bodies = bodies_of(problem, result);
  for (std::size_t i = 0; i < std::min(kTableLines, bodies.size()); ++i)
    add_group(&table, {std::to_string(bodies[i].body), std::to_string(bodies[i].island)},
              bodies[i].rows);
  return table.str() + wrapped("Bodies: " + listed(bodies.size()) +
                               "the rows that name it; a row of two bodies counts for both.");
}

std::string slowest_table(const model::RowProblem& problem, const Options& options,
                          const SolveResult& result) {
  Table table(slowest_titles());
  for (const std::vector<std::string>& cells : slowest_cells(problem, options, result, kTableLines))
    table.add(cells);
  return table.str();
}

std::string hold_table(const model::RowProblem& problem, const Options& options,
                       const SolveResult& result) {
  const std::vector<RowHold> holds = top_holds(problem, options, result, kTableLines);
  if (holds.empty()) return "no row waited\n";
  Table table({"waiting row", "slot", "kind", "reason", "cycles/visit", "waits for"});
  for (const RowHold& hold : holds) {
    table.add({std::to_string(hold.row), hold.slot ? std::to_string(*hold.slot) : "-",
               kind_name(problem.kind[hold.row]),
               std::string(spec::kCounters[static_cast<std::size_t>(hold.reason)].label),
               fixed(wait_per_visit(result, hold), 1), in_words(hold)});
  }
  return table.str() +
         wrapped(flows(options)
                     ? "A row issues when the tokens of its bodies have come; the row before it on "
                       "each of them sends it, in the order of slots, which goes round from sweep "
                       "to sweep."
                     : "last written by: in the order of slots, which goes round from sweep to "
                       "sweep.");
}

/// ": p50 1.0, p95 28.1, p99 31.9".
std::string percentiles(const SolveResult& result) {
  std::vector<std::string> parts;
  for (const int percent : kPercents)
    parts.push_back("p" + std::to_string(percent) + " " +
                    fixed(cycles_percentile(result, percent), 1));
  return ": " + joined(parts);
}

std::string row_tables(const model::RowProblem& problem, const Options& options,
                       const SolveResult& result) {
  return wrapped("cycles per visit: cycles of a row / how often it went through the pipe, " +
                 fixed(mean_visits(result), 2) + " times in the mean" + percentiles(result)) +
         "\n" + histogram_table(result) + "\n" + kind_table(problem, result) + "\n" +
         island_table(problem, result) + "\n" + body_table(problem, result) + "\n" +
         slowest_table(problem, options, result) + "\n" + hold_table(problem, options, result);
}

}  // namespace

std::string bounds_in_words(const model::RowProblem& problem, const Options& options,
                            const SolveResult& result) {
  return wrapped("bound by " + bound_in_words(problem, options, result)) +
         wrapped("the frame is bound by " +
                 cost_bound_in_words(cost_parts(result), options.config));
}

std::string profile_text(const model::RowProblem& problem, const Options& options,
                         const SolveResult& result) {
  const std::string roofline = roofline_table(options, result);
  const std::string device = bounds_in_words(problem, options, result) + "\n" +
                             runs_line(problem, result) + "\n" + stall_table(result) + "\n" +
                             cost_table(result) + "\n" + host_line(result) +
                             use_line(result, options) + "\n" + roofline +
                             (roofline.empty() ? "" : "\n") + device_counter_table(result) + "\n";
  if (!result.device.profiles)
    return device + "the back end keeps no cycles of single rows; systemc and cosim do\n";
  if (mean_visits(result) == 0) return device + "no row went through the row pipe\n";
  return device + row_tables(problem, options, result);
}

}  // namespace ppu::sim
