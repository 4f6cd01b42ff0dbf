// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Rows of contacts as the world that they could have come from, for solvers that take worlds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "sim/peers/world_list.hpp"

namespace ppu::sim {

struct ContactWorld {
  WorldList list;
  std::vector<std::array<std::size_t, 3>> rows;  ///< Of each contact.
  /// What is on the way to a solver of worlds, else empty: "a joint", ...
  std::string obstacle;
};

/// `problem` has fixed bounds; `parent` are those that it had, or -1 where a friction row belongs
/// to the contact before it. In a world both bodies touch at one point; rows whose arms disagree on
/// it by more than 1e-5 m, joints, and contacts with other than two rows of friction are an
/// obstacle.
ContactWorld contact_world(const model::RowProblem& problem,
                           const std::vector<std::int32_t>& parent);

}  // namespace ppu::sim
