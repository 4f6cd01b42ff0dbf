// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The subcommands: each adds itself to the application; its callback returns the exit status by
// `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

namespace ppu::sim {

void add_asm(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_blocks(CLI::App& app, int& exit_code);
void add_converge(CLI::App& app, int& exit_code);
void add_cosim(CLI::App& app, int& exit_code);
void add_counters(CLI::App& app, int& exit_code);
void add_debug(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_diff_trace(CLI::App& app, int& exit_code);
void add_dis(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_frame(CLI::App& app, int& exit_code);
void add_fuzz(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_parity(CLI::App& app, int& exit_code);
void add_profile(CLI::App& app, int& exit_code);
void add_programs(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_savings(CLI::App& app, int& exit_code);
void add_scaling(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_trace(CLI::App& app, int& exit_code);

}  // namespace ppu::sim
