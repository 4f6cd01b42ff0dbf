// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// 888 boxes of all sizes and masses fall into a pit, four by four in a layer, onto a heap.
#include "sim/scenes/factories.hpp"

namespace ppu::scenes {
namespace {

constexpr int kBoxes = 888;
constexpr int kPerSide = 4;           ///< Boxes along each side of a layer.
constexpr float kPitHalf = 2.6F;      ///< Half the width of the pit, in m.
constexpr float kPitWallHeight = 80;  ///< Higher than the highest layer, in m.
constexpr float kLayerPitch = 1.25F;

class Pile : public Scene {
 public:
  Pile(std::uint64_t seed, SolverPtr solver)
      : Scene({"pile", "pile", "n=888 pit=2.6 per=4 seed=" + std::to_string(seed),
               "888 boxes of all sizes fall into a pit and make a heap, the size of the patent's "
               "case.",
               seed},
              std::move(solver)) {
    add_ground();
    add_pit();
    for (int i = 0; i < kBoxes; ++i) add_box(i);
  }

 private:
  void add_pit() {
    constexpr float kHalfThickness = 0.5F;
    const float offset = kPitHalf + kHalfThickness;
    for (const float side : {-1.0F, 1.0F}) {
      add(Shape::box(kHalfThickness, kPitWallHeight / 2, offset + kHalfThickness), 0,
          btVector3(side * offset, kPitWallHeight / 2, 0));
      add(Shape::box(offset + kHalfThickness, kPitWallHeight / 2, kHalfThickness), 0,
          btVector3(0, kPitWallHeight / 2, side * offset));
    }
  }

  void add_box(int i) {
    constexpr float kPitch = 2 * kPitHalf / kPerSide;
    const auto place = [](int index) {
      return kPitch * (static_cast<float>(index) + 0.5F) - kPitHalf;
    };
    const int layer = i / (kPerSide * kPerSide);
    const btVector3 lattice(place(i % kPerSide), 1 + kLayerPitch * static_cast<float>(layer),
                            place(i / kPerSide % kPerSide));
    const btVector3 position = lattice + random().within(btVector3(0.1F, 0, 0.1F));
    const btVector3 half =
        btVector3(0.375F, 0.375F, 0.375F) + random().within(btVector3(0.125F, 0.125F, 0.125F));
    const float mass = random().uniform(0.5F, 2);
    btRigidBody& box = add(Shape::box(half.x(), half.y(), half.z()), mass,
                           btTransform(random().orientation(), position));
    box.setLinearVelocity(btVector3(0, -4, 0));
  }
};

}  // namespace

std::unique_ptr<Scene> make_pile(std::uint64_t seed, SolverPtr solver) {
  return std::make_unique<Pile>(seed, std::move(solver));
}

}  // namespace ppu::scenes
