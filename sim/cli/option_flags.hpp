// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a problem share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {

/// PROBLEM, required or with the embedded problem as its default.
void add_problem_option(Command command, Options& options, bool required);
/// --config and --set.
void add_config_options(Command command, Options& options);
/// An option that takes words or numbers >= 0 with commas between them, none of them empty.
void add_list_option(Command command, const std::string& name, std::vector<std::string>& words,
                     const std::string& help);
void add_list_option(Command command, const std::string& name, std::vector<std::uint32_t>& numbers,
                     const std::string& help);
/// A finite number that is not negative.
Check threshold_check();

/// --program, --sweeps, --threshold, --mark-threshold, --budget-us, --relaxation, --timeout,
/// --order, --friction, --start, --stream, --config, --set.
void add_solve_options(Command command, Options& options);
/// --sweeps-of.
void add_sweeps_of_option(Command command, Options& options);
void add_backend_option(Command command, Options& options);
void add_order_option(Command command, Options& options);
void add_json_option(Command command, Options& options);
/// --trace, of back ends with time.
void add_trace_option(Command command, Options& options);
/// --wave, --wave-scope, --wave-window and --wave-row, of back ends with RTL.
void add_wave_options(Command command, Options& options);

}  // namespace ppu::sim
