// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The timeline of a device as a Chrome trace, which ui.perfetto.dev and chrome://tracing open.
#pragma once

#include <string>
#include <vector>

#include "sim/trace/row_labels.hpp"
#include "sim/trace/timeline.hpp"

namespace ppu::sim {

/// `labels` name the rows, `sources` are those of sources_of(); both may be empty. `clock_mhz`
/// turns cycles into time; 0 where it is not known: then a cycle is a microsecond.
std::string perfetto_trace(const std::vector<TraceEvent>& events,
                           const std::vector<RowUpdate>& rows, const RowLabels& labels,
                           const std::vector<Sources>& sources, const Window& window,
                           std::uint32_t clock_mhz);
/// The same of all of the log in the file `log`. Throws CliError (usage) where it does not make
/// sense.
std::string perfetto_of_log(const std::string& log, const RowLabels& labels,
                            std::uint32_t clock_mhz);

}  // namespace ppu::sim
