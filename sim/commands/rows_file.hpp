// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The file of `ppu profile --rows`.
#pragma once

#include <string>

namespace ppu::model {
struct RowProblem;
}

namespace ppu::sim {

struct Options;
struct SolveResult;

/// Throws CliError, before the work, if the file cannot be made: its name ends neither in .csv
/// (usage) nor in .parquet, or there is no pyarrow for the latter (environment). Empty: no file.
void check_rows_file(const std::string& path);
/// What goes into the file `path`.
std::string rows_file(const std::string& path, const model::RowProblem& problem,
                      const Options& options, const SolveResult& result);

}  // namespace ppu::sim
