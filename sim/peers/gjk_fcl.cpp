// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances by FCL, whose GJK is libccd's.
#ifdef PPU_PEERS_FCL
#include <fcl/fcl.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>

#include "sim/peers/pair_list.hpp"
#include "sim/peers/peers.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;
using distance::cross;
using distance::dot;
using distance::operator+;
using distance::operator-;
using distance::operator*;

/// The numbers of the vertices of a face, counterclockwise from outside.
std::vector<int> outline(const distance::Convex& convex, const distance::Plane& face) {
  std::vector<int> corners;
  distance::Vector3 middle{};
  for (std::size_t i = 0; i < convex.vertices.size(); ++i) {
    if (dot(face.normal, convex.vertices[i]) < face.offset - 1e-6 * convex.radius) continue;
    corners.push_back(static_cast<int>(i));
    middle = middle + convex.vertices[i];
  }
  if (corners.size() < 3) return {};
  middle = (1 / static_cast<double>(corners.size())) * middle;
  const auto at = [&](int corner) {
    return convex.vertices[static_cast<std::size_t>(corner)] - middle;
  };
  const distance::Vector3 x = at(corners[0]), y = cross(face.normal, x);
  const auto angle = [&](int corner) { return std::atan2(dot(at(corner), y), dot(at(corner), x)); };
  std::sort(corners.begin(), corners.end(), [&](int a, int b) { return angle(a) < angle(b); });
  return corners;
}

std::unique_ptr<fcl::Convexd> shape_of(const distance::Convex& convex) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const distance::Vector3& v : convex.vertices) vertices->emplace_back(v[0], v[1], v[2]);
  auto faces = std::make_shared<std::vector<int>>();
  int count = 0;
  for (const distance::Plane& face : convex.faces) {
    const std::vector<int> corners = outline(convex, face);
    if (corners.empty()) continue;
    faces->push_back(static_cast<int>(corners.size()));
    faces->insert(faces->end(), corners.begin(), corners.end());
    ++count;
  }
  return std::make_unique<fcl::Convexd>(vertices, count, faces);
}

fcl::Transform3d transform_of(const distance::Pose& pose) {
  fcl::Transform3d transform = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; ++i) {
    const auto row = static_cast<std::size_t>(i);
    for (int k = 0; k < 3; ++k)
      transform.linear()(i, k) = pose.rotation[row][static_cast<std::size_t>(k)];
    transform.translation()[i] = pose.position[row];
  }
  return transform;
}

}  // namespace

std::vector<double> gjk_of_fcl(const std::vector<double>& numbers) {
  const PairList list = pair_list_of(numbers);
  std::vector<std::unique_ptr<fcl::Convexd>> shapes;
  for (const distance::Convex& convex : list.shapes) shapes.push_back(shape_of(convex));
  fcl::DistanceRequestd request;
  request.distance_tolerance = 1e-10;
  request.gjk_solver_type = fcl::GST_LIBCCD;
  std::vector<double> answer;
  const std::clock_t start = std::clock();
  for (const distance::Pair& pair : list.pairs) {
    fcl::DistanceResultd result;
    fcl::distance(shapes[pair.first].get(), transform_of(pair.first_pose),
                  shapes[pair.second].get(), transform_of(pair.second_pose), request, result);
    answer.push_back(std::max(0.0, result.min_distance));
  }
  answer.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  return answer;
}

}  // namespace ppu::sim
#endif
