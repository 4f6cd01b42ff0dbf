// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The commands: each adds itself to the application; its callback returns the exit status by
// `exit_code`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace ppu::sim {

void add_asm(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_cosim(CLI::App& app, int& exit_code);
void add_counters(CLI::App& app, int& exit_code);
void add_debug(CLI::App& app, int& exit_code);
void add_demo(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_diff_trace(CLI::App& app, int& exit_code);
void add_dis(CLI::App& app, int& exit_code);
void add_distance(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
void add_explore(CLI::App& app, int& exit_code);
void add_fclib(CLI::App& app, int& exit_code);
void add_fpcheck(CLI::App& app, int& exit_code);
void add_fuzz(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_points(CLI::App& app, int& exit_code);
void add_profile(CLI::App& app, int& exit_code);
void add_record(CLI::App& app, int& exit_code);
void add_rtl(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app, int& exit_code);
void add_solve(CLI::App& app, int& exit_code);
void add_trace(CLI::App& app, int& exit_code);

/// All of them, in groups.
void add_commands(CLI::App& app, int& exit_code);
/// The command that `words` begin with, `app` itself if they begin with an option. Throws CliError
/// (usage) for a word that is no command.
CLI::App* find_command(CLI::App& app, const std::vector<std::string>& words);
/// Puts `study` in front of `words` if they begin with a study by its old name, `converge`; true if
/// they did. Throws CliError (usage) for a study that is over.
bool rename_old_command(CLI::App& app, std::vector<std::string>* words);
/// Runs `ppu` with `words` behind it, and returns its exit status. Throws CliError (usage) for
/// words that make no sense.
int run_command(std::vector<std::string> words);

}  // namespace ppu::sim
