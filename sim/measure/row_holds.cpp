// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What holds rows back.
#include "sim/measure/row_holds.hpp"

#include <algorithm>

#include "model/graph/last_rows.hpp"
#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// Which row goes where; without an order of slots for all runs, no slots.
struct Places {
  std::vector<std::size_t> slot_of_row;
  std::vector<std::int32_t> last_writer;
  bool one_run;

  Places(const model::RowProblem& problem, const Options& options, const SolveResult& result)
      : slot_of_row(problem.rows()), one_run(result.report.runs == 1) {
    const std::vector<std::uint32_t> row_of_slot = slot_order(problem, options);
    for (std::size_t slot = 0; slot < row_of_slot.size(); ++slot)
      slot_of_row[row_of_slot[slot]] = slot;
    last_writer = last_writers(problem.body, row_of_slot);
  }
  /// Slots from the issue of `by` to the next one of `row`.
  [[nodiscard]] std::size_t distance(std::size_t by, std::size_t row) const {
    const std::size_t from = slot_of_row[by];
    const std::size_t to = slot_of_row[row];
    return from < to ? to - from : to + slot_of_row.size() - from;
  }
};

/// The dynamic bodies that both rows name.
std::vector<std::int32_t> shared_bodies(const model::RowProblem& problem, std::size_t row,
                                        std::size_t other) {
  std::vector<std::int32_t> shared;
  for (const std::int32_t body : problem.body[row]) {
    const auto& others = problem.body[other];
    if (body >= 0 && (body == others[0] || body == others[1])) shared.push_back(body);
  }
  return shared;
}

/// "body 5", "bodies 5 and 6".
std::string bodies_in_words(const std::vector<std::int32_t>& bodies) {
  if (bodies.size() == 1) return "body " + body_name(bodies.front());
  return "bodies " + body_name(bodies.front()) + " and " + body_name(bodies.back());
}

void describe(const model::RowProblem& problem, const Places& places, RowHold* hold) {
  const std::size_t row = hold->row;
  if (places.one_run) hold->slot = places.slot_of_row[row];
  if (hold->reason == PPU_COUNTER_BODY_STALL_CYCLES && places.last_writer[row] >= 0) {
    hold->by = static_cast<std::size_t>(places.last_writer[row]);
    hold->bodies = shared_bodies(problem, row, *hold->by);
  }
  // A row without a parent waits for its own impulse of the sweep before.
  if (hold->reason == PPU_COUNTER_PARENT_STALL_CYCLES)
    hold->by = problem.parent[row] >= 0 ? static_cast<std::size_t>(problem.parent[row]) : row;
  if (hold->by && places.one_run) hold->slots_before = places.distance(*hold->by, row);
}

}  // namespace

std::vector<std::int32_t> last_writers(const std::vector<std::array<std::int32_t, 2>>& bodies,
                                       const std::vector<std::uint32_t>& row_of_slot) {
  std::size_t count = 0;
  for (const auto& pair : bodies)
    for (const std::int32_t body : pair)
      if (body >= 0) count = std::max(count, static_cast<std::size_t>(body) + 1);
  model::LastRows written(count);  // In which step, counted over two sweeps.
  std::vector<std::int32_t> writers(bodies.size(), -1);
  const auto slots = static_cast<std::uint32_t>(row_of_slot.size());
  for (std::uint32_t step = 0; step < 2 * slots; ++step) {
    const std::uint32_t row = row_of_slot[step % slots];
    const auto [a, b] = written.replace(bodies[row], step);
    if (step < slots || (a == model::kNoRow && b == model::kNoRow)) continue;
    const std::uint32_t latest = a == model::kNoRow || (b != model::kNoRow && b > a) ? b : a;
    writers[row] = static_cast<std::int32_t>(row_of_slot[latest % slots]);
  }
  return writers;
}

std::vector<RowHold> top_holds(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result, std::size_t count) {
  std::vector<RowHold> holds;
  for (std::size_t row = 0; row < result.profile.size(); ++row) {
    const ppu_row_profile& cycles = result.profile[row];
    const auto add = [&](ppu_counter reason, std::uint32_t waited) {
      if (waited > 0) holds.push_back({row, {}, reason, waited, {}, {}, {}});
    };
    add(PPU_COUNTER_BODY_STALL_CYCLES, cycles.body_stall);
    add(PPU_COUNTER_PARENT_STALL_CYCLES, cycles.parent_stall);
    add(PPU_COUNTER_FETCH_STALL_CYCLES, cycles.fetch_stall);
  }
  std::stable_sort(holds.begin(), holds.end(),
                   [](const RowHold& a, const RowHold& b) { return a.cycles > b.cycles; });
  if (holds.size() > count) holds.resize(count);
  const Places places(problem, options, result);
  for (RowHold& hold : holds) describe(problem, places, &hold);
  return holds;
}

std::string in_words(const RowHold& hold) {
  if (hold.reason == PPU_COUNTER_FETCH_STALL_CYCLES) return "its record from device memory";
  if (!hold.by) return "-";
  const std::string before = !hold.slots_before
                                 ? ""
                                 : ", " + grouped(*hold.slots_before) +
                                       (*hold.slots_before == 1 ? " slot before" : " slots before");
  if (hold.reason == PPU_COUNTER_PARENT_STALL_CYCLES)
    return "the impulse of row " + std::to_string(*hold.by) + before;
  return bodies_in_words(hold.bodies) + ", last written by row " + std::to_string(*hold.by) +
         before;
}

}  // namespace ppu::sim
