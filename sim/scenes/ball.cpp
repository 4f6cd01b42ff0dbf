// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A ball rolls down a ramp into boxes and balls on the ground, and into a small tower behind them.
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

constexpr float kSlope = 0.3F;  ///< Of the ramp, in radians.
constexpr float kRampHalfLength = 4;
constexpr float kRampHalfHeight = 0.1F;
constexpr float kRampFootX = -0.5F;   ///< Where the ramp's surface meets the ground.
constexpr float kStartOnRamp = 7.3F;  ///< From its foot to the ball, along the ramp, in m.
constexpr float kBallRadius = 0.6F;
constexpr float kBallFriction = 0.6F;
constexpr float kJitter = 0.06F;

class Ball : public Scene {
 public:
  Ball(std::uint64_t seed, SolverPtr solver)
      : Scene({"ball", "ball", "seed=" + std::to_string(seed),
               "A ball rolls down a ramp and bumps into boxes, balls and a small tower.", seed},
              std::move(solver)) {
    add_ground();
    add_ramp();
    for (int row = 0; row < 2; ++row) {
      for (int column = 0; column < 4; ++column) add_obstacle(row, column);
    }
    for (int level = 0; level < 3; ++level) {
      const btVector3 place(4.5F, 0.25F + 0.5F * static_cast<float>(level), 0);
      add(Shape::box(0.25F, 0.25F, 0.25F), 0.5F,
          place + random().within(btVector3(0.01F, 0, 0.01F)));
    }
  }

 private:
  void add_ramp() {
    // Along the ramp, towards its foot, and up from its surface.
    const btTransform turn(btQuaternion(btVector3(0, 0, 1), -kSlope));
    const btVector3 down = turn * btVector3(1, 0, 0);
    const btVector3 up = turn * btVector3(0, 1, 0);
    const btVector3 foot(kRampFootX, 0, 0);
    add(Shape::box(kRampHalfLength, kRampHalfHeight, 2), 0,
        btTransform(turn.getRotation(), foot - down * kRampHalfLength - up * kRampHalfHeight));
    const btVector3 start = foot - down * kStartOnRamp + up * kBallRadius;
    add_ball(kBallRadius, 5, start + random().within(btVector3(0, 0, kJitter)))
        .setFriction(kBallFriction);
  }

  /// Boxes and balls take turns.
  void add_obstacle(int row, int column) {
    const bool is_box = (row + column) % 2 == 0;
    const btVector3 place(0.8F + 0.75F * static_cast<float>(column), 0.3F,
                          0.2F - 0.7F * static_cast<float>(row));
    const btVector3 position = place + random().within(btVector3(kJitter, 0, kJitter));
    if (is_box) {
      add(Shape::box(0.3F, 0.3F, 0.3F), 0.5F, position);
    } else {
      add_ball(0.3F, 0.5F, position);
    }
  }
};

}  // namespace

std::unique_ptr<Scene> make_ball(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Ball>(seed, std::move(solver));
}

}  // namespace ppu::scenes
