// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Mass ratios that are hard for projected Gauss-Seidel: a heavy box on a light stack (1000:1), a
// heavy ball on a light chain (1000:1), a heavy ball that drops onto a light column (2500:1).
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

class MassRatio : public Scene {
 public:
  MassRatio(std::uint64_t seed, SolverPtr solver)
      : Scene({"massratio", "massratio", "seed=" + std::to_string(seed),
               "Heavy things on light ones: a box on a stack, balls on a chain and on a column.",
               seed},
              std::move(solver)) {
    add_ground();
    add_stack();
    add_swing();
    add_column();
  }

 private:
  void add_stack() {
    for (int i = 0; i < 8; ++i) {
      add(Shape::box(0.5F, 0.25F, 0.5F), 1,
          btVector3(0, 0.25F + 0.5F * static_cast<float>(i), 0) +
              random().within(btVector3(0.01F, 0, 0.01F)));
    }
    add(Shape::box(0.8F, 0.5F, 0.8F), 1000, btVector3(0, 4.5F, 0));
  }

  void add_swing() {
    constexpr int kBars = 24;
    constexpr float kPitch = 0.3F;
    constexpr float kRadius = 0.5F;
    const btVector3 anchor(4, 8, 0);
    btRigidBody& last = add_chain(anchor, kBars, kPitch, 0.1F);
    btRigidBody& ball = add_ball(kRadius, 100, anchor + btVector3(kBars * kPitch + kRadius, 0, 0));
    hang(last, kPitch, ball, btVector3(-kRadius, 0, 0));
  }

  void add_column() {
    for (int i = 0; i < 10; ++i) {
      add(Shape::box(0.2F, 0.2F, 0.2F), 0.2F,
          btVector3(-4, 0.2F + 0.41F * static_cast<float>(i), 0) +
              random().within(btVector3(0.05F, 0, 0.05F)));
    }
    add_ball(0.7F, 500, btVector3(-4, 6.1F, 0));
  }
};

}  // namespace

std::unique_ptr<Scene> make_massratio(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<MassRatio>(seed, std::move(solver));
}

}  // namespace ppu::scenes
