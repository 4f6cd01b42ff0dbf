// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue rules as timestamps: for everything that a row waits for, the first cycle in which it
// is there. They carry over from sweep to sweep.
#include "driver/plan/issue_model.hpp"

#include <algorithm>

namespace ppu::driver {
namespace {

/// The pipes, bodies and banks of an engine while whole sweeps go through it.
class SweepModel {
 public:
  SweepModel(const RowGraph& graph, const RowOrder& order, const Machine& machine)
      : graph_(graph),
        order_(order),
        latency_(machine.latency),
        interval_(machine.interval),
        banks_(graph, machine),
        impulse_(graph.rows(), 0),
        body_(graph.body_count, 0),
        bank_(banks_.count(), 0),
        parent_bank_(machine.pipes, 0),
        pipe_(machine.pipes, 0),
        pipe_of_(graph.rows()) {
    for (std::uint32_t slot = 0; slot < order.size(); ++slot)
      pipe_of_[order[slot]] = slot % machine.pipes;
  }

  /// Issues every row once and calls issued(row, cycle).
  template <class Issued>
  void sweep(Issued issued) {
    // Rows of two passes do not issue in one cycle.
    Cycle earliest = last_ + 1;
    for (const std::uint32_t row : order_) {
      last_ = cycle_of(row, earliest);
      hold(row);
      issued(row, last_);
      earliest = last_;
    }
  }

  /// When the first row of the next sweep issues.
  [[nodiscard]] Cycle next_start() const { return cycle_of(order_.front(), last_ + 1); }

 private:
  [[nodiscard]] Cycle cycle_of(std::uint32_t row, Cycle earliest) const {
    Cycle cycle = std::max({earliest, impulse_[row], pipe_[pipe_of_[row]]});
    for (const std::int32_t name : graph_.body[row]) {
      if (name < 0) continue;
      const auto body = static_cast<std::size_t>(name);
      cycle = std::max({cycle, body_[body], bank_[banks_.of(body)]});
    }
    if (graph_.parent[row] >= 0) {
      const auto parent = static_cast<std::size_t>(graph_.parent[row]);
      cycle = std::max({cycle, impulse_[parent], parent_bank_[pipe_of_[parent]]});
    }
    // One of its bodies is read in a cycle in which no row issues.
    return banks_.clash(graph_.body[row]) ? std::max(cycle, last_ + 1) + 1 : cycle;
  }

  /// Holds what the row that issues in `last_` uses and writes.
  void hold(std::uint32_t row) {
    const Cycle extra = banks_.clash(graph_.body[row]) ? 1 : 0;
    impulse_[row] = last_ + latency_;
    pipe_[pipe_of_[row]] = last_ + interval_;
    for (std::size_t half = 0; half < 2; ++half) {
      if (graph_.body[row][half] < 0) continue;
      const auto body = static_cast<std::size_t>(graph_.body[row][half]);
      body_[body] = last_ + latency_ + (half == 1 ? extra : 0);
      bank_[banks_.of(body)] = last_ + 1 + extra;
    }
    if (graph_.parent[row] >= 0)
      parent_bank_[pipe_of_[static_cast<std::size_t>(graph_.parent[row])]] = last_ + 1;
  }

  const RowGraph& graph_;
  const RowOrder& order_;
  Cycle latency_, interval_;
  BankMap banks_;
  // First cycles in which a row may use each of them.
  std::vector<Cycle> impulse_, body_, bank_, parent_bank_, pipe_;
  std::vector<std::uint32_t> pipe_of_;  ///< By row; its impulse bank too.
  Cycle last_ = -1;                     ///< Last issue.
};

}  // namespace

BankMap::BankMap(const RowGraph& graph, const Machine& machine)
    : count_(std::min<std::size_t>(graph.body_count, machine.velocity_banks)),
      of_body_(graph.body_count) {
  for (std::uint32_t body = 0; body < of_body_.size(); ++body)
    of_body_[body] = body % machine.velocity_banks;
}

SteadyState simulate(const RowGraph& graph, const RowOrder& order, const Machine& machine) {
  SteadyState state;
  if (order.empty()) return state;
  // The third sweep no longer sees the empty pipes of the first.
  constexpr int kSweeps = 3;
  SweepModel model(graph, order, machine);
  state.issue.resize(graph.rows());
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    model.sweep([&state](std::uint32_t row, Cycle cycle) { state.issue[row] = cycle; });
  const Cycle start = state.issue[order.front()];
  state.period = model.next_start() - start;
  for (Cycle& cycle : state.issue) cycle -= start;
  return state;
}

}  // namespace ppu::driver
