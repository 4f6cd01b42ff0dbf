// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How a run ends before `halt`: thrown inside an engine, turned into a RunReport by its Executor.
#pragma once

#include <string>

#include "ppu/hw/run.hpp"

namespace ppu::hw {

struct RunStop {
  ppu_run_status status;
  std::uint32_t row;    ///< Slot, or PPU_NONE.
  std::string message;  ///< One sentence, which need not name the row.
};

/// Writes `stop` into `report`; the message is cut to fit.
void report_stop(const RunStop& stop, RunReport* report);

}  // namespace ppu::hw
