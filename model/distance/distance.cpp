// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances as complementarity problems, one or many.
#include "model/distance/distance.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace ppu::model::distance {
namespace {

std::vector<Vector3> placed(const std::vector<Vector3>& points, const Pose& pose) {
  std::vector<Vector3> there;
  there.reserve(points.size());
  for (const Vector3& point : points) there.push_back(pose.at(point));
  return there;
}

/// How far the point lies outside.
double outside(const Convex& convex, const Pose& pose, const Vector3& point) {
  double most = 0;
  for (const Plane& face : convex.faces) {
    const Vector3 normal = pose.turned(face.normal);
    most = std::max(most, dot(normal, point - pose.position) - face.offset);
  }
  return most;
}

}  // namespace

void DistanceSolver::set_up(const Convex& first, const Convex& second, const Pair& pair) {
  const Convex* const convex[2] = {&first, &second};
  const Pose* const pose[2] = {&pair.first_pose, &pair.second_pose};
  // Coordinates x' = (x - shift) / scale: all from 1/4 to 5/4, the size of both together being 1.
  Vector3 low{}, high{};
  scale_ = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    low[k] = std::min(pose[0]->position[k] - first.radius, pose[1]->position[k] - second.radius);
    high[k] = std::max(pose[0]->position[k] + first.radius, pose[1]->position[k] + second.radius);
    scale_ = std::max(scale_, high[k] - low[k]);
  }
  const double margin = scale_ / 4;
  shift_ = low - Vector3{margin, margin, margin};

  tableau_.reset(6 + first.faces.size() + second.faces.size());
  for (std::size_t k = 0; k < 3; ++k) {
    tableau_.coefficient(k, k) = tableau_.coefficient(3 + k, 3 + k) = 2;
    tableau_.coefficient(k, 3 + k) = tableau_.coefficient(3 + k, k) = -2;
  }
  std::size_t row = 6;
  for (std::size_t side = 0; side < 2; ++side) {
    const Vector3 origin = pose[side]->position - shift_;
    for (const Plane& face : convex[side]->faces) {
      const Vector3 normal = pose[side]->turned(face.normal);
      for (std::size_t k = 0; k < 3; ++k) {
        tableau_.coefficient(3 * side + k, row) = normal[k];
        tableau_.coefficient(row, 3 * side + k) = -normal[k];
      }
      tableau_.constant(row) = (face.offset + dot(normal, origin)) / scale_;
      ++row;
    }
  }
}

DistanceResult DistanceSolver::result(LemkeTableau::State state) const {
  DistanceResult found;
  found.state = state;
  found.pivots = static_cast<std::uint32_t>(tableau_.pivots());
  for (std::size_t k = 0; k < 3; ++k) {
    found.first_point[k] = shift_[k] + scale_ * tableau_.z(k);
    found.second_point[k] = shift_[k] + scale_ * tableau_.z(3 + k);
  }
  found.distance = length(found.second_point - found.first_point);
  return found;
}

DistanceResult DistanceSolver::solve(const Convex& first, const Convex& second, const Pair& pair) {
  set_up(first, second, pair);
  return result(tableau_.solve());
}

std::vector<DistanceResult> solve_all(const std::vector<Convex>& shapes,
                                      const std::vector<Pair>& pairs, std::size_t threads) {
  constexpr std::size_t kAtOnce = 64;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, (pairs.size() + kAtOnce - 1) / kAtOnce);
  std::vector<DistanceResult> results(pairs.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    DistanceSolver solver;
    for (;;) {
      const std::size_t start = next.fetch_add(kAtOnce);
      if (start >= pairs.size()) return;
      const std::size_t end = std::min(start + kAtOnce, pairs.size());
      for (std::size_t i = start; i < end; ++i)
        results[i] = solver.solve(shapes[pairs[i].first], shapes[pairs[i].second], pairs[i]);
    }
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return results;
}

double proven_error(const Convex& first, const Convex& second, const Pair& pair,
                    const DistanceResult& result) {
  const double out = std::max(outside(first, pair.first_pose, result.first_point),
                              outside(second, pair.second_pose, result.second_point));
  if (result.distance == 0) return out;
  const Vector3 across = (1 / result.distance) * (result.second_point - result.first_point);
  const double gap = -support(placed(second.vertices, pair.second_pose), -1 * across) -
                     support(placed(first.vertices, pair.first_pose), across);
  return std::max(out, result.distance - std::max(gap, 0.0));
}

std::string in_words(LemkeTableau::State state) {
  if (state == LemkeTableau::State::kSolved) return "solved";
  return state == LemkeTableau::State::kRay ? "no solution" : "cycles";
}

}  // namespace ppu::model::distance
