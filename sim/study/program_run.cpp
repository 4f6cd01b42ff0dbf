// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One program on one problem, on every back end.
#include <algorithm>
#include <filesystem>
#include <optional>

#include "sim/base/text.hpp"
#include "sim/solve/run.hpp"
#include "sim/study/programs_table.hpp"

namespace ppu::sim {
namespace {

double per_row(const Run& run, ppu_counter counter) {
  const auto rows = static_cast<double>(run.counter(PPU_COUNTER_ROW_UPDATES));
  return static_cast<double>(run.counter(counter)) / rows;
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

/// What ppu_solve ends with: a run, or a sentence.
struct Attempt {
  std::optional<Run> run;
  std::string refusal;
  bool mismatch = false;  ///< The sentence is of a difference in lockstep.
};

/// On one line.
std::string sentence_of(const Error& error) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Attempt attempt(const model::RowProblem& problem, const Options& options) {
  try {
    return {Solver(options).solve(problem, options.sweeps), "", false};
  } catch (const Error& error) {
    if (!is_finding(error.result)) throw;
    return {std::nullopt, sentence_of(error), error.result == PPU_ERROR_MISMATCH};
  } catch (const CliError& error) {
    return {std::nullopt, error.what(), false};
  }
}

void fill(const Run& run, ProgramRun* result) {
  result->sweeps = run.report.sweeps;
  result->row_updates = run.counter(PPU_COUNTER_ROW_UPDATES);
  result->residual = run.report.max_residual;
  result->timed = run.timed();
  result->device_cycles = run.report.device_cycles;
  result->rows_per_cycle = run.rows_per_cycle();
  result->chip_bytes_per_row = per_row(run, PPU_COUNTER_ROW_BYTES_ON_CHIP);
  result->state_hash = run.state_hash;
}

/// Compares `other`, of `backend`, with the first back end's run.
void compare(const Run& first, const Run& other, const std::string& backend, ProgramRun* result) {
  const auto check = [&](const std::string& what, const std::string& expected,
                         const std::string& found) {
    if (expected != found)
      result->differences.push_back(what + ": " + expected + " on " + result->options.backend +
                                    ", " + found + " on " + backend);
  };
  check("state hash", hex64(first.state_hash), hex64(other.state_hash));
  check("sweeps", grouped(first.report.sweeps), grouped(other.report.sweeps));
  check("row updates", grouped(first.counter(PPU_COUNTER_ROW_UPDATES)),
        grouped(other.counter(PPU_COUNTER_ROW_UPDATES)));
  if (!first.timed() || !other.timed()) return;
  check("cycles", grouped(first.counter(PPU_COUNTER_CYCLES)),
        grouped(other.counter(PPU_COUNTER_CYCLES)));
  check("device cycles", grouped(first.report.device_cycles), grouped(other.report.device_cycles));
}

}  // namespace

ProgramRun measure_program(const model::RowProblem& problem, const Options& options,
                           const std::vector<std::string>& backends) {
  ProgramRun result;
  result.program = options.program;
  result.problem = std::filesystem::path(options.problem).stem().string();
  result.options = options;
  result.options.backend = backends.front();
  const Attempt first = attempt(problem, result.options);
  result.refusal = first.refusal;
  if (first.mismatch) result.differences.push_back(first.refusal);
  if (first.run) fill(*first.run, &result);

  for (std::size_t i = 1; i < backends.size(); ++i) {
    Options other = options;
    other.backend = backends[i];
    const Attempt again = attempt(problem, other);
    if (first.run && again.run) {
      compare(*first.run, *again.run, backends[i], &result);
    } else if (first.refusal != again.refusal) {
      result.differences.push_back(backends[i] + ": " +
                                   (again.run ? "does not refuse it" : again.refusal));
    }
  }
  if (!first.run) return result;
  Options streamed = result.options;
  streamed.stream = true;
  const Run stream = Solver(streamed).solve(problem, streamed.sweeps);
  result.stream_bytes_per_row = per_row(stream, PPU_COUNTER_ROW_BYTES_STREAMED);
  if (stream.state_hash != result.state_hash)
    result.differences.push_back("state hash: another one with --stream");
  return result;
}

}  // namespace ppu::sim
