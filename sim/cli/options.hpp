// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The options that the commands with a problem share.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ppu/ppu.h"

namespace ppu::sim {

struct Options {
  std::string problem;
  std::string backend = "systemc";
  std::string program = "boxed";
  std::uint32_t sweeps = 10;
  std::optional<float> threshold;
  std::optional<float> mark_threshold;  ///< None: the threshold.
  std::optional<double> budget_us;      ///< Of simulated time.
  float relaxation = 1;
  std::string sweeps_of;  ///< Sweeps of the kinds of rows, see sweep_classes.hpp; empty: none.
  std::optional<double> timeout_seconds;  ///< None: wait for ever.
  std::string order = "scheduled";
  std::string friction = "clamp";
  std::string start = "warm";
  bool stream = false;
  std::string config = "default";
  std::vector<std::string> overrides;
  bool row_profile = false;  ///< Ask for the cycles of every row where the back end keeps them.
  std::string output;        ///< Empty: none.
  std::string json;          ///< Empty: none; "-": stdout.
  std::string trace;         ///< Empty: none.
  std::string wave;          ///< Empty: none.
  std::string wave_scope;
  std::string wave_window;

  [[nodiscard]] bool json_to_stdout() const { return json == "-" || json == "/dev/stdout"; }
  [[nodiscard]] bool json_to_file() const { return !json.empty() && !json_to_stdout(); }
};

/// PROBLEM, required or with the embedded problem as its default.
void add_problem_option(CLI::App& command, Options& options, bool required);
/// --config and --set.
void add_config_options(CLI::App& command, Options& options);
/// An option that takes words or numbers >= 0 with commas between them, none of them empty.
void add_list_option(CLI::App& command, const std::string& name, std::vector<std::string>& words,
                     const std::string& help);
void add_list_option(CLI::App& command, const std::string& name,
                     std::vector<std::uint32_t>& numbers, const std::string& help);
/// A finite number that is not negative.
CLI::Validator threshold_check();
/// The path of an output: any word but the empty one, which stands for no output inside.
CLI::Validator path_check();

/// --program, --sweeps, --threshold, --mark-threshold, --budget-us, --relaxation, --timeout,
/// --order, --friction, --start, --stream, --config, --set.
void add_run_options(CLI::App& command, Options& options);
/// --sweeps-of.
void add_sweeps_of_option(CLI::App& command, Options& options);
/// Names that --backend takes.
const std::vector<std::string>& backend_names();
void add_backend_option(CLI::App& command, Options& options);
void add_json_option(CLI::App& command, Options& options);
/// --trace, of back ends with time.
void add_trace_option(CLI::App& command, Options& options);
/// --wave, --wave-scope and --wave-window, of back ends with RTL.
void add_wave_options(CLI::App& command, Options& options);

ppu_order order_of(const Options& options);
ppu_friction_rule friction_of(const Options& options);
ppu_start start_of(const Options& options);
/// Throws CliError (usage) for --trace and options of waves that do not go together, or that the
/// back end cannot follow.
void check_device_options(const Options& options);
/// First and last cycle of --wave-window; everything if it was not given. Throws CliError.
std::pair<std::uint64_t, std::uint64_t> wave_window_of(const Options& options);

}  // namespace ppu::sim
