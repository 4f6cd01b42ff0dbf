// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Device processes with the RTL of a shape that a user has built, in a cache: `ppu rtl build`
// writes them, a device that is opened on such a shape uses them.
#pragma once

#include <string>

#include "hw/contract/config.hpp"

namespace ppu::hw {

/// The folder of all of them: that of the environment's PPU_RTL_CACHE, else ppu/rtl in the user's
/// cache. Empty if the user has none.
std::string own_rtl_cache();
/// The folder for the shape of `config`, of this version and specification; it need not be there.
std::string own_rtl_folder(const Config& config);
/// The executable in it.
std::string own_rtl_device(const Config& config);
/// The parameters of the RTL for the shape of `config`, a line each: "OwnPipes = 4".
std::string own_rtl_parameters(const Config& config);

}  // namespace ppu::hw
