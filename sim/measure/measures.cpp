// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the counters and the row profile of a timed run say: stall classes, cycles per row.
#include "sim/measure/measures.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include "ppu/job.h"
#include "ppu_spec.hpp"
#include "sim/base/text.hpp"
#include "sim/measure/sweep_bound.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// What no order with the same bits can beat; only rows that flow come near it.
std::optional<SweepBound> floor_of(const model::RowProblem& problem, const Options& options,
                                   const SolveResult& result) {
  const bool near = order_of(options) != PPU_ORDER_COLOUR && flows(options);
  if (!near || result.report.sweeps == 0) return std::nullopt;
  const hw::Config config = hw::resolve_config(options.config, options.overrides);
  return sweep_bound(problem, config, result.device.engines);
}

std::string chain_in_words(const SweepBound& bound, const SolveResult& result) {
  return "the longest cycle of rows that share bodies, " + grouped(bound.chain_rows) +
         " per sweep, takes at least " + grouped(bound.chain_cycles) + " of the " +
         grouped(result.counter(PPU_COUNTER_CYCLES) / result.report.sweeps) +
         " cycles per sweep in any order with the same bits";
}

constexpr const char* kShorterPipes = "shorter pipes (fp_mul_stages, fp_add_stages) help, ";

/// What rows that wait for a body can gain.
std::string body_advice(const model::RowProblem& problem, const Options& options,
                        const SolveResult& result) {
  const std::string wait = "rows wait up to " + std::to_string(result.device.body_latency_cycles) +
                           " cycles for a body they share";
  if (!flows(options)) return wait + "; --set dataflow=1 helps";
  const auto bound = floor_of(problem, options, result);
  const bool chain = bound && bound->pipe_cycles <= bound->chain_cycles;
  return wait + (bound ? "; " + chain_in_words(*bound, result) : "") + ": " + kShorterPipes +
         (chain ? "more pipes or lanes do not" : "more lanes do not");
}

/// The most banks that velocity memory may have.
constexpr std::uint32_t most_banks() {
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    if (key.member == &spec::Config::velocity_banks) return key.max;
  return 0;
}

/// What a run can gain whose rows enter most of the time.
std::string issue_advice(const model::RowProblem& problem, const Options& options,
                         const SolveResult& result) {
  const auto bound = floor_of(problem, options, result);
  if (bound && bound->pipe_cycles < bound->chain_cycles)
    return "rows enter in most cycles, but more pipes do not help: " +
           chain_in_words(*bound, result) + "; " + kShorterPipes + "more lanes do not";
  if (result.counter(PPU_COUNTER_ROW_BYTES_STREAMED) > 0)
    return "rows enter in most cycles, as fast as device memory brings them; only more pipes with "
           "rows on chip (--config " +
           options.config + "+resident) or fewer row updates help";
  return "rows enter in most cycles; only more pipes (--set pipes=" +
         std::to_string(2 * result.device.pipes) + " --set velocity_banks=" +
         std::to_string(std::min(2 * result.device.velocity_banks, most_banks())) +
         ") or fewer row updates help";
}

/// What would take fewer of the cycles of a class.
std::string advice(ppu_counter counter, const model::RowProblem& problem, const Options& options,
                   const SolveResult& result) {
  switch (counter) {
    case PPU_COUNTER_ISSUE_CYCLES:
      return issue_advice(problem, options, result);
    case PPU_COUNTER_LANE_CYCLES:
      return "a row takes " + std::to_string(result.device.initiation_interval_cycles) +
             " cycles to enter; more lanes (--set lanes=12) help";
    case PPU_COUNTER_BODY_STALL_CYCLES:
      return body_advice(problem, options, result);
    case PPU_COUNTER_PARENT_STALL_CYCLES:
      return "friction rows wait for the impulse of their normal row; an order with more rows in "
             "between or shorter pipes help";
    case PPU_COUNTER_FETCH_STALL_CYCLES:
      return "rows are streamed from device memory; a larger row memory (--config " +
             options.config + "+resident) or more bandwidth (+hbm2) helps";
    case PPU_COUNTER_BANK_STALL_CYCLES:
      return "rows that could enter in one cycle have bodies or parents in one bank; more banks "
             "(velocity_banks) help";
    case PPU_COUNTER_DRAIN_CYCLES:
      return "the pipe runs empty at every wait of the program; fewer waits or more rows per sweep "
             "help";
    default:
      return "the sequencer runs between row passes; a shorter program or more rows per pass help";
  }
}

}  // namespace

