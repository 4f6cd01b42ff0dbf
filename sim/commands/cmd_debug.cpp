// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu debug PROBLEM`: go through a run of a device, instruction by instruction and row by row,
// forward and backward.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "sim/base/cli_error.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/help_format.hpp"
#include "sim/cli/option_flags.hpp"
#include "sim/cli/publish.hpp"
#include "sim/commands/commands.hpp"
#include "sim/debug/debug_session.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/options.hpp"

namespace ppu::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPrompt = "(ppu) ";

struct DebugOptions {
  Options solve;
  std::optional<std::string> commands;
  bool json = false;
};

/// Where the commands come from: --commands, a terminal, or a script on standard input.
class Script {
 public:
  explicit Script(const std::optional<std::string>& commands)
      : interactive_(!commands && isatty(STDIN_FILENO) != 0) {
    if (!commands) return;
    std::istringstream rest(*commands);
    for (std::string line; std::getline(rest, line, ';');) text_ << line << "\n";
    in_ = &text_;
  }

  [[nodiscard]] bool interactive() const { return interactive_; }

  /// False at the end. An empty line on a terminal is the line before it.
  bool next(std::string* line) {
    if (interactive_) std::cout << kPrompt << std::flush;
    std::string read;
    if (!std::getline(*in_, read)) {
      if (interactive_) std::cout << "\n";
      return false;
    }
    const std::size_t first = read.find_first_not_of(" \t\r");
    const std::size_t last = read.find_last_not_of(" \t\r");
    read = first == std::string::npos ? "" : read.substr(first, last - first + 1);
    if (!interactive_ || !read.empty()) *line = read;
    return true;
  }

 private:
  bool interactive_;
  std::stringstream text_;
  std::istream* in_ = &std::cin;
};

class Printer {
 public:
  Printer(bool json, bool echo) : json_(json), echo_(echo && !json) {}

  void command(const std::string& line) const {
    if (echo_) std::cout << kPrompt << line << "\n";
  }
  void answer(const Answer& answer) const {
    if (!json_)
      std::cout << answer.text;
    else if (!answer.json.empty())
      std::cout << answer.json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
    flush_stdout();
  }
  void error(const std::string& line, const std::string& what) const {
    if (json_) return answer({{{"command", line}, {"error", what}}, ""});
    flush_stdout();
    std::cerr << "ppu: " << what << std::endl;
  }

 private:
  bool json_;
  bool echo_;
};

/// Commands that were refused.
int run_commands(DebugSession& session, Script& script, const Printer& printer) {
  int errors = 0;
  for (std::string line; !session.done() && script.next(&line);) {
    if (line.empty() || line[0] == '#') continue;
    printer.command(line);
    try {
      printer.answer(session.execute(line));
    } catch (const CommandError& error) {
      printer.error(line, error.what());
      ++errors;
    }
  }
  return errors;
}

int debug(const DebugOptions& options) {
  const model::RowProblem problem = load_problem(options.solve.problem);
  check_outputs(options.solve);
  const Walk walk(solve_for_debugger(problem, options.solve));
  DebugSession session(walk, problem);
  Script script(options.commands);
  const Printer printer(options.json, !script.interactive());
  printer.answer(session.introduction());
  for (const std::string& what : walk.differences())
    std::cerr << "ppu: MISMATCH of device and walk: " << what << std::endl;
  const int errors = run_commands(session, script, printer);
  if (!walk.differences().empty()) return kExitMismatch;
  return errors > 0 && !script.interactive() ? kExitUsage : kExitOk;
}

}  // namespace

void add_debug(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<DebugOptions>();
  Command command =
      add_command(app, "debug", "Go through a run by instructions and rows, forward and backward");
  add_problem_option(command, options->solve, false);
  add_backend_option(command, options->solve);
  add_solve_options(command, options->solve);
  add_sweeps_of_option(command, options->solve);
  add_trace_option(command, options->solve);
  command
      .add_option("--commands", options->commands,
                  "Commands with ; between them; without it they come from standard input")
      .type_name("\"A; B; ...\"");
  command.add_flag("--json", options->json, "Answer each command with a JSON object on a line");
  add_examples(command, {"ppu debug wall10", "ppu debug stance --commands \"step; help\""});
  command.callback([options, &exit_code] { exit_code = debug(*options); });
}

}  // namespace ppu::sim
