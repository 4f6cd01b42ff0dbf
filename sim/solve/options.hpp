// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a solve is asked for: which rows, on which device, by which program, how long, and where the
// device writes what it sees. The words are those of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ppu/ppu.h"

namespace ppu::sim {

/// The word for the order of ppu_default_solve_def().
const std::string& default_order();

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
  std::string order = default_order();
  std::string friction = "clamp";
  std::string start = "warm";
  bool stream = false;
  bool early = false;
  std::string config = "default";
  std::vector<std::string> overrides;
  bool row_profile = false;   ///< Ask for the cycles of every row where the back end keeps them.
  std::string output;         ///< Empty: none.
  std::string json;           ///< Empty: none; "-": stdout.
  std::string schema;         ///< Of the JSON: the command, and what it was asked for.
  bool takes_config = false;  ///< `config` and `overrides` are what the user asked for.
  std::string trace;          ///< Empty: none.
  std::string unnamed_trace;  ///< The same for this process alone, if nobody else wants it.
  std::string wave;           ///< Empty: none.
  std::string wave_scope;
  std::string wave_window;
  std::string wave_row;  ///< ROW:SWEEP, which chooses the window; empty: none.

  [[nodiscard]] bool json_to_stdout() const { return json == "-" || json == "/dev/stdout"; }
  [[nodiscard]] const std::string& log_path() const {
    return trace.empty() ? unnamed_trace : trace;
  }
  [[nodiscard]] bool json_to_file() const { return !json.empty() && !json_to_stdout(); }
};

/// The words of an option, each at the value that it stands for in ppu.h.
const std::vector<std::string>& order_names();
const std::vector<std::string>& friction_names();
const std::vector<std::string>& start_names();
/// Names that --backend takes.
const std::vector<std::string>& backend_names();

ppu_order order_of(const Options& options);
ppu_friction_rule friction_of(const Options& options);
ppu_start start_of(const Options& options);
/// Throws CliError (usage) for --trace and options of waves that do not go together, or that the
/// back end cannot follow.
void check_device_options(const Options& options);
/// First and last cycle of --wave-window; everything if it was not given. Throws CliError.
std::pair<std::uint64_t, std::uint64_t> wave_window_of(const Options& options);

}  // namespace ppu::sim
