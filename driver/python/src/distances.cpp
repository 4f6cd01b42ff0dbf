// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "distances.hpp"

#include <algorithm>
#include <vector>

#include "ppu/methods.h"
#include "ppu/ppu.hpp"

namespace ppu::python {
namespace {

ppu_pose pose_of(const double* numbers) {
  ppu_pose pose{};
  std::copy(numbers, numbers + 3, pose.position);
  std::copy(numbers + 3, numbers + 7, pose.rotation);
  return pose;
}

}  // namespace

Object find_distances(const Object& arguments) {
  const Object shapes = arguments.at(0), pairs = arguments.at(1), found = arguments.at(3);
  const auto threads = number_of<std::uint32_t>(arguments.at(2));
  std::vector<ppu_polyhedron> polyhedra;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Object shape = shapes.at(i);
    ppu_polyhedron polyhedron{};
    polyhedron.planes = data<const double[4]>(shape, "planes");
    polyhedron.vertices = data<const double[3]>(shape, "vertices");
    const auto count = [&shape](const char* name) {
      return shape[name].is_none() ? 0U : static_cast<std::uint32_t>(shape[name].size());
    };
    polyhedron.plane_count = count("planes");
    polyhedron.vertex_count = count("vertices");
    polyhedra.push_back(polyhedron);
  }
  const auto count = static_cast<std::uint32_t>(pairs["number"].size());
  const auto* const number = data<const std::uint32_t>(pairs, "number");
  const auto* const first = data<const double>(pairs, "first_pose");
  const auto* const second = data<const double>(pairs, "second_pose");
  std::vector<ppu_pair> all(count);
  for (std::size_t i = 0; i < count; ++i)
    all[i] = {number[2 * i], number[2 * i + 1], pose_of(first + 7 * i), pose_of(second + 7 * i)};
  std::vector<ppu_distance> distances(count);
  {
    const WithoutPython release;
    check(ppu_distances(polyhedra.data(), static_cast<std::uint32_t>(polyhedra.size()), all.data(),
                        count, threads, distances.data()));
  }
  auto* const distance = data<double>(found, "distance");
  auto* const first_point = data<double>(found, "first_point");
  auto* const second_point = data<double>(found, "second_point");
  auto* const proven_error = data<double>(found, "proven_error");
  auto* const pivots = data<std::uint32_t>(found, "pivots");
  for (std::size_t i = 0; i < count; ++i) {
    distance[i] = distances[i].distance;
    std::copy_n(distances[i].first_point, 3, first_point + 3 * i);
    std::copy_n(distances[i].second_point, 3, second_point + 3 * i);
    proven_error[i] = distances[i].proven_error;
    pivots[i] = distances[i].pivots;
  }
  return none();
}

}  // namespace ppu::python
