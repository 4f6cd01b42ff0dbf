// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The way of tokens from the pipe of a row to the pipes of those behind it: two lanes, each with
// log2(pipes) steps of switches with queues at their inputs (docs/inside/dataflow.md).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

namespace ppu::hw {

/// A token, or both, for the row in `slot`.
struct Message {
  std::uint32_t slot;
  bool full;  ///< The row waits for no other one.
  /// A same-bank row sends it: the row does not issue in its first cycle in the window.
  bool after_same_bank;
  bool of_body_b;  ///< Of body b of the row that waits; false if it is of both.
};

class TokenNetwork {
 public:
  static constexpr std::uint32_t kFirstPlaces = 64;
  static constexpr std::size_t kPlaces = 4;
  /// Messages of a cycle, by lane: none or one each.
  using Arrivals = std::array<std::deque<Message>, 2>;

  explicit TokenNetwork(std::uint32_t pipes);

  [[nodiscard]] std::uint32_t steps() const { return steps_; }
  /// True if a row may issue: there will be room for its messages.
  [[nodiscard]] bool has_room(std::uint32_t pipe) const {
    return steps_ == 0 || (owed_[0][pipe] < kFirstPlaces && owed_[1][pipe] < kFirstPlaces);
  }
  /// A row issues.
  void owe(std::uint32_t pipe) {
    ++owed_[0][pipe];
    ++owed_[1][pipe];
  }
  /// One cycle: messages arrive at the pipes. Before the pushes of the cycle.
  void move();
  /// The message of a row that issued, on a lane; null: it has none.
  void push(std::uint32_t lane, std::uint32_t pipe, const Message* message);
  /// What arrived in this cycle.
  [[nodiscard]] Arrivals& arrivals(std::uint32_t pipe) { return arrivals_[pipe]; }
  [[nodiscard]] bool has_arrivals(std::uint32_t pipe) const {
    return !arrivals_[pipe][0].empty() || !arrivals_[pipe][1].empty();
  }
  /// Nothing is under way.
  [[nodiscard]] bool is_empty() const { return under_way_ == 0; }

 private:
  using Queue = std::deque<Message>;

  void move_switch(std::uint32_t lane, std::uint32_t step, std::uint32_t low);
  [[nodiscard]] bool is_full(std::uint32_t lane, std::uint32_t step, std::uint32_t pipe) const;

  std::uint32_t pipes_, steps_ = 0;
  std::uint32_t under_way_ = 0;
  std::array<std::vector<std::vector<Queue>>, 2> queues_;      ///< Lane, step, pipe.
  std::array<std::vector<std::vector<std::size_t>>, 2> held_;  ///< Sizes when the cycle began.
  /// Lane, step, pipe of the output: the next conflict goes to the upper pipe.
  std::array<std::vector<std::vector<bool>>, 2> upper_;
  std::array<std::vector<std::uint32_t>, 2> owed_;
  std::vector<Arrivals> arrivals_;
};

}  // namespace ppu::hw
