// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The search of the fuzz: case after case on every configuration, until back ends differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/options.hpp"
#include "sim/fuzz/fuzz_case.hpp"
#include "sim/fuzz/fuzz_coverage.hpp"

namespace ppu::sim {

struct FuzzOptions {
  std::uint64_t cases = 20000;  ///< Rows that kernels update, all configurations together.
  std::uint64_t programs = 0;   ///< On each configuration, instead of cases; 0: as many as need be.
  std::uint64_t seed = 1;
  std::string type = "both";
  std::string configs;   ///< With commas; empty: the named ones.
  std::string backends;  ///< With commas; empty: all.
  std::vector<std::string> overrides;
  std::string replay;  ///< A seed or a file; empty: none.
  std::string save;    ///< A folder; empty: none.
  Options output;      ///< --json only.
};

/// A case that back ends differ in.
struct FuzzFinding {
  FuzzCase fuzz;
  std::string config;
  std::vector<std::string> lines;
  std::string command;  ///< That repeats it.
  bool alone = true;    ///< It differs on devices that have done nothing before, too.
  bool shrunk = false;
};

struct FuzzSearch {
  std::vector<std::string> backends, configs;
  FuzzCoverage coverage;
  std::uint64_t lockstep_rows = 0;
  double seconds = 0;
  std::optional<FuzzFinding> finding;
};

/// Throws CliError (usage) for options that cannot be, Error and ConfigError of devices.
FuzzSearch search(const FuzzOptions& options);

/// The command line that does `what` on that configuration, with the same back ends.
std::string fuzz_command(const FuzzOptions& options, const std::string& config,
                         const std::string& what);

}  // namespace ppu::sim
