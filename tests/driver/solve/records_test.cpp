// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Problems as records: the bits of ppu_solve() in every order, what is refused, and that a solve in
// the engine's order allocates nothing once memory has its size.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "tests/driver/support/backends.hpp"
#include "tests/driver/support/expect_error.hpp"
#include "tests/driver/support/failing_new.hpp"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/record_rows.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;

using test::hash_of;
using test::record_of;

/// Writes the problem and commits it in blocks.
ppu_record_memory write(const Records& records, const model::RowProblem& problem) {
  const ppu_record_memory memory = test::begin_records(records, problem);
  test::write_rows(records, problem, memory);
  return memory;
}

class RecordsOnBackend : public testing::TestWithParam<std::string> {};

TEST_P(RecordsOnBackend, HaveTheBitsOfSolveInEveryOrder) {
  for (const char* engines : {"engines=1", "engines=2"}) {
    if (GetParam() == "rtl" || GetParam() == "cosim") break;
    const Device device = test::open(GetParam(), "default", {engines});
    const Program program = Program::load(device, "boxed");
    const Records records(device.get());
    for (const char* file : {"ball_f110.h5", "ragdoll_f140.h5"}) {
      const model::RowProblem problem = test::read_test_data(file);
      for (const ppu_order order : {PPU_ORDER_ENGINE, PPU_ORDER_SCHEDULED, PPU_ORDER_COLOUR}) {
        ppu_solve_def def = def_of(program);
        def.order = order;
        const Answer expected = test::solve(device, test::view(problem), def);
        const ppu_record_memory memory = write(records, problem);
        const ppu_solve_report report = records.solve(def);
        EXPECT_EQ(hash_of(memory, problem), expected.hash()) << file << " order " << order;
        EXPECT_EQ(report.device_cycles > 0, device.info().timed);
        EXPECT_EQ(report.runs, expected.report.runs);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RecordsOnBackend, testing::ValuesIn(test::backends()),
                         [](const auto& each) { return test::name_of(each.param); });

class RecordsTest : public testing::Test {
 protected:
  Device device_;
  Program program_ = Program::load(device_, "boxed");
  Records records_{device_.get()};
  model::RowProblem problem_ = test::column(5);
};

TEST_F(RecordsTest, GoOnFromTheirOwnAnswer) {
  ppu_solve_def def = def_of(program_);
  def.max_sweeps = 2;
  const ppu_record_memory memory = write(records_, problem_);
  records_.solve(def);
  records_.solve(def);
  def.max_sweeps = 4;
  const std::uint64_t twice = hash_of(memory, problem_);
  EXPECT_EQ(twice, test::solve(device_, test::view(problem_), def).hash());
}

TEST_F(RecordsTest, RefuseABadRowAtItsCommitByItsNumber) {
  const ppu_record_memory memory = records_.begin(5, 5);
  for (std::size_t row = 0; row < 5; ++row) memory.rows[row] = record_of(problem_, row);
  memory.rows[3].inv_diagonal = std::numeric_limits<float>::quiet_NaN();
  std::memset(memory.impulses, 0, 5 * sizeof(float));
  EXPECT_EQ(ppu_records_commit(records_.get(), 3), PPU_OK);
  test::expect_error(ppu_records_commit(records_.get(), 5), PPU_ERROR_PROBLEM,
                     "row 3: inv_diagonal has nan");
  // Nothing is committed any more.
  test::expect_error(ppu_records_commit(records_.get(), 1), PPU_ERROR_INVALID_ARGUMENT,
                     "row_count is 1, expected 0 to 0");
}

TEST_F(RecordsTest, RefuseBodiesParentsImpulsesAndVelocitiesAsSolveDoes) {
  const auto refusal = [this](auto spoil) {
    const ppu_record_memory memory = write(records_, problem_);
    spoil(memory);
    EXPECT_EQ(records_.begin(5, 5).rows, memory.rows) << "what was written is still there";
    return ppu_records_commit(records_.get(), 5) == PPU_OK ? "" : std::string(ppu_last_error());
  };
  using Memory = ppu_record_memory;
  EXPECT_EQ(refusal([](const Memory&) {}), "");
  EXPECT_EQ(refusal([](const Memory& m) { m.rows[2].body_a = 5; }),
            "row 2: body names body 5, expected -1 to 4");
  EXPECT_EQ(refusal([](const Memory& m) { m.rows[2].parent = 2; }),
            "row 2: parent is 2, expected an earlier row or -1");
  EXPECT_EQ(refusal([](const Memory& m) { m.impulses[4] = INFINITY; }),
            "row 4: impulse has inf at column 0, expected a finite number");
  const ppu_record_memory memory = write(records_, problem_);
  memory.velocities[1].angular[2] = NAN;
  const ppu_solve_def def = def_of(program_);
  test::expect_error(ppu_records_solve(records_.get(), &def, nullptr), PPU_ERROR_PROBLEM,
                     "body 1: velocity_change has nan at column 5");
}

TEST_F(RecordsTest, RefuseMoreRowsThanThereIsRoomFor) {
  write(records_, problem_);
  test::expect_error(ppu_records_commit(records_.get(), 6), PPU_ERROR_INVALID_ARGUMENT,
                     "row_count is 6, expected 5 to 5");
}

TEST_F(RecordsTest, RefuseWhatAppliesToArraysOnly) {
  write(records_, problem_);
  const Program reduced = Program::load(device_, "reduced");
  ppu_solve_def def = def_of(reduced);
  test::expect_error(ppu_records_solve(records_.get(), &def, nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "reduced form");
  def = def_of(program_);
  def.relaxation = 1.5F;
  test::expect_error(ppu_records_solve(records_.get(), &def, nullptr), PPU_ERROR_INVALID_ARGUMENT,
                     "relaxation");
}

TEST_F(RecordsTest, AreGoneWithTheirDevice) {
  device_.close();
  ppu_record_memory memory;
  test::expect_error(ppu_records_begin(records_.get(), 1, 1, &memory), PPU_ERROR_INVALID_HANDLE,
                     "stale");
}

TEST_F(RecordsTest, AllocateNothingInTheEnginesOrderOnceMemoryHasItsSize) {
  ppu_solve_def def = def_of(program_);
  def.order = PPU_ORDER_ENGINE;
  const auto frame = [&] {
    write(records_, problem_);
    records_.solve(def);
  };
  frame();
  EXPECT_EQ(test::allocations_of(frame), 0);
}

TEST_F(RecordsTest, SolveOfArraysAllocatesNothingInTheEnginesOrderEither) {
  ppu_solve_def def = def_of(program_);
  def.order = PPU_ORDER_ENGINE;
  std::vector<float> impulse(5), velocity_change(30);
  const ppu_problem problem = test::view(problem_);
  const auto frame = [&] {
    check(
        ppu_solve(device_.get(), &problem, &def, impulse.data(), velocity_change.data(), nullptr));
  };
  frame();
  EXPECT_EQ(test::allocations_of(frame), 0);
}

}  // namespace
}  // namespace ppu::driver
