// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of `ppu demo`: one HTML file with everything inside.
#include "sim/report/report_html.hpp"

#include <cmath>

#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/chart/svg.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/solve_cost.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

std::string section(const std::string& title, const std::string& content,
                    const std::string& note = "") {
  return "<section><h2>" + escaped(title) + "</h2>\n" + content +
         (note.empty() ? "" : "<p class='note'>" + escaped(note) + "</p>\n") + "</section>\n";
}

std::string html_table(const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table><tr>";
  for (const std::string& title : titles) html += "<th>" + escaped(title) + "</th>";
  html += "</tr>\n";
  for (const auto& row : rows) {
    html += "<tr>";
    for (const std::string& cell : row) html += "<td>" + escaped(cell) + "</td>";
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string tile(const std::string& value, const std::string& label) {
  return "<div class='tile'><b>" + escaped(value) + "</b><span>" + escaped(label) +
         "</span></div>\n";
}

std::string tiles(const model::RowProblem& problem, const SolveResult& solve) {
  const double cycles = static_cast<double>(solve.counter(PPU_COUNTER_CYCLES));
  return "<div class='tiles'>\n" + tile(grouped(problem.rows()), "rows") +
         tile(grouped(problem.bodies()), "bodies") +
         tile(fixed(solve.rows_per_cycle(), 3), "rows per cycle") +
         tile(fixed(solve.flops_per_row(), 1), "flops per row") +
         tile(fixed(cycles / solve.device.clock_mhz, 0) + " µs",
              "for " + std::to_string(solve.report.sweeps) + " sweeps at " +
                  std::to_string(solve.device.clock_mhz) + " MHz") +
         "</div>\n";
}

/// A chart whose labels stay readable on a narrow screen: it scrolls.
std::string wide(const std::string& chart) {
  return "<div class='wide'>" + chart + "</div>\n";
}

std::string stall_section(const model::RowProblem& problem, const Options& options,
                          const SolveResult& solve) {
  std::vector<ChartPart> parts;
  for (const Stall& stall : stalls_of(solve)) {
    parts.push_back({std::string(stall.label), static_cast<double>(stall.cycles)});
  }
  return section("Where the cycles went", stacked_bar(parts),
                 "Every engine cycle belongs to one class; the classes sum to 100 %. Bound by " +
                     bound_in_words(problem, options, solve) + ".");
}

std::string cost_section(const SolveResult& solve) {
  std::vector<ChartPart> parts;
  for (const CostPart& part : cost_parts(solve))
    parts.push_back({part.name, static_cast<double>(part.cycles)});
  return section("What the frame cost", stacked_bar(parts),
                 "Device cycles from the first command to the last answer: " + cost_line(solve) +
                     " cycles, " + fixed(microseconds(solve, solve.report.device_cycles), 0) +
                     " µs at " + std::to_string(solve.device.clock_mhz) + " MHz.");
}

/// A bin's edge: "2" or "1.5".
std::string edge(double cycles) {
  return fixed(cycles, cycles == std::floor(cycles) ? 0 : 1);
}

std::string histogram_section(const SolveResult& solve) {
  std::vector<ChartPart> bars;
  for (const HistogramBin& bin : cycle_histogram(solve)) {
    bars.push_back({edge(bin.low) + "–" + edge(bin.high), static_cast<double>(bin.rows)});
  }
  return section("Cycles per visit of a row", wide(bar_chart(bars, "cycles per visit", "rows")),
                 "Average over the sweeps, stalls before the row included.");
}

std::string slot_section(const model::RowProblem& problem, const BackendResult& result) {
  const std::vector<double> means = cycles_over_slots(problem, result.options, result.solve, 115);
  return section(
      "Cycles per row over the slot position",
      wide(line_chart(means, static_cast<double>(problem.rows()),
                      "slot (position in the issue order of one sweep)", "cycles per row")));
}

std::string slowest_section(const model::RowProblem& problem, const BackendResult& result) {
  return section(
      "Slowest rows",
      html_table(slowest_titles(), slowest_cells(problem, result.options, result.solve, 12)),
      "Cycles per visit, of the row and of its waits; the mean over the sweeps.");
}

}  // namespace

std::vector<std::string> headline_titles() {
  return {"back end",   "rows",       "sweeps",         "device cycles", "cycles",
          "rows/cycle", "cycles/row", "error vs Eigen", "state hash",    "host s"};
}

std::vector<std::string> headline_cells(const model::RowProblem& problem,
                                        const BackendResult& result) {
  const SolveResult& solve = result.solve;
  const bool timed = solve.timed();
  return {result.options.backend,
          grouped(problem.rows()),
          grouped(solve.report.sweeps),
          timed ? grouped(solve.report.device_cycles) : "-",
          timed ? grouped(solve.counter(PPU_COUNTER_CYCLES)) : "-",
          fixed(solve.rows_per_cycle(), 4),
          fixed(solve.cycles_per_row(), 3),
          scientific(result.error),
          hex64(solve.state_hash),
          fixed(solve.wall_seconds, 3)};
}

std::string report_html(const model::RowProblem& problem, const std::vector<BackendResult>& results,
                        std::size_t detail, const std::string& verdict,
                        const std::string& command) {
  const BackendResult& timed = results[detail];
  std::vector<std::vector<std::string>> rows;
  for (const BackendResult& result : results) rows.push_back(headline_cells(problem, result));
  return "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n"
         "<meta name='viewport' content='width=device-width'>\n<title>PPU report: " +
         escaped(problem.name) + "</title>\n<style>" + report_style() +
         "</style></head>\n<body><main>\n" + "<h1>PPU report: " + escaped(problem.name) +
         "</h1>\n<p class='sub'>Scene " + escaped(problem.scene) + ", frame " +
         std::to_string(problem.frame) + "; program " + escaped(timed.options.program) +
         ", order " + escaped(timed.options.order) + ", friction rule " +
         escaped(timed.options.friction) + ", " + escaped(timed.options.start) + " start; ppu " +
         ppu_version() + "</p>\n" + tiles(problem, timed.solve) +
         section("Same rows, every back end", html_table(headline_titles(), rows), verdict) +
         stall_section(problem, timed.options, timed.solve) + cost_section(timed.solve) +
         histogram_section(timed.solve) + slot_section(problem, timed) +
         slowest_section(problem, timed) +
         section("Configuration", "<pre>" + escaped(timed.solve.config_toml) + "</pre>\n",
                 "Hash " + hex64(timed.solve.device.config_hash)) +
         section("Repeat this", "<pre>" + escaped(command) + "</pre>\n") +
         "</main></body></html>\n";
}

}  // namespace ppu::sim
