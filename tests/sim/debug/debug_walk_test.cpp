// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whatever a device does otherwise than the walk of the debugger is said.
#include "sim/debug/debug_walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "firmware/programs/programs.hpp"

namespace ppu::sim {
namespace {

/// A column of four unit masses: row i pushes masses i - 1 and i apart, row 0 the lowest one up.
struct Column {
  static constexpr std::size_t kRows = 4;
  std::int32_t body[kRows][2] = {{-1, 0}, {0, 1}, {1, 2}, {2, 3}};
  std::int32_t parent[kRows] = {-1, -1, -1, -1};
  std::vector<float> jacobian = std::vector<float>(12 * kRows), bias = {-1, -1, -1, -1},
                     diagonal = {1, 0.5F, 0.5F, 0.5F}, zero = std::vector<float>(6 * kRows),
                     upper = {10, 10, 10, 10};
  ppu_problem problem{};

  Column() {
    for (std::size_t row = 0; row < kRows; ++row) {
      jacobian[12 * row + 1] = row == 0 ? 0.0F : -1.0F;
      jacobian[12 * row + 7] = 1;
    }
    problem.row_count = problem.body_count = kRows;
    problem.body = body;
    problem.parent = parent;
    problem.jacobian = problem.inv_mass_jacobian = jacobian.data();
    problem.rate_bias = bias.data();
    problem.inv_diagonal = diagonal.data();
    problem.lower = problem.friction = problem.compliance = problem.impulse = zero.data();
    problem.velocity_change = zero.data();
    problem.upper = upper.data();
  }
};

DebuggedJob run_on_functional(const std::string& name) {
  const Column column;
  const Device device;
  const Program program = Program::load(device, name);
  ppu_solve_def def = ppu_default_solve_def();
  def.program = program.get();
  ppu_job job;
  check(ppu_job_create(device.get(), &column.problem, &def, &job));
  DebuggedJob debugged{{firmware::assemble(name, firmware::find_program(name)->source), name, {}},
                       hw::resolve_config("default"),
                       {},
                       PPU_OK,
                       {},
                       Owner<ppu_job, ppu_job_destroy>(job),
                       {}};
  SolveResult& solve = debugged.solve;
  solve.device = device.info();
  solve.solution = {std::vector<float>(Column::kRows), std::vector<float>(6 * Column::kRows)};
  solve.report = device.solve(column.problem, def, solve.solution.impulse.data(),
                              solve.solution.velocity_change.data());
  return debugged;
}

/// What is said after `change` to what the device gave back.
std::vector<std::string> differences(const std::function<void(DebuggedJob*)>& change) {
  DebuggedJob job = run_on_functional("threshold");
  change(&job);
  return Walk(std::move(job)).differences();
}

void flip_lowest_bit(float* value) {
  *value = std::nextafter(*value, 1e30F);
}

TEST(DebuggerWalk, IsTheDeviceS) {
  EXPECT_EQ(differences([](DebuggedJob*) {}), std::vector<std::string>());
}

TEST(DebuggerWalk, SeesTheLastBitOfAnImpulseAndOfAVelocity) {
  const auto impulse =
      differences([](DebuggedJob* job) { flip_lowest_bit(&job->solve.solution.impulse[2]); });
  ASSERT_EQ(impulse.size(), 1U);
  EXPECT_EQ(impulse[0].substr(0, 17), "impulse of row 2,");
  const auto velocity = differences(
      [](DebuggedJob* job) { flip_lowest_bit(&job->solve.solution.velocity_change[19]); });
  ASSERT_EQ(velocity.size(), 1U);
  EXPECT_EQ(velocity[0].substr(0, 27), "velocity of body 3, word 1 ");
  EXPECT_EQ(differences([](DebuggedJob* job) { job->solve.solution.impulse[0] = -0.0F; }).size(),
            1U);
}

TEST(DebuggerWalk, SeesTheReport) {
  const auto one = [](const std::function<void(ppu_run_report*)>& change) {
    const auto all = differences([&change](DebuggedJob* job) { change(&job->solve.report.run); });
    return all.size() == 1 ? all[0] : "no or several differences";
  };
  EXPECT_EQ(
      one([](ppu_run_report* report) { ++report->counters[PPU_COUNTER_FLOPS]; }).substr(0, 14),
      "counter flops:");
  EXPECT_EQ(one([](ppu_run_report* report) {
              ++report->counters[PPU_COUNTER_VELOCITY_WRITES];
            }).substr(0, 24),
            "counter velocity_writes:");
  EXPECT_EQ(one([](ppu_run_report* report) { report->progress = 3; }).substr(0, 12),
            "progress: 3 ");
  EXPECT_EQ(one([](ppu_run_report* report) { report->last_residual = 7; }).substr(0, 14),
            "last residual:");
}

TEST(DebuggerWalk, SeesAFailureOfOneOfThem) {
  const auto all = differences([](DebuggedJob* job) {
    job->solve.report.run.status = PPU_RUN_ROW_FAULT;
    job->solve.report.run.fault_row = 2;
    job->result = PPU_ERROR_FAULT;
  });
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], "status: row_fault on the device, ok on the walk");
}

TEST(DebuggerWalk, GivesUpWhereTheDeviceHasExecutedLess) {
  const auto all = differences(
      [](DebuggedJob* job) { job->solve.report.run.counters[PPU_COUNTER_INSTRUCTIONS] -= 5; });
  ASSERT_FALSE(all.empty());
  EXPECT_NE(all[0].find("goes on where the device has ended"), std::string::npos);
}

TEST(DebuggerWalk, WantsEveryRunAndRowInTheLog) {
  const auto no_run = differences([](DebuggedJob* job) { job->solve.device.timed = true; });
  ASSERT_FALSE(no_run.empty());
  EXPECT_EQ(no_run[0], "the log has 0 runs, expected 1");
  const auto no_row = differences([](DebuggedJob* job) {
    job->solve.device.timed = true;
    job->logs = {{}};
    job->logs[0].observed.rdlate_values = {0};
  });
  ASSERT_FALSE(no_row.empty());
  EXPECT_EQ(no_row[0], "the walk comes to slot 0, but the device has issued no more row");
}

}  // namespace
}  // namespace ppu::sim
