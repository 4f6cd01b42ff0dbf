// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What notices most mutants of an engine in the least time.
#include <gtest/gtest.h>

#include "tests/rtl/engine/engine_fixture.hpp"

namespace ppu::test {
namespace {

class Mutants : public Engine {};

TEST_P(Mutants, EqualTheModelInEveryCycleOfAFewJobs) {
  for (const std::uint32_t rows : {7U, 40U, 100U})
    for (const std::uint32_t bodies : {1U, 5U, 16U, 64U}) ASSERT_TRUE(agree(make(rows, bodies)));
}

TEST_P(Mutants, EndARunWithABadRowForTheSameReason) {
  for (const std::uint32_t row : {0U, 21U}) {
    EngineJob job = make(40, 20);
    edit_record(job, row, [](ppu_row& record) { record.body_b = 20; });
    ASSERT_TRUE(agree(job));
  }
}

TEST_P(Mutants, AreCutByABudgetInTheSameCycle) {
  for (std::uint32_t budget = 5; budget < 300; budget += 40) {
    EngineJob job = make(40, 20);
    job.command.arguments[static_cast<std::size_t>(spec::Argument::kBudgetCycles)] = budget;
    ASSERT_TRUE(agree(job)) << budget;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Mutants, testing::ValuesIn(engine_shapes()),
                         [](const auto& shape) { return shape.param; });

}  // namespace
}  // namespace ppu::test
