// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The clock of a device: said by hand, or that of an engine which was measured in a technology.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hw/contract/config_draft.hpp"

namespace ppu::hw {

enum class ClockOrigin {
  kByHand,
  kMeasured,       ///< An engine of this shape was.
  kSlowerEngine,   ///< The fastest one that was, of those that have no key of a faster engine.
  kSlowestEngine,  ///< There is none of those: the slowest one that was.
};

struct Clock {
  std::uint32_t mhz;
  ClockOrigin origin;
  std::string_view technology;  ///< Empty where it is by hand, as the next.
  std::string_view engine;      ///< The one that was measured.
};

/// Those in which an engine was measured.
std::vector<std::string_view> technologies();

Clock clock_of(const ConfigDraft& draft);

/// "by hand", "ihp130", "ihp130, of a slower engine (pipes=4)": where a clock is from, in words.
std::string origin_of(const Clock& clock);

}  // namespace ppu::hw
