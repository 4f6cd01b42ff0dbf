// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The demo scenes on Bullet's own solver: they build, repeat bit by bit, and do what they say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/scenes/body_state.hpp"
#include "sim/scenes/heap.hpp"
#include "sim/scenes/registry.hpp"

namespace ppu::scenes {
namespace {

std::unique_ptr<Scene> cpu_scene(const std::string& name, std::uint64_t seed = 1) {
  return make_scene(name, seed, std::make_unique<btSequentialImpulseConstraintSolver>());
}

void run(Scene& scene, std::uint32_t frames) {
  while (scene.frame() < frames) scene.step();
}

btVector3 position_of(const SceneBody& body) {
  return body.body->getWorldTransform().getOrigin();
}

/// The normal impulses of all contacts, which are other ones where contacts are.
std::vector<float> contact_impulses(Scene& scene) {
  std::vector<float> impulses;
  btDispatcher& dispatcher = *scene.world().getDispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); ++i)
    for (int k = 0; k < dispatcher.getManifoldByIndexInternal(i)->getNumContacts(); ++k)
      impulses.push_back(
          dispatcher.getManifoldByIndexInternal(i)->getContactPoint(k).getAppliedImpulse());
  return impulses;
}

TEST(Heap, HasOtherContactsInEveryFrameAndTheSameBitsForTheSameSeed) {
  const auto first =
      make_stirred_heap(40, 3, std::make_unique<btSequentialImpulseConstraintSolver>());
  const auto second =
      make_stirred_heap(40, 3, std::make_unique<btSequentialImpulseConstraintSolver>());
  run(*first, 60);
  run(*second, 60);
  EXPECT_GT(contact_impulses(*first).size(), 100U);
  for (std::uint32_t frame = 61; frame < 70; ++frame) {
    const std::vector<float> before = contact_impulses(*first);
    run(*first, frame);
    run(*second, frame);
    EXPECT_NE(contact_impulses(*first), before) << frame;
    EXPECT_FALSE(first_difference(*first, *second)) << frame;
  }
}

class EachScene : public testing::TestWithParam<std::string> {};

TEST_P(EachScene, SaysWhoItIs) {
  const auto scene = cpu_scene(GetParam(), 7);
  EXPECT_EQ(scene->identity().name, GetParam());
  EXPECT_EQ(scene->identity().seed, 7U);
  EXPECT_NE(scene->identity().params.find("seed=7"), std::string::npos);
  EXPECT_EQ(scene->identity().description.back(), '.');
}

TEST_P(EachScene, HasTheSameBitsForTheSameSeed) {
  const auto first = cpu_scene(GetParam());
  run(*first, 100);
  const auto second = cpu_scene(GetParam());
  run(*second, 100);
  const auto difference = first_difference(*first, *second);
  EXPECT_FALSE(difference) << difference->str();
}

TEST_P(EachScene, HasOtherBitsForAnotherSeed) {
  const auto first = cpu_scene(GetParam(), 1);
  const auto second = cpu_scene(GetParam(), 2);
  run(*first, 100);
  run(*second, 100);
  EXPECT_TRUE(first_difference(*first, *second));
}

TEST_P(EachScene, StaysOnTheGround) {
  const auto scene = cpu_scene(GetParam());
  run(*scene, 400);
  for (const SceneBody& body : scene->bodies()) {
    for (const float number : state_of(*body.body)) ASSERT_TRUE(std::isfinite(number));
    if (body.mass == 0) continue;
    // Heavy bodies press light ones into the ground for a while, none of them through it.
    EXPECT_GT(position_of(body).y(), -0.5F);
    EXPECT_LT(std::fabs(position_of(body).x()), 60);
    EXPECT_LT(std::fabs(position_of(body).z()), 60);
  }
}

TEST_P(EachScene, MovesItsBodies) {
  const auto scene = cpu_scene(GetParam());
  const auto before = cpu_scene(GetParam());
  run(*scene, 200);
  float farthest = 0;
  for (std::size_t i = 0; i < scene->bodies().size(); ++i) {
    const SceneBody& body = scene->bodies()[i];
    const float way = position_of(body).distance(position_of(before->bodies()[i]));
    farthest = std::max(farthest, way);
    if (body.mass == 0) {
      EXPECT_EQ(way, 0) << "body " << i;
    }
  }
  EXPECT_GT(farthest, 3);
}

