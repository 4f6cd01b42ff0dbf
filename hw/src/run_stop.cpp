// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "ppu/hw/run_stop.hpp"

#include <algorithm>

namespace ppu::hw {

void report_stop(const RunStop& stop, RunReport* report) {
  report->status = stop.status;
  report->fault_row = stop.row;
  const std::size_t length = std::min(stop.message.size(), report->message.size() - 1);
  std::copy_n(stop.message.begin(), length, report->message.begin());
  report->message[length] = '\0';
}

}  // namespace ppu::hw
