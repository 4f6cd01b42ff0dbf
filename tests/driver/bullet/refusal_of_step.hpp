// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Steps that throw.
#pragma once

#include <string>

#include "tests/driver/bullet/worlds.hpp"

namespace ppu::test {

/// The sentence that a step is refused with; empty if it is not.
template <class Refusal>
std::string refusal_of_step(World* world) {
  try {
    world->step();
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

}  // namespace ppu::test
