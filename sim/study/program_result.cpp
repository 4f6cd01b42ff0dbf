// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One program on one problem, on every back end.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/cli/command_line.hpp"
#include "sim/measure/solve_comparison.hpp"
#include "sim/solve/solver.hpp"
#include "sim/study/programs_table.hpp"

namespace ppu::sim {
namespace {

double per_row(const SolveResult& solve, ppu_counter counter) {
  const auto rows = static_cast<double>(solve.counter(PPU_COUNTER_ROW_UPDATES));
  return static_cast<double>(solve.counter(counter)) / rows;
}

/// The program cannot run the problem, goes wrong in it, or differs in lockstep: findings, all
/// three.
bool is_finding(ppu_result result) {
  switch (result) {
    case PPU_ERROR_INVALID_ARGUMENT:
    case PPU_ERROR_PROGRAM:
    case PPU_ERROR_PROBLEM:
    case PPU_ERROR_CAPACITY:
    case PPU_ERROR_FAULT:
    case PPU_ERROR_MISMATCH:
      return true;
    default:
      return false;
  }
}

/// What ppu_solve ends with: a solve, or a sentence.
struct Attempt {
  std::optional<SolveResult> solve;
  std::string refusal;
  bool mismatch = false;  ///< The sentence is of a difference in lockstep.
};

/// On one line.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Attempt attempt(const model::RowProblem& problem, const Options& options) {
  try {
    return {Solver(options).solve(problem, options.sweeps), "", false};
  } catch (const FailedSolve& error) {
    if (!is_finding(error.result)) throw;
    return {std::nullopt, one_line(explained(error)), error.result == PPU_ERROR_MISMATCH};
  } catch (const Error& error) {
    if (!is_finding(error.result)) throw;
    return {std::nullopt, one_line(error.what()), false};
  } catch (const CliError& error) {
    return {std::nullopt, error.what(), false};
  }
}

void fill(const SolveResult& solve, ProgramResult* result) {
  result->sweeps = solve.report.sweeps;
  result->row_updates = solve.counter(PPU_COUNTER_ROW_UPDATES);
  result->residual = solve.report.max_residual;
  result->timed = solve.timed();
  result->device_cycles = solve.report.device_cycles;
  result->rows_per_cycle = solve.rows_per_cycle();
  result->chip_bytes_per_row = solve.bytes_per_row();
  result->state_hash = solve.state_hash;
}

}  // namespace

ProgramResult measure_program(const model::RowProblem& problem, const Options& options,
                              const std::vector<std::string>& backends) {
  ProgramResult result;
  result.program = options.program;
  result.problem = std::filesystem::path(options.problem).stem().string();
  result.options = options;
  result.options.backend = backends.front();
  const Attempt first = attempt(problem, result.options);
  result.refusal = first.refusal;
  if (first.mismatch) result.differences.push_back(first.refusal);
  if (first.solve) fill(*first.solve, &result);

  for (std::size_t i = 1; i < backends.size(); ++i) {
    Options other = options;
    other.backend = backends[i];
    const Attempt again = attempt(problem, other);
    if (first.solve && again.solve) {
      for (std::string& line :
           differences(backends.front(), *first.solve, backends[i], *again.solve))
        result.differences.push_back(std::move(line));
    } else if (first.refusal != again.refusal) {
      result.differences.push_back(backends[i] + ": " +
                                   (again.solve ? "does not refuse it" : again.refusal));
    }
  }
  if (!first.solve) return result;
  Options streamed = result.options;
  streamed.stream = true;
  const SolveResult stream = Solver(streamed).solve(problem, streamed.sweeps);
  result.stream_bytes_per_row = per_row(stream, PPU_COUNTER_ROW_BYTES_STREAMED);
  if (stream.state_hash != result.state_hash)
    result.differences.push_back("state hash: another one with --stream");
  return result;
}

}  // namespace ppu::sim
