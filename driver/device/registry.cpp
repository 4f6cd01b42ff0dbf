// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one registry of handles.
#include "driver/device/registry.hpp"

namespace ppu::driver {

Registry& registry() {
  static Registry* const instance = new Registry;
  return *instance;
}

}  // namespace ppu::driver
