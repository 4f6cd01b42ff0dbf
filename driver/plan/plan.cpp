// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands, then an order for each run.
#include "driver/plan/plan.hpp"

#include <numeric>

namespace ppu::driver {
namespace {

/// 0, 1, ...
std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> names(count);
  std::iota(names.begin(), names.end(), 0U);
  return names;
}

/// `graph` is that of the island `group`.
RunPlan plan_run(const RowGraph& graph, const Island& group, const PlanTarget& target) {
  RunPlan run;
  run.bodies = group.bodies;
  run.order = order_classes(graph, target.class_rows, target.order);
  for (std::uint32_t& row : run.order) row = group.rows[row];
  return run;
}

}  // namespace

bool is_as_given(const PlanTarget& target, std::size_t rows, std::size_t bodies) {
  return keeps_order(target.order) && target.runs == 1 && rows > 0 &&
         rows <= target.capacity.rows && bodies <= target.capacity.bodies;
}

Plan make_plan(const RowGraph& graph, const PlanTarget& target) {
  if (is_as_given(target, graph.rows(), graph.body_count)) {
    const std::vector<std::uint32_t> bodies = counted(graph.body_count);
    const RowOrder rows = counted(graph.rows());
    return {{{rows, bodies}}, bodies, rows};
  }
  std::vector<Island> groups = group_islands(find_islands(graph), target.runs, target.capacity);
  if (groups.empty()) groups.emplace_back();
  const std::vector<RowGraph> graphs = split(graph, groups);
  Plan plan;
  plan.device_body.assign(graph.body_count, kNoBody);
  plan.slot.resize(graph.rows());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const RunPlan& run = plan.runs.emplace_back(plan_run(graphs[i], groups[i], target));
    for (std::uint32_t slot = 0; slot < run.order.size(); ++slot) plan.slot[run.order[slot]] = slot;
    for (std::uint32_t body = 0; body < run.bodies.size(); ++body)
      plan.device_body[run.bodies[body]] = body;
  }
  return plan;
}

}  // namespace ppu::driver
