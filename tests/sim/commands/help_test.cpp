// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The help of every command fits a screen, and the examples in it are command lines.
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "sim/base/cli_error.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/commands/commands.hpp"

namespace ppu::sim {
namespace {

constexpr int kLines = 40;
constexpr std::ptrdiff_t kColumns = 100;

/// Thrown by a command in place of its work.
struct Parsed {};

/// All commands, none of which does anything.
class Help : public testing::Test {
 protected:
  Help() {
    add_commands(app_, exit_code_);
    collect(app_);
  }

  void collect(CLI::App& app) {
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
      commands_.push_back(command);
      collect(*command);
      if (!command->get_subcommands([](CLI::App*) { return true; }).empty()) continue;
      command->parse_complete_callback([command] {
        // What `ppu explore` leaves is read by its own parser.
        if (!command->get_allow_extras()) {
          EXPECT_EQ(command->remaining(), std::vector<std::string>());
        }
        throw Parsed();
      });
    }
  }

  int exit_code_ = 0;
  CLI::App app_{"all commands", "ppu"};
  std::vector<CLI::App*> commands_;
};

void expect_fits(const std::string& name, const std::string& help) {
  EXPECT_LE(std::count(help.begin(), help.end(), '\n'), kLines) << name << "\n" << help;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const auto continues = [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    };
    const auto hidden = std::count_if(line.begin(), line.end(), continues);
    EXPECT_LE(static_cast<std::ptrdiff_t>(line.size()) - hidden, kColumns) << name << "\n" << line;
  }
}

/// Up to where a shell would do something with it.
std::string before_pipe(const std::string& line) {
  return line.substr(0, line.find(" | "));
}

TEST_F(Help, OfEveryCommandFitsAScreen) {
  expect_fits("ppu", app_.help());
  for (const CLI::App* command : commands_) expect_fits(command->get_name(), command->help("ppu"));
}

TEST_F(Help, OfEveryCommandShowsTwoExamplesOfIt) {
  for (const CLI::App* command : commands_) {
    const std::vector<std::string> examples = examples_of(*command);
    EXPECT_GE(examples.size(), 2U) << command->get_name();
    const CLI::App* group = command->get_parent();
    const std::string begin =
        (group != &app_ ? "ppu " + group->get_name() + " " : "ppu ") + command->get_name();
    for (const std::string& example : examples)
      EXPECT_EQ((example + " ").compare(0, begin.size() + 1, begin + " "), 0) << example;
  }
}

TEST_F(Help, EveryExampleIsACommandLine) {
  for (const CLI::App* command : commands_)
    for (const std::string& example : examples_of(*command))
      EXPECT_THROW(app_.parse(before_pipe(example).substr(4), false), Parsed) << example;
}

TEST_F(Help, EveryFileOfTheTreeInAnExampleIsThere) {
  int files = 0;
  for (const CLI::App* command : commands_) {
    for (const std::string& example : examples_of(*command)) {
      std::istringstream words(example);
      for (std::string word; words >> word;) {
        if (word.find('/') == std::string::npos) continue;
        EXPECT_TRUE(std::filesystem::exists(PPU_SOURCE_DIR "/" + word)) << example;
        ++files;
      }
    }
  }
  EXPECT_GT(files, 3);
}

TEST_F(Help, AStudyByItsOldNameIsFound) {
  std::vector<std::string> words = {"frame", "wall10"};
  EXPECT_TRUE(rename_old_command(app_, &words));
  EXPECT_EQ(words, (std::vector<std::string>{"study", "frame", "wall10"}));
  EXPECT_EQ(find_command(app_, words)->get_name(), "frame");
  EXPECT_FALSE(rename_old_command(app_, &words));
  words = {"solve", "frame"};
  EXPECT_FALSE(rename_old_command(app_, &words));
}

TEST_F(Help, AStudyThatIsOverNamesItsPage) {
  for (std::vector<std::string> words : {std::vector<std::string>{"blocks", "wall10"},
                                         std::vector<std::string>{"study", "blocks"}}) {
    try {
      rename_old_command(app_, &words);
      FAIL() << words.front();
    } catch (const CliError& error) {
      EXPECT_STREQ(error.what(),
                   "the study 'blocks' is over: docs/inside/contact_blocks.md has its numbers");
    }
  }
  EXPECT_TRUE(std::filesystem::exists(PPU_SOURCE_DIR "/docs/inside/contact_blocks.md"));
}

}  // namespace
}  // namespace ppu::sim
