// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The distance of two convex polyhedra by Lemke's method: P. Kipfer, GPU Gems 3, chapter 33.
//
//     min |p - q|^2,   A_1 p <= b_1,   A_2 q <= b_2                              p. "Equation 3"
//
//     M = | 2I  -2I  A_1'  0   |   q = |  0  |   z = | p  |   one row for each coordinate of p and
//         |-2I   2I   0   A_2' |       |  0  |       | q  |   q and for each face: 6 + faces.
//         |-A_1  0    0    0   |       | b_1 |       | y1 |
//         | 0   -A_2  0    0   |       | b_2 |       | y2 |
//
// As z >= 0, both are moved to where all coordinates are positive, and scaled to the size of 1. M
// is positive semidefinite: the method ends, with a distance of 0 where the polyhedra overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/distance/convex.hpp"
#include "model/distance/lemke.hpp"

namespace ppu::model::distance {

/// Two polyhedra, by number, and where they are.
struct Pair {
  std::size_t first = 0, second = 0;
  Pose first_pose, second_pose;
};

struct DistanceResult {
  LemkeTableau::State state = LemkeTableau::State::kGoesOn;  ///< The numbers hold if kSolved.
  double distance = 0;                                       ///< m; 0 where they overlap.
  Vector3 first_point{}, second_point{};                     ///< The nearest ones, world, m.
  std::uint32_t pivots = 0;
};

/// Solves one pair after the other in the memory of the first.
class DistanceSolver {
 public:
  DistanceResult solve(const Convex& first, const Convex& second, const Pair& pair);

  // The steps of solve(), for those who measure them.
  void set_up(const Convex& first, const Convex& second, const Pair& pair);
  LemkeTableau& tableau() { return tableau_; }
  [[nodiscard]] DistanceResult result(LemkeTableau::State state) const;

 private:
  LemkeTableau tableau_;
  Vector3 shift_{};
  double scale_ = 1;
};

/// All pairs, on `threads` threads (0: one for each core). Each result is the same for any number
/// of them.
std::vector<DistanceResult> solve_all(const std::vector<Convex>& shapes,
                                      const std::vector<Pair>& pairs, std::size_t threads);

/// How far a result is from the truth at most, by the geometry alone, m: the points lie this far
/// outside of their polyhedra, and the plane across their difference shows that no two points are
/// nearer than the distance less this.
double proven_error(const Convex& first, const Convex& second, const Pair& pair,
                    const DistanceResult& result);

/// "solved", "no solution" or "cycles".
std::string in_words(LemkeTableau::State state);

}  // namespace ppu::model::distance