bool flows(const Options& options) {
  return hw::resolve_config(options.config, options.overrides).dataflow != 0;
}

std::string device_in_words(const ppu_device_info& device) {
  return counted(device.engines, "engine") + " x " + counted(device.pipes, "pipe") + " x " +
         counted(device.lanes, "lane") + ", " + counted(device.velocity_banks, "velocity bank") +
         ", body latency " + counted(device.body_latency_cycles, "cycle");
}

std::vector<Stall> stalls_of(const SolveResult& result) {
  std::vector<Stall> stalls;
  const std::uint64_t total = result.report.engine_cycles;
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i) {
    if (!spec::kCounters[i].stall) continue;
    const auto counter = static_cast<ppu_counter>(i);
    const std::uint64_t cycles = result.counter(counter);
    const double share = static_cast<double>(cycles) / static_cast<double>(total);
    stalls.push_back({counter, spec::kCounters[i].label, cycles, total > 0 ? share : 0});
  }
  return stalls;
}

std::string stall_line(const SolveResult& result) {
  std::vector<Stall> stalls = stalls_of(result);
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Stall& a, const Stall& b) { return a.cycles > b.cycles; });
  std::vector<std::string> parts;
  for (const Stall& stall : stalls) {
    if (stall.share < 0.0005) continue;
    parts.push_back(std::string(stall.label) + " " + fixed(100 * stall.share, 1) + " %");
  }
  return joined(parts);
}

std::optional<bool> converged(const SolveResult& result) {
  if (!result.threshold) return std::nullopt;
  // A pass that was cut short has not seen all rows.
  return !result.report.late && result.report.run.last_residual <= *result.threshold;
}

bool stops_above(const SolveResult& result) {
  constexpr double kRounding = 0.01;
  return converged(result).value_or(false) &&
         result.report.max_residual > double{*result.threshold} * (1 + kRounding);
}

std::string bound_in_words(const model::RowProblem& problem, const Options& options,
                           const SolveResult& result) {
  const std::vector<Stall> stalls = stalls_of(result);
  const Stall& top =
      *std::max_element(stalls.begin(), stalls.end(),
                        [](const Stall& a, const Stall& b) { return a.cycles < b.cycles; });
  return std::string(top.label) + " (" + fixed(100 * top.share, 1) +
         " % of the cycles): " + advice(top.counter, problem, options, result);
}

double mean_visits(const SolveResult& result) {
  if (result.profile.empty()) return 0;
  return static_cast<double>(result.counter(PPU_COUNTER_ROW_UPDATES)) /
         static_cast<double>(result.profile.size());
}

double cycles_per_visit(const SolveResult& result, std::size_t row) {
  const ppu_row_profile& cycles = result.profile[row];
  return static_cast<double>(cycles.cycles) / std::max(cycles.visits, 1U);
}

std::vector<HistogramBin> cycle_histogram(const SolveResult& result) {
  // Edges at 1, 1.5, 2, 3, 4, 6, 8, 12, ... cycles.
  std::vector<HistogramBin> bins;
  double low = 0;
  for (double power = 1; power <= 65536; power *= 2) {
    for (const double edge : {power * 1.5, power * 2}) {
      bins.push_back({low, edge, 0});
      low = edge;
    }
  }
  bins.back().high = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < result.profile.size(); ++row) {
    const double cycles = cycles_per_visit(result, row);
    for (HistogramBin& bin : bins) {
      if (cycles < bin.high) {
        ++bin.rows;
        break;
      }
    }
  }
  while (bins.size() > 1 && bins.back().rows == 0) bins.pop_back();
  return bins;
}

