// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a run says of an instruction that it finds illegal: the reasons that fit, and no others.
#include <gtest/gtest.h>

#include <string>

#include "tests/driver/support/backends.hpp"

namespace ppu::driver {
namespace {

class IllegalInstruction : public testing::TestWithParam<std::string> {
 protected:
  /// What the run of `control`, with a kernel `k` behind it, fails with; the run has no rows and
  /// one body.
  std::string sentence_for(const std::string& control, const char* filter = "") const {
    const std::string source = control + "halt\n.kernel k\nldrow r\n" + filter +
                               "ldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n.end\n";
    const Program program = Program::assemble(device_, "bad.s", source.c_str());
    const Buffer memory(device_, PPU_ROW_BYTES);
    ppu_run_def def = ppu_default_run_def();
    def.program = program.get();
    def.rows = def.impulses = def.velocities = memory.get();
    def.body_count = 1;
    const Fence fence = Fence::submit(device_, def);
    EXPECT_EQ(ppu_fence_wait(fence.get(), PPU_NO_TIMEOUT), PPU_ERROR_FAULT);
    EXPECT_EQ(fence.report().status, PPU_RUN_ILLEGAL_INSTRUCTION);
    return ppu_last_error();
  }

  static constexpr const char* kTagged = "tagged r.ia, r.ib\n";
  Device device_ = test::open(GetParam());
};

TEST_P(IllegalInstruction, AheadIsSoBeforeASettle) {
  EXPECT_EQ(sentence_for("kernel k\nahead\n"),
            "instruction at word 1: `ahead` before any `settle`");
}

TEST_P(IllegalInstruction, RowsIsSoWithoutAKernelOrRows) {
  const char* const sentence =
      "instruction at word 2: `rows` before any `kernel`, or of rows that are not among the 0 of "
      "the run";
  EXPECT_EQ(sentence_for("kernel k\nli t0, 1\nrows zero, t0\n"), sentence);
  EXPECT_EQ(sentence_for("kernel k\nli t0, 1\nrows t0, zero\n"), sentence);
  EXPECT_EQ(sentence_for("kernel k\nli t0, 1\nrows zero, t0\n", kTagged), sentence);
}

TEST_P(IllegalInstruction, RowsMayBeSoForATaggedKernelThatBeginsLater) {
  EXPECT_EQ(sentence_for("kernel k\nli t0, 1\nrows t0, zero\n", kTagged),
            "instruction at word 2: `rows` before any `kernel`, or of rows that are not among the "
            "0 of the run, or of a `tagged` kernel from another row than 0");
}

class IllegalInstructionWithoutTime : public IllegalInstruction {};

TEST_P(IllegalInstructionWithoutTime, MayBeABudget) {
  EXPECT_EQ(sentence_for("li t0, 9\nkernel k\nbudget t0\n"),
            "instruction at word 2: `budget` of other than 0 cycles, but the back end has no time");
}

INSTANTIATE_TEST_SUITE_P(Backends, IllegalInstruction, testing::ValuesIn(test::backends()),
                         [](const auto& backend) { return test::name_of(backend.param); });
INSTANTIATE_TEST_SUITE_P(Backends, IllegalInstructionWithoutTime, testing::Values("functional"),
                         [](const auto& backend) { return test::name_of(backend.param); });

}  // namespace
}  // namespace ppu::driver
