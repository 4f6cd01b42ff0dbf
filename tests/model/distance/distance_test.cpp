// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances of polyhedra: by hand, as placed, and proven by geometry; and what is no polyhedron.
#include "model/distance/distance.hpp"

#include <gtest/gtest.h>

#include "model/distance/generated_pairs.hpp"

namespace ppu::model::distance {
namespace {

/// From -1 to 1 m along every axis.
Convex cube() {
  std::vector<Vector3> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) corners.push_back({x, y, z});
  return convex_of_points(corners);
}

DistanceResult between_cubes(const Vector3& second_position) {
  Pair pair;
  pair.second_pose.position = second_position;
  DistanceSolver solver;
  const DistanceResult result = solver.solve(cube(), cube(), pair);
  EXPECT_EQ(result.state, LemkeTableau::State::kSolved);
  EXPECT_LT(proven_error(cube(), cube(), pair, result), 1e-13 * (10 + length(second_position)));
  return result;
}

std::string refusal(const std::vector<Plane>& planes) {
  try {
    convex_of_planes(planes);
  } catch (const ConvexError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Distance, OfTwoCubesIsThatOfFacesEdgesAndCorners) {
  EXPECT_NEAR(between_cubes({5, 0.3, 0.2}).distance, 3, 1e-13);
  EXPECT_NEAR(between_cubes({5, 6, 0.2}).distance, 5, 1e-13);
  EXPECT_NEAR(between_cubes({3, 4, 4}).distance, 3, 1e-13);
  const DistanceResult corner = between_cubes({3, 4, 4});
  EXPECT_LT(length(corner.first_point - Vector3{1, 1, 1}), 1e-12);
  EXPECT_LT(length(corner.second_point - Vector3{2, 3, 3}), 1e-12);
}

TEST(Distance, IsZeroWhereTheyTouchOrOverlap) {
  for (const Vector3& at : {Vector3{2, 0, 0}, Vector3{2, 2, 2}, Vector3{0.5, 0.1, 0}, Vector3{}})
    EXPECT_NEAR(between_cubes(at).distance, 0, 1e-13);
}

TEST(Distance, OfFarAndSmallOnesKeepsItsDigits) {
  EXPECT_NEAR(between_cubes({1e6, 0, 0}).distance, 1e6 - 2, 1e-6);
  Convex small = cube();
  for (Plane& face : small.faces) face.offset *= 1e-6;
  for (Vector3& vertex : small.vertices) vertex = 1e-6 * vertex;
  small.radius *= 1e-6;
  Pair pair;
  pair.second_pose.position = {5e-6, 0, 0};
  DistanceSolver solver;
  EXPECT_NEAR(solver.solve(small, small, pair).distance, 3e-6, 1e-18);
}

TEST(Distance, OfEveryPlacementIsWhatThePairWasPlacedAt) {
  for (const std::size_t faces : {4U, 6U, 12U, 24U, 40U}) {
    for (std::size_t kind = 0; kind < placement_names().size(); ++kind) {
      const GeneratedPairs made = generate_pairs(faces, static_cast<Placement>(kind), 300, faces);
      const std::vector<DistanceResult> results = solve_all(made.shapes, made.pairs, 1);
      for (std::size_t i = 0; i < results.size(); ++i) {
        ASSERT_EQ(results[i].state, LemkeTableau::State::kSolved) << faces << " " << kind;
        const Pair& pair = made.pairs[i];
        ASSERT_LT(proven_error(made.shapes[pair.first], made.shapes[pair.second], pair, results[i]),
                  1e-5);
        if (!std::isnan(made.gap[i])) {
          ASSERT_NEAR(results[i].distance, made.gap[i], 1e-6);
        }
      }
    }
  }
}

TEST(Distance, IsTheSameOnAnyNumberOfThreads) {
  const GeneratedPairs made = generate_pairs(12, Placement::kRandom, 500, 3);
  const std::vector<DistanceResult> one = solve_all(made.shapes, made.pairs, 1);
  for (const std::size_t threads : {0U, 2U, 7U}) {
    const std::vector<DistanceResult> many = solve_all(made.shapes, made.pairs, threads);
    for (std::size_t i = 0; i < one.size(); ++i) {
      EXPECT_EQ(one[i].distance, many[i].distance);
      EXPECT_EQ(one[i].first_point, many[i].first_point);
    }
  }
}

TEST(Distance, ThatIsWrongIsNotProven) {
  Pair pair;
  pair.second_pose.position = {5, 0, 0};
  DistanceSolver solver;
  DistanceResult result = solver.solve(cube(), cube(), pair);
  result.second_point[0] += 0.01;
  result.distance += 0.01;
  EXPECT_NEAR(proven_error(cube(), cube(), pair, result), 0.01, 1e-12);
  result.second_point[0] -= 0.03;
  result.distance -= 0.03;
  EXPECT_NEAR(proven_error(cube(), cube(), pair, result), 0.02, 1e-12);
}

TEST(Convex, OfPlanesAndOfPointsAreTheSame) {
  const Convex by_points = cube();
  const Convex by_planes = convex_of_planes(by_points.faces);
  EXPECT_EQ(by_points.faces.size(), 6U);
  EXPECT_EQ(by_planes.vertices.size(), 8U);
  EXPECT_NEAR(by_planes.radius, std::sqrt(3.0), 1e-14);
  EXPECT_EQ(vertices_of_face(by_planes, 0).size(), 4U);
}

TEST(Convex, RefusesWhatIsNoPolyhedron) {
  const std::vector<Plane> faces = cube().faces;
  EXPECT_NE(refusal({faces[0], faces[1], faces[2]}).find("found 3 faces, expected 4 to 256"),
            std::string::npos);
  EXPECT_NE(refusal({faces.begin(), faces.end() - 1}).find("without end"), std::string::npos);
  std::vector<Plane> empty = faces;
  for (Plane& face : empty) face.offset = -1;
  EXPECT_NE(refusal(empty).find("no volume"), std::string::npos);
  std::vector<Plane> flat = faces;
  for (Plane& face : flat)
    if (std::fabs(face.normal[0]) > 0.5) face.offset = 0;
  EXPECT_NE(refusal(flat).find("no volume"), std::string::npos);
  std::vector<Plane> bad = faces;
  bad[3].normal = {};
  EXPECT_NE(refusal(bad).find("face 3"), std::string::npos);
  bad[3] = {{1, 0, 0}, NAN};
  EXPECT_NE(refusal(bad).find("face 3"), std::string::npos);
  EXPECT_THROW(convex_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), ConvexError);
  EXPECT_THROW(convex_of_points({{0, 0, 0}, {1, 0, 0}, {0, 1, INFINITY}, {1, 1, 0}}), ConvexError);
}

}  // namespace
}  // namespace ppu::model::distance
