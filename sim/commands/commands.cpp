// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The commands in the order of `ppu --help`, and the words that name one.
#include "sim/commands/commands.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/studies/studies.hpp"

namespace ppu::sim {
namespace {

/// Commands of a group by what adds them.
struct Group {
  const char* name;
  std::vector<void (*)(CLI::App&, int&)> commands;
};

const std::vector<Group>& groups() {
  static const std::vector<Group> all = {
      {"Every day",
       {add_demo, add_solve, add_cosim, add_profile, add_debug, add_asm, add_dis, add_fuzz,
        add_bench, add_info, add_doctor}},
      {"Studies", {add_study, add_explore, add_points}},
      {"Scenes, event logs, results",
       {add_fclib, add_distance, add_fpcheck, add_scenes, add_record, add_trace, add_diff_trace,
        add_diff, add_counters, add_rtl}}};
  return all;
}

std::vector<std::string> names_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// A study that is over, and the page that has its numbers.
struct EndedStudy {
  std::string_view name;
  const char* page;
};
constexpr EndedStudy kEndedStudies[] = {{"blocks", "docs/inside/contact_blocks.md"}};

bool is_option(const std::string& word) {
  return word.empty() || word.front() == '-';
}

}  // namespace

void add_commands(CLI::App& app, int& exit_code) {
  use_help_format(app);
  app.require_subcommand(1);
  int added = 0;
  for (const Group& group : groups()) {
    for (auto* const add : group.commands) {
      add(app, exit_code);
      app.get_subcommand(added++)->group(group.name);
    }
  }
  app.footer(
      "ppu COMMAND --help says more, with examples.\n"
      "In the source tree, ./ppu test runs the tests, and ./ppu docs makes a site of the books.");
}

bool rename_old_command(CLI::App& app, std::vector<std::string>* words) {
  if (words->empty()) return false;
  const bool is_study = words->front() == "study" && words->size() > 1;
  for (const EndedStudy& study : kEndedStudies) {
    if ((*words)[is_study ? 1 : 0] == study.name)
      throw CliError(kExitUsage, "the study '" + std::string(study.name) +
                                     "' is over: " + study.page + " has its numbers");
  }
  const std::vector<std::string> studies = names_of(*app.get_subcommand("study"));
  if (std::find(studies.begin(), studies.end(), words->front()) == studies.end()) return false;
  words->insert(words->begin(), "study");
  return true;
}

CLI::App* find_command(CLI::App& app, const std::vector<std::string>& words) {
  CLI::App* command = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> names = names_of(*command);
    if (names.empty() || is_option(word)) break;
    if (std::find(names.begin(), names.end(), word) == names.end())
      throw CliError(kExitUsage,
                     "unknown command '" + word + "', expected one of " + joined(names));
    command = command->get_subcommand(word);
  }
  return command;
}

}  // namespace ppu::sim
