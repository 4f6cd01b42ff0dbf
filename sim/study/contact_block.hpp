// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of a contact as one operation: how long rows that follow one another on the same bodies
// take as they are, and how long they would take with the velocities handed on inside.
#pragma once

#include "hw/contract/config.hpp"

namespace ppu::sim {

/// Cycles of what stands between two rows of one body in the rate form, one after the other; all
/// but the read and the write lie in the row pipe (hw/spec/kernel.toml).
struct RowLoop {
  int read = 0;        ///< Velocity memory, to the pipe's input.
  int dot = 0;         ///< u = b + J v.
  int step = 0;        ///< t = x - d u.
  int clamp = 0;       ///< x' = med(lo, t, hi).
  int difference = 0;  ///< dx = x' - x.
  int scaled_add = 0;  ///< v' = v + dx JM.
  int write = 0;       ///< From the pipe's output to the cycle in which the next row reads.

  [[nodiscard]] int latency() const {
    return read + dot + step + clamp + difference + scaled_add + write;
  }
};
RowLoop row_loop(const hw::Config& config);

/// Rows on the same bodies that go through the pipe one after the other: cycles from the issue of
/// the first to the first cycle in which a row after them may issue.
int cycles_as_rows(const hw::Config& config, int rows);

/// What a row of a block follows the one before it by, at least, if every operation stays as it is:
/// the scaled add hands each element to the dot product as soon as it is there. So nothing is read
/// and nothing written, and with fewer than 12 lanes no beat waits for the last one.
int same_bits_hop(const hw::Config& config);
/// The rows of cycles_as_rows() as such a block.
int cycles_as_block(const hw::Config& config, int rows);

/// What a row of a block follows the one before it by, at least, if it takes its rate from the
/// impulses: u_j = (b_j + J_j v - sum K_jk x_k) + sum K_jk x'_k, K = J M^-1 J^T of the block, what
/// is in brackets being made when the block begins. Other roundings, so other bits.
int other_bits_hop(const hw::Config& config);
/// The rows of cycles_as_rows() as such a block.
int cycles_with_other_bits(const hw::Config& config, int rows);

}  // namespace ppu::sim
