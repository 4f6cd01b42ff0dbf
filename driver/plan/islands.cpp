// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Connected components by union and find over bodies and rows, and their distribution over runs:
// the largest island first, each to the run with the fewest rows.
#include "driver/plan/islands.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ppu::driver {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Disjoint sets of numbers; the smallest number stands for its set.
class Sets {
 public:
  explicit Sets(std::size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), 0U); }

  std::uint32_t find(std::uint32_t item) {
    for (; up_[item] != item; item = up_[item]) up_[item] = up_[up_[item]];
    return item;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    up_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> up_;
};

/// Bodies first, then rows.
Sets connected(const RowGraph& graph) {
  Sets sets(graph.body_count + graph.rows());
  const auto first_row = static_cast<std::uint32_t>(graph.body_count);
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    for (const std::int32_t body : graph.body[row])
      if (body >= 0) sets.unite(static_cast<std::uint32_t>(body), first_row + row);
    if (graph.parent[row] >= 0)
      sets.unite(first_row + static_cast<std::uint32_t>(graph.parent[row]), first_row + row);
  }
  return sets;
}

bool fits(const Island& group, const Island& island, RunCapacity capacity) {
  return group.rows.size() + island.rows.size() <= capacity.rows &&
         group.bodies.size() + island.bodies.size() <= capacity.bodies;
}

/// The group with fewest rows among those that have room, or null.
Island* emptiest(std::vector<Island>& groups, const Island& island, RunCapacity capacity) {
  Island* best = nullptr;
  for (Island& group : groups)
    if (fits(group, island, capacity) && (best == nullptr || group.rows.size() < best->rows.size()))
      best = &group;
  return best;
}

/// Puts the names of each group in ascending order. No two groups have one in common, so that a
/// walk over all names does for all groups, faster than sorting.
void ascend(std::vector<Island>& groups, std::vector<std::uint32_t> Island::*names) {
  std::uint32_t end = 0;
  for (const Island& group : groups)
    for (const std::uint32_t name : group.*names) end = std::max(end, name + 1);
  std::vector<Island*> group_of(end, nullptr);
  for (Island& group : groups) {
    for (const std::uint32_t name : group.*names) group_of[name] = &group;
    (group.*names).clear();
  }
  for (std::uint32_t name = 0; name < end; ++name)
    if (group_of[name] != nullptr) (group_of[name]->*names).push_back(name);
}

}  // namespace

std::vector<Island> find_islands(const RowGraph& graph) {
  Sets sets = connected(graph);
  std::vector<std::uint32_t> island_of(graph.body_count + graph.rows(), kNone);
  std::vector<Island> islands;
  for (std::uint32_t row = 0; row < graph.rows(); ++row) {
    const std::uint32_t set = sets.find(static_cast<std::uint32_t>(graph.body_count) + row);
    if (island_of[set] == kNone) {
      island_of[set] = static_cast<std::uint32_t>(islands.size());
      islands.emplace_back();
    }
    islands[island_of[set]].rows.push_back(row);
  }
  for (std::uint32_t body = 0; body < graph.body_count; ++body) {
    const std::uint32_t island = island_of[sets.find(body)];
    if (island != kNone) islands[island].bodies.push_back(body);
  }
  std::stable_sort(islands.begin(), islands.end(),
                   [](const Island& a, const Island& b) { return a.rows.size() > b.rows.size(); });
  return islands;
}

std::vector<Island> group_islands(const std::vector<Island>& islands, std::uint32_t runs,
                                  RunCapacity capacity) {
  std::vector<Island> groups;
  for (const Island& island : islands) {
    Island* group = groups.size() < runs ? nullptr : emptiest(groups, island, capacity);
    if (group == nullptr) {
      groups.push_back(island);
      continue;
    }
    group->rows.insert(group->rows.end(), island.rows.begin(), island.rows.end());
    group->bodies.insert(group->bodies.end(), island.bodies.begin(), island.bodies.end());
  }
  ascend(groups, &Island::rows);
  ascend(groups, &Island::bodies);
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Island& a, const Island& b) { return a.rows.size() > b.rows.size(); });
  return groups;
}

std::vector<RowGraph> split(const RowGraph& graph, const std::vector<Island>& islands) {
  std::vector<std::int32_t> row_place(graph.rows(), -1);
  std::vector<std::int32_t> body_place(graph.body_count, -1);
  const auto place_in = [](const std::vector<std::int32_t>& places, std::int32_t name) {
    return name < 0 ? -1 : places[static_cast<std::size_t>(name)];
  };
  std::vector<RowGraph> graphs;
  for (const Island& island : islands) {
    RowGraph& part = graphs.emplace_back();
    part.body_count = island.bodies.size();
    for (std::size_t i = 0; i < island.bodies.size(); ++i)
      body_place[island.bodies[i]] = static_cast<std::int32_t>(i);
    for (const std::uint32_t row : island.rows) {
      row_place[row] = static_cast<std::int32_t>(part.rows());
      part.body.push_back(
          {place_in(body_place, graph.body[row][0]), place_in(body_place, graph.body[row][1])});
      part.parent.push_back(place_in(row_place, graph.parent[row]));
    }
  }
  return graphs;
}

}  // namespace ppu::driver
