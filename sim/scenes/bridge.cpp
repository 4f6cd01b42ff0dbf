// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A chain bridge with crates on it, and a wrecking ball that swings into it from the side.
#include <cmath>

#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

constexpr int kBridgePlanks = 10;
constexpr float kPlankPitch = 0.96F;  ///< From joint to joint, in m.
constexpr float kSag = 0.25F;         ///< Slope of the deck at its ends, in radians.
constexpr float kDeckHeight = 4;      ///< Of its ends.
constexpr float kHalfWidth = 0.8F;    ///< Of the deck; a chain runs along each edge.
constexpr float kHungBallRadius = 0.8F;

class Bridge : public Scene {
 public:
  Bridge(std::uint64_t seed, SolverPtr solver)
      : Scene({"bridge", "bridge", "seed=" + std::to_string(seed),
               "A wrecking ball swings into a chain bridge with crates on it.", seed},
              std::move(solver)) {
    add_ground();
    const float half_span = span() / 2;
    for (const float side : {-1.0F, 1.0F}) {
      add(Shape::box(1, kDeckHeight / 2, 0.5F), 0,
          btVector3(0, kDeckHeight / 2, side * (half_span + 0.6F)));
    }
    add_deck(half_span);
    add_crates();
    add_wrecking_ball();
  }

 private:
  /// The deck hangs in an arc: each plank is a little steeper than the one before it.
  static float slope(int plank) {
    return kSag * ((2 * static_cast<float>(plank) + 1) / kBridgePlanks - 1);
  }
  static float span() {
    float sum = 0;
    for (int i = 0; i < kBridgePlanks; ++i) sum += kPlankPitch * std::cos(slope(i));
    return sum;
  }

  void add_deck(float half_span) {
    const btVector3 half_pitch(0, 0, kPlankPitch / 2);
    btVector3 joint(0, kDeckHeight, -half_span);
    btRigidBody* last = nullptr;
    for (int i = 0; i < kBridgePlanks; ++i) {
      const btQuaternion turn(btVector3(1, 0, 0), -slope(i));
      const btVector3 along = btTransform(turn) * half_pitch;
      btRigidBody& plank = add(Shape::box(kHalfWidth, 0.06F, kPlankPitch / 2 - 0.02F), 20,
                               btTransform(turn, joint + along));
      for (const float side : {-kHalfWidth, kHalfWidth}) {
        const btVector3 edge(side, 0, 0);
        if (last == nullptr) {
          link<btPoint2PointConstraint>(plank, edge - half_pitch);
        } else {
          link<btPoint2PointConstraint>(*last, plank, edge + half_pitch, edge - half_pitch);
        }
      }
      joint += 2 * along;
      last = &plank;
    }
    for (const float side : {-kHalfWidth, kHalfWidth})
      link<btPoint2PointConstraint>(*last, btVector3(side, 0, 0) + half_pitch);
  }

  /// Two layers of four in the middle of the bridge.
  void add_crates() {
    for (int i = 0; i < 8; ++i) {
      const btVector3 place(0, i < 4 ? 3.75F : 4.3F, 0.55F * (static_cast<float>(i % 4) - 1.5F));
      add(Shape::box(0.25F, 0.25F, 0.25F), 2, place + random().within(btVector3(0.05F, 0, 0.02F)));
    }
  }

  void add_wrecking_ball() {
    constexpr int kBars = 8;
    constexpr float kBarPitch = 0.75F;
    const btVector3 anchor(0, 10.7F, 0);
    btRigidBody& last = add_chain(anchor, kBars, kBarPitch, 12);
    btRigidBody& ball = add_ball(kHungBallRadius, 150,
                                 anchor + btVector3(kBars * kBarPitch + kHungBallRadius, 0, 0));
    hang(last, kBarPitch, ball, btVector3(-kHungBallRadius, 0, 0));
  }
};

}  // namespace

std::unique_ptr<Scene> make_bridge(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Bridge>(seed, std::move(solver));
}

}  // namespace ppu::scenes
