// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances of convex polyhedra.
#include "driver/method/distances.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "driver/base/failure.hpp"
#include "model/distance/distance.hpp"

namespace ppu::driver {
namespace {

namespace distance = model::distance;

distance::Vector3 vector_of(const double (&numbers)[3]) {
  return {numbers[0], numbers[1], numbers[2]};
}

distance::Convex convex_of(const ppu_polyhedron& given, std::uint32_t number) {
  if ((given.plane_count == 0) == (given.vertex_count == 0))
    fail(PPU_ERROR_PROBLEM, "polyhedron ", number, " has ", given.plane_count, " planes and ",
         given.vertex_count, " vertices, expected one of both");
  if (given.plane_count > 0) require(given.planes, "polyhedra->planes");
  if (given.vertex_count > 0) require(given.vertices, "polyhedra->vertices");
  try {
    if (given.vertex_count > distance::kMaxVertices || given.plane_count > distance::kMaxFaces)
      throw distance::ConvexError("found " +
                                  std::to_string(std::max(given.plane_count, given.vertex_count)) +
                                  " planes or vertices, expected 4 to 256");
    if (given.plane_count > 0) {
      std::vector<distance::Plane> planes(given.plane_count);
      for (std::size_t i = 0; i < planes.size(); ++i) {
        const double* plane = given.planes[i];
        planes[i] = {{plane[0], plane[1], plane[2]}, plane[3]};
      }
      return distance::convex_of_planes(std::move(planes));
    }
    std::vector<distance::Vector3> points(given.vertex_count);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = vector_of(given.vertices[i]);
    return distance::convex_of_points(points);
  } catch (const distance::ConvexError& error) {
    fail(PPU_ERROR_PROBLEM, "polyhedron ", number, ": ", error.what());
  }
}

distance::Pose pose_of(const ppu_pose& given, std::uint32_t pair) {
  const distance::Vector3 position = vector_of(given.position);
  if (!std::all_of(position.begin(), position.end(), [](double x) { return std::isfinite(x); }))
    fail(PPU_ERROR_PROBLEM, "pair ", pair, ": a position is not finite");
  const auto& turn = given.rotation;
  const auto pose = distance::pose_of(position, {turn[0], turn[1], turn[2], turn[3]});
  if (!pose)
    fail(PPU_ERROR_PROBLEM, "pair ", pair, ": rotation is ", turn[0], ", ", turn[1], ", ", turn[2],
         ", ", turn[3], ", expected a quaternion of length 1");
  return *pose;
}

distance::Pair pair_of(const ppu_pair& given, std::uint32_t number, std::uint32_t end) {
  for (const std::uint32_t polyhedron : {given.first, given.second})
    if (polyhedron >= end)
      fail(PPU_ERROR_PROBLEM, "pair ", number, " names polyhedron ", polyhedron,
           ", expected one below ", end);
  return {given.first, given.second, pose_of(given.first_pose, number),
          pose_of(given.second_pose, number)};
}

}  // namespace

void find_distances(const ppu_polyhedron* polyhedra, std::uint32_t polyhedron_count,
                    const ppu_pair* pairs, std::uint32_t pair_count, std::uint32_t threads,
                    ppu_distance* distances) {
  std::vector<distance::Convex> shapes;
  for (std::uint32_t i = 0; i < polyhedron_count; ++i) shapes.push_back(convex_of(polyhedra[i], i));
  std::vector<distance::Pair> all;
  for (std::uint32_t i = 0; i < pair_count; ++i)
    all.push_back(pair_of(pairs[i], i, polyhedron_count));

  const std::vector<distance::DistanceResult> results = distance::solve_all(shapes, all, threads);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].state != distance::LemkeTableau::State::kSolved)
      fail(PPU_ERROR_NUMERIC, "pair ", i, ": ", distance::in_words(results[i].state), " after ",
           results[i].pivots, " pivots, expected a distance");
  for (std::size_t i = 0; i < results.size(); ++i) {
    const distance::DistanceResult& from = results[i];
    ppu_distance& to = distances[i];
    to.distance = from.distance;
    std::copy(from.first_point.begin(), from.first_point.end(), to.first_point);
    std::copy(from.second_point.begin(), from.second_point.end(), to.second_point);
    to.proven_error =
        distance::proven_error(shapes[all[i].first], shapes[all[i].second], all[i], from);
    to.pivots = from.pivots;
  }
}

}  // namespace ppu::driver
