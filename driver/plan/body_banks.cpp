// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Greedy colouring of the graph of bodies that share a row, in smallest-last order: the bodies that
// have few neighbours left when the bodies after them are gone come last, so that a colour is free.
#include "driver/plan/body_banks.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ppu::driver {
namespace {

/// For every body its rows, and the bodies with which it shares rows.
class Neighbours {
 public:
  struct Neighbour {
    std::uint32_t body, rows;
  };

  explicit Neighbours(const RowGraph& graph) : rows_(graph.body_count), start_{0} {
    // The other bodies of every body's rows, one after another.
    std::vector<std::uint32_t> end(graph.body_count + 1, 0);
    for (const Bodies& pair : graph.body)
      for (const std::int32_t body : pair)
        if (body >= 0) ++end[static_cast<std::size_t>(body) + 1];
    std::partial_sum(end.begin(), end.end(), end.begin());
    std::vector<std::int32_t> others(end.back());
    std::vector<std::uint32_t> next(end.begin(), end.end() - 1);
    for (const Bodies& pair : graph.body)
      for (std::size_t half = 0; half < 2; ++half)
        if (pair[half] >= 0) others[next[static_cast<std::size_t>(pair[half])]++] = pair[1 - half];

    // Each of them once, with its number of rows.
    std::vector<std::size_t> place(graph.body_count, 0);
    for (std::size_t body = 0; body < graph.body_count; ++body) {
      rows_[body] = end[body + 1] - end[body];
      for (std::uint32_t i = end[body]; i < end[body + 1]; ++i)
        if (others[i] >= 0) count_row(static_cast<std::uint32_t>(others[i]), place);
      start_.push_back(neighbours_.size());
    }
  }

  [[nodiscard]] std::uint32_t bodies() const { return static_cast<std::uint32_t>(rows_.size()); }
  [[nodiscard]] std::uint32_t rows_of(std::uint32_t body) const { return rows_[body]; }
  [[nodiscard]] std::uint32_t count_of(std::uint32_t body) const {
    return static_cast<std::uint32_t>(start_[body + 1] - start_[body]);
  }
  template <class Visit>
  void for_each(std::uint32_t body, Visit visit) const {
    for (std::size_t i = start_[body]; i < start_[body + 1]; ++i) visit(neighbours_[i]);
  }

 private:
  /// A row that the last body shares with `other`; `place` is where each body was seen last.
  void count_row(std::uint32_t other, std::vector<std::size_t>& place) {
    std::size_t& seen = place[other];
    const bool known = seen >= start_.back() && seen < neighbours_.size();
    if (!known || neighbours_[seen].body != other) {
      seen = neighbours_.size();
      neighbours_.push_back({other, 0});
    }
    ++neighbours_[seen].rows;
  }

  std::vector<std::uint32_t> rows_;
  std::vector<std::size_t> start_;  ///< First neighbour of each body.
  std::vector<Neighbour> neighbours_;
};

std::vector<std::uint32_t> most_rows_first(const Neighbours& graph) {
  std::vector<std::uint32_t> order(graph.bodies());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return graph.rows_of(a) > graph.rows_of(b);
  });
  return order;
}

/// Takes away, again and again, a body with fewest neighbours left; the last one taken comes first.
std::vector<std::uint32_t> smallest_last(const Neighbours& graph) {
  std::vector<std::uint32_t> left(graph.bodies());
  std::vector<std::vector<std::uint32_t>> with;  // Bodies by neighbours left, outdated ones too.
  const auto file = [&](std::uint32_t body) {
    if (left[body] >= with.size()) with.resize(left[body] + 1);
    with[left[body]].push_back(body);
  };
  for (const std::uint32_t body : most_rows_first(graph)) {
    left[body] = graph.count_of(body);
    file(body);
  }
  std::vector<bool> taken(graph.bodies(), false);
  std::vector<std::uint32_t> order;
  order.reserve(graph.bodies());
  for (std::size_t fewest = 0; fewest < with.size();) {
    if (with[fewest].empty()) {
      ++fewest;
      continue;
    }
    const std::uint32_t body = with[fewest].back();
    with[fewest].pop_back();
    if (taken[body] || left[body] != fewest) continue;
    taken[body] = true;
    order.push_back(body);
    graph.for_each(body, [&](const Neighbours::Neighbour& neighbour) {
      if (taken[neighbour.body]) return;
      --left[neighbour.body];
      file(neighbour.body);
    });
    if (fewest > 0) --fewest;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Numbers below `end` that lie in a bank.
std::uint32_t places(std::uint32_t bank, std::uint32_t banks, std::uint32_t end) {
  return end > bank ? (end - bank - 1) / banks + 1 : 0;
}

struct Bank {
  std::uint32_t index;
  std::uint32_t room;      ///< Bodies that it takes at most,
  std::uint32_t low_room;  ///< and without leaving holes elsewhere.
  std::uint32_t bodies = 0, rows = 0;
  std::uint32_t clashes = 0;  ///< Rows that the next body shares with bodies of the bank.
};

/// True if the next body goes rather to `a`: room, then no clash, no hole, few rows.
bool better(const Bank& a, const Bank& b) {
  const auto rank = [](const Bank& bank) {
    return std::tuple(bank.bodies >= bank.room, bank.clashes, bank.bodies >= bank.low_room,
                      bank.rows, bank.bodies);
  };
  return rank(a) < rank(b);
}

/// Bank of each body.
std::vector<std::uint32_t> colour(const Neighbours& graph, std::uint32_t bank_count,
                                  std::uint32_t capacity) {
  std::vector<Bank> banks;
  for (std::uint32_t index = 0; index < bank_count; ++index)
    banks.push_back(
        {index, places(index, bank_count, capacity), places(index, bank_count, graph.bodies())});
  std::vector<std::uint32_t> bank_of(graph.bodies(), bank_count);
  for (const std::uint32_t body : smallest_last(graph)) {
    for (Bank& bank : banks) bank.clashes = 0;
    graph.for_each(body, [&](const Neighbours::Neighbour& neighbour) {
      const std::uint32_t bank = bank_of[neighbour.body];
      if (bank < bank_count) banks[bank].clashes += neighbour.rows;
    });
    Bank& best = *std::min_element(banks.begin(), banks.end(), better);
    ++best.bodies;
    best.rows += graph.rows_of(body);
    bank_of[body] = best.index;
  }
  return bank_of;
}

}  // namespace

std::vector<std::uint32_t> number_bodies(const RowGraph& graph, std::uint32_t banks,
                                         std::uint32_t capacity) {
  const auto count = static_cast<std::uint32_t>(graph.body_count);
  const std::vector<std::uint32_t> bank_of =
      colour(Neighbours(graph), banks, std::max(capacity, count));
  std::vector<std::uint32_t> next(banks);
  std::iota(next.begin(), next.end(), 0U);
  std::vector<std::uint32_t> bodies(count, kNoBody);
  for (std::uint32_t body = 0; body < count; ++body) {
    std::uint32_t& number = next[bank_of[body]];
    if (number >= bodies.size()) bodies.resize(number + 1, kNoBody);
    bodies[number] = body;
    number += banks;
  }
  while (!bodies.empty() && bodies.back() == kNoBody) bodies.pop_back();
  return bodies;
}

}  // namespace ppu::driver