std::vector<std::size_t> slowest_rows(const SolveResult& result, std::size_t count) {
  std::vector<std::size_t> rows(result.profile.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
  std::partial_sort(rows.begin(), end, rows.end(), [&result](std::size_t a, std::size_t b) {
    return std::pair(result.profile[b].cycles, a) < std::pair(result.profile[a].cycles, b);
  });
  rows.erase(end, rows.end());
  return rows;
}

std::vector<std::string> slowest_titles() {
  return {"slowest",      "slot",      "kind",        "body a",     "body b",    "visits",
          "cycles/visit", "body wait", "parent wait", "fetch wait", "lane wait", "bank wait"};
}

std::vector<std::vector<std::string>> slowest_cells(const model::RowProblem& problem,
                                                    const Options& options,
                                                    const SolveResult& result, std::size_t count) {
  const bool slots = result.report.runs == 1;
  const std::vector<std::uint32_t> order = slot_order(problem, options);
  std::vector<std::vector<std::string>> cells;
  for (const std::size_t row : slowest_rows(result, count)) {
    const ppu_row_profile& entry = result.profile[row];
    const double scale = 1.0 / std::max(entry.visits, 1U);
    cells.push_back({std::to_string(row), slots ? std::to_string(slot_of(order, row)) : "-",
                     kind_name(problem.kind[row]), body_name(problem.body[row][0]),
                     body_name(problem.body[row][1]), std::to_string(entry.visits),
                     fixed(scale * entry.cycles, 1), fixed(scale * entry.body_stall, 1),
                     fixed(scale * entry.parent_stall, 1), fixed(scale * entry.fetch_stall, 1),
                     fixed(scale * entry.lane_stall, 1), fixed(scale * entry.bank_stall, 1)});
  }
  return cells;
}

std::vector<std::uint32_t> slot_order(const model::RowProblem& problem, const Options& options) {
  std::vector<std::uint32_t> row_of_slot(problem.rows());
  const ppu_problem rows = view(problem);
  check(ppu_row_order(&rows, order_of(options), row_of_slot.data()));
  return row_of_slot;
}

std::vector<std::vector<std::uint32_t>> slot_orders(const model::RowProblem& problem,
                                                    const Options& options, std::size_t runs) {
  if (runs == 1) return {slot_order(problem, options)};
  Options planned = options;  // The plan is that of every back end.
  planned.backend = "functional";
  planned.row_profile = false;
  for (std::string* const file : {&planned.trace, &planned.unnamed_trace, &planned.wave})
    file->clear();
  const Solver solver(planned);
  const ppu_problem rows = view(problem);
  const ppu_solve_def def = solver.solve_def(problem, planned.sweeps);
  ppu_job made;
  check(ppu_job_create(solver.device().get(), &rows, &def, &made));
  const Owner<ppu_job, ppu_job_destroy> job(made);
  std::vector<std::vector<std::uint32_t>> orders;
  ppu_job_run run;
  for (std::uint32_t number = 0; ppu_job_get_run(job.get(), number, &run) == PPU_OK; ++number)
    orders.emplace_back(run.row_of_slot, run.row_of_slot + run.row_count);
  return orders;
}

std::size_t slot_of(const std::vector<std::uint32_t>& row_of_slot, std::size_t row) {
  return static_cast<std::size_t>(std::find(row_of_slot.begin(), row_of_slot.end(), row) -
                                  row_of_slot.begin());
}

std::vector<double> cycles_over_slots(const model::RowProblem& problem, const Options& options,
                                      const SolveResult& result, std::size_t buckets) {
  const std::vector<std::uint32_t> row_of_slot = slot_order(problem, options);
  buckets = std::min(buckets, row_of_slot.size());
  std::vector<double> means;
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * row_of_slot.size() / buckets;
    const std::size_t end = (b + 1) * row_of_slot.size() / buckets;
    double sum = 0;
    for (std::size_t slot = begin; slot < end; ++slot) {
      sum += cycles_per_visit(result, row_of_slot[slot]);
    }
    means.push_back(sum / static_cast<double>(end - begin));
  }
  return means;
}

}  // namespace ppu::sim
