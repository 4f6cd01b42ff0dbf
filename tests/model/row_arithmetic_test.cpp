// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row arithmetic, bit for bit: order of additions, rounding of every operation, signed zeros,
// bounds, skip, faults. Marks and quotients: row_marks_test.cpp.
#include "model/arithmetic/row_arithmetic.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tests/model/arithmetic_row.hpp"

namespace ppu::model {
namespace {

using namespace spec;

/// A row whose products are `products` (J of them, v of ones).
Row with_products(const RowVector& products) {
  Row row;
  row.jacobian = products;
  row.operands.velocity.fill(1.0F);
  return row;
}

TEST(RateForm, AddsThePairsOfTheTreeFirst) {
  // (p0+p1)+(p2+p3): 1 + tiny + (tiny + 0) from left to right would lose both.
  EXPECT_EQ(with_products({1, 0, kTiny, kTiny}).update().rate, 1 + 2 * kTiny);
  EXPECT_EQ(with_products({1, kTiny, kTiny, 0}).update().rate, 1.0F);
  EXPECT_EQ(with_products({0, 0, 0, 0, 0, 0, 1, 0, kTiny, kTiny}).update().rate, 1 + 2 * kTiny);
}

TEST(RateForm, AddsTheThirdLeafPairsWithTheBiasLast) {
  // s2 = (p4+p5)+(p10+p11), then s2 + b, then (s0+s1) + that.
  EXPECT_EQ(with_products({0, 0, 0, 0, kTiny, 0, 0, 0, 0, 0, kTiny, 0}).update().rate, 2 * kTiny);
  Row row = with_products({0, 0, 0, 0, kTiny, 0, 0, 0, 0, 0, kTiny, 0});
  row.operands.bias = 1.0F;
  EXPECT_EQ(row.update().rate, 1 + 2 * kTiny);
  row = with_products({1, 0, 0, 0, kTiny});
  row.operands.bias = kTiny;
  EXPECT_EQ(row.update().rate, 1 + 2 * kTiny);
  row = with_products({kTiny, 0, 0, 0, kTiny});
  row.operands.bias = 1.0F;
  EXPECT_EQ(row.update().rate, 1.0F);
}

TEST(RateForm, AddsComplianceToTheBiasOnlyWhereThereIsAny) {
  Row row;
  row.operands.bias = 2.0F;
  row.operands.impulse = 4.0F;
  row.operands.compliance = 0.25F;
  EXPECT_EQ(row.update().rate, 3.0F);
  RowControl plain;
  plain.bias = Bias::kPlain;
  EXPECT_EQ(row.update(plain).rate, 2.0F);
  // b = -0 stays -0 without compliance; adding 0 * x would make it +0.
  row.operands.bias = -0.0F;
  row.operands.compliance = 0.0F;
  row.jacobian.fill(-0.0F);
  row.operands.velocity.fill(1.0F);
  EXPECT_EQ(bits_of(row.update().rate), bits_of(-0.0F));
}

TEST(RateForm, StepsAgainstTheRate) {
  Row row;
  row.operands.bias = 3.0F;
  row.operands.impulse = 10.0F;
  row.operands.inv_diagonal = 0.5F;
  row.inv_mass_jacobian = {2, 0, 0, 0, 0, 0, -2};
  row.operands.velocity[0] = 1.0F;
  const RowResult out = row.update();
  EXPECT_EQ(out.target, 8.5F);
  EXPECT_EQ(out.impulse, 8.5F);
  EXPECT_EQ(out.delta, -1.5F);
  EXPECT_EQ(out.velocity[0], -2.0F);
  EXPECT_EQ(out.velocity[6], 3.0F);
  EXPECT_FALSE(out.fault);
}

TEST(RateForm, RoundsTheProductBeforeItIsSubtracted) {
  // d*u = (1+e)^2 = 1 + 2e + e^2, e = 2^-12: the product rounds e^2 = 2^-24 away (tie to even). A
  // fused multiply-subtract would keep it, and give -2^-24 instead of 0.
  Row row;
  const float factor = 1.0F + 0x1p-12F;
  row.operands.inv_diagonal = factor;
  row.operands.bias = factor;
  row.operands.impulse = 1.0F + 0x1p-11F;
  EXPECT_EQ(bits_of(row.update().target), bits_of(0.0F));
}

TEST(RateForm, RoundsEachProductOfTheDot) {
  const float factor = 1.0F + 0x1p-12F;
  Row row;
  row.jacobian = {factor, 1.0F};
  row.operands.velocity = {factor, -(1.0F + 0x1p-11F)};
  EXPECT_EQ(bits_of(row.update().rate), bits_of(0.0F));
}

TEST(BothForms, RoundTheProductOfTheScaledAdd) {
  const float factor = 1.0F + 0x1p-12F;
  for (const Form form : {Form::kRate, Form::kImpulse}) {
    Row row;
    row.inv_mass_jacobian[3] = factor;
    row.operands.bias = form == Form::kRate ? -factor : factor;  // dx = factor
    row.operands.velocity[3] = -(1.0F + 0x1p-11F);
    RowControl control;
    control.form = form;
    EXPECT_EQ(bits_of(row.update(control).velocity[3]), bits_of(0.0F));
  }
}

TEST(ImpulseForm, RoundsTheProductBeforeItIsSubtracted) {
  const float factor = 1.0F + 0x1p-12F;
  Row row;
  row.jacobian[0] = 1.0F;
  row.operands.velocity[0] = factor;
  row.operands.inv_diagonal = factor;
  row.operands.bias = 1.0F + 0x1p-11F;
  EXPECT_EQ(bits_of(row.update(impulse_form()).target), bits_of(0.0F));
}

TEST(ImpulseForm, AddsEachDotFromLeftToRight) {
  // -t is q1 + q2 with d = 1, b = 0, x = 0.
  EXPECT_EQ(with_products({1, kTiny, kTiny}).update(impulse_form()).target, -1.0F);
  EXPECT_EQ(with_products({kTiny, kTiny, 1}).update(impulse_form()).target, -(1 + 2 * kTiny));
  // The linear and the angular dot are summed before they meet.
  EXPECT_EQ(with_products({1, 0, 0, kTiny, kTiny}).update(impulse_form()).target, -(1 + 2 * kTiny));
  // Bodies a and b are subtracted one after the other.
  EXPECT_EQ(with_products({1, 0, 0, 0, 0, 0, kTiny}).update(impulse_form()).target, -1.0F);
}

TEST(ImpulseForm, SubtractsTheSoftnessFirst) {
  Row row;
  row.operands.bias = 1.0F;
  row.operands.impulse = 2.0F;
  row.operands.compliance = 0.25F;
  const RowResult out = row.update(impulse_form());
  EXPECT_EQ(out.delta, 0.5F);
  EXPECT_EQ(out.impulse, 2.5F);
}

TEST(ImpulseForm, KeepsTheStepItComputedWhereNothingIsClamped) {
  // x + e rounds e away; dx is still e, not x' - x = 0.
  Row row;
  row.operands.impulse = 1.0F;
  row.operands.bias = kTiny;
  const RowResult out = row.update(impulse_form());
  EXPECT_EQ(out.impulse, 1.0F);
  EXPECT_EQ(out.delta, kTiny);
}

TEST(RateForm, TakesTheStepFromTheImpulses) {
  Row row;
  row.operands.impulse = 1.0F;
  row.operands.bias = -kTiny;
  EXPECT_EQ(row.update().delta, 0.0F);
}

TEST(Clamp, MedPutsTheImpulseIntoItsBounds) {
  for (const Form form : {Form::kRate, Form::kImpulse}) {
    RowControl control;
    control.form = form;
    Row row;
    row.operands.impulse = 1.0F;
    row.operands.lower = 0.5F;
    row.operands.upper = 2.0F;
    const float up = form == Form::kRate ? -5.0F : 5.0F;
    row.operands.bias = up;
    EXPECT_EQ(row.update(control).impulse, 2.0F);
    EXPECT_EQ(row.update(control).delta, 1.0F);
    row.operands.bias = -up;
    EXPECT_EQ(row.update(control).impulse, 0.5F);
    EXPECT_EQ(row.update(control).delta, -0.5F);
  }
}

TEST(Clamp, MaxKnowsOnlyZero) {
  RowControl control;
  control.clamp = Clamp::kMax;
  Row row;
  row.operands.lower = 5.0F;
  row.operands.upper = -5.0F;
  row.operands.bias = 3.0F;
  EXPECT_EQ(row.update(control).impulse, 0.0F);
  EXPECT_FALSE(row.update(control).fault) << "bounds that are not used must not fault";
  row.operands.bias = -3.0F;
  EXPECT_EQ(row.update(control).impulse, 3.0F);
}

TEST(Clamp, KeepsTheSignOfAZeroThatIsInside) {
  // t = x - d*u = -0 - 0 = -0 is not below lo = +0.
  Row row;
  row.operands.impulse = -0.0F;
  row.operands.lower = 0.0F;
  EXPECT_EQ(bits_of(row.update().impulse), bits_of(-0.0F));
}

TEST(Cone, BoundsAFrictionRowByItsParent) {
  Row row;
  row.operands.has_parent = true;
  row.operands.parent_impulse = 4.0F;
  row.operands.upper = 0.5F;  // mu
  row.operands.bias = -100.0F;
  EXPECT_EQ(row.update().impulse, 2.0F);
  row.operands.bias = 100.0F;
  EXPECT_EQ(row.update().impulse, -2.0F);
  row.operands.parent_impulse = -1.0F;
  EXPECT_EQ(bits_of(row.update().impulse), bits_of(-0.0F)) << "lo = -hi = -0";
}

TEST(Cone, LeavesRowsWithoutAParentTheirOwnBounds) {
  Row row;
  row.operands.upper = 1.5F;
  row.operands.bias = -100.0F;
  EXPECT_EQ(row.update().impulse, 1.5F);
}

TEST(Skip, LeavesTheRowAsItIs) {
  RowControl control;
  control.skip = Skip::kOn;
  control.resid = Resid::kBoxed;
  for (const float parent : {0.0F, -0.0F, -1.0F}) {
    Row row;
    row.operands.has_parent = true;
    row.operands.parent_impulse = parent;
    row.operands.impulse = 7.0F;
    row.operands.bias = kNan;
    row.operands.velocity[2] = 3.0F;
    const RowResult out = row.update(control);
    EXPECT_TRUE(out.skipped);
    EXPECT_EQ(out.impulse, 7.0F);
    EXPECT_EQ(out.delta, 0.0F);
    EXPECT_EQ(out.velocity[2], 3.0F);
    EXPECT_EQ(out.residual, 0.0F);
    EXPECT_FALSE(out.fault);
  }
}

TEST(Skip, DoesNotHoldRowsThatMaySlideOrHaveNoParent) {
  RowControl control;
  control.skip = Skip::kOn;
  Row row;
  row.operands.bias = -1.0F;
  EXPECT_FALSE(row.update(control).skipped);
  row.operands.has_parent = true;
  row.operands.parent_impulse = std::numeric_limits<float>::denorm_min();
  EXPECT_FALSE(row.update(control).skipped);
}

TEST(Residual, CountsOnlyWhatBreaksTheBoxingCondition) {
  EXPECT_EQ(boxing_violation(-2.0F, 0.5F, 0.0F, 1.0F), 2.0F);
  EXPECT_EQ(boxing_violation(-2.0F, 0.0F, 0.0F, 1.0F), 2.0F);
  EXPECT_EQ(boxing_violation(2.0F, 0.0F, 0.0F, 1.0F), 0.0F);
  EXPECT_EQ(boxing_violation(2.0F, 1.0F, 0.0F, 1.0F), 2.0F);
  EXPECT_EQ(boxing_violation(-2.0F, 1.0F, 0.0F, 1.0F), 0.0F);
  EXPECT_EQ(boxing_violation(2.0F, 0.0F, -0.0F, 0.0F), 0.0F);
}

TEST(Residual, UsesTheRateBeforeTheStepAndTheImpulseAfterIt) {
  RowControl control;
  control.resid = Resid::kBoxed;
  Row row;
  row.operands.impulse = 1.0F;
  row.operands.lower = 0.0F;
  row.operands.bias = 3.0F;  // x' = 0 = lo and u > 0: the row is where it should be.
  EXPECT_EQ(row.update(control).residual, 0.0F);
  row.operands.bias = 0.5F;  // x' = 0.5 is inside.
  EXPECT_EQ(row.update(control).residual, 0.5F);
  control.resid = Resid::kDelta;
  row.operands.bias = 3.0F;
  EXPECT_EQ(row.update(control).residual, 1.0F);
}

TEST(Step, OffOnlyLooks) {
  RowControl control;
  control.step = Step::kOff;
  control.resid = Resid::kBoxed;
  control.axpy = Axpy::kOff;
  Row row;
  row.operands.impulse = 1.0F;
  row.operands.bias = 3.0F;
  row.operands.velocity[1] = 5.0F;
  const RowResult out = row.update(control);
  EXPECT_EQ(out.impulse, 1.0F);
  EXPECT_EQ(out.delta, 0.0F);
  EXPECT_EQ(out.residual, 3.0F);
  EXPECT_EQ(out.velocity[1], 5.0F);
}

class Fault : public ::testing::TestWithParam<Form> {
 protected:
  RowResult update(Row& row) {
    RowControl control;
    control.form = GetParam();
    return row.update(control);
  }
};

TEST_P(Fault, IsRaisedByNanAndInfinityAnywhere) {
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    Row row;
    row.operands.bias = bad;
    EXPECT_TRUE(update(row).fault);
    row = {};
    row.jacobian[5] = bad;
    row.operands.velocity[5] = 1.0F;
    EXPECT_TRUE(update(row).fault);
    row = {};
    row.operands.velocity[11] = bad;
    EXPECT_TRUE(update(row).fault) << "velocity times a zero Jacobian is not a number";
    row = {};
    row.operands.impulse = bad;
    EXPECT_TRUE(update(row).fault);
    row = {};
    row.inv_mass_jacobian[4] = bad;
    EXPECT_TRUE(update(row).fault);
  }
}

TEST_P(Fault, IsRaisedByOverflow) {
  Row row;
  row.jacobian[0] = 3e38F;
  row.operands.velocity[0] = 3e38F;
  EXPECT_TRUE(update(row).fault);
}

TEST_P(Fault, IsRaisedByBoundsThatAreNotInOrder) {
  Row row;
  row.operands.lower = 1.0F;
  row.operands.upper = -1.0F;
  EXPECT_TRUE(update(row).fault);
  row.operands.lower = kNan;
  EXPECT_TRUE(update(row).fault);
  row.operands.lower = 0.0F;
  row.operands.upper = kNan;
  EXPECT_TRUE(update(row).fault);
}

TEST_P(Fault, IsNotRaisedByInfiniteBounds) {
  Row row;
  row.operands.lower = -kInfinity;
  row.operands.upper = kInfinity;
  row.operands.bias = 1.0F;
  EXPECT_FALSE(update(row).fault);
}

INSTANTIATE_TEST_SUITE_P(BothForms, Fault, ::testing::Values(Form::kRate, Form::kImpulse),
                         [](const auto& test) {
                           return std::string(test.param == Form::kRate ? "Rate" : "Impulse");
                         });

TEST(StaticControl, GivesTheSameAsTheControlWord) {
  constexpr ControlWord kWord = control_word({});
  Row row = with_products({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  row.inv_mass_jacobian = row.jacobian;
  const RowResult at_run_time = row.update();
  const RowResult at_compile_time = update_row(StaticControl<kWord.bits>{}, row.operands);
  EXPECT_EQ(at_run_time.velocity, at_compile_time.velocity);
  EXPECT_EQ(at_run_time.impulse, at_compile_time.impulse);
}

TEST(ControlWord, HasEveryFieldAtItsPlace) {
  RowControl control;
  control.form = Form::kImpulse;
  control.skip = Skip::kOn;
  control.clamp = Clamp::kMax;
  control.resid = Resid::kDelta;
  control.store_impulse = StoreImpulse::kOff;
  control.filter = Filter::kOn;
  control.mark = Mark::kOn;
  control.matrix = Matrix::kReduced;
  const ControlWord word = control_word(control);
  EXPECT_EQ(word.form(), Form::kImpulse);
  EXPECT_EQ(word.bias(), Bias::kSoft);
  EXPECT_EQ(word.step(), Step::kOn);
  EXPECT_EQ(word.bounds(), Bounds::kCone);
  EXPECT_EQ(word.skip(), Skip::kOn);
  EXPECT_EQ(word.clamp(), Clamp::kMax);
  EXPECT_EQ(word.axpy(), Axpy::kOn);
  EXPECT_EQ(word.store_velocity(), StoreVelocity::kOn);
  EXPECT_EQ(word.store_impulse(), StoreImpulse::kOff);
  EXPECT_EQ(word.resid(), Resid::kDelta);
  EXPECT_EQ(word.filter(), Filter::kOn);
  EXPECT_EQ(word.mark(), Mark::kOn);
  EXPECT_EQ(word.matrix(), Matrix::kReduced);
}

}  // namespace
}  // namespace ppu::model
