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
/// Rows of each island, see find_islands().
std::vector<std::uint64_t> island_rows(const model::RowProblem& problem);

}  // namespace ppu::sim
