// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Boxes in a pit, and what stirs them.
#include "sim/scenes/heap.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ppu::scenes {
namespace {

constexpr float kBoxHalf = 0.4F;  ///< Half the side of a box, give or take kSpread, in m.
constexpr float kSpread = 0.1F;
constexpr float kBoxPitch = 1.05F;  ///< Between boxes at the start, in m.
constexpr float kWallHeight = 200;  ///< Higher than the highest layer, in m.
constexpr float kKick = 0.15F;      ///< The most that a frame adds to a velocity, in m/s.

class Heap : public Scene {
 public:
  Heap(int boxes, std::uint64_t seed, SolverPtr solver)
      : Scene({"heap" + std::to_string(boxes), "heap",
               "n=" + std::to_string(boxes) + " seed=" + std::to_string(seed),
               std::to_string(boxes) +
                   " boxes in a pit are stirred, so that their contacts change in every frame.",
               seed},
              std::move(solver)) {
    btContactSolverInfo& info = world().getSolverInfo();
    info.m_solverMode &= ~SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_splitImpulse = 1;
    add_ground();
    const int side = std::max(1, static_cast<int>(std::cbrt(static_cast<float>(boxes))));
    add_pit(kBoxPitch * static_cast<float>(side) / 2);
    for (int i = 0; i < boxes; ++i) add_box(i, side);
    world().setInternalTickCallback(
        [](btDynamicsWorld* world, btScalar) {
          static_cast<Heap*>(world->getWorldUserInfo())->stir();
        },
        this, true);
  }

 private:
  void add_pit(float half) {
    constexpr float kHalfThickness = 0.5F;
    const float offset = half + kHalfThickness;
    for (const float side : {-1.0F, 1.0F}) {
      add(Shape::box(kHalfThickness, kWallHeight / 2, offset + kHalfThickness), 0,
          btVector3(side * offset, kWallHeight / 2, 0));
      add(Shape::box(offset + kHalfThickness, kWallHeight / 2, kHalfThickness), 0,
          btVector3(0, kWallHeight / 2, side * offset));
    }
  }

  void add_box(int i, int side) {
    const auto place = [side](int index) {
      return kBoxPitch * (static_cast<float>(index) + 0.5F - static_cast<float>(side) / 2);
    };
    const btVector3 position(place(i % side),
                             kBoxHalf + kBoxPitch * static_cast<float>(i / (side * side)),
                             place(i / side % side));
    const btVector3 half = btVector3(kBoxHalf, kBoxHalf, kBoxHalf) +
                           random().within(btVector3(kSpread, kSpread, kSpread));
    add(Shape::box(half.x(), half.y(), half.z()), random().uniform(0.5F, 2), position);
  }

  /// Every box is kicked.
  void stir() {
    const btVector3 most(kKick, kKick, kKick);
    btCollisionObjectArray& objects = world().getCollisionObjectArray();
    for (int i = 0; i < objects.size(); ++i) {
      btRigidBody* const body = btRigidBody::upcast(objects[i]);
      if (body->isStaticObject()) continue;
      body->setLinearVelocity(body->getLinearVelocity() + random().within(most));
    }
  }
};

}  // namespace

std::unique_ptr<Scene> make_stirred_heap(int boxes, std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Heap>(boxes, seed, std::move(solver));
}

}  // namespace ppu::scenes
