// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `ppu profile --compare A B`: the same rows on two configurations, side by side.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// A run on one of the configurations.
struct ComparedProfile {
  std::string title;  ///< As it was given.
  Options options;
  SolveResult solve;
};
using ComparedProfiles = std::array<ComparedProfile, 2>;

/// `options` with the configuration `text`: what --config takes, then keys that it overrides:
/// "default+pci,pipes=2,velocity_banks=16".
Options with_config(Options options, const std::string& text);

/// True if both have the same bits; or if they need not: in colour order rows go another way on
/// another device, and with a budget a faster device gets further.
bool bits_are_right(const ComparedProfiles& runs);

/// What differs between the configurations, then a column for each and one for second over first.
std::string compare_text(const model::RowProblem& problem, const ComparedProfiles& runs);

/// The same numbers, and both profiles whole.
nlohmann::ordered_json compare_json(const model::RowProblem& problem, const ComparedProfiles& runs);

}  // namespace ppu::sim
