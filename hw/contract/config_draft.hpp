// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What names, files and overrides say of a device, before the clock of its technology is looked up.
#pragma once

#include <string>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {

struct ConfigDraft {
  Config config;
  std::string technology;  ///< Empty: `clock_mhz` was said by hand.
};

/// As resolve_config(), without the clock. Of technologies and `clock_mhz`, what is said last
/// counts.
ConfigDraft draft_config(const std::string& name, const std::vector<std::string>& overrides);

}  // namespace ppu::hw
