// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the rows of a contact as one operation would bring: for a single contact, in each
// configuration, and for whole problems.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/cli/options.hpp"
#include "sim/study/contact_block.hpp"

namespace ppu::sim {

/// A normal row and its two friction rows on one configuration, in cycles.
struct BlockLatency {
  std::string config;
  RowLoop loop;
  double measured = 0;  ///< Of a sweep over one contact on the cycle model.
  int as_rows = 0;
  int as_block = 0;
  int with_other_bits = 0;

  [[nodiscard]] bool as_expected() const { return measured == as_rows; }
};

inline constexpr const char* kMorePipes = "pipes=4";
/// A stage of the multiplier less than `options` say, as a setting: "fp_mul_stages=2".
std::string shorter_multipliers(const Options& options);

/// Latencies on every named configuration, on that of `options` if it is another one, and on that
/// with shorter multipliers; --set holds for all. Throws as run_solve() does.
std::vector<BlockLatency> measure_block_latencies(const Options& options);

/// The cycles of a steady sweep in one order, on one engine.
struct BlockGain {
  std::string order;
  double measured = 0;
  double as_rows = 0;              ///< Bound: dependences or the pipes, see dependence_bound().
  double forwarded = 0;            ///< The same with blocks that are forwarded ...
  double as_blocks = 0;            ///< ... and that are one operation.
  double more_pipes = 0;           ///< Measured with kMorePipes.
  double shorter_multipliers = 0;  ///< Measured with those.

  /// What may be saved of the sweep at most.
  [[nodiscard]] double most_of_forwarding() const { return 1 - forwarded / as_rows; }
  [[nodiscard]] double most_of_blocks() const { return 1 - as_blocks / as_rows; }
  [[nodiscard]] double of_pipes() const { return 1 - more_pipes / measured; }
  [[nodiscard]] double of_multipliers() const { return 1 - shorter_multipliers / measured; }
};

struct BlockStudy {
  std::string problem;
  std::size_t rows = 0;
  std::size_t bodies = 0;
  std::map<std::uint32_t, std::uint64_t> blocks;  ///< See block_counts().
  std::uint64_t chain_rows = 0;                   ///< Of the longest chain.
  std::uint64_t chain_cycles = 0;                 ///< Bounds of a sweep in any order: chain ...
  std::uint64_t pipe_cycles = 0;                  ///< ... and pipes.
  std::vector<BlockGain> gains;                   ///< Engine order, then scheduled.
};

/// Throws as run_solve() does.
BlockStudy study_blocks(const model::RowProblem& problem, const Options& options);

/// The problems that are studied if none is named.
std::vector<model::RowProblem> block_problems();

}  // namespace ppu::sim
