// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a solve from the reports of its runs.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/device/batch.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// The first run that did not end with ok.
std::optional<std::uint32_t> failed_run(const Batch& batch);
/// All runs of an ended batch as one report.
ppu_run_report joined_report(const Batch& batch);
/// The cycles of its runs, summed; 0 where one has failed.
std::uint64_t engine_cycles(const Batch& batch);

}  // namespace ppu::driver
