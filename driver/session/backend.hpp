// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The back ends: their names and what they can do, in one table.
#pragma once

#include <array>

namespace ppu::driver {

struct Backend {
  const char* name;
  bool process;   ///< Runs in a device process.
  bool timed;     ///< Counts cycles and can log its events.
  bool profiles;  ///< Keeps the cycles of every row.
  bool waves;     ///< Has RTL whose waves can be written.
  bool scopes;    ///< ... of one part of the design.
};

/// The first one is the default.
inline constexpr std::array<Backend, 4> kBackends = {{
    {"functional", false, false, false, false, false},
    {"systemc", true, true, true, false, false},
    {"cosim", true, true, true, true, false},
    {"rtl", true, true, false, true, true},
}};

/// A platform of somebody else, which has to be given: its callbacks, or "platform:LIBRARY".
inline constexpr Backend kPlatform = {"platform", false, true, false, false, false};
inline constexpr Backend kPlatformLibrary = {"platform:", true, true, false, false, false};

/// The name that is asked for: null is what the environment's PPU_BACKEND names, else the default.
const char* backend_name(const char* name);
/// The back end of that name. Throws Failure (PPU_ERROR_NOT_FOUND).
const Backend& find_backend(const char* name);

}  // namespace ppu::driver
