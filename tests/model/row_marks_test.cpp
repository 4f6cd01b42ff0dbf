// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a row says of itself beside its new impulse and velocities: the quotient residual, and the
// marks of its bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/model/arithmetic_row.hpp"

namespace ppu::model {
namespace {

using namespace spec;

RowResult update_quotient(Row& row) {
  RowControl control = impulse_form();
  control.resid = Resid::kQuotient;
  return row.update(control);
}

TEST(Quotient, IsTheMagnitudeOfTheChangeOverTheInverseDiagonal) {
  Row row;
  row.operands.inv_diagonal = 0.25F;
  for (const float bias : {3.0F, -3.0F}) {
    row.operands.bias = bias;
    EXPECT_EQ(update_quotient(row).residual, 12.0F);
  }
  row.operands.bias = 1.0F;
  row.operands.inv_diagonal = 3.0F;
  EXPECT_EQ(bits_of(update_quotient(row).residual), 0x3eaaaaabU) << "1/3, rounded up";
}

TEST(Quotient, IsZeroWhereNothingChangesWhateverTheInverseDiagonalIs) {
  Row row;
  row.operands.inv_diagonal = 0.0F;
  EXPECT_EQ(bits_of(update_quotient(row).residual), bits_of(0.0F));
  row.operands.bias = -0.0F;
  row.operands.impulse = -0.0F;
  EXPECT_EQ(bits_of(update_quotient(row).residual), bits_of(0.0F));
}

TEST(Quotient, IsInfiniteWhereARowWithoutInverseDiagonalChanges) {
  Row row;
  row.operands.inv_diagonal = 0.0F;
  row.operands.bias = 1.0F;
  const RowResult out = update_quotient(row);
  EXPECT_EQ(out.residual, kInfinity);
  EXPECT_FALSE(out.fault);
}

TEST(Quotient, UsesTheChangeAfterTheClamp) {
  Row row;
  row.operands.inv_diagonal = 0.5F;
  row.operands.bias = 100.0F;
  row.operands.upper = 2.0F;
  EXPECT_EQ(update_quotient(row).residual, 4.0F);
}

/// A row with u = rate that stays at x = impulse inside -1 and 1 (d = 0).
Row resting(float rate, float impulse = 0.0F) {
  Row row;
  row.operands.bias = rate;
  row.operands.inv_diagonal = 0.0F;
  row.operands.impulse = impulse;
  row.operands.lower = -1.0F;
  row.operands.upper = 1.0F;
  row.operands.mark_threshold = 2.0F;
  return row;
}

RowControl marking() {
  RowControl control;
  control.mark = Mark::kOn;
  return control;
}

/// 'a', 'b', both or none.
std::string marks(Row row, const RowControl& control = marking()) {
  const RowResult out = row.update(control);
  return std::string(out.mark_a ? "a" : "") + (out.mark_b ? "b" : "");
}

TEST(Mark, IsSetForTheBodyThatMovesByMoreThanTheThreshold) {
  for (std::size_t i = 0; i < 12; ++i) {
    Row row;
    row.operands.bias = 2.0F;  // dx = -2
    row.operands.lower = row.operands.upper = -2.0F;
    row.operands.mark_threshold = 3.0F;
    row.inv_mass_jacobian[i] = -1.5F;
    EXPECT_EQ(marks(row), "") << "3 is not above 3, element " << i;
    row.inv_mass_jacobian[i] = std::nextafter(-1.5F, -2.0F);
    EXPECT_EQ(marks(row), i < 6 ? "a" : "b") << i;
    row.inv_mass_jacobian[i] = 2.0F;
    EXPECT_EQ(marks(row), i < 6 ? "a" : "b") << i;
  }
}

TEST(Mark, LooksAtTheChangeBeforeItIsAdded) {
  Row row;
  row.operands.bias = -1.0F;  // dx = 1
  row.operands.lower = row.operands.upper = 1.0F;
  row.operands.velocity[0] = 1e9F;
  row.inv_mass_jacobian[0] = 3.0F;
  row.operands.mark_threshold = 2.0F;
  EXPECT_EQ(marks(row), "a") << "v + 3 = v";
}

TEST(Mark, IsSetForBothBodiesOfARowInsideItsBoundsWithALargeRate) {
  EXPECT_EQ(marks(resting(2.0F)), "") << "2 is not above 2";
  EXPECT_EQ(marks(resting(-2.5F)), "ab");
  EXPECT_EQ(marks(resting(2.5F)), "ab");
}

TEST(Mark, IsSetForBothBodiesOfARowThatPullsAwayFromItsBoundWhateverTheThreshold) {
  EXPECT_EQ(marks(resting(-kTiny, -1.0F)), "ab");
  EXPECT_EQ(marks(resting(3.0F, -1.0F)), "");
  EXPECT_EQ(marks(resting(kTiny, 1.0F)), "ab");
  EXPECT_EQ(marks(resting(-3.0F, 1.0F)), "");
  EXPECT_EQ(marks(resting(0.0F, 1.0F)), "");
}

TEST(Mark, UsesTheImpulseAfterTheUpdate) {
  Row row = resting(-3.0F);
  row.operands.inv_diagonal = 1.0F;  // x' = 1 = hi: where u wants it.
  EXPECT_EQ(marks(row), "");
}

TEST(Mark, IsNeverSetForTheRateOfAnEqualityRow) {
  Row row = resting(-3.0F);
  row.operands.lower = -0.0F;
  row.operands.upper = 0.0F;
  EXPECT_EQ(marks(row), "");
  RowControl looking = marking();
  looking.step = Step::kOff;
  row.operands.impulse = -1.0F;
  EXPECT_EQ(marks(row, looking), "");
}

TEST(Mark, UsesTheBoundsOfTheCone) {
  Row row = resting(-1.0F, 0.5F);
  row.operands.upper = 0.5F;  // mu
  row.operands.has_parent = true;
  row.operands.parent_impulse = 2.0F;
  EXPECT_EQ(marks(row), "") << "inside -1 and 1";
  row.operands.parent_impulse = 1.0F;
  row.operands.bias = 1.0F;
  EXPECT_EQ(marks(row), "ab") << "at hi = 0.5 with u > 0";
}

TEST(Mark, IsNotSetByARowThatIsHeldOrFaultsNorWithoutItsControlBit) {
  EXPECT_EQ(marks(resting(3.0F), RowControl{}), "");
  Row row = resting(3.0F);
  row.operands.has_parent = true;
  RowControl skip = marking();
  skip.skip = Skip::kOn;
  EXPECT_EQ(marks(row, skip), "");
  row = resting(3.0F);
  row.inv_mass_jacobian[0] = kNan;
  EXPECT_EQ(marks(row), "");
}

TEST(Mark, LooksOnlyAtTheRateWhereTheKernelDoesNotStep) {
  RowControl looking = marking();
  looking.step = Step::kOff;
  looking.axpy = Axpy::kOff;
  Row row = resting(3.0F);
  row.inv_mass_jacobian.fill(100.0F);
  EXPECT_EQ(marks(row, looking), "ab");
  row.operands.bias = 1.0F;
  EXPECT_EQ(marks(row, looking), "");
}

}  // namespace
}  // namespace ppu::model
