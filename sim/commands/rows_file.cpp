// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of a profile as CSV, and as Parquet by Python.
#include "sim/commands/rows_file.hpp"

#include <fstream>

#include "sim/base/cli_error.hpp"
#include "sim/base/files.hpp"
#include "sim/base/text.hpp"
#include "sim/commands/python_helper.hpp"
#include "sim/measure/row_records.hpp"
#include "sim/solve/solver.hpp"

namespace ppu::sim {
namespace {

constexpr const char* kToParquet = "--to-parquet";

bool is_parquet(const std::string& path) {
  return ends_with(path, ".parquet");
}

}  // namespace

void check_rows_file(const std::string& path) {
  if (path.empty() || ends_with(path, ".csv")) return;
  if (!is_parquet(path))
    throw CliError(kExitUsage,
                   "--rows: got '" + path + "', expected a name that ends in .csv or .parquet");
  run_explore({kToParquet});
}

std::string rows_file(const std::string& path, const model::RowProblem& problem,
                      const Options& options, const SolveResult& result) {
  const std::string csv = csv_of(problem, row_records(problem, options, result));
  if (!is_parquet(path)) return csv;
  const TemporaryFile from;
  const TemporaryFile to;
  std::ofstream(from.path(), std::ios::binary) << csv;
  run_explore({kToParquet, from.path(), to.path()});
  return read_file(to.path());
}

}  // namespace ppu::sim
