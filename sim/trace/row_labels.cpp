// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows by name.
#include "sim/trace/row_labels.hpp"

#include <map>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// That there is a label of this update, and it may be its own: where the problem makes one run, it
/// may have run several times, on the engine of the first update.
void check(const std::string& path, const RowUpdate& update, const RowUpdate& first,
           const RowLabels& labels) {
  const bool one = labels.size() == 1;
  if (one ? update.engine != first.engine : update.run >= labels.size())
    throw CliError(kExitUsage, path + ": run " + std::to_string(update.run) + " is on engine " +
                                   std::to_string(update.engine) + ", but on this device the " +
                                   "problem makes " + counted(labels.size(), "run") +
                                   ", expected the log of one solve, and --config and --set of " +
                                   "its device");
  const std::size_t slots = labels[one ? 0 : update.run].size();
  if (update.slot >= slots)
    throw CliError(kExitUsage, path + ": slot " + std::to_string(update.slot) + ", but there are " +
                                   std::to_string(slots) +
                                   " rows, expected the problem of this log");
}

}  // namespace

RowLabels row_labels(const model::RowProblem& problem,
                     const std::vector<std::vector<std::uint32_t>>& row_of_slot) {
  RowLabels labels;
  for (const std::vector<std::uint32_t>& rows : row_of_slot) {
    std::vector<RowLabel>& of_run = labels.emplace_back();
    for (const std::uint32_t row : rows)
      of_run.push_back({row, kind_name(problem.kind[row]), problem.body[row], problem.parent[row]});
  }
  return labels;
}

const RowLabel& label_of(const RowUpdate& update, const RowLabels& labels) {
  return labels[labels.size() == 1 ? 0 : update.run][update.slot];
}

std::string name_of(const RowUpdate& update, const RowLabels& labels) {
  const std::string sweep = " sweep " + std::to_string(update.sweep);
  if (labels.empty()) return "slot " + std::to_string(update.slot) + sweep;
  const RowLabel& label = label_of(update, labels);
  return "row " + std::to_string(label.row) + " " + label.kind + " " + body_name(label.body[0]) +
         "-" + body_name(label.body[1]) + sweep;
}

std::vector<Sources> sources_of(const std::string& path, const std::vector<RowUpdate>& rows,
                                const RowLabels& labels) {
  std::vector<Sources> all;
  if (labels.empty()) return all;
  std::map<std::int32_t, const RowUpdate*> of_body;
  std::map<std::size_t, const RowUpdate*> of_row;
  for (const RowUpdate& update : rows) {
    check(path, update, rows.front(), labels);
    const RowLabel& label = label_of(update, labels);
    Sources& sources = all.emplace_back();
    for (std::size_t side = 0; side < 2; ++side) {
      if (label.body[side] < 0) continue;
      const auto before = of_body.find(label.body[side]);
      if (before != of_body.end()) sources.body[side] = before->second;
    }
    const auto parent = of_row.find(static_cast<std::size_t>(label.parent));
    if (label.parent >= 0 && parent != of_row.end()) sources.parent = parent->second;
    for (const std::int32_t body : label.body)
      if (body >= 0) of_body[body] = &update;
    of_row[label.row] = &update;
  }
  return all;
}

}  // namespace ppu::sim
