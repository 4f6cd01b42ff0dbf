// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Programs whose passes begin at a register: those that do not take classes get the arguments that
// every program gets.
#include <gtest/gtest.h>

#include <string>

#include "firmware/programs/programs.hpp"
#include "ppu/job.h"
#include "tests/driver/support/problems.hpp"
#include "tests/driver/support/solving.hpp"

namespace ppu::driver {
namespace {

using test::Answer;
using test::def_of;

/// A shipped program whose passes begin at the row in t5, which is 0.
std::string from_a_register(const char* name) {
  std::string source(firmware::find_program(name)->source);
  const std::string from = "rows    zero, a0";
  for (std::size_t at = source.find(from); at != std::string::npos; at = source.find(from, at))
    source.replace(at, from.size(), "rows    t5, a0");
  return source;
}

class Offsets : public testing::TestWithParam<const char*> {
 protected:
  model::RowProblem problem_ = test::read_test_data("ball_f110.h5");
  Device device_;
  Program shipped_ = Program::load(device_, GetParam());
  Program same_ = Program::assemble(device_, "same.s", from_a_register(GetParam()).c_str());
};

TEST_P(Offsets, ThatAreZeroChangeNothing) {
  ppu_solve_def def = def_of(shipped_);
  def.threshold = std::string(GetParam()) == "boxed" ? 0.0F : 0.5F;
  const Answer want = test::solve(device_, test::view(problem_), def);
  def.program = same_.get();
  const Answer got = test::solve(device_, test::view(problem_), def);
  EXPECT_EQ(got.result, PPU_OK) << ppu_last_error();
  EXPECT_EQ(got.hash(), want.hash());
  EXPECT_EQ(got.report.sweeps, want.report.sweeps);
}

INSTANTIATE_TEST_SUITE_P(Programs, Offsets, testing::Values("boxed", "threshold"),
                         [](const auto& program) { return std::string(program.param); });

TEST(ProgramThatDoesNotBeginAtTheSecondClass, TakesNoClasses) {
  const model::RowProblem problem = test::column(4);
  const Device device;
  const Program program = Program::assemble(device, "same.s", from_a_register("threshold").c_str());
  ppu_solve_def def = def_of(program);
  def.class_rows[0] = 2;
  EXPECT_EQ(test::solve(device, test::view(problem), def).result, PPU_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(ppu_last_error()).find("no `rows` that begins at row a4"),
            std::string::npos);
}

}  // namespace
}  // namespace ppu::driver
