// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu study NAME`: measurements over many problems, programs or devices, a command for each.
#include <CLI/CLI.hpp>

#include "sim/base/text.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {

void add_study(CLI::App& app, int& exit_code) {
  CLI::App* study = app.add_subcommand("study");
  study->require_subcommand(1);
  std::vector<std::string> names;
  for (auto* add : {add_converge, add_savings, add_scaling, add_programs, add_parity, add_frame,
                    add_step, add_methods, add_papers, add_which, add_warm, add_peers, add_pivot})
    add(*study, exit_code);
  for (const CLI::App* command : study->get_subcommands({})) names.push_back(command->get_name());
  study->description("Measure over many problems or devices: " + joined(names));
  add_examples(*study, {"ppu study converge wall10", "ppu study parity --quick"});
}

}  // namespace ppu::sim
