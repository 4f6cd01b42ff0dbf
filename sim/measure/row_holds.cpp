// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What holds rows back.
#include "sim/measure/row_holds.hpp"

#include <algorithm>
#include <utility>

#include "model/graph/last_rows.hpp"
#include "sim/base/text.hpp"
#include "sim/measure/measures.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

/// Which row goes where; without an order of slots for all runs, no slots.
struct Places {
  std::vector<std::size_t> slot_of_row;
  std::vector<std::array<std::int32_t, 2>> before;
  bool one_run;

  Places(const model::RowProblem& problem, const Options& options, const SolveResult& result)
      : slot_of_row(problem.rows()), one_run(result.report.runs == 1) {
    const std::vector<std::uint32_t> row_of_slot = slot_order(problem, options);
    for (std::size_t slot = 0; slot < row_of_slot.size(); ++slot)
      slot_of_row[row_of_slot[slot]] = slot;
    before = rows_before(problem.body, row_of_slot);
  }
  /// Slots from the issue of `by` to the next one of `row`.
  [[nodiscard]] std::size_t distance(std::size_t by, std::size_t row) const {
    const std::size_t from = slot_of_row[by];
    const std::size_t to = slot_of_row[row];
    return from < to ? to - from : to + slot_of_row.size() - from;
  }
};

/// "body 5", "bodies 5 and 6".
std::string bodies_in_words(const std::vector<std::int32_t>& bodies) {
  if (bodies.size() == 1) return "body " + body_name(bodies.front());
  return "bodies " + body_name(bodies.front()) + " and " + body_name(bodies.back());
}

/// Collects the waits of one row after the other.
class Holds {
 public:
  Holds(const model::RowProblem& problem, const Options& options, const SolveResult& result)
      : problem_(problem), places_(problem, options, result), tokens_(flows(options)) {}

  void add(std::size_t row, const ppu_row_profile& cycles) {
    add_bodies(row, cycles);
    for (const RowWait& wait : kRowWaits) {
      if (wait.reason == PPU_COUNTER_BODY_STALL_CYCLES) continue;
      RowHold* const hold = add(row, wait.reason, cycles.*wait.cycles);
      // A row without a parent waits for its own impulse of the sweep before.
      if (hold != nullptr && wait.reason == PPU_COUNTER_PARENT_STALL_CYCLES)
        name(hold,
             problem_.parent[row] >= 0 ? problem_.parent[row] : static_cast<std::int32_t>(row));
    }
  }
  std::vector<RowHold> most(std::size_t count) && {
    std::stable_sort(holds_.begin(), holds_.end(),
                     [](const RowHold& a, const RowHold& b) { return a.cycles > b.cycles; });
    if (holds_.size() > count) holds_.resize(count);
    return std::move(holds_);
  }

 private:
  /// Null if it has not waited.
  RowHold* add(std::size_t row, ppu_counter reason, std::uint32_t cycles) {
    if (cycles == 0) return nullptr;
    holds_.push_back({row, {}, reason, cycles, {}, {}, {}, tokens_});
    if (places_.one_run) holds_.back().slot = places_.slot_of_row[row];
    return &holds_.back();
  }
  void name(RowHold* hold, std::int32_t by) const {
    if (by < 0) return;
    hold->by = static_cast<std::size_t>(by);
    if (places_.one_run) hold->slots_before = places_.distance(*hold->by, hold->row);
  }
  /// Both bodies come from one row, or each from its own.
  void add_bodies(std::size_t row, const ppu_row_profile& cycles) {
    const auto [a, b] = problem_.body[row];
    const auto [from_a, from_b] = places_.before[row];
    const auto add_body = [&](std::uint32_t waited, std::vector<std::int32_t> bodies,
                              std::int32_t from) {
      RowHold* const hold = add(row, PPU_COUNTER_BODY_STALL_CYCLES, waited);
      if (hold == nullptr) return;
      hold->bodies = std::move(bodies);
      name(hold, from);
    };
    if (a >= 0 && b >= 0 && a != b && from_a == from_b)
      return add_body(cycles.body_stall, {a, b}, from_a);
    add_body(cycles.body_stall - cycles.body_b_stall, {a}, from_a);
    add_body(cycles.body_b_stall, {b}, from_b);
  }

