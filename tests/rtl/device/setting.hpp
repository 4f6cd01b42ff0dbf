// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The devices that tests of twins run on: a named configuration with changes.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw::test {

struct Setting {
  const char* name;
  const char* config;
  std::vector<std::string> overrides;
};

inline void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.name;
}

/// With small memories, which both twins hold.
inline Config config_of(const Setting& setting) {
  std::vector<std::string> overrides = {"host_memory_mib=1", "device_memory_mib=1"};
  overrides.insert(overrides.end(), setting.overrides.begin(), setting.overrides.end());
  return resolve_config(setting.config, overrides);
}

}  // namespace ppu::hw::test
