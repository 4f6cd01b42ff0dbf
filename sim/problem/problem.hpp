// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row problems for the subcommands: a file, or a problem that comes with the command.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/problem/row_problem.hpp"
#include "ppu/ppu.h"

namespace ppu::sim {

/// Name of the embedded problem.
inline constexpr const char* kEmbeddedProblem = "wall10";

/// Name of the problem that the command makes, see stance.hpp.
inline constexpr const char* kStanceProblem = "stance";

/// Reads the file `source`, or the embedded or the made problem if that is its name. Throws
/// RowProblemError, CliError (usage) if there is no such file.
model::RowProblem load_problem(const std::string& source);

/// The driver's view of `problem`, valid as long as it is.
ppu_problem view(const model::RowProblem& problem);

/// "joint", "contact" or "friction".
const char* kind_name(model::RowKind kind);
/// "static" or the body's index.
std::string body_name(std::int32_t body);

/// Number of rows on each body.
std::vector<std::uint32_t> rows_per_body(const model::RowProblem& problem);
/// Rows of each island: of bodies that rows connect, directly or through other bodies.
std::vector<std::uint64_t> island_rows(const model::RowProblem& problem);
/// The same of the bodies of each row, -1 for the static world, of `bodies` bodies in all.
std::vector<std::uint64_t> island_rows(const std::vector<std::array<std::int32_t, 2>>& rows,
                                       std::size_t bodies);

}  // namespace ppu::sim
