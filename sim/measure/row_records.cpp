// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A profile row by row.
#include "sim/measure/row_records.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/problem/islands.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

std::optional<std::size_t> row_or_none(std::int32_t row) {
  return row < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(row));
}

template <class Value>
std::string cell(const std::optional<Value>& value) {
  return value ? std::to_string(*value) : "";
}

/// The static world and rows without a parent are empty cells.
std::string cell(std::int32_t number) {
  return number < 0 ? "" : std::to_string(number);
}

}  // namespace

std::vector<RowRecord> row_records(const model::RowProblem& problem, const Options& options,
                                   const SolveResult& result) {
  const std::vector<std::uint32_t> row_of_slot = slot_order(problem, options);
  std::vector<std::size_t> slot_of_row(problem.rows());
  for (std::size_t slot = 0; slot < row_of_slot.size(); ++slot)
    slot_of_row[row_of_slot[slot]] = slot;
  const auto before = rows_before(problem.body, row_of_slot);
  const std::vector<std::int32_t> island = find_islands(problem).of_row;
  std::vector<RowRecord> records;
  for (std::size_t row = 0; row < result.profile.size(); ++row) {
    const ppu_row_profile& cycles = result.profile[row];
    RowRecord record{};
    record.row = row;
    if (result.report.runs == 1) record.slot = slot_of_row[row];
    record.island = island[row];
    record.cycles = cycles;
    record.issue_cycles = cycles.cycles - cycles.body_stall - cycles.parent_stall -
                          cycles.fetch_stall - cycles.lane_stall - cycles.bank_stall -
                          cycles.filter_stall;
    record.body_a_from = row_or_none(before[row][0]);
    record.body_b_from = row_or_none(before[row][1]);
    record.parent_from = row_or_none(problem.parent[row]);
    records.push_back(record);
  }
  return records;
}

std::string csv_of(const model::RowProblem& problem, const std::vector<RowRecord>& records) {
  std::string text =
      "row,slot,kind,body_a,body_b,parent,island,visits,cycles,issue_cycles,"
      "body_a_wait,body_a_from,body_b_wait,body_b_from,parent_wait,parent_from,"
      "fetch_wait,lane_wait,bank_wait,filter_wait\n";
  for (const RowRecord& record : records) {
    const std::size_t row = record.row;
    const ppu_row_profile& cycles = record.cycles;
    const auto number = [](std::uint32_t value) { return std::to_string(value); };
    const std::vector<std::string> cells = {std::to_string(row),
                                            cell(record.slot),
                                            kind_name(problem.kind[row]),
                                            cell(problem.body[row][0]),
                                            cell(problem.body[row][1]),
                                            cell(problem.parent[row]),
                                            cell(record.island),
                                            number(cycles.visits),
                                            number(cycles.cycles),
                                            number(record.issue_cycles),
                                            number(cycles.body_stall - cycles.body_b_stall),
                                            cell(record.body_a_from),
                                            number(cycles.body_b_stall),
                                            cell(record.body_b_from),
                                            number(cycles.parent_stall),
                                            cell(record.parent_from),
                                            number(cycles.fetch_stall),
                                            number(cycles.lane_stall),
                                            number(cycles.bank_stall),
                                            number(cycles.filter_stall)};
    for (std::size_t i = 0; i < cells.size(); ++i)
      text += cells[i] + (i + 1 < cells.size() ? "," : "\n");
  }
  return text;
}

double cycles_percentile(const SolveResult& result, double percent) {
  std::vector<double> cycles;
  for (std::size_t row = 0; row < result.profile.size(); ++row)
    if (result.profile[row].visits > 0) cycles.push_back(cycles_per_visit(result, row));
  if (cycles.empty()) return kNotMeasured;
  const auto rank = std::ceil(percent / 100 * static_cast<double>(cycles.size()));
  const auto place = static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(cycles.begin(), cycles.begin() + place, cycles.end());
  return cycles[static_cast<std::size_t>(place)];
}

}  // namespace ppu::sim
