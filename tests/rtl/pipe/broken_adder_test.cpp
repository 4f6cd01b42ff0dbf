// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The checkers would see a wrong adder: a row pipe whose adder lost its sticky bit differs from the
// row arithmetic, in the last place.
#include <gtest/gtest.h>

#include "tests/rtl/pipe/row_stimulus.hpp"

namespace ppu::test {
namespace {

TEST(BrokenAdder, ChangesVelocitiesOfPlainRowsByOneUnitInTheLastPlace) {
  const auto pipe = hw::RtlRowPipe::create({});
  const Stimuli rows = RowMaker(1).make(5000, Nature::kPlain);
  std::size_t sent = 0;
  int same = 0, off_by_one = 0;
  while (same + off_by_one == 0 || sent < rows.size()) {
    const auto step = pipe->step(&rows[sent % rows.size()]->row);
    if (step.accepted) ++sent;
    if (step.result == nullptr) continue;
    const float want = rows[step.result->tag]->want.velocity[0];
    const auto distance =
        static_cast<std::int32_t>(bits_of(step.result->values.velocity[0]) - bits_of(want));
    if (distance == 0) ++same;
    if (distance == 1 || distance == -1) ++off_by_one;
  }
  EXPECT_GT(same, 1000);
  EXPECT_GT(off_by_one, 10);
}

}  // namespace
}  // namespace ppu::test
