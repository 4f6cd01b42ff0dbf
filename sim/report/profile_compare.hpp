// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu profile --compare A B`: the same rows on several configurations, side by side.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// A solve on one of the configurations.
struct ComparedProfile {
  std::string title;  ///< As it was given.
  Options options;
  SolveResult solve;
};
/// At least one.
using ComparedProfiles = std::vector<ComparedProfile>;

/// `options` with the configuration `text`: what --config takes, then keys that it overrides:
/// "default+pci,pipes=2,velocity_banks=16".
Options with_config(Options options, const std::string& text);

bool same_bits(const ComparedProfiles& sides);
/// True if all have the same bits; or if they need not: in colour order rows go another way on
/// another device, and with a budget a faster device gets further.
bool bits_are_right(const ComparedProfiles& sides);

/// What differs between the configurations, then a column for each, and for the
/// ratio of each to the first one.
std::string compare_text(const model::RowProblem& problem, const ComparedProfiles& sides);

/// The same numbers, and all profiles whole.
nlohmann::ordered_json compare_json(const model::RowProblem& problem,
                                    const ComparedProfiles& sides);

}  // namespace ppu::sim
