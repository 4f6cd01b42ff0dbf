// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Faces and vertices of each other, by trying every three of them: polyhedra of games are small.
#include "model/distance/convex.hpp"

#include <algorithm>

namespace ppu::model::distance {
namespace {

/// Of what is nearer than this part of the size, two are one.
constexpr double kSame = 1e-9;

void check_count(const char* what, std::size_t found, std::size_t most) {
  if (found < 4 || found > most)
    throw ConvexError("found " + std::to_string(found) + " " + what + ", expected 4 to " +
                      std::to_string(most));
}

bool is_finite(const Vector3& a) {
  return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
}

void normalize(std::vector<Plane>& planes) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    Plane& plane = planes[i];
    const double size = length(plane.normal);
    if (!std::isfinite(size) || !std::isfinite(plane.offset) || !(size > 1e-150))
      throw ConvexError("face " + std::to_string(i) +
                        ": found a normal or an offset that is no plane's, expected finite numbers "
                        "and a normal that is not 0");
    plane.normal = (1 / size) * plane.normal;
    plane.offset /= size;
  }
}

void add_unless_there(std::vector<Vector3>& points, const Vector3& point, double same) {
  for (const Vector3& other : points)
    if (length(point - other) <= same) return;
  points.push_back(point);
}

bool holds(const std::vector<Plane>& planes, const Vector3& point, double slack) {
  return std::all_of(planes.begin(), planes.end(), [&](const Plane& plane) {
    return dot(plane.normal, point) <= plane.offset + slack;
  });
}

/// A direction in which one can go on for ever lies in all half-spaces through the origin; where
/// there is one, there is one along two of their planes.
bool is_bounded(const std::vector<Plane>& planes) {
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vector3 along = cross(planes[i].normal, planes[j].normal);
      const double size = length(along);
      if (size < kSame) continue;
      for (const double sign : {1.0, -1.0}) {
        const bool goes_on = std::all_of(planes.begin(), planes.end(), [&](const Plane& plane) {
          return sign * dot(plane.normal, along) <= kSame * size;
        });
        if (goes_on) return false;
      }
    }
  }
  return true;
}

/// Where three planes meet inside all others.
std::vector<Vector3> corners(const std::vector<Plane>& planes, double size) {
  std::vector<Vector3> found;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vector3 along = cross(planes[i].normal, planes[j].normal);
      if (length(along) < kSame) continue;
      for (std::size_t k = 0; k < j; ++k) {
        const double volume = dot(along, planes[k].normal);
        if (std::fabs(volume) < kSame) continue;
        const Vector3 point =
            (1 / volume) * (planes[k].offset * along +
                            planes[i].offset * cross(planes[j].normal, planes[k].normal) +
                            planes[j].offset * cross(planes[k].normal, planes[i].normal));
        if (holds(planes, point, kSame * size)) add_unless_there(found, point, kSame * size);
      }
    }
  }
  return found;
}

double size_of(const std::vector<Vector3>& points) {
  double size = 0;
  for (const Vector3& point : points) size = std::max(size, length(point));
  return size;
}

/// The longest way of a point from the plane through three of them, over all planes: 0 for points
/// in one plane.
bool has_volume(const std::vector<Vector3>& points, double size) {
  const Vector3 origin = points.front();
  Vector3 first{}, normal{};
  for (const Vector3& point : points)
    if (length(point - origin) > length(first)) first = point - origin;
  for (const Vector3& point : points) {
    const Vector3 area = cross(first, point - origin);
    if (length(area) > length(normal)) normal = area;
  }
  const double area = length(normal);
  if (!(area > kSame * size * size)) return false;
  return std::any_of(points.begin(), points.end(), [&](const Vector3& point) {
    return std::fabs(dot(normal, point - origin)) > kSame * size * area;
  });
}

}  // namespace

Convex convex_of_planes(std::vector<Plane> planes) {
  check_count("faces", planes.size(), kMaxFaces);
  normalize(planes);
  if (!is_bounded(planes))
    throw ConvexError("found half-spaces that hold a volume without end, expected a polyhedron");
  double size = 0;
  for (const Plane& plane : planes) size = std::max(size, std::fabs(plane.offset));
  Convex convex;
  convex.vertices = corners(planes, size);
  if (convex.vertices.size() < 4 || !has_volume(convex.vertices, size_of(convex.vertices)))
    throw ConvexError("found half-spaces that hold no volume, expected a polyhedron");
  convex.radius = size_of(convex.vertices);
  convex.faces = std::move(planes);
  return convex;
}

Convex convex_of_points(const std::vector<Vector3>& points) {
  check_count("vertices", points.size(), kMaxVertices);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!is_finite(points[i]))
      throw ConvexError("vertex " + std::to_string(i) +
                        ": found a number that is not finite, expected three finite ones");
  const double size = size_of(points);
  if (!has_volume(points, size))
    throw ConvexError("found vertices in one plane, expected a polyhedron");
  Convex convex;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        const Vector3 area = cross(points[j] - points[i], points[k] - points[i]);
        if (length(area) <= kSame * size * size) continue;
        for (const double sign : {1.0, -1.0}) {
          const Vector3 normal = (sign / length(area)) * area;
          const double offset = dot(normal, points[i]);
          if (support(points, normal) > offset + kSame * size) continue;
          const bool is_new = std::none_of(
              convex.faces.begin(), convex.faces.end(),
              [&](const Plane& face) { return length(face.normal - normal) < 1e3 * kSame; });
          if (is_new) convex.faces.push_back({normal, offset});
        }
      }
    }
  }
  check_count("faces of the hull", convex.faces.size(), kMaxFaces);
  for (const Vector3& point : points) {
    const bool is_corner =
        std::count_if(convex.faces.begin(), convex.faces.end(), [&](const Plane& face) {
          return dot(face.normal, point) > face.offset - kSame * size;
        }) >= 3;
    if (is_corner) add_unless_there(convex.vertices, point, kSame * size);
  }
  convex.radius = size;
  return convex;
}

std::vector<Vector3> vertices_of_face(const Convex& convex, std::size_t face) {
  const Plane& plane = convex.faces[face];
  std::vector<Vector3> on_it;
  for (const Vector3& vertex : convex.vertices)
    if (dot(plane.normal, vertex) > plane.offset - 1e3 * kSame * convex.radius)
      on_it.push_back(vertex);
  return on_it;
}

double support(const std::vector<Vector3>& vertices, const Vector3& direction) {
  double most = -INFINITY;
  for (const Vector3& vertex : vertices) most = std::max(most, dot(direction, vertex));
  return most;
}

}  // namespace ppu::model::distance
