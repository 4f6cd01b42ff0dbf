// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The commands of the debugger.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/debug/debug_answer.hpp"
#include "sim/debug/debug_stops.hpp"
#include "sim/debug/debug_views.hpp"
#include "sim/debug/debug_walk.hpp"

namespace ppu::sim {

class DebugSession {
 public:
  /// Both must last.
  DebugSession(const Walk& walk, const model::RowProblem& problem);

  /// Carries out a command. Throws CommandError for one that is none: nothing has changed.
  Answer execute(const std::string& line);
  /// `quit` has come.
  [[nodiscard]] bool done() const { return done_; }
  /// What there is to debug, and how far it is the device's.
  [[nodiscard]] Answer introduction() const;

 private:
  using Words = std::vector<std::string>;
  using Handler = Answer (DebugSession::*)(const Words& arguments);
  using MakeCondition = std::unique_ptr<StopCondition> (*)();
  struct Command {
    std::vector<std::string> names;  ///< The first one is the long one.
    std::string arguments;
    std::string help;
    std::size_t most_arguments;
    Handler handler;
  };

  [[nodiscard]] static std::vector<Command> movements();
  [[nodiscard]] static std::vector<Command> stop_commands();
  [[nodiscard]] static std::vector<Command> view_commands();
  [[nodiscard]] static const std::vector<Command>& commands();
  [[nodiscard]] static const Command& find(const std::string& name);
  [[nodiscard]] View view() const { return {walk_, problem_, run_}; }
  [[nodiscard]] WalkedRun& run() const { return walk_.run(run_); }

  // Movements.
  Answer step(const Words& arguments) { return forward(arguments, at_instruction); }
  Answer next(const Words& arguments) { return forward(arguments, at_any_row); }
  Answer finish(const Words& arguments) { return forward(arguments, at_end_of_pass); }
  Answer reverse_step(const Words& arguments) { return backward(arguments, at_instruction); }
  Answer reverse_next(const Words& arguments) { return backward(arguments, at_any_row); }
  Answer reverse_finish(const Words& arguments) { return backward(arguments, at_end_of_pass); }
  Answer go_on(const Words& arguments);
  Answer reverse_continue(const Words& arguments);
  Answer go_to(const Words& arguments);
  Answer choose_run(const Words& arguments);
  Answer forward(const Words& arguments, MakeCondition condition);
  Answer backward(const Words& arguments, MakeCondition condition);
  Answer go_to_cycle(const std::string& word);
  /// Where the run is, with the stops that brought it there.
  [[nodiscard]] Answer arrived(const StopList& stops, bool stopped) const;

  // Breaks.
  Answer add_break(const Words& arguments);
  Answer add_watch(const Words& arguments);
  Answer list_breaks(const Words& arguments);
  Answer delete_breaks(const Words& arguments);
  Answer add(const std::string& what, bool of_run, std::unique_ptr<StopCondition> condition);
  Answer break_at_name(const std::string& name);
  /// The words behind `if` but for the comparison and its number.
  [[nodiscard]] Quantity quantity_of(const Words& words) const;
  /// `at` is the place of `if`.
  Answer add_break_if(const Words& arguments, std::size_t at);

  // Views.
  Answer where(const Words& arguments);
  Answer registers(const Words& arguments);
  Answer row(const Words& arguments);
  Answer slot(const Words& arguments);
  Answer velocity(const Words& arguments);
  Answer impulse(const Words& arguments);
  Answer tags(const Words& arguments);
  Answer residual(const Words& arguments);
  Answer memory(const Words& arguments);
  Answer source(const Words& arguments);
  Answer info(const Words& arguments);
  Answer help(const Words& arguments);
  Answer quit(const Words& arguments);

  // Arguments.
  [[nodiscard]] std::uint32_t slot_of_row(const std::string& word) const;
  [[nodiscard]] std::uint32_t parse_slot(const std::string& word) const;
  [[nodiscard]] std::uint32_t number_of_body(const std::string& word) const;
  /// A label, a kernel or a hexadecimal address.
  [[nodiscard]] std::uint32_t parse_address(const std::string& word) const;
  [[nodiscard]] std::uint32_t slot_at_hand() const;

  const Walk& walk_;
  const model::RowProblem& problem_;
  std::size_t run_ = 0;
  std::vector<Stop> stops_;
  unsigned stops_made_ = 0;
  bool done_ = false;
};

}  // namespace ppu::sim