/// Counts what it is asked for.
class CountingSolver : public btSequentialImpulseConstraintSolver {
 public:
  explicit CountingSolver(int& groups) : groups_(groups) {}
  btScalar solveGroup(btCollisionObject** bodies, int body_count, btPersistentManifold** manifolds,
                      int manifold_count, btTypedConstraint** constraints, int constraint_count,
                      const btContactSolverInfo& info, btIDebugDraw* drawer,
                      btDispatcher* dispatcher) override {
    ++groups_;
    return btSequentialImpulseConstraintSolver::solveGroup(
        bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info, drawer,
        dispatcher);
  }

 private:
  int& groups_;
};

TEST_P(EachScene, GivesTheSolverAWholeFrameAtOnce) {
  int groups = 0;
  const auto scene = make_scene(GetParam(), 1, std::make_unique<CountingSolver>(groups));
  run(*scene, 60);
  EXPECT_EQ(groups, 60);
}

INSTANTIATE_TEST_SUITE_P(Scenes, EachScene, testing::ValuesIn(scene_names()),
                         [](const auto& name) { return name.param; });

TEST(Scenes, AreOnlyKnownByTheirNames) {
  EXPECT_THROW(cpu_scene("wall11"), std::invalid_argument);
}

TEST(Scenes, DifferInTheFirstNumberThatHasOtherBits) {
  const auto a = cpu_scene("ball");
  const auto b = cpu_scene("ball");
  ASSERT_FALSE(first_difference(*a, *b));
  btRigidBody::upcast(b->world().getCollisionObjectArray()[5])->setLinearVelocity({0, -0.0F, 0});
  const auto difference = first_difference(*a, *b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->str(), "body 5, velocity y: 0 (0x00000000) and -0 (0x80000000)");
}

TEST(Wall, FallsWhereTheBallHitsIt) {
  const auto scene = cpu_scene("wall10");
  run(*scene, 60);
  const auto& bodies = scene->bodies();
  EXPECT_LT(position_of(bodies.back()).z(), -10) << "the ball flies through";
  const auto thrown = std::count_if(bodies.begin(), bodies.end(), [](const SceneBody& body) {
    return body.mass > 0 && body.mass <= 1 && position_of(body).z() < -1;
  });
  EXPECT_GE(thrown, 10);
}

TEST(Pile, StaysInItsPit) {
  const auto scene = cpu_scene("pile");
  run(*scene, 250);
  for (const SceneBody& body : scene->bodies()) {
    if (body.mass == 0) continue;
    EXPECT_LT(std::fabs(position_of(body).x()), 2.6F);
    EXPECT_LT(std::fabs(position_of(body).z()), 2.6F);
    EXPECT_LT(position_of(body).y(), 40);
  }
}

TEST(Ragdoll, KeepsItsLimbs) {
  const auto scene = cpu_scene("ragdoll");
  // The pelvis is the first of eleven parts, the spine the second; the ground and its rim are five.
  for (int frame = 0; frame < 300; ++frame) {
    scene->step();
    for (std::size_t doll = 0; doll < 12; ++doll) {
      const auto& bodies = scene->bodies();
      const btVector3 pelvis = position_of(bodies[5 + 11 * doll]);
      const btVector3 spine = position_of(bodies[6 + 11 * doll]);
      // 0.35 m where it stands straight, less where it bends, a little more in a fall.
      ASSERT_LT(pelvis.distance(spine), 0.5F) << "ragdoll " << doll;
    }
  }
}

TEST(Bridge, LosesItsCratesToTheBall) {
  const auto scene = cpu_scene("bridge");
  const auto on_deck = [&scene] {
    const auto& bodies = scene->bodies();
    return std::count_if(bodies.begin(), bodies.end(), [](const SceneBody& body) {
      return body.mass == 2 && position_of(body).y() > 2;
    });
  };
  run(*scene, 60);
  EXPECT_EQ(on_deck(), 8);
  run(*scene, 300);
  EXPECT_LE(on_deck(), 4);
}

}  // namespace
}  // namespace ppu::scenes
