// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How a run ends before `halt`: thrown inside an engine, turned into the report by it.
#pragma once

#include <string>

#include "hw/contract/run.hpp"

namespace ppu::hw {

struct RunStop {
  ppu_run_status status;
  std::uint32_t row;        ///< Slot, or PPU_NONE.
  std::uint32_t detail;     ///< See fault_detail of the report.
  std::string message;      ///< Lockstep: what differs, in one sentence.
  std::uint32_t value = 0;  ///< See fault_value of the report.
};

/// Makes `report` that of a run that ended with `stop`: nothing but what it says counts.
inline void report_stop(const RunStop& stop, RunReport* report) {
  RunReport ended;
  ended.status = stop.status;
  ended.fault_row = stop.row;
  ended.fault_detail = stop.detail;
  ended.fault_value = stop.value;
  ended.command = report->command;
  ended.engine = report->engine;
  *report = ended;
}

}  // namespace ppu::hw
