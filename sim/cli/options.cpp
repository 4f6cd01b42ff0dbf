// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a problem share.
#include "sim/cli/options.hpp"

#include <cmath>
#include <cstdio>
#include <limits>
#include <sstream>

#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"
#include "sim/cli/firmware_file.hpp"
#include "sim/problem/problem.hpp"

namespace ppu::sim {
namespace {

// In the order of ppu_order, ppu_friction_rule and ppu_start.
const std::vector<std::string> kOrders = {"engine", "scheduled", "colour"};
const std::vector<std::string> kFrictionRules = {"clamp", "skip"};
const std::vector<std::string> kStarts = {"warm", "cold"};

std::string one_of(const std::vector<std::string>& names, const std::string& text) {
  std::string list;
  for (const std::string& name : names) {
    if (name == text) return {};
    list += (list.empty() ? "" : ", ") + name;
  }
  return "unknown value '" + text + "', expected one of " + list;
}

void add_choice(CLI::App& command, const std::string& name, std::string& value,
                const std::vector<std::string>& names, const std::string& help) {
  std::string type;
  for (const std::string& text : names) type += (type.empty() ? "" : "|") + text;
  command.add_option(name, value, help)
      ->type_name(type)
      ->capture_default_str()
      ->check(CLI::Validator([&names](std::string& text) { return one_of(names, text); }, ""));
}

template <class Enum>
Enum index_of(const std::vector<std::string>& names, const std::string& name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Enum>(i);
  }
  throw CliError(kExitUsage, one_of(names, name));
}

/// The words between the commas of `text`. Throws CLI::ValidationError where there is none.
std::vector<std::string> split(const std::string& option, const std::string& text) {
  std::vector<std::string> words;
  std::istringstream rest(text + ",");
  for (std::string word; std::getline(rest, word, ',');) {
    if (word.empty())
      throw CLI::ValidationError(option, "'" + text + "' has nothing between two commas");
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

std::string not_empty(std::string& text) {
  return text.empty() ? "'' is not a path, expected a word that is not empty" : "";
}

}  // namespace

CLI::Validator threshold_check() {
  return CLI::Validator(finite_and_not_negative, "");
}

CLI::Validator path_check() {
  return CLI::Validator(not_empty, "");
}

void add_problem_option(CLI::App& command, Options& options, bool required) {
  if (!required) options.problem = kEmbeddedProblem;
  CLI::Option* option =
      command.add_option("problem", options.problem,
                         std::string("HDF5 row problem, or '") + kEmbeddedProblem +
                             "', the embedded one, or '" + kStanceProblem + "', a made one");
  if (required) {
    option->required();
  } else {
    option->capture_default_str();
  }
}

void add_config_options(CLI::App& command, Options& options) {
  command
      .add_option("--config", options.config,
                  "Named configuration or TOML file, with parts after it: default+p1_gddr3+pci")
      ->capture_default_str();
  command.add_option("--set", options.overrides, "Override one configuration key; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_list_option(CLI::App& command, const std::string& name, std::vector<std::string>& words,
                     const std::string& help) {
  const auto read = [name, &words](const std::string& text) { words = split(name, text); };
  command.add_option_function<std::string>(name, read, help)
      ->type_name("A,B,...")
      ->default_str(joined(words));
}

void add_list_option(CLI::App& command, const std::string& name,
                     std::vector<std::uint32_t>& numbers, const std::string& help) {
  const auto read = [name, &numbers](const std::string& text) {
    numbers.clear();
    for (const std::string& word : split(name, text)) {
      numbers.push_back(0);
      if (!CLI::detail::lexical_cast(word, numbers.back()))
        throw CLI::ValidationError(name, "'" + word + "' is no number");
    }
  };
  std::string standard;
  for (const std::uint32_t number : numbers)
    standard += (standard.empty() ? "" : ",") + std::to_string(number);
  command.add_option_function<std::string>(name, read, help)
      ->type_name("N,N,...")
      ->default_str(standard);
}

void add_run_options(CLI::App& command, Options& options) {
  command
      .add_option(
          "--program", options.program,
          "Firmware: " + program_names() +
              ", a .s file or a .ppu image; filter-literal is UNSAFE: it may stop far above "
              "its threshold, filter does not")
      ->capture_default_str();
  command.add_option("--sweeps", options.sweeps, "Sweeps, or the most sweeps with --threshold")
      ->capture_default_str()
      ->check(CLI::Range(1U, 1000000U));
  command
      .add_option("--threshold", options.threshold,
                  "Residual in m/s or rad/s at which a program with a test for termination stops")
      ->check(threshold_check());
  command
      .add_option("--mark-threshold", options.mark_threshold,
                  "Change of a velocity, in m/s or rad/s, below which a program with row filtering "
                  "leaves a body's rows alone; without it, --threshold")
      ->check(threshold_check());
  command
      .add_option("--budget-us", options.budget_us,
                  "Microseconds of device time from the first instruction on in which rows may "
                  "begin: the state reached by then, with its true residual")
      ->check(CLI::Range(0.001, 1e7));
  command
      .add_option(
          "--relaxation", options.relaxation,
          "Over-relaxation: steps are that many times those of projected Gauss-Seidel; more "
          "than 0, less than 2")
      ->capture_default_str();
  command
      .add_option("--timeout", options.timeout_seconds,
                  "Seconds after which a run is given up; without it, never")
      ->check(CLI::Range(0.001, 1e6));
  add_choice(command, "--order", options.order, kOrders,
             "Row order: as the engine gave it; scheduled for the device, same bits; coloured");
  add_choice(command, "--friction", options.friction, kFrictionRules,
             "Friction bounds from the parent row: always, or skip the row while the parent is 0 "
             "(Bullet)");
  add_choice(command, "--start", options.start, kStarts, "From the problem's impulses or from 0");
  command.add_flag("--stream", options.stream,
                   "Fetch the rows from device memory in every pass even if they fit on chip");
  add_config_options(command, options);
}

void add_sweeps_of_option(CLI::App& command, Options& options) {
  command
      .add_option("--sweeps-of", options.sweeps_of,
                  "Sweeps of the kinds of rows, with a program that takes classes: "
                  "joint=20,contact=10,friction=10; a kind that is left out takes --sweeps")
      ->type_name("KIND=N,...");
}

void add_backend_option(CLI::App& command, Options& options) {
  add_choice(command, "--backend", options.backend, backend_names(),
             "functional: no time; systemc: cycles; cosim: systemc with the RTL row pipes in "
             "lockstep; rtl: the whole device in RTL");
}

void add_json_option(CLI::App& command, Options& options) {
  command.add_option("--json", options.json, "Write the result as one JSON object; '-' is stdout")
      ->type_name("FILE")
      ->check(path_check());
}

void add_trace_option(CLI::App& command, Options& options) {
  command
      .add_option("--trace", options.trace,
                  "Write a log of what happens in the device, event by event, for ppu trace")
      ->type_name("FILE")
      ->check(path_check());
}

void add_wave_options(CLI::App& command, Options& options) {
  command
      .add_option("--wave", options.wave,
                  "Write waves: cosim of pipe 0 of engine 0, rtl of the whole device")
      ->type_name("FILE.fst")
      ->check(path_check());
  command
      .add_option("--wave-scope", options.wave_scope,
                  "rtl: only what is below that module instance, such as u_dma or "
                  "ppu_top.gen_engine[0].u_engine")
      ->type_name("INSTANCE");
  command
      .add_option("--wave-window", options.wave_window,
                  "First and last cycle of --wave: cosim of the row pipe, rtl of the device; a "
                  "cycle is a nanosecond of the waves")
      ->type_name("A:B");
}

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (std::size_t i = 0; ppu_backend_name(i) != nullptr; ++i)
      list.emplace_back(ppu_backend_name(i));
    return list;
  }();
  return names;
}

ppu_order order_of(const Options& options) {
  return index_of<ppu_order>(kOrders, options.order);
}

ppu_friction_rule friction_of(const Options& options) {
  return index_of<ppu_friction_rule>(kFrictionRules, options.friction);
}

ppu_start start_of(const Options& options) {
  return index_of<ppu_start>(kStarts, options.start);
}

void check_device_options(const Options& options) {
  const std::string backend = ": back end '" + options.backend + "' ";
  if (!options.trace.empty() && options.backend == "functional") {
    throw CliError(kExitUsage, "--trace" + backend +
                                   "has no cycles in which something could happen, expected "
                                   "systemc, cosim or rtl");
  }
  const bool none = options.wave.empty();
  if (!none && options.backend != "cosim" && options.backend != "rtl") {
    throw CliError(kExitUsage, "--wave" + backend +
                                   "has no RTL whose waves could be written, expected cosim or "
                                   "rtl");
  }
  if (!none && !options.wave_scope.empty() && options.backend != "rtl") {
    throw CliError(kExitUsage, "--wave-scope" + backend +
                                   "has no parts whose waves could be written alone, expected rtl");
  }
  if (none && !options.wave_scope.empty()) {
    throw CliError(kExitUsage, "--wave-scope needs --wave FILE.fst");
  }
  if (none && !options.wave_window.empty()) {
    throw CliError(kExitUsage, "--wave-window needs --wave FILE.fst");
  }
  if (!none && !ends_with(options.wave, ".fst")) {
    throw CliError(kExitUsage, "--wave: got '" + options.wave +
                                   "', expected a name that ends in .fst, the format of the waves");
  }
}

std::pair<std::uint64_t, std::uint64_t> wave_window_of(const Options& options) {
  if (options.wave_window.empty()) return {0, std::numeric_limits<std::uint64_t>::max()};
  unsigned long long first = 0;
  unsigned long long last = 0;
  char rest = 0;
  if (std::sscanf(options.wave_window.c_str(), "%llu:%llu%c", &first, &last, &rest) != 2 ||
      first > last) {
    throw CliError(kExitUsage, "--wave-window: got '" + options.wave_window +
                                   "', expected A:B, two cycles with A <= B");
  }
  return {first, last};
}

}  // namespace ppu::sim
