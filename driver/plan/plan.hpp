// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The plan of a problem: which runs it is cut into, and the place of each row and body there.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "driver/plan/islands.hpp"
#include "driver/plan/row_graph.hpp"
#include "driver/plan/row_order.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

constexpr std::uint32_t kNoBody = std::numeric_limits<std::uint32_t>::max();

/// What a plan is made for.
struct PlanTarget {
  ppu_order order = kDefaultOrder;
  /// Runs wanted: one per engine, or 1 where the program looks at all rows (a residual). There are
  /// more where islands do not fit together, fewer where there are fewer islands.
  std::uint32_t runs = 1;
  RunCapacity capacity;    ///< Of one run.
  ClassRows class_rows{};  ///< Classes of a plan with one run.
};

/// One run. It exceeds the capacity only if an island does so by itself.
struct RunPlan {
  RowOrder order;                     ///< Slot -> row of the problem.
  std::vector<std::uint32_t> bodies;  ///< Device body -> body of the problem.
};

struct Plan {
  std::vector<RunPlan> runs;  ///< Most rows first; one without rows if the problem has none.
  /// Body of the problem -> device body in the run that has it; kNoBody if no row names the body,
  /// unless rows are as given.
  std::vector<std::uint32_t> device_body;
  /// Row of the problem -> slot in the run that has it.
  std::vector<std::uint32_t> slot;
};

/// True if rows and bodies keep their order and their numbers in one run that has them all.
bool is_as_given(const PlanTarget& target, std::size_t rows, std::size_t bodies);

/// Throws Failure (PPU_ERROR_INVALID_ARGUMENT) at an unknown order.
Plan make_plan(const RowGraph& graph, const PlanTarget& target);

}  // namespace ppu::driver
