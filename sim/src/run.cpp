// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One solve through the driver, with everything the reports need.
#include "run.hpp"

#include <chrono>
#include <limits>
#include <tuple>

#include "command_line.hpp"
#include "firmware_file.hpp"
#include "ppu/ppu.hpp"
#include "problem.hpp"
#include "progress.hpp"
#include "publish.hpp"
#include "text.hpp"

namespace ppu::sim {
namespace {

Device open_device(const Options& options) {
  std::vector<const char*> overrides;
  for (const std::string& text : options.overrides) overrides.push_back(text.c_str());
  ppu_device_def def = ppu_default_device_def();
  def.backend = options.backend.c_str();
  def.config = options.config.c_str();
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  if (!options.wave.empty()) def.wave_path = options.wave.c_str();
  std::tie(def.wave_first_cycle, def.wave_last_cycle) = wave_window_of(options);
  return Device(def);
}

Firmware load_checked(const Options& options) {
  Firmware firmware = load_firmware(options.program);
  if (options.threshold && !firmware.tests_residual) {
    throw CliError(kExitUsage, "--threshold: program '" + options.program +
                                   "' does not test for termination, expected one of " +
                                   program_names(true));
  }
  return firmware;
}

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? std::numeric_limits<double>::quiet_NaN()
                          : static_cast<double>(numerator) / static_cast<double>(denominator);
}

}  // namespace

double Run::rows_per_cycle() const {
  return ratio(counter(PPU_COUNTER_ROW_UPDATES), counter(PPU_COUNTER_CYCLES));
}
double Run::cycles_per_row() const {
  const double rate = rows_per_cycle();
  return rate > 0 ? 1 / rate : std::numeric_limits<double>::quiet_NaN();
}
double Run::flops_per_row() const {
  return ratio(counter(PPU_COUNTER_FLOPS), counter(PPU_COUNTER_ROW_UPDATES));
}
double Run::bytes_per_row() const {
  return ratio(counter(PPU_COUNTER_ROW_BYTES_ON_CHIP), counter(PPU_COUNTER_ROW_UPDATES));
}

ExitCode exit_code_of(ppu_result result) {
  switch (result) {
    case PPU_OK:
      return kExitOk;
    case PPU_ERROR_FAULT:
    case PPU_ERROR_MISMATCH:
      return kExitMismatch;
    case PPU_ERROR_VERSION:
    case PPU_ERROR_TIMEOUT:
    case PPU_ERROR_DEVICE_LOST:
    case PPU_ERROR_BUSY:
    case PPU_ERROR_SYSTEM:
      return kExitEnvironment;
    default:
      return kExitUsage;
  }
}

Run run_solve(const model::RowProblem& problem, const Options& options) {
  check_outputs(options);
  const Firmware firmware = load_checked(options);
  const Device device = open_device(options);
  const std::vector<std::byte> image = firmware::to_bytes(firmware.assembly.image);
  const Program program = Program::from_image(device, image.data(), image.size());
  Run run;
  run.device = device.info();
  run.config_toml = device.config();
  run.solution.impulse.resize(problem.rows());
  run.solution.velocity_change.resize(problem.bodies() * 6);
  if (run.timed()) run.profile.resize(problem.rows());

  ppu_solve_def def = ppu_default_solve_def();
  def.program = program.get();
  def.max_sweeps = options.sweeps;
  def.threshold = options.threshold.value_or(0.0F);
  def.order = order_of(options);
  def.friction = friction_of(options);
  def.start = start_of(options);
  def.profile = run.timed() ? run.profile.data() : nullptr;
  def.timeout_ns = options.timeout_seconds
                       ? static_cast<std::uint64_t>(*options.timeout_seconds * 1e9)
                       : PPU_NO_TIMEOUT;
  const ppu_problem rows = view(problem);

  const auto begin = std::chrono::steady_clock::now();
  ppu_result result = PPU_OK;
  {
    const Progress progress(options.backend + " solves " + options.problem + ", " +
                            grouped(problem.rows()) + " rows x " + grouped(options.sweeps) +
                            " sweeps");
    result = ppu_solve(device.get(), &rows, &def, run.solution.impulse.data(),
                       run.solution.velocity_change.data(), &run.report);
  }
  run.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (result != PPU_OK) {
    const std::string reason = ppu_last_error();
    std::string what = options.problem + ": " + reason + "; nothing was written";
    if (result == PPU_ERROR_MISMATCH) {
      what += "\nreplay it with waves: " + replay_command(options, reason);
    }
    throw Error(result, what);
  }
  run.state_hash = ppu_state_hash(run.solution.impulse.data(), problem.rows(),
                                  run.solution.velocity_change.data(), problem.bodies());
  return run;
}

}  // namespace ppu::sim
