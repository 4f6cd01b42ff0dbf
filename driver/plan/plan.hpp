// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The plan of a problem: which runs it is cut into, the number of each body and the place of each
// row there. It depends on bodies and parents alone and is kept while those stay the same.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "driver/plan/body_banks.hpp"
#include "driver/plan/islands.hpp"
#include "driver/plan/issue_model.hpp"
#include "driver/plan/row_graph.hpp"
#include "driver/plan/row_order.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// What a plan is made for.
struct PlanTarget {
  ppu_order order = kDefaultOrder;
  Machine machine;
  /// Runs wanted: one per engine, or 1 where the program looks at all rows (a residual). There are
  /// more where islands do not fit together, fewer where there are fewer islands.
  std::uint32_t runs = 1;
  RunCapacity capacity;    ///< Of one run.
  ClassRows class_rows{};  ///< Classes of a plan with one run.
  /// The device schedules the rows of runs that have no more: they stay in the engine's order.
  std::uint32_t flow_rows = 0;

  friend bool operator==(const PlanTarget& a, const PlanTarget& b) {
    return a.order == b.order && a.machine == b.machine && a.runs == b.runs &&
           a.capacity == b.capacity && a.class_rows == b.class_rows && a.flow_rows == b.flow_rows;
  }
};

/// One run. It exceeds the capacity only if an island does so by itself.
struct RunPlan {
  RowOrder order;                     ///< Slot -> row of the problem.
  std::vector<std::uint32_t> bodies;  ///< Device body -> body of the problem, or kNoBody.
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

/// Remembers the last plans: a scene's contact graph often stays the same from frame to frame, and
/// the groups of a frame, or its contacts and what pushes them apart, are problems in turn.
class PlanCache {
 public:
  static constexpr std::size_t kPlans = 8;

  /// Valid until the next call.
  const Plan& get(RowGraph graph, const PlanTarget& target);
  /// Plans made, not found.
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

 private:
  struct Entry {
    RowGraph graph;
    PlanTarget target;
    Plan plan;
  };

  std::list<Entry> entries_;  ///< The last one used first.
  std::uint64_t misses_ = 0;
};

}  // namespace ppu::driver
