// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study` and the studies below it: each adds itself to the application; its callback returns
// the exit status by `exit_code`.
#pragma once

namespace CLI {
class App;
}  // namespace CLI

namespace ppu::sim {

/// `ppu study` with all that follow.
void add_study(CLI::App& app, int& exit_code);

void add_converge(CLI::App& app, int& exit_code);
void add_frame(CLI::App& app, int& exit_code);
void add_methods(CLI::App& app, int& exit_code);
void add_papers(CLI::App& app, int& exit_code);
void add_parity(CLI::App& app, int& exit_code);
void add_peers(CLI::App& app, int& exit_code);
void add_pivot(CLI::App& app, int& exit_code);
void add_programs(CLI::App& app, int& exit_code);
void add_savings(CLI::App& app, int& exit_code);
void add_scaling(CLI::App& app, int& exit_code);
void add_step(CLI::App& app, int& exit_code);
void add_warm(CLI::App& app, int& exit_code);
void add_which(CLI::App& app, int& exit_code);

}  // namespace ppu::sim
