// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of `ppu demo`: one HTML file with everything inside.
#pragma once

#include <string>
#include <vector>

#include "sim/solve/solver.hpp"

namespace ppu::sim {

/// One back end's line of the headline table.
struct BackendResult {
  Options options;
  SolveResult solve;
  double error;  ///< Against the reference in double precision, relative to max|x|.
};

/// Table cells of one result, and their headings: the same on the terminal and in the report.
std::vector<std::string> headline_titles();
std::vector<std::string> headline_cells(const model::RowProblem& problem,
                                        const BackendResult& result);

/// The whole page. The charts show the timed `results[detail]`; `verdict` is what the solves
/// showed, in one sentence; `command` repeats it.
std::string report_html(const model::RowProblem& problem, const std::vector<BackendResult>& results,
                        std::size_t detail, const std::string& verdict, const std::string& command);

}  // namespace ppu::sim
