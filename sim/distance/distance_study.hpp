// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Lemke's method on many pairs: whether its distances are right, by the geometry and by the GJK of
// others, and how long its steps take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/distance/generated_pairs.hpp"
#include "sim/peers/pair_list.hpp"

namespace ppu::sim {

/// Two distances that differ by more do not agree, m.
inline constexpr double kDistanceTolerance = 1e-5;

/// A peer beside it.
struct PeerDistances {
  std::string peer;
  std::vector<double> distance;  ///< m, of each pair.
  double seconds = 0;            ///< Of processor time, one thread.
  double largest = 0;            ///< Difference, m.
  std::size_t beyond = 0;        ///< Pairs beyond kDistanceTolerance.
};

struct DistanceCheck {
  std::vector<model::distance::DistanceResult> results;
  std::size_t unsolved = 0;
  std::vector<double> error;  ///< Of each result at most, proven by the geometry, m.
  double largest_error = 0;
  double mean_pivots = 0;
  std::uint32_t most_pivots = 0;
  std::vector<PeerDistances> peers;
  /// Pairs on which every peer is beyond the tolerance.
  std::size_t alone = 0;

  [[nodiscard]] bool is_right() const {
    return unsolved == 0 && largest_error <= kDistanceTolerance;
  }
};

/// Names of the peers: "bullet", "fcl".
const std::vector<std::string>& distance_peers();

/// Throws what ask_peer() does.
DistanceCheck check_distances(const PairList& list, const std::vector<std::string>& peers,
                              std::size_t threads);

/// Least, mean and largest time of a kind of step, microseconds. The least and the largest leave
/// out the lowest and the highest twentieth.
struct StepTime {
  double least = 0, mean = 0, largest = 0;
};

/// Table 33-1 of GPU Gems 3 for one number of faces.
struct DistanceTimes {
  StepTime set_up, select, solve;  ///< "Setup", "Select next pivot equation", "Solve equation".
  double one_thread = 0;           ///< Queries a second, the best of five runs.
  double all_threads = 0;
  std::size_t threads = 0;
};

DistanceTimes time_distances(const PairList& list, std::size_t threads);

}  // namespace ppu::sim
