// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a problem share.
#include "sim/cli/option_flags.hpp"

#include <cmath>
#include <cstdio>
#include <sstream>

#include "sim/base/cli_error.hpp"
#include "sim/base/embedded.hpp"
#include "sim/base/text.hpp"
#include "sim/solve/firmware_file.hpp"

namespace ppu::sim {
namespace {

void add_choice(Command command, const std::string& name, std::string& value,
                const std::vector<std::string>& names, const std::string& help) {
  command.add_option(name, value, help)
      .type_name("WORD")
      .capture_default_str()
      .check({[&names](std::string& text) { return complaint_unless_one_of(names, text); }, ""});
}

/// The words between the commas of `text`. Throws CliError (usage) where there is none.
std::vector<std::string> split(const std::string& option, const std::string& text) {
  std::vector<std::string> words;
  std::istringstream rest(text + ",");
  for (std::string word; std::getline(rest, word, ',');) {
    if (word.empty())
      throw CliError(kExitUsage, option + ": '" + text + "' has nothing between two commas");
    words.push_back(word);
  }
  return words;
}

std::string finite_and_not_negative(std::string& text) {
  float value = 0;
  char rest = 0;
  const bool number = std::sscanf(text.c_str(), "%f%c", &value, &rest) == 1;
  if (number && std::isfinite(value) && value >= 0) return {};
  return "'" + text + "' is not a threshold, expected a finite number >= 0";
}

}  // namespace

Check threshold_check() {
  return {finite_and_not_negative, ""};
}

void add_problem_option(Command command, Options& options, bool required) {
  if (!required) options.problem = kEmbeddedProblem;
  Option option = command.add_option("problem", options.problem,
                                     std::string("HDF5 row problem, '") + kEmbeddedProblem +
                                         "' (embedded) or '" + kStanceProblem + "' (made)");
  if (required) {
    option.required();
  } else {
    option.capture_default_str();
  }
}

void add_config_options(Command command, Options& options) {
  options.takes_config = true;
  command
      .add_option("--config", options.config,
                  "Named configuration or TOML file, with parts: default+p1_gddr3+pci")
      .capture_default_str();
  command
      .add_option("--set", options.overrides,
                  "Override one key of the configuration; may be repeated")
      .type_name("KEY=VALUE")
      .allow_extra_args(false);
}

void add_list_option(Command command, const std::string& name, std::vector<std::string>& words,
                     const std::string& help) {
  const auto read = [name, &words](const std::string& text) { words = split(name, text); };
  command.add_reader(name, read, help).type_name("A,B,...").default_str(joined(words));
}

void add_list_option(Command command, const std::string& name, std::vector<std::uint32_t>& numbers,
                     const std::string& help) {
  const auto read = [name, &numbers](const std::string& text) {
    numbers.clear();
    for (const std::string& word : split(name, text)) {
      numbers.push_back(0);
      if (!read_number(word, numbers.back()))
        throw CliError(kExitUsage, name + ": '" + word + "' is no number");
    }
  };
  std::string standard;
  for (const std::uint32_t number : numbers)
    standard += (standard.empty() ? "" : ",") + std::to_string(number);
  command.add_reader(name, read, help).type_name("N,N,...").default_str(standard);
}

void add_solve_options(Command command, Options& options) {
  command
      .add_option("--program", options.program,
                  "Firmware: a .s file, a .ppu image or one of " + program_names() +
                      "; filter-literal is UNSAFE: it may stop too early")
      .capture_default_str();
  command.add_option("--sweeps", options.sweeps, "Sweeps; with --threshold, the most sweeps")
      .capture_default_str()
      .check(in_range(1U, 1000000U));
  command
      .add_option("--threshold", options.threshold,
                  "Residual, in m/s or rad/s, at which a program that tests it stops")
      .check(threshold_check());
  command
      .add_option("--mark-threshold", options.mark_threshold,
                  "Change of a velocity below which a filter skips rows; else --threshold")
      .check(threshold_check());
  command
      .add_option("--budget-us", options.budget_us,
                  "Microseconds of device time in which rows may begin")
      .check(in_range(0.001, 1e7));
  command
      .add_option("--relaxation", options.relaxation, "Over-relaxation: more than 0, less than 2")
      .capture_default_str();
  command
      .add_option("--timeout", options.timeout_seconds,
                  "Seconds after which a run is given up; else never")
      .check(in_range(0.001, 1e6));
  add_order_option(command, options);
  add_choice(command, "--friction", options.friction, friction_names(),
             "clamp: bounds from the parent row; skip: no row while it is 0 (Bullet)");
  add_choice(command, "--start", options.start, start_names(),
             "warm: from the problem's impulses; cold: from 0");
  command.add_flag("--stream", options.stream,
                   "Fetch rows from device memory in every pass, even if they fit on chip");
  command.add_flag("--early", options.early, "Begin the first sweep while rows come over the link");
  add_config_options(command, options);
}

void add_sweeps_of_option(Command command, Options& options) {
  command
      .add_option("--sweeps-of", options.sweeps_of,
                  "Sweeps of kinds of rows, for classes: joint=20,contact=10")
      .type_name("KIND=N,...");
}

void add_order_option(Command command, Options& options) {
  add_choice(command, "--order", options.order, order_names(),
             "engine: as given; colour: another order; scheduled: as engine");
}

void add_backend_option(Command command, Options& options) {
  command
      .add_option("--backend", options.backend,
                  "functional (no time), systemc, cosim (with RTL row pipes), rtl (all RTL) or "
                  "platform:LIBRARY")
      .type_name("WORD")
      .capture_default_str()
      .check({[](std::string& text) {
                const bool platform = text.rfind("platform:", 0) == 0;
                return platform ? "" : complaint_unless_one_of(backend_names(), text);
              },
              ""});
}

void add_json_option(Command command, Options& options) {
  options.schema = command.name();
  command.add_option("--json", options.json, "Write the result as JSON; '-' is stdout")
      .is_path("FILE");
}

void add_trace_option(Command command, Options& options) {
  command
      .add_option("--trace", options.trace,
                  "Write a log of all events in the device, for ppu trace")
      .is_path("FILE");
}

void add_wave_options(Command command, Options& options) {
  command
      .add_option("--wave", options.wave,
                  "Write waves: cosim of the first row pipe, rtl of the whole device")
      .is_path("FILE.fst");
  command
      .add_option("--wave-scope", options.wave_scope,
                  "rtl: only what is below that instance: u_dma")
      .type_name("INSTANCE");
  const Option window = command.add_option("--wave-window", options.wave_window,
                                           "First and last cycle of the device in the waves");
  window.type_name("A:B");
  command
      .add_option("--wave-row", options.wave_row,
                  "The waves around the update of that row in that sweep, from 1")
      .type_name("ROW:SWEEP")
      .excludes(window);
}

}  // namespace ppu::sim
