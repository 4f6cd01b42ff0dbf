// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A job is what ppu_solve() hands to the device: its runs, walked through on the host, leave the
// bits that ppu_solve() gives back.
#include "ppu/job.h"

#include <gtest/gtest.h>

#include <cstring>

#include "firmware/assembler/assembler.hpp"
#include "firmware/programs/programs.hpp"
#include "hw/stepping/step_history.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver::test {
namespace {

using Job = Owner<ppu_job, ppu_job_destroy>;

Job create(const Device& device, const ppu_problem& problem, const ppu_solve_def& def) {
  ppu_job job;
  check(ppu_job_create(device.get(), &problem, &def, &job));
  return Job(job);
}

std::vector<ppu_job_run> runs_of(const Job& job) {
  std::vector<ppu_job_run> runs;
  ppu_job_run run;
  while (ppu_job_get_run(job.get(), static_cast<std::uint32_t>(runs.size()), &run) == PPU_OK)
    runs.push_back(run);
  return runs;
}

/// One run on the stepping engine.
class WalkedRun {
 public:
  WalkedRun(const ppu_job_run& run, const std::vector<std::uint32_t>& words) {
    hw::RunCommand command;
    command.program_words = static_cast<std::uint32_t>(words.size());
    command.row_count = run.row_count;
    command.body_count = run.body_count;
    command.stream = run.stream;
    command.reduced = run.reduced;
    std::copy_n(run.arguments, command.arguments.size(), command.arguments.begin());
    command.rows_address = place(run.rows, run.rows_size_bytes);
    command.impulses_address = place(run.impulses, run.row_count * sizeof(float));
    command.velocities_address = place(run.velocities, run.body_count * sizeof(ppu_velocity));
    hw::SteppingEngine engine(hw::resolve_config("default"), {memory_.data(), memory_.size()},
                              command, {words.data(), command.program_words}, observed_);
    const hw::StepHistory history(engine, 10'000'000);
    EXPECT_EQ(history.end().mismatch, "");
    EXPECT_EQ(history.end().report.status, PPU_RUN_OK);
    impulses = history.end().set.impulses;
    for (const auto& velocity : history.end().set.velocities)
      std::memcpy(&velocities.emplace_back(), velocity.data(), sizeof velocity);
  }

  std::vector<float> impulses;
  std::vector<ppu_velocity> velocities;

 private:
  std::uint32_t place(const void* data, std::size_t size) {
    const std::size_t address = memory_.size();
    memory_.resize((address + size + 63) / 64 * 64);
    if (size > 0) std::memcpy(&memory_[address], data, size);
    return static_cast<std::uint32_t>(address);
  }

  hw::ObservedRun observed_;
  std::vector<std::byte> memory_;
};

/// Solves, walks through the job of the same solve, and compares. Returns the number of runs.
std::size_t expect_same_answer(const Device& device, const ppu_problem& problem,
                               const std::string& name, ppu_solve_def def) {
  const Program program = Program::load(device, name);
  def.program = program.get();
  const Answer want = solve(device, problem, def);
  EXPECT_EQ(want.result, PPU_OK) << ppu_last_error();
  const Job job = create(device, problem, def);
  const auto words = firmware::assemble(name, firmware::find_program(name)->source).image.words;
  std::vector<WalkedRun> walks;
  for (const ppu_job_run& run : runs_of(job)) walks.emplace_back(run, words);
  std::vector<const float*> impulses;
  std::vector<const ppu_velocity*> velocities;
  for (const WalkedRun& walk : walks) {
    impulses.push_back(walk.impulses.data());
    velocities.push_back(walk.velocities.data());
  }
  Answer got;
  got.impulse.resize(problem.row_count);
  got.velocity_change.resize(std::size_t{problem.body_count} * 6);
  check(ppu_job_answer(job.get(), impulses.data(), velocities.data(), got.impulse.data(),
                       got.velocity_change.data()));
  EXPECT_EQ(got.hash(), want.hash()) << name;
  return walks.size();
}

class EveryProgramAndProblem : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryProgramAndProblem, WalksToTheBitsOfASolve) {
  const std::string name(GetParam());
  for (const char* file : {"ball_f110.h5", "ragdollcfm_f070.h5", "wall10_f012.h5"}) {
    const model::RowProblem problem = read_test_data(file);
    const Device device;
    const ppu_problem rows = view(problem);
    ppu_solve_def def = ppu_default_solve_def();
    // Leads allow no row to be held back.
    def.friction = name == "nesterov" ? PPU_FRICTION_CLAMP : PPU_FRICTION_SKIP;
    if (name == "classes") {
      def.class_rows[0] = def.class_rows[1] = rows.row_count / 3;
      def.class_sweeps[0] = 12;
      def.class_sweeps[1] = 3;
    } else {
      def.threshold = 0.01F;
    }
    EXPECT_EQ(expect_same_answer(device, rows, name, def), 1U) << file;
    def.friction = PPU_FRICTION_CLAMP;
    def.start = PPU_START_COLD;
    def.order = PPU_ORDER_COLOUR;
    def.stream = true;
    def.relaxation = 1.2F;
    EXPECT_EQ(expect_same_answer(device, rows, name, def), 1U) << file;
  }
}

