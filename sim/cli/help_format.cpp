// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What `--help` looks like.
#include "sim/cli/help_format.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>

#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kTextColumn = 30;
const std::string kIndent = "  ";
const std::string kExamples = "Examples:\n";

/// A name, and its description in a column of its own, below the name where that is too long.
std::string entry(const std::string& name, const std::string& description) {
  std::string out = kIndent + name;
  out += out.size() < kTextColumn ? std::string(kTextColumn - out.size(), ' ')
                                  : "\n" + std::string(kTextColumn, ' ');
  std::istringstream lines(wrapped(description, kColumns - kTextColumn));
  std::string line;
  std::getline(lines, line);
  out += line + "\n";
  while (std::getline(lines, line)) out += std::string(kTextColumn, ' ') + line + "\n";
  return out;
}

/// CLI11 puts the checks of a value behind its type: "UINT:UINT in [1 - 10]",
/// "TEXT:{both,program}".
std::string without_checks(const std::string& type) {
  std::size_t end = type.find(":{");
  if (const std::size_t range = type.find(" in ["); range != std::string::npos)
    end = type.rfind(':', range);
  return type.substr(0, end);
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + make_option_opts(option),
                 option->get_description());
  }

  /// Its value and default. What is allowed, and with what, is said by the errors.
  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    std::string out = " " + without_checks(option->get_type_name());
    if (!option->get_default_str().empty()) out += "=" + option->get_default_str();
    if (option->get_required()) out += " REQUIRED";
    return out;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(app->get_description(), kColumns);
  }
};

}  // namespace

void use_help_format(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
}

void add_examples(CLI::App& command, const std::vector<std::string>& examples) {
  std::string footer = kExamples;
  for (const std::string& example : examples) footer += kIndent + example + "\n";
  footer.pop_back();
  command.footer(footer);
}

std::vector<std::string> examples_of(const CLI::App& command) {
  const std::string footer = command.get_footer();
  std::vector<std::string> examples;
  if (footer.compare(0, kExamples.size(), kExamples) != 0) return examples;
  std::istringstream lines(footer.substr(kExamples.size()));
  for (std::string line; std::getline(lines, line);)
    examples.push_back(line.substr(kIndent.size()));
  return examples;
}

}  // namespace ppu::sim
