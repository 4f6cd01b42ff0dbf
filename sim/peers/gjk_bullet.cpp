// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Distances by Bullet's GJK in double precision.
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "sim/peers/pair_list.hpp"
#include "sim/peers/peers.hpp"

namespace ppu::sim {
namespace {

namespace distance = model::distance;

btTransform transform_of(const distance::Pose& pose) {
  btMatrix3x3 rotation;
  for (int i = 0; i < 3; ++i) {
    const distance::Vector3& row = pose.rotation[static_cast<std::size_t>(i)];
    rotation[i].setValue(row[0], row[1], row[2]);
  }
  const btVector3 position(pose.position[0], pose.position[1], pose.position[2]);
  return btTransform(rotation, position);
}

double distance_of(const btConvexHullShape& first, const btConvexHullShape& second,
                   const distance::Pair& pair) {
  btVoronoiSimplexSolver simplex;
  // Its own, 1e-4, is meant for metres in float.
  simplex.setEqualVertexThreshold(1e-12);
  btGjkEpaPenetrationDepthSolver penetration;
  btGjkPairDetector detector(&first, &second, &simplex, &penetration);
  btGjkPairDetector::ClosestPointInput input;
  input.m_transformA = transform_of(pair.first_pose);
  input.m_transformB = transform_of(pair.second_pose);
  btPointCollector found;
  detector.getClosestPoints(input, found, nullptr);
  return found.m_hasResult ? std::max(0.0, found.m_distance) : 0;
}

}  // namespace

std::vector<double> gjk_of_bullet(const std::vector<double>& numbers) {
  const PairList list = pair_list_of(numbers);
  std::vector<std::unique_ptr<btConvexHullShape>> shapes;
  for (const distance::Convex& convex : list.shapes) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const distance::Vector3& v : convex.vertices)
      shape->addPoint(btVector3(v[0], v[1], v[2]), false);
    shape->recalcLocalAabb();
    shape->setMargin(0);
    shapes.push_back(std::move(shape));
  }
  std::vector<double> answer;
  const std::clock_t start = std::clock();
  for (const distance::Pair& pair : list.pairs)
    answer.push_back(distance_of(*shapes[pair.first], *shapes[pair.second], pair));
  answer.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  return answer;
}

}  // namespace ppu::sim
