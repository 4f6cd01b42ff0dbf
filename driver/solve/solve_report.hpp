// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a solve from the reports of its runs, and the rows that they name.
#pragma once

#include <cstdint>
#include <optional>

#include "driver/device/batch.hpp"
#include "driver/plan/plan.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// The first run that did not end with ok.
std::optional<std::uint32_t> failed_run(const Batch& batch);
/// All runs of an ended batch as one report.
ppu_run_report joined_report(const Batch& batch);
/// The cycles of its runs, summed; 0 where one has failed.
std::uint64_t engine_cycles(const Batch& batch);
/// Row of the problem that the report of `run` names, or PPU_NONE.
std::uint32_t fault_row(const Batch& batch, const Plan& plan, std::uint32_t run);

}  // namespace ppu::driver
