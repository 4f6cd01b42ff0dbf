// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a result depends on.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/solve/options.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// 64 bits of all numbers of the rows, as hexadecimal digits.
std::string hash_of_problem(const model::RowProblem& problem);

/// 64 bits of the words of its program, likewise.
std::string hash_of_program(const Options& options);

/// All that the numbers of a solve depend on, and nothing else: two solves with the same one have
/// the same results. `problem_hash` is that of hash_of_problem().
nlohmann::ordered_json identity_of(const Options& options, const std::string& problem_hash);

}  // namespace ppu::sim
