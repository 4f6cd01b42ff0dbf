// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the debugger shows of the place where a run is.
#pragma once

#include <cstdint>
#include <string>

#include "sim/debug/debug_answer.hpp"
#include "sim/debug/debug_walk.hpp"

namespace ppu::sim {

/// A run with what its rows and words are called.
struct View {
  const Walk& walk;
  const model::RowProblem& problem;
  std::size_t number;

  [[nodiscard]] WalkedRun& run() const { return walk.run(number); }
  [[nodiscard]] hw::SteppingEngine& engine() const { return run().engine(); }
  [[nodiscard]] const hw::SteppingEngine::State& state() const { return run().state(); }
  [[nodiscard]] const DebugProgram& program() const { return walk.device().program; }
  [[nodiscard]] const firmware::SourceText& source(std::uint32_t address) const {
    return program().assembly.source[address];
  }
  /// Before the first `kernel` it is false.
  [[nodiscard]] bool has_kernel() const { return state().sequencer.kernel().words > 0; }
  /// Of the loaded one; its address where none begins there.
  [[nodiscard]] std::string kernel_name() const;

  /// "row 7 (slot 12)".
  [[nodiscard]] std::string row_name(std::uint32_t slot) const;
  /// "body 3" or "static", of the device's number.
  [[nodiscard]] std::string body_name(std::uint32_t number_on_device) const;
  /// The body of the problem, null of the static world.
  [[nodiscard]] nlohmann::ordered_json body_json(std::uint32_t number_on_device) const;
};

/// Where the run is, and what the next step executes.
Answer show_where(const View& view);
Answer show_registers(const View& view);
/// Record, operands, what the loaded kernel makes of them.
Answer show_row(const View& view, std::uint32_t slot);
Answer show_velocity(const View& view, std::uint32_t number_on_device);
Answer show_impulse(const View& view, std::uint32_t slot);
Answer show_tags(const View& view);
Answer show_residual(const View& view);
/// `count` words from `address` on, as in a listing.
Answer show_memory(const View& view, std::uint32_t address, std::uint32_t count);
/// Lines of the source around `line`, from 1.
Answer show_source(const View& view, int line);

/// The line of the next step: of the instruction, of `rows` while its pass is under way.
int present_line(const View& view);

}  // namespace ppu::sim