  const model::RowProblem& problem_;
  const Places places_;
  const bool tokens_;
  std::vector<RowHold> holds_;
};

}  // namespace

std::vector<std::array<std::int32_t, 2>> rows_before(
    const std::vector<std::array<std::int32_t, 2>>& bodies,
    const std::vector<std::uint32_t>& row_of_slot) {
  std::size_t count = 0;
  for (const auto& pair : bodies)
    for (const std::int32_t body : pair)
      if (body >= 0) count = std::max(count, static_cast<std::size_t>(body) + 1);
  model::LastRows written(count);
  const auto slots = static_cast<std::uint32_t>(row_of_slot.size());
  const auto row_in = [&](std::uint32_t step) {
    return step == model::kNoRow ? -1 : static_cast<std::int32_t>(row_of_slot[step % slots]);
  };
  std::vector<std::array<std::int32_t, 2>> before(bodies.size(), {-1, -1});
  // Twice around: the last rows of a sweep are before the first ones of the next.
  for (std::uint32_t step = 0; step < 2 * slots; ++step) {
    const std::uint32_t row = row_of_slot[step % slots];
    const auto [a, b] = written.replace(bodies[row], step);
    if (step >= slots) before[row] = {row_in(a), row_in(b)};
  }
  return before;
}

std::vector<std::int32_t> token_senders(const std::vector<std::array<std::int32_t, 2>>& bodies,
                                        const std::vector<std::uint32_t>& row_of_slot,
                                        const std::vector<ppu_row_profile>& profile) {
  const std::vector<std::array<std::int32_t, 2>> before = rows_before(bodies, row_of_slot);
  std::vector<std::int32_t> senders(bodies.size(), -1);
  for (std::size_t row = 0; row < profile.size(); ++row) {
    const std::uint32_t for_b = profile[row].body_b_stall;
    const std::uint32_t for_a = profile[row].body_stall - for_b;
    const auto [a, b] = before[row];
    if (for_a + for_b == 0) continue;
    senders[row] = a < 0 || (b >= 0 && for_b > for_a) ? b : a;
  }
  return senders;
}

std::vector<RowHold> top_holds(const model::RowProblem& problem, const Options& options,
                               const SolveResult& result, std::size_t count) {
  Holds holds(problem, options, result);
  for (std::size_t row = 0; row < result.profile.size(); ++row) holds.add(row, result.profile[row]);
  return std::move(holds).most(count);
}

double wait_per_visit(const SolveResult& result, const RowHold& hold) {
  return static_cast<double>(hold.cycles) / std::max(result.profile[hold.row].visits, 1U);
}

std::string in_words(const RowHold& hold) {
  if (hold.reason == PPU_COUNTER_FETCH_STALL_CYCLES) return "its record, or its turn to be read";
  if (hold.reason == PPU_COUNTER_LANE_CYCLES) return "its pipe, which takes a row in some cycles";
  if (hold.reason == PPU_COUNTER_BANK_STALL_CYCLES) return "a bank that other rows use";
  if (hold.reason == PPU_COUNTER_FILTER_CYCLES) return "rows before it that are passed over";
  if (!hold.by) return "-";
  const std::string before = !hold.slots_before
                                 ? ""
                                 : ", " + grouped(*hold.slots_before) +
                                       (*hold.slots_before == 1 ? " slot before" : " slots before");
  if (hold.reason == PPU_COUNTER_PARENT_STALL_CYCLES)
    return "the impulse of row " + std::to_string(*hold.by) + before;
  if (!hold.tokens)
    return bodies_in_words(hold.bodies) + ", last written by row " + std::to_string(*hold.by) +
           before;
  return std::string(hold.bodies.size() == 1 ? "the token of " : "the tokens of ") +
         bodies_in_words(hold.bodies) + " from row " + std::to_string(*hold.by) + before;
}

}  // namespace ppu::sim
