// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The least cycles of a sweep that what rows wait for leaves possible, as rows and with the rows of
// a contact as one operation.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "hw/contract/config.hpp"
#include "model/problem/row_problem.hpp"

namespace ppu::sim {

/// The row that a row would follow in a block, or -1: the last one before it on each of its bodies,
/// on the same bodies, of the same contact. No other pair can be put together with the same bits.
std::vector<std::int32_t> block_predecessors(const model::RowProblem& problem);

/// How many blocks of two rows and more a problem has, by their rows.
std::map<std::uint32_t, std::uint64_t> block_counts(const model::RowProblem& problem);

enum class Blocks {
  kNone,         ///< Rows are rows.
  kForwarded,    ///< Rows of a block follow each other by same_bits_hop(), but issue as rows do.
  kOneOperation  ///< And leave the issue stage together, with the first of them.
};

struct IssueRules {
  bool in_order = false;  ///< No row issues before one that stands in front of it.
  Blocks blocks = Blocks::kNone;
};

/// Cycles of a steady sweep with pipes and banks without end: each row waits for the rows before it
/// on its bodies and for its parent, and each sweep for the issue of the whole sweep before it.
double dependence_bound(const model::RowProblem& problem, const hw::Config& config,
                        IssueRules rules);

}  // namespace ppu::sim
