// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Polyhedra and places by a generator of random numbers of its own: std:: distributions differ
// between libraries.
#include "model/distance/generated_pairs.hpp"

#include <algorithm>
#include <limits>

namespace ppu::model::distance {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform(double low, double high) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
    return low + (high - low) * static_cast<double>(z >> 11U) * 0x1p-53;
  }
  std::size_t below(std::size_t end) {
    return std::min(end - 1, static_cast<std::size_t>(uniform(0, static_cast<double>(end))));
  }
  Vector3 direction() {
    const double z = uniform(-1, 1), angle = uniform(0, 2 * kPi);
    const double r = std::sqrt(1 - z * z);
    return {r * std::cos(angle), r * std::sin(angle), z};
  }

 private:
  std::uint64_t state_;
};

/// Turns `from` to `to`, both of length 1, then by `angle` around `to`.
std::array<Vector3, 3> turn(const Vector3& from, const Vector3& to, double angle) {
  const auto frame = [](const Vector3& axis) {
    const Vector3 other = std::fabs(axis[0]) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0};
    const Vector3 across = cross(axis, other);
    const Vector3 u = (1 / length(across)) * across;
    return std::array<Vector3, 3>{u, cross(axis, u), axis};
  };
  const auto a = frame(from), b = frame(to);
  const Vector3 u = std::cos(angle) * b[0] + std::sin(angle) * b[1];
  const Vector3 v = std::cos(angle) * b[1] - std::sin(angle) * b[0];
  std::array<Vector3, 3> rotation{};
  for (std::size_t i = 0; i < 3; ++i) rotation[i] = u[i] * a[0] + v[i] * a[1] + to[i] * a[2];
  return rotation;
}

Vector3 mean(const std::vector<Vector3>& points) {
  Vector3 sum{};
  for (const Vector3& point : points) sum = sum + point;
  return (1 / static_cast<double>(points.size())) * sum;
}

std::vector<Plane> box() {
  std::vector<Plane> planes;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const double sign : {1.0, -1.0}) {
      Plane plane{{}, 1};
      plane.normal[k] = sign;
      planes.push_back(plane);
    }
  }
  return planes;
}

/// Points of a spiral on the sphere, each moved a little: faces of about the same size.
std::vector<Plane> round_body(std::size_t faces, Random& random) {
  std::vector<Plane> planes;
  const double golden = kPi * (3 - std::sqrt(5.0));
  const double reach = 0.5 / std::sqrt(static_cast<double>(faces));
  for (std::size_t i = 0; i < faces; ++i) {
    const double n = static_cast<double>(faces), k = static_cast<double>(i);
    const double z = 1 - (2 * k + 1) / n, r = std::sqrt(1 - z * z);
    const Vector3 at =
        Vector3{r * std::cos(golden * k), r * std::sin(golden * k), z} + reach * random.direction();
    planes.push_back({(1 / length(at)) * at, 1});
  }
  return planes;
}

Convex shape(std::size_t faces, Random& random) {
  for (;;) {
    std::vector<Plane> planes = faces == 6 ? box() : round_body(faces, random);
    for (std::size_t k = 0; k < 3; ++k) {
      const double stretch = random.uniform(0.5, 1.5);
      for (Plane& plane : planes) plane.normal[k] /= stretch;
    }
    try {
      return convex_of_planes(planes);
    } catch (const ConvexError&) {
      // Few faces may leave a hole; the next ones will not.
    }
  }
}

/// A point of the polyhedron's boundary, and a direction in which the polyhedron ends there.
struct Spot {
  Vector3 point, outwards;
};

Spot face_spot(const Convex& convex, const Pose& pose, Random& random) {
  const std::size_t face = random.below(convex.faces.size());
  return {pose.at(mean(vertices_of_face(convex, face))), pose.turned(convex.faces[face].normal)};
}

Vector3 farthest(const Convex& convex, const Pose& pose, const Vector3& direction) {
  Vector3 best{};
  double most = -INFINITY;
  for (const Vector3& vertex : convex.vertices) {
    const double reach = dot(pose.turned(vertex), direction);
    if (reach > most) {
      most = reach;
      best = pose.at(vertex);
    }
  }
  return best;
}

/// The second pose for a spot of the first polyhedron: face to face, or with a vertex towards it.
Pose facing(const Convex& second, const Spot& spot, bool by_face, double gap, Random& random) {
  Pose pose;
  const Vector3 inwards = -1 * spot.outwards;
  const double angle = random.uniform(0, 2 * kPi);
  Vector3 contact;
  if (by_face) {
    const std::size_t face = random.below(second.faces.size());
    pose.rotation = turn(second.faces[face].normal, inwards, angle);
    contact = pose.at(mean(vertices_of_face(second, face)));
  } else {
    pose.rotation = turn(random.direction(), random.direction(), angle);
    contact = farthest(second, pose, inwards);
  }
  pose.position = spot.point + gap * spot.outwards - contact;
  return pose;
}

Pose anywhere(Random& random, double reach) {
  Pose pose;
  pose.rotation = turn(random.direction(), random.direction(), random.uniform(0, 2 * kPi));
  pose.position = random.uniform(0, reach) * random.direction();
  return pose;
}

double gap_of(Placement placement, Random& random) {
  switch (placement) {
    case Placement::kTouching:
      return 0;
    case Placement::kParallel:
      return random.uniform(0.01, 1);
    case Placement::kNear:
      return std::pow(10, random.uniform(-9, -3));
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

const std::vector<std::string>& placement_names() {
  static const std::vector<std::string> names{"random", "touching", "parallel", "near"};
  return names;
}

GeneratedPairs generate_pairs(std::size_t faces, Placement placement, std::size_t count,
                              std::uint64_t seed) {
  constexpr std::size_t kShapes = 32;
  constexpr double kReach = 6;  // m; two spheres that hold them are apart from 5.2 m on at most.
  Random random(seed);
  GeneratedPairs made;
  for (std::size_t i = 0; i < kShapes; ++i) made.shapes.push_back(shape(faces, random));
  for (std::size_t i = 0; i < count; ++i) {
    Pair pair;
    pair.first = random.below(kShapes);
    pair.second = random.below(kShapes);
    pair.first_pose = anywhere(random, kReach);
    const double gap = gap_of(placement, random);
    const Convex& first = made.shapes[pair.first];
    const Convex& second = made.shapes[pair.second];
    if (placement == Placement::kRandom) {
      pair.second_pose = anywhere(random, kReach);
    } else if (placement != Placement::kParallel && i % 3 == 0) {
      const Vector3 outwards = random.direction();
      const Spot vertex{farthest(first, pair.first_pose, outwards), outwards};
      pair.second_pose = facing(second, vertex, false, gap, random);
    } else {
      const bool by_face = placement == Placement::kParallel || i % 3 == 2;
      const Spot spot = face_spot(first, pair.first_pose, random);
      pair.second_pose = facing(second, spot, by_face, gap, random);
    }
    made.pairs.push_back(pair);
    made.gap.push_back(gap);
  }
  return made;
}

}  // namespace ppu::model::distance
