// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reports of runs as the device writes them to host memory.
#pragma once

#include <cstddef>

#include "hw/contract/run.hpp"

namespace ppu::driver {

/// Marks the report at `memory` as not written yet.
void clear_report(std::byte* memory);
/// The report at `memory`; PPU_RUN_BAD_COMMAND if the device has not written it.
hw::RunReport read_report(const std::byte* memory);

}  // namespace ppu::driver
