// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A wall in running bond, bricks of 1 x 0.5 x 0.5 m and halves at the ends of every other course,
// hit by a fast, heavy cannon ball.
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

constexpr float kBrickHeight = 0.5F;
constexpr float kBrickPitch = 1.03F;  ///< Bricks of 1 m, and the joint between them.
constexpr float kJoint = 0.03F;
constexpr float kBrickJitter = 0.002F;  ///< By which bricks miss their places, in x and z.
constexpr float kShotRadius = 0.8F;
constexpr float kBallMass = 60;
constexpr float kBallSpeed = 40;

class Wall : public Scene {
 public:
  Wall(const std::string& name, int size, std::uint64_t seed, SolverPtr solver)
      : Scene(identity_of(name, size, seed), std::move(solver)), half_width_(width(size) / 2) {
    add_ground();
    for (int course = 0; course < size; ++course) {
      if (course % 2 == 0) {
        add_bricks(course, size, 0);
      } else {
        add_half(course, -1);
        add_bricks(course, size - 1, kBrickPitch / 2);
        add_half(course, 1);
      }
    }
    const float height = 0.9F * kBrickHeight * static_cast<float>(size) / 2;
    add_ball(kShotRadius, kBallMass, btVector3(0, height, 6))
        .setLinearVelocity(btVector3(0, 1, -kBallSpeed));
  }

 private:
  static SceneIdentity identity_of(const std::string& name, int size, std::uint64_t seed) {
    const std::string n = std::to_string(size);
    return {name, "wall", "w=" + n + " h=" + n + " seed=" + std::to_string(seed),
            "A brick wall, " + n + " wide and " + n + " high, is hit by a fast, heavy cannon ball.",
            seed};
  }
  static float width(int size) { return kBrickPitch * static_cast<float>(size); }

  void add_brick(int course, float x, float length, float mass) {
    const float y = (static_cast<float>(course) + 0.5F) * kBrickHeight;
    add(Shape::box(length / 2, kBrickHeight / 2, kBrickHeight / 2), mass,
        btVector3(x, y, 0) + random().within(btVector3(kBrickJitter, 0, kBrickJitter)));
  }
  void add_bricks(int course, int count, float inset) {
    for (int i = 0; i < count; ++i) {
      add_brick(course, inset - half_width_ + kBrickPitch * (static_cast<float>(i) + 0.5F), 1, 1);
    }
  }
  void add_half(int course, float side) {
    add_brick(course, side * (half_width_ - kBrickPitch / 4), kBrickPitch / 2 - kJoint, 0.5F);
  }

  float half_width_;
};

}  // namespace

std::unique_ptr<Scene> make_wall10(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Wall>("wall10", 10, seed, std::move(solver));
}

std::unique_ptr<Scene> make_wall32(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Wall>("wall32", 32, seed, std::move(solver));
}

}  // namespace ppu::scenes
