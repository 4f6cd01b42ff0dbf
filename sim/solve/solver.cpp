// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves through the driver, with everything the reports need.
#include "sim/solve/solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <limits>
#include <tuple>

#include "sim/base/progress.hpp"
#include "sim/base/text.hpp"
#include "sim/problem/problem.hpp"
#include "sim/solve/sweep_classes.hpp"

namespace ppu::sim {
namespace {

/// A device that does not answer at all may take so long to be opened.
constexpr double kLeastAnswerSeconds = 10;

std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(seconds * 1e9);
}

Program load(const Device& device, const Options& options, const std::vector<std::byte>& image) {
  try {
    return Program::from_image(device, image.data(), image.size());
  } catch (const Error& error) {
    throw Error(error.result, "program '" + options.program + "': " + error.what());
  }
}

/// Which files a run that failed leaves behind, in words: those of a device that can still be
/// closed.
std::string files_of_failure(ppu_result code, const Options& options) {
  std::vector<std::string> names;
  if (code == PPU_ERROR_DEVICE_LOST) return "nothing was written";
  for (const std::string& path : {options.trace, options.wave})
    if (!path.empty()) names.push_back(path);
  return names.empty() ? "nothing was written" : "only " + joined(names) + " was written";
}

/// --budget-us in whole cycles of the device, at least one; 0 without it.
std::uint32_t budget_cycles(const Options& options, const ppu_device_info& device) {
  if (!options.budget_us) return 0;
  const double cycles = std::floor(*options.budget_us * device.clock_mhz);
  if (cycles > std::numeric_limits<std::uint32_t>::max()) {
    throw CliError(kExitUsage,
                   "--budget-us is " + std::to_string(cycles) + " cycles, expected less than 2^32");
  }
  return static_cast<std::uint32_t>(std::max(1.0, cycles));
}

/// The last time in the header of an FST file, 0 if no values were written: byte 17, 8 bytes, the
/// highest first.
std::uint64_t end_time_of_waves(const std::string& path) {
  constexpr int kEndTime = 17;
  std::ifstream file(path, std::ios::binary);
  file.seekg(kEndTime);
  std::uint64_t time = 0;
  for (int i = 0; i < 8; ++i) time = time << 8U | (static_cast<std::uint64_t>(file.get()) & 0xFFU);
  return time;
}

void warn_of_empty_waves(const Options& options) {
  if (options.wave.empty() || wave_window_of(options).first == 0) return;
  if (end_time_of_waves(options.wave) == 0)
    std::cerr << "ppu: warning: " << options.wave << " holds no values: nothing ran in the cycles "
              << "of --wave-window " << options.wave_window << "\n";
}

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace

Firmware program_of(const Options& options) {
  Firmware firmware = load_firmware(options.program);
  if (options.threshold && !firmware.tests_residual) {
    throw CliError(kExitUsage, "--threshold: program '" + options.program +
                                   "' does not test for termination, expected one of " +
                                   program_names(true));
  }
  if (options.mark_threshold && !firmware.marks)
    throw CliError(kExitUsage, "--mark-threshold: program '" + options.program +
                                   "' tags no bodies, expected one with a kernel with mark");
  return firmware;
}

FailedSolve::FailedSolve(ppu_result code, const Options& of_solve)
    : Error(code,
            of_solve.problem + ": " + ppu_last_error() + "; " + files_of_failure(code, of_solve)),
      options(of_solve),
      reason(ppu_last_error()) {
}

double SolveResult::rows_per_cycle() const {
  return ratio(counter(PPU_COUNTER_ROW_UPDATES), counter(PPU_COUNTER_CYCLES));
}
double SolveResult::cycles_per_row() const {
  const double rate = rows_per_cycle();
  return rate > 0 ? 1 / rate : std::numeric_limits<double>::quiet_NaN();
}
double SolveResult::flops_per_row() const {
  return ratio(counter(PPU_COUNTER_FLOPS), counter(PPU_COUNTER_ROW_UPDATES));
}
double SolveResult::bytes_per_row() const {
  constexpr std::uint64_t kVelocity = 6 * sizeof(float);
  const std::uint64_t velocities =
      counter(PPU_COUNTER_VELOCITY_READS) + counter(PPU_COUNTER_VELOCITY_WRITES);
  return ratio(counter(PPU_COUNTER_ROW_BYTES_ON_CHIP) + kVelocity * velocities,
               counter(PPU_COUNTER_ROW_UPDATES));
}

ExitCode exit_code_of(ppu_result result) {
  switch (result) {
    case PPU_OK:
      return kExitOk;
    case PPU_ERROR_FAULT:
    case PPU_ERROR_MISMATCH:
    case PPU_ERROR_NUMERIC:
      return kExitMismatch;
    case PPU_ERROR_VERSION:
    case PPU_ERROR_TIMEOUT:
    case PPU_ERROR_DEVICE_LOST:
    case PPU_ERROR_BUSY:
    case PPU_ERROR_SYSTEM:
    case PPU_ERROR_CANCELLED:
    case PPU_ERROR_COMMAND:
      return kExitEnvironment;
    default:
      return kExitUsage;
  }
}

Device open_device(const Options& options) {
  std::vector<const char*> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(text.c_str());
  ppu_device_def def = ppu_default_device_def();
  def.backend = options.backend.c_str();
  def.config = options.config.c_str();
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  if (!options.wave.empty()) def.wave_path = options.wave.c_str();
  if (!options.wave_scope.empty()) def.wave_scope = options.wave_scope.c_str();
  if (!options.log_path().empty()) def.trace_path = options.log_path().c_str();
  if (options.timeout_seconds)
    def.answer_timeout_ns =
        std::min(def.answer_timeout_ns,
                 nanoseconds(std::max(*options.timeout_seconds, kLeastAnswerSeconds)));
  std::tie(def.wave_first_cycle, def.wave_last_cycle) = wave_window_of(options);
  return Device(def);
}

Solver::Solver(const Options& options)
    : options_(options),
      firmware_(program_of(options)),
      image_(firmware::to_bytes(firmware_.assembly.image)),
      device_(open_device(options)),
      program_(load(device_, options, image_)) {
}

ppu_solve_def Solver::solve_def(const model::RowProblem& problem, std::uint32_t sweeps) const {
  ppu_solve_def def = ppu_default_solve_def();
  def.true_residual = true;
  def.program = program_.get();
  def.max_sweeps = sweeps;
  def.threshold = options_.threshold.value_or(0.0F);
  def.mark_threshold = options_.mark_threshold.value_or(0.0F);
  def.budget_cycles = budget_cycles(options_, device_.info());
  def.relaxation = options_.relaxation;
  def.order = order_of(options_);
  def.friction = friction_of(options_);
  def.start = start_of(options_);
  def.stream = options_.stream;
  def.early = options_.early;
  def.timeout_ns =
      options_.timeout_seconds ? nanoseconds(*options_.timeout_seconds) : PPU_NO_TIMEOUT;
  if (!options_.sweeps_of.empty()) set_classes(problem, options_, &def);
  return def;
}

ppu_result Solver::try_solve(const model::RowProblem& problem, const ppu_solve_def& def,
                             SolveResult* result) const {
  result->device = device_.info();
  result->config_toml = device_.config();
  if (firmware_.tests_residual) result->threshold = options_.threshold.value_or(0.0F);
  result->budget_cycles = def.budget_cycles;
  result->solution.impulse.resize(problem.rows());
  result->solution.velocity_change.resize(problem.bodies() * 6);
  const ppu_problem rows = view(problem);

  const std::uint32_t compared = device_.read_register(PPU_REGISTER_LOCKSTEP_ROWS);
  const auto begin = std::chrono::steady_clock::now();
  ppu_result code = PPU_OK;
  {
    const Progress progress(options_.backend + " solves " + options_.problem + ", " +
                            grouped(problem.rows()) + " rows x " + grouped(def.max_sweeps) +
                            " sweeps");
    code = ppu_solve(device_.get(), &rows, &def, result->solution.impulse.data(),
                     result->solution.velocity_change.data(), &result->report);
  }
  result->wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (code != PPU_OK) return code;
  result->lockstep_rows = device_.read_register(PPU_REGISTER_LOCKSTEP_ROWS) - compared;
  result->state_hash = ppu_state_hash(result->solution.impulse.data(), problem.rows(),
                                      result->solution.velocity_change.data(), problem.bodies());
  return code;
}

SolveResult Solver::solve(const model::RowProblem& problem, std::uint32_t sweeps) const {
  SolveResult result;
  ppu_solve_def def = solve_def(problem, sweeps);
  if (options_.row_profile && device_.info().profiles) {
    result.profile.resize(problem.rows());
    def.profile = result.profile.data();
  }
  const ppu_result code = try_solve(problem, def, &result);
  if (code != PPU_OK) throw FailedSolve(code, options_);
  return result;
}

SolveResult solve_once(const model::RowProblem& problem, const Options& options) {
  Solver solver(options);
  SolveResult result = solver.solve(problem, options.sweeps);
  solver.close();
  warn_of_empty_waves(options);
  return result;
}

}  // namespace ppu::sim
