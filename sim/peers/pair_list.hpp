// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Polyhedra and pairs of them as doubles, on the way to a peer.
#pragma once

#include <vector>

#include "model/distance/distance.hpp"

namespace ppu::sim {

struct PairList {
  std::vector<model::distance::Convex> shapes;
  std::vector<model::distance::Pair> pairs;
};

std::vector<double> to_numbers(const PairList& list);
PairList pair_list_of(const std::vector<double>& numbers);

}  // namespace ppu::sim
