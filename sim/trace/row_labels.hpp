// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the rows in the slots of a run are, for views of its log.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/trace/timeline.hpp"

namespace ppu::sim {

struct RowLabel {
  std::size_t row;  ///< In the problem.
  std::string kind;
  std::array<std::int32_t, 2> body;  ///< -1: the static world.
  std::int32_t parent;               ///< -1: none.
};
/// By run and slot; of one run: all runs of the log are that one. Empty: nobody knows.
using RowLabels = std::vector<std::vector<RowLabel>>;

/// `row_of_slot` of each run.
RowLabels row_labels(const model::RowProblem& problem,
                     const std::vector<std::vector<std::uint32_t>>& row_of_slot);
const RowLabel& label_of(const RowUpdate& update, const RowLabels& labels);

/// "row 102 friction 10-9 sweep 3"; "slot 102 sweep 3" without labels.
std::string name_of(const RowUpdate& update, const RowLabels& labels);

/// The row updates whose results each row update takes: the ones before it on its bodies, and its
/// parent's. Null where there is none.
struct Sources {
  std::array<const RowUpdate*, 2> body{};
  const RowUpdate* parent = nullptr;
};
/// Of each of `rows`, which are sorted by issue; empty without labels. Throws CliError (usage) if
/// the log `path` has slots or runs that the problem has not.
std::vector<Sources> sources_of(const std::string& path, const std::vector<RowUpdate>& rows,
                                const RowLabels& labels);

}  // namespace ppu::sim
