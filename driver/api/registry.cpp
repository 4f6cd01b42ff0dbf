// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one registry of handles, and what is looked up in it together.
#include "driver/api/registry.hpp"

namespace ppu::driver {

Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

RunObjects objects_of(const ppu_run_def& def) {
  const auto& buffers = registry().buffers;
  return {registry().programs.find(def.program), buffers.find(def.rows), buffers.find(def.impulses),
          buffers.find(def.velocities)};
}

}  // namespace ppu::driver
