// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Four leaning stacks of twelve slabs; a push on the upper half of the first starts what the lean
// would do anyway: they topple onto each other like dominoes.
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

constexpr int kStacks = 4;
constexpr int kSlabs = 12;
constexpr float kStackPitch = 2.2F;
constexpr float kLean = 0.1F;  ///< By which a slab juts out over the one below it, in m.
constexpr float kPush = 3;     ///< Speed of the pushed slabs, in m/s.
constexpr float kStackJitter = 0.02F;

class Topple : public Scene {
 public:
  Topple(std::uint64_t seed, SolverPtr solver)
      : Scene({"topple", "topple", "lean=0.1 push=3 seed=" + std::to_string(seed),
               "Four leaning stacks of slabs topple onto each other.", seed},
              std::move(solver)) {
    add_ground();
    for (int stack = 0; stack < kStacks; ++stack) {
      for (int slab = 0; slab < kSlabs; ++slab) add_slab(stack, slab);
    }
  }

 private:
  void add_slab(int stack, int slab) {
    const float level = static_cast<float>(slab);
    const btVector3 place(kStackPitch * static_cast<float>(stack) + kLean * level,
                          0.25F + 0.5F * level, 0);
    btRigidBody& body = add(Shape::box(0.5F, 0.25F, 0.5F), 1,
                            place + random().within(btVector3(kStackJitter, 0, kStackJitter)));
    if (stack == 0 && slab > kSlabs / 2) body.setLinearVelocity(btVector3(kPush, 0, 0));
  }
};

}  // namespace

std::unique_ptr<Scene> make_topple(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Topple>(seed, std::move(solver));
}

}  // namespace ppu::scenes
