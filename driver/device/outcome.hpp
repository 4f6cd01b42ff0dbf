// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What came of runs and batches: results, sentences, and reports as the C API gives them.
#pragma once

#include <string>

#include "driver/device/batch.hpp"
#include "ppu/ppu.h"

namespace ppu::driver {

/// PPU_OK, or the result that the status of an ended run stands for.
ppu_result result_of(ppu_run_status status);
/// The report as the C API gives it.
ppu_run_report public_report(const hw::RunReport& report);
/// What happened in run `run` of an ended batch, without the row.
std::string sentence_of(const Batch& batch, std::uint32_t run);

/// Throws the Failure of the first command of an ended batch that the device has rejected, with
/// PPU_ERROR_COMMAND.
void check_commands(const Batch& batch);
/// Throws the Failure of the first command of an ended batch that went wrong, if one did.
void check_outcome(const Batch& batch);

}  // namespace ppu::driver
