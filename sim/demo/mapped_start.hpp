// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A warm start from the answer of the frame before, friction included.
//
// An engine hands on the impulses of normals alone, and less than the whole of them. Here a row
// gets what the row of the same place had:
//
// * A joint row: the row of the same number among the joint rows of the same two bodies.
// * A contact: the nearest one of the same two bodies, less than kSamePlace away, seen from the
//   centre of one of them.
// * Its friction: the impulse in space along the new directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/problem/row_problem.hpp"

namespace ppu::sim {

inline constexpr double kSamePlace = 0.05;  // m.

struct MappedStart {
  std::vector<float> impulse;  ///< m, N s; 0 where there is nothing to hand on.
  std::size_t contacts = 0;    ///< Rows without a parent.
  std::size_t matched = 0;     ///< Those that were there in the frame before.
};

/// `impulse` of the rows of `before`, at the rows of `after`. Problems number the bodies that have
/// rows: `earlier` says for each body of `after` which one of `before` it is; -1: none.
MappedStart map_start(const model::RowProblem& before, const std::vector<float>& impulse,
                      const model::RowProblem& after, const std::vector<std::int32_t>& earlier);

/// `after` with those impulses as its warm start, and the velocities that they give.
model::RowProblem started_from(const MappedStart& start, model::RowProblem after);

}  // namespace ppu::sim
