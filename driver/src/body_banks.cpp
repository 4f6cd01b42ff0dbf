// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Greedy colouring of the graph of bodies that share a row, the bodies with most rows first: each
// takes the bank that holds the fewest rows with bodies next to it, then the fewest rows at all.
#include "body_banks.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace ppu::driver {
namespace {

/// For every body the other dynamic body of each of its rows, kNoBody where there is none.
class Neighbours {
 public:
  explicit Neighbours(const RowGraph& graph) : start_(graph.body_count + 1, 0) {
    for (const Bodies& pair : graph.body)
      for (const std::int32_t body : pair)
        if (body >= 0) ++start_[static_cast<std::size_t>(body) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    other_.resize(start_.back());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (const Bodies& pair : graph.body)
      for (std::size_t half = 0; half < 2; ++half) {
        if (pair[half] < 0) continue;
        const std::int32_t other = pair[1 - half];
        other_[next[static_cast<std::size_t>(pair[half])]++] =
            other < 0 ? kNoBody : static_cast<std::uint32_t>(other);
      }
  }

  [[nodiscard]] std::uint32_t rows_of(std::uint32_t body) const {
    return start_[body + 1] - start_[body];
  }
  template <class Visit>
  void for_each(std::uint32_t body, Visit visit) const {
    for (std::uint32_t i = start_[body]; i < start_[body + 1]; ++i)
      if (other_[i] != kNoBody) visit(other_[i]);
  }

 private:
  std::vector<std::uint32_t> start_, other_;
};

/// Bank of each body. No bank takes more than `size` bodies.
std::vector<std::uint32_t> colour_bodies(const RowGraph& graph, std::uint32_t banks,
                                         std::uint32_t size) {
  const Neighbours neighbours(graph);
  std::vector<std::uint32_t> bodies(graph.body_count);
  std::iota(bodies.begin(), bodies.end(), 0U);
  std::stable_sort(bodies.begin(), bodies.end(), [&](std::uint32_t a, std::uint32_t b) {
    return neighbours.rows_of(a) > neighbours.rows_of(b);
  });

  struct Bank {
    std::uint32_t bodies = 0, rows = 0, clashes = 0;
  };
  std::vector<Bank> load(banks);
  std::vector<std::uint32_t> bank_of(graph.body_count, banks);
  for (const std::uint32_t body : bodies) {
    for (Bank& bank : load) bank.clashes = 0;
    neighbours.for_each(body, [&](std::uint32_t other) {
      if (bank_of[other] < banks) ++load[bank_of[other]].clashes;
    });
    const auto best = std::min_element(load.begin(), load.end(), [&](const Bank& a, const Bank& b) {
      return std::tuple(a.bodies >= size, a.clashes, a.rows, a.bodies) <
             std::tuple(b.bodies >= size, b.clashes, b.rows, b.bodies);
    });
    ++best->bodies;
    best->rows += neighbours.rows_of(body);
    bank_of[body] = static_cast<std::uint32_t>(best - load.begin());
  }
  return bank_of;
}

}  // namespace

std::vector<std::uint32_t> number_bodies(const RowGraph& graph, std::uint32_t banks,
                                         std::uint32_t capacity) {
  const auto count = static_cast<std::uint32_t>(graph.body_count);
  const std::uint32_t size = (count + banks - 1) / banks;
  const std::vector<std::uint32_t> bank_of = colour_bodies(graph, banks, size);
  std::vector<std::uint32_t> next(banks);
  std::iota(next.begin(), next.end(), 0U);
  std::vector<std::uint32_t> bodies(count, kNoBody);
  for (std::uint32_t body = 0; body < count; ++body) {
    std::uint32_t& number = next[bank_of[body]];
    if (number >= bodies.size()) bodies.resize(number + 1, kNoBody);
    bodies[number] = body;
    number += banks;
  }
  (void)capacity;
  return bodies;
}

}  // namespace ppu::driver
