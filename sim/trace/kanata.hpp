// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row updates as a Kanata log, version 4: the pipeline view of the Konata viewer. A row is an
// instruction, with the stages
//   F before issue, at the head of its pipe   I issue, operands read   D dot product
//   S step, clamp and difference              A scaled add             W written
#pragma once

#include <string>
#include <vector>

#include "hw/contract/config.hpp"
#include "sim/trace/row_labels.hpp"
#include "sim/trace/timeline.hpp"

namespace ppu::sim {

/// Rows that issue in `window`, of the log `path` of a device with `config`. Throws CliError
/// (usage) if the rows take another time from issue to retirement than those of `config`.
/// `labels` name the rows; with the `sources` of sources_of(), each depends on the rows before it.
std::string kanata_log(const std::string& path, const std::vector<TraceEvent>& events,
                       const std::vector<RowUpdate>& rows, const RowLabels& labels,
                       const std::vector<Sources>& sources, const Window& window,
                       const hw::Config& config);

}  // namespace ppu::sim
