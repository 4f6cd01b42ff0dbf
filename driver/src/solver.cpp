// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The solver helper: check, order, upload, run, read back.
#include "solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include "ppu/hw/config.hpp"
#include "problem.hpp"
#include "residual.hpp"
#include "row_packing.hpp"
#include "run.hpp"

namespace ppu::driver {
namespace {

/// Seconds since it was made or last read.
class Stopwatch {
 public:
  double lap() {
    const auto now = Clock::now();
    const std::chrono::duration<double> passed = now - start_;
    start_ = now;
    return passed.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void check_def(const ppu_solve_def& def) {
  if (!std::isfinite(def.threshold) || def.threshold < 0)
    fail(PPU_ERROR_INVALID_ARGUMENT, "threshold is ", def.threshold,
         ", expected a finite number >= 0");
  if (def.friction != PPU_FRICTION_CLAMP && def.friction != PPU_FRICTION_SKIP)
    fail(PPU_ERROR_INVALID_ARGUMENT, "friction is ", static_cast<int>(def.friction),
         ", expected a ppu_friction_rule");
  if (def.start != PPU_START_WARM && def.start != PPU_START_COLD)
    fail(PPU_ERROR_INVALID_ARGUMENT, "start is ", static_cast<int>(def.start),
         ", expected a ppu_start");
}

void check_forms(const Program& program) {
  if (program.rate_form && program.impulse_form)
    fail(PPU_ERROR_PROGRAM,
         "the program has kernels of the rate form and of the impulse form, which want b and cfm ",
         "scaled differently; ppu_solve takes programs of one form");
}

void check_capacity(const hw::Config& config, const ppu_problem& problem) {
  if (problem.row_count > config.impulse_memory_rows)
    fail(PPU_ERROR_CAPACITY, "the problem has ", problem.row_count,
         " rows, impulse_memory_rows is ", config.impulse_memory_rows);
  if (problem.body_count > config.body_memory_bodies)
    fail(PPU_ERROR_CAPACITY, "the problem has ", problem.body_count,
         " bodies, body_memory_bodies is ", config.body_memory_bodies);
}

/// Distance of dependent rows in row issues: a pipe with fewer lanes takes a row every few cycles.
std::uint32_t latency_in_rows(const hw::Config& config) {
  const int interval = hw::initiation_interval(config);
  return static_cast<std::uint32_t>((hw::body_latency(config) + interval - 1) / interval);
}

/// One solve: the problem's place in device memory and its order.
class Solve {
 public:
  Solve(Device& device, const ppu_problem& problem, const ppu_solve_def& def)
      : device_(device), problem_(problem), def_(def) {}

  void order() {
    const std::uint32_t latency = latency_in_rows(device_.config());
    order_ = &device_.order_cache.get(graph_of(problem_), def_.order, latency);
  }

  void upload(bool impulse_form) {
    const std::uint64_t rows = problem_.row_count;
    const std::uint64_t bodies = problem_.body_count;
    SolverMemory& memory = device_.solver_memory;
    // At least one byte each, so that an empty problem has addresses too.
    device_.grow(memory.rows, std::max<std::uint64_t>(rows * sizeof(ppu_row), 1));
    device_.grow(memory.impulses, std::max<std::uint64_t>(rows * sizeof(float), 1));
    device_.grow(memory.velocities, std::max<std::uint64_t>(bodies * 6 * sizeof(float), 1));
    if (def_.profile != nullptr)
      device_.grow(memory.profile, std::max<std::uint64_t>(rows * sizeof(ppu_row_profile), 1));

    pack_rows(problem_, *order_, impulse_form,
              reinterpret_cast<ppu_row*>(device_.host(memory.rows)));
    float* impulses = floats(memory.impulses);
    float* velocities = floats(memory.velocities);
    const bool warm = def_.start == PPU_START_WARM;
    for (std::size_t slot = 0; slot < rows; ++slot)
      impulses[slot] = warm ? problem_.impulse[(*order_)[slot]] : 0.0F;
    for (std::size_t i = 0; i < bodies * 6; ++i)
      velocities[i] = warm ? problem_.velocity_change[i] : 0.0F;
  }

  hw::RunReport run(const Program& program) {
    const SolverMemory& memory = device_.solver_memory;
    hw::RunCommand command;
    set_program(command, device_, program);
    command.rows_address = memory.rows.address;
    command.impulses_address = memory.impulses.address;
    command.velocities_address = memory.velocities.address;
    command.row_count = problem_.row_count;
    command.body_count = problem_.body_count;
    const auto set_argument = [&command](spec::Argument argument, std::uint32_t value) {
      command.arguments[static_cast<std::size_t>(argument)] = value;
    };
    std::uint32_t threshold_bits = 0;
    std::memcpy(&threshold_bits, &def_.threshold, sizeof threshold_bits);
    set_argument(spec::Argument::kRowCount, problem_.row_count);
    set_argument(spec::Argument::kMaxSweeps, def_.max_sweeps);
    set_argument(spec::Argument::kThreshold, threshold_bits);
    set_argument(spec::Argument::kFrictionRule, static_cast<std::uint32_t>(def_.friction));

    std::vector<Range> used{program.range, memory.rows, memory.impulses, memory.velocities};
    if (def_.profile != nullptr) {
      command.profile_address = memory.profile.address;
      used.push_back(memory.profile);
    }
    const std::uint64_t number = device_.submit(command, std::move(used));
    const auto report = device_.wait(number, def_.timeout_ns);
    if (report) return *report;
    device_.cancel(number);
    fail_timeout(number, def_.timeout_ns, "was cancelled");
  }

  void read_back(float* impulse, float* velocity_change) const {
    const SolverMemory& memory = device_.solver_memory;
    const float* impulses = floats(memory.impulses);
    for (std::size_t slot = 0; slot < order_->size(); ++slot)
      impulse[(*order_)[slot]] = impulses[slot];
    const float* velocities = floats(memory.velocities);
    std::copy_n(velocities, std::size_t{problem_.body_count} * 6, velocity_change);
    if (def_.profile == nullptr) return;
    const auto* profile = reinterpret_cast<ppu_row_profile*>(device_.host(memory.profile));
    for (std::size_t slot = 0; slot < order_->size(); ++slot)
      def_.profile[(*order_)[slot]] = profile[slot];
  }

  /// Row of a slot that a report names.
  [[nodiscard]] std::uint32_t row_of(std::uint32_t slot) const {
    return slot < order_->size() ? (*order_)[slot] : PPU_NONE;
  }

 private:
  [[nodiscard]] float* floats(Range range) const {
    return reinterpret_cast<float*>(device_.host(range));
  }

  Device& device_;
  const ppu_problem& problem_;
  const ppu_solve_def& def_;
  const RowOrder* order_ = nullptr;
};

[[noreturn]] void fail_run(const hw::RunReport& ended, std::uint32_t fault_row) {
  const std::string sentence = sentence_of(ended);
  if (fault_row == PPU_NONE) throw Failure(result_of(ended.status), sentence);
  fail(result_of(ended.status), "row ", fault_row, " (slot ", ended.fault_row, "): ", sentence);
}

}  // namespace

void solve(Device& device, const Program& program, const ppu_problem& problem,
           const ppu_solve_def& def, float* impulse, float* velocity_change,
           ppu_solve_report* report) {
  check_def(def);
  if (def.profile != nullptr) device.require_timed("def->profile");
  check_forms(program);
  check_capacity(device.config(), problem);
  Stopwatch stopwatch;
  Solve job(device, problem, def);
  job.order();
  ppu_solve_report result{};
  result.schedule_seconds = stopwatch.lap();
  check_numbers(problem, def.start);
  job.upload(program.impulse_form);
  result.transfer_seconds = stopwatch.lap();
  const hw::RunReport ended = job.run(program);
  result.device_seconds = stopwatch.lap();

  result.run = public_report(ended);
  result.sweeps = ended.progress;
  result.fault_row = job.row_of(ended.fault_row);
  if (ended.status != PPU_RUN_OK) {
    if (report != nullptr) *report = result;
    fail_run(ended, result.fault_row);
  }
  job.read_back(impulse, velocity_change);
  result.transfer_seconds += stopwatch.lap();
  result.max_residual = true_residual(problem, impulse, velocity_change);
  if (report != nullptr) *report = result;
}

}  // namespace ppu::driver
