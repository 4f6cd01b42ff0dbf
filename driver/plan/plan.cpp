// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Islands, then body numbers and an order for each run.
#include "driver/plan/plan.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ppu::driver {
namespace {

/// Renames bodies: device body -> body before.
void rename_bodies(RowGraph& graph, const std::vector<std::uint32_t>& device) {
  std::vector<std::int32_t> renamed(graph.body_count);
  for (std::size_t body = 0; body < device.size(); ++body)
    if (device[body] != kNoBody) renamed[device[body]] = static_cast<std::int32_t>(body);
  for (Bodies& pair : graph.body)
    for (std::int32_t& body : pair)
      if (body >= 0) body = renamed[static_cast<std::size_t>(body)];
  graph.body_count = device.size();
}

/// 0, 1, ...
std::vector<std::uint32_t> counted(std::size_t count) {
  std::vector<std::uint32_t> names(count);
  std::iota(names.begin(), names.end(), 0U);
  return names;
}

/// The order of a run of so many rows.
ppu_order order_of(const PlanTarget& target, std::size_t rows) {
  const bool flows = target.order == PPU_ORDER_SCHEDULED && rows <= target.flow_rows;
  return flows ? PPU_ORDER_ENGINE : target.order;
}

/// `graph` is that of the island `group`.
RunPlan plan_run(RowGraph graph, const Island& group, const PlanTarget& target) {
  RunPlan run;
  const ppu_order order = order_of(target, graph.rows());
  if (order == PPU_ORDER_ENGINE) {
    run.bodies = counted(graph.body_count);
  } else {
    run.bodies = number_bodies(graph, target.machine.velocity_banks, target.capacity.bodies);
    rename_bodies(graph, run.bodies);
  }
  for (std::uint32_t& body : run.bodies)
    if (body != kNoBody) body = group.bodies[body];
  run.order = order_classes(graph, target.class_rows, order, target.machine);
  for (std::uint32_t& row : run.order) row = group.rows[row];
  return run;
}

}  // namespace

bool is_as_given(const PlanTarget& target, std::size_t rows, std::size_t bodies) {
  return order_of(target, rows) == PPU_ORDER_ENGINE && target.runs == 1 && rows > 0 &&
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
  std::vector<RowGraph> graphs = split(graph, groups);
  Plan plan;
  plan.device_body.assign(graph.body_count, kNoBody);
  plan.slot.resize(graph.rows());
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const RunPlan& run = plan.runs.emplace_back(plan_run(std::move(graphs[i]), groups[i], target));
    for (std::uint32_t slot = 0; slot < run.order.size(); ++slot) plan.slot[run.order[slot]] = slot;
    for (std::uint32_t body = 0; body < run.bodies.size(); ++body)
      if (run.bodies[body] != kNoBody) plan.device_body[run.bodies[body]] = body;
  }
  return plan;
}

const Plan& PlanCache::get(RowGraph graph, const PlanTarget& target) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.target == target && entry.graph == graph;
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    Plan plan = make_plan(graph, target);
    entries_.push_front({std::move(graph), target, std::move(plan)});
    if (entries_.size() > kPlans) entries_.pop_back();
    ++misses_;
  }
  return entries_.front().plan;
}

}  // namespace ppu::driver