std::vector<std::string_view> shipped_names() {
  std::vector<std::string_view> names;
  for (const firmware::Program& program : firmware::programs()) names.push_back(program.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Job, EveryProgramAndProblem, testing::ValuesIn(shipped_names()),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Job, HasTheRunsOfAllEngines) {
  ppu_device_def def = ppu_default_device_def();
  const char* const engines[] = {"engines=4"};
  def.overrides = engines;
  def.override_count = 1;
  const Device device(def);
  const model::RowProblem problem = columns(7, 20);
  EXPECT_EQ(expect_same_answer(device, view(problem), "boxed", ppu_default_solve_def()), 4U);
}

TEST(Job, TakesNoRowsAndBodiesThatNoRowNames) {
  const Device device;
  model::RowProblem problem = column(5);
  problem.velocity_change.insert(problem.velocity_change.end(), 6, 0.5F);
  EXPECT_EQ(expect_same_answer(device, view(problem), "boxed", ppu_default_solve_def()), 1U);
  EXPECT_EQ(expect_same_answer(device, ppu_problem{}, "boxed", ppu_default_solve_def()), 1U);
}

TEST(Job, NamesTheRowOfEverySlotAndTheBodyOfEveryNumber) {
  const Device device;
  const model::RowProblem problem = read_test_data("ball_f110.h5");
  const Program program = Program::load(device, "boxed");
  const Job job = create(device, view(problem), def_of(program));
  const ppu_job_run run = runs_of(job).at(0);
  const auto* const rows = static_cast<const ppu_row*>(run.rows);
  ASSERT_EQ(run.row_count, problem.rows());
  for (std::uint32_t slot = 0; slot < run.row_count; ++slot) {
    const std::uint32_t row = run.row_of_slot[slot];
    EXPECT_EQ(rows[slot].bias, problem.rate_bias[row]);
    EXPECT_EQ(run.impulses[slot], problem.impulse[row]);
    const std::int32_t body = problem.body[row][0];
    EXPECT_EQ(rows[slot].body_a == PPU_NONE
                  ? -1
                  : static_cast<std::int32_t>(run.body_of_number[rows[slot].body_a]),
              body);
    const std::uint32_t parent = rows[slot].parent;
    const auto named = parent == PPU_NONE ? -1 : static_cast<std::int32_t>(run.row_of_slot[parent]);
    EXPECT_EQ(named, problem.parent[row]);
  }
}

TEST(Job, IsRefusedWhereASolveIs) {
  const Device device;
  const model::RowProblem problem = column(3);
  const Program program = Program::load(device, "boxed");
  ppu_solve_def def = def_of(program);
  def.relaxation = 3;
  const ppu_problem rows = view(problem);
  ppu_job job;
  EXPECT_EQ(ppu_job_create(device.get(), &rows, &def, &job), PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(ppu_last_error()).find("relaxation"), std::string::npos);
  EXPECT_EQ(ppu_job_create(device.get(), &rows, &def, nullptr), PPU_ERROR_INVALID_ARGUMENT);
  ppu_job_run run;
  EXPECT_EQ(ppu_job_get_run({}, 0, &run), PPU_ERROR_INVALID_HANDLE);
  EXPECT_EQ(ppu_job_destroy({7, 7}), PPU_ERROR_INVALID_HANDLE);
}

TEST(Job, WantsTheImpulsesAndVelocitiesOfEveryRun) {
  const Device device;
  const model::RowProblem problem = column(3);
  const Program program = Program::load(device, "boxed");
  const Job job = create(device, view(problem), def_of(program));
  const ppu_job_run run = runs_of(job).at(0);
  const float* impulses = nullptr;
  const ppu_velocity* velocities = run.velocities;
  std::vector<float> impulse(3), velocity_change(18);
  const auto answer = [&] {
    return ppu_job_answer(job.get(), &impulses, &velocities, impulse.data(),
                          velocity_change.data());
  };
  EXPECT_EQ(answer(), PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(ppu_last_error(), "impulses[0] is null, expected those of run 0");
  impulses = run.impulses;
  velocities = nullptr;
  EXPECT_EQ(answer(), PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(ppu_last_error(), "velocities[0] is null, expected those of run 0");
  velocities = run.velocities;
  EXPECT_EQ(answer(), PPU_OK);
}

TEST(Job, WithoutRowsAndBodiesWantsNone) {
  const Device device;
  const Program program = Program::load(device, "boxed");
  const Job job = create(device, ppu_problem{}, def_of(program));
  const float* const impulses = nullptr;
  const ppu_velocity* const velocities = nullptr;
  EXPECT_EQ(ppu_job_answer(job.get(), &impulses, &velocities, nullptr, nullptr), PPU_OK);
}

TEST(Job, IsRefusedWithAProgramOfAnotherDevice) {
  const Device device;
  const Device other;
  const Program program = Program::load(other, "boxed");
  const model::RowProblem problem = column(3);
  const ppu_problem rows = view(problem);
  const ppu_solve_def def = def_of(program);
  ppu_job job;
  EXPECT_EQ(ppu_job_create(device.get(), &rows, &def, &job), PPU_ERROR_INVALID_HANDLE);
  EXPECT_STREQ(ppu_last_error(), "the program was loaded on another device");
}

TEST(Job, OutlivesItsDeviceAndItsProblem) {
  std::optional<Device> device(std::in_place);
  std::optional<model::RowProblem> problem(column(3));
  const Program program = Program::load(*device, "boxed");
  const Job job = create(*device, view(*problem), def_of(program));
  problem.reset();
  device.reset();
  const ppu_job_run run = runs_of(job).at(0);
  EXPECT_EQ(run.row_count, 3U);
  EXPECT_EQ(static_cast<const ppu_row*>(run.rows)[2].body_a == PPU_NONE, false);
  ppu_job_run none;
  EXPECT_EQ(ppu_job_get_run(job.get(), 1, &none), PPU_ERROR_NOT_FOUND);
}

}  // namespace
}  // namespace ppu::driver::test
