// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What groups of rows cost.
#include "sim/measure/profile_groups.hpp"

#include <algorithm>

#include "ppu_spec.hpp"
#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/measure/sweep_bound.hpp"
#include "sim/problem/islands.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// The waits of the rows of a group, summed, by class.
using Waits = std::array<std::uint64_t, PPU_COUNTER_COUNT>;

/// Sums over the rows of one group after the other.
class GroupSums {
 public:
  GroupSums(const SolveResult& result, std::size_t groups)
      : result_(result), groups_(groups), waits_(groups) {}

  void add(std::size_t group, std::size_t row) {
    const ppu_row_profile& cycles = result_.profile[row];
    ++groups_[group].rows;
    groups_[group].updates += cycles.visits;
    groups_[group].cycles += cycles.cycles;
    for (const RowWait& wait : kRowWaits) waits_[group][wait.reason] += cycles.*wait.cycles;
  }
  /// The group, with what follows from its sums.
  [[nodiscard]] RowGroup finished(std::size_t group) const {
    RowGroup out = groups_[group];
    out.share = static_cast<double>(out.cycles) / static_cast<double>(result_.report.engine_cycles);
    std::uint64_t most = 0;
    const auto take = [&](ppu_counter reason, std::uint64_t cycles) {
      if (cycles <= most) return;
      most = cycles;
      out.top_stall = spec::kCounters[static_cast<std::size_t>(reason)].label;
      out.top_stall_share = static_cast<double>(cycles) / static_cast<double>(out.cycles);
    };
    for (const RowWait& wait : kRowWaits) take(wait.reason, waits_[group][wait.reason]);
    return out;
  }

 private:
  const SolveResult& result_;
  std::vector<RowGroup> groups_;
  std::vector<Waits> waits_;
};

template <class Group>
void sort_by_cycles(std::vector<Group>* groups) {
  std::stable_sort(groups->begin(), groups->end(),
                   [](const Group& a, const Group& b) { return a.rows.cycles > b.rows.cycles; });
}

}  // namespace

double RowGroup::cycles_per_row() const {
  return updates > 0 ? static_cast<double>(cycles) / static_cast<double>(updates) : kNotMeasured;
}

double RowGroup::rows_per_cycle() const {
  return cycles > 0 ? static_cast<double>(updates) / static_cast<double>(cycles) : kNotMeasured;
}

std::vector<KindGroup> kinds_of(const model::RowProblem& problem, const SolveResult& result) {
  constexpr std::array kKinds = {model::RowKind::kJoint, model::RowKind::kContact,
                                 model::RowKind::kFriction};
  std::vector<KindGroup> kinds;
  for (const model::RowKind kind : kKinds) {
    GroupSums sums(result, 1);
    for (std::size_t row = 0; row < problem.rows(); ++row)
      if (problem.kind[row] == kind) sums.add(0, row);
    const RowGroup group = sums.finished(0);
    if (group.rows > 0) kinds.push_back({kind, group});
  }
  return kinds;
}

std::vector<IslandGroup> islands_of(const model::RowProblem& problem, const SolveResult& result) {
  const auto [island_of_body, island_of_row, count] = find_islands(problem);
  const std::vector<std::uint64_t> chains = chain_of_bodies(problem);
  std::vector<IslandGroup> islands(count, IslandGroup{});
  for (std::size_t body = 0; body < island_of_body.size(); ++body) {
    if (island_of_body[body] < 0) continue;
    IslandGroup& island = islands[static_cast<std::size_t>(island_of_body[body])];
    ++island.bodies;
    island.chain_rows = std::max(island.chain_rows, chains[body]);
  }
  GroupSums sums(result, count);
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    if (island_of_row[row] >= 0) sums.add(static_cast<std::size_t>(island_of_row[row]), row);
  }
  for (std::size_t i = 0; i < count; ++i) {
    islands[i].island = i;
    islands[i].rows = sums.finished(i);
  }
  sort_by_cycles(&islands);
  return islands;
}

std::vector<BodyGroup> bodies_of(const model::RowProblem& problem, const SolveResult& result) {
  const std::vector<std::int32_t> island_of_body = find_islands(problem).of_body;
  GroupSums sums(result, problem.bodies());
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    const auto [a, b] = problem.body[row];
    if (a >= 0) sums.add(static_cast<std::size_t>(a), row);
    if (b >= 0 && b != a) sums.add(static_cast<std::size_t>(b), row);
  }
  std::vector<BodyGroup> bodies;
  for (std::size_t body = 0; body < problem.bodies(); ++body) {
    if (island_of_body[body] < 0) continue;
    bodies.push_back({body, static_cast<std::size_t>(island_of_body[body]), sums.finished(body)});
  }
  sort_by_cycles(&bodies);
  return bodies;
}

std::uint64_t cycles_of_no_row(const SolveResult& result) {
  std::uint64_t charged = 0;
  for (const ppu_row_profile& row : result.profile) charged += row.cycles;
  return result.report.engine_cycles - charged;
}

}  // namespace ppu::sim
