// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Copies between the caller's memory and device memory that are over when the call returns.
#pragma once

#include "driver/device/device.hpp"
#include "driver/device/recording.hpp"

namespace ppu::driver {

/// Any size: what does not fit staging goes in pieces. Throw Failure; PPU_ERROR_BUSY if something
/// is under way.
void write_part(Device& device, const Part& part, const void* data);
void read_part(Device& device, const Part& part, void* data);

}  // namespace ppu::driver
