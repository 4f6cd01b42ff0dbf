// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Solves of records that begin before the rows are written.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "driver/solve/handover.hpp"
#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"
#include "tests/driver/support/failing_new.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/record_rows.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::begin_records;
using test::def_of;
using test::hash_of;
using test::write_rows;

constexpr auto kPause = std::chrono::milliseconds(3);

/// One sweep of `problem`; `pause` is called in front of each few rows, and `hash` is of the
/// answer.
template <class Pause>
ppu_solve_report solve_started(const Device& device, const model::RowProblem& problem,
                               const ppu_solve_def& def, Pause pause, std::uint64_t* hash) {
  const Records records(device.get());
  const ppu_record_memory memory = begin_records(records, problem);
  records.start(static_cast<std::uint32_t>(problem.rows()), def);
  write_rows(records, problem, memory, pause);
  const ppu_solve_report report = records.finish();
  *hash = hash_of(memory, problem);
  return report;
}

class RecordsStartedOnBackend : public testing::TestWithParam<std::string> {};

TEST_P(RecordsStartedOnBackend, TakeTheSameCyclesWhateverTheHostsPace) {
  const model::RowProblem problem = test::read_test_data("wall10_f012.h5");
  ppu_solve_report reports[2];
  std::uint64_t hashes[2];
  for (const bool slow : {false, true}) {
    // The phase of the memory's refresh counts from the reset on.
    const Device device = test::open(GetParam(), "default", {});
    const Program program = Program::load(device, "impulse-threshold");
    ppu_solve_def def = def_of(program);
    def.max_sweeps = 1;
    reports[slow ? 1 : 0] = solve_started(
        device, problem, def,
        [slow](std::uint32_t row) {
          if (slow && row % 512 == 0) std::this_thread::sleep_for(kPause);
        },
        &hashes[slow ? 1 : 0]);
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(reports[0].device_cycles, reports[1].device_cycles);
  EXPECT_EQ(reports[0].run_cycles, reports[1].run_cycles);
  if (reports[0].device_cycles == 0) {
    EXPECT_EQ(reports[1].overlap_seconds, 0);
    return;
  }
  // The slow host has all but the last few rows copied when it has written those.
  const double copying = 2.0 * 3 * 512 / 150e6;
  EXPECT_GT(reports[1].overlap_seconds, 0.9 * copying);
}

TEST_P(RecordsStartedOnBackend, ArraysGoTheSameWay) {
  const model::RowProblem problem = test::read_test_data("wall10_f012.h5");
  std::uint64_t hash = 0;
  ppu_solve_report of_records, of_arrays;
  for (const bool arrays : {false, true}) {
    const Device device = test::open(GetParam(), "default", {});
    const Program program = Program::load(device, "boxed");
    ppu_solve_def def = def_of(program);
    def.max_sweeps = 1;
    if (arrays) {
      const test::Answer answer = test::solve(device, test::view(problem), def);
      of_arrays = answer.report;
      EXPECT_EQ(answer.hash(), hash);
    } else {
      of_records = solve_started(
          device, problem, def, [](std::uint32_t) {}, &hash);
    }
  }
  EXPECT_EQ(of_arrays.device_cycles, of_records.device_cycles);
  EXPECT_EQ(of_arrays.upload_cycles, of_records.upload_cycles);
  // The rows of three blocks are converted while those before them are copied.
  EXPECT_EQ(of_arrays.overlap_seconds > 0, of_arrays.device_cycles > 0);
}

INSTANTIATE_TEST_SUITE_P(All, RecordsStartedOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& each) { return test::name_of(each.param); });

class RecordsStarted : public testing::Test {
 protected:
  Device device_;
  Program program_ = Program::load(device_, "boxed");
  Records records_{device_.get()};
  model::RowProblem problem_ = test::column(5);
  ppu_solve_def def_ = def_of(program_);
};

TEST_F(RecordsStarted, HaveTheBitsOfSolveInEveryOrder) {
  for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR}) {
    const model::RowProblem problem = test::read_test_data("ragdoll_f140.h5");
    def_.order = order;
    std::uint64_t hash = 0;
    const ppu_solve_report report = solve_started(
        device_, problem, def_, [](std::uint32_t) {}, &hash);
    const test::Answer expected = test::solve(device_, test::view(problem), def_);
    EXPECT_EQ(hash, expected.hash()) << "order " << order;
    EXPECT_EQ(report.sweeps, expected.report.sweeps);
    EXPECT_TRUE(std::isnan(report.max_residual));
  }
}

TEST_F(RecordsStarted, EndOnceAndWithAllTheirRows) {
  const ppu_record_memory memory = begin_records(records_, problem_);
  test::expect_error(ppu_records_finish(records_.get(), nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "no solve of the records has begun");
  test::expect_error(ppu_records_start(records_.get(), 6, &def_), PPU_ERROR_INVALID_ARGUMENT,
                     "row_count is 6, expected 0 to 5");
  records_.start(5, def_);
  test::expect_error(ppu_records_finish(records_.get(), nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "0 rows are committed, expected 5");
  write_rows(records_, problem_, memory);
  records_.finish();
  test::expect_error(ppu_records_finish(records_.get(), nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "no solve of the records has begun");
}

TEST_F(RecordsStarted, EndAtABadRowAndBeginAnew) {
  ppu_record_memory memory = begin_records(records_, problem_);
  records_.start(5, def_);
  for (std::size_t row = 0; row < 5; ++row) memory.rows[row] = test::record_of(problem_, row);
  memory.rows[3].bias = std::numeric_limits<float>::quiet_NaN();
  test::expect_error(ppu_records_commit(records_.get(), 5), PPU_ERROR_PROBLEM, "row 3");
  test::expect_error(ppu_records_finish(records_.get(), nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "no solve of the records has begun");
  memory = begin_records(records_, problem_);
  records_.start(5, def_);
  write_rows(records_, problem_, memory);
  records_.finish();
  EXPECT_EQ(hash_of(memory, problem_), test::solve(device_, test::view(problem_), def_).hash());
}

TEST_F(RecordsStarted, RefuseVelocitiesAndDefsBeforeTheRows) {
  const ppu_record_memory memory = begin_records(records_, problem_);
  memory.velocities[1].angular[2] = std::numeric_limits<float>::quiet_NaN();
  test::expect_error(ppu_records_start(records_.get(), 5, &def_), PPU_ERROR_PROBLEM,
                     "body 1: velocity_change has nan at column 5");
  def_.relaxation = 1.5F;
  test::expect_error(ppu_records_start(records_.get(), 5, &def_), PPU_ERROR_INVALID_ARGUMENT,
                     "relaxation");
}

TEST_F(RecordsStarted, AllocateNothingOnceMemoryHasItsSize) {
  const auto frame = [&] {
    const ppu_record_memory memory = begin_records(records_, problem_);
    records_.start(5, def_);
    write_rows(records_, problem_, memory);
    records_.finish();
  };
  frame();
  EXPECT_EQ(test::allocations_of(frame), 0);
}

}  // namespace
}  // namespace ppu::driver
