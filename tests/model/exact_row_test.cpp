// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row arithmetic beside the same row in double precision, under every control word.
#include "model/reference/exact_row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/model/arithmetic_row.hpp"

namespace ppu::model {
namespace {

using namespace spec;

/// Control words that differ in every field that decides a value of a row.
std::vector<RowControl> controls() {
  std::vector<RowControl> all;
  for (const Form form : {Form::kRate, Form::kImpulse})
    for (const Bias bias : {Bias::kPlain, Bias::kSoft})
      for (const Step step : {Step::kOff, Step::kOn})
        for (const spec::Bounds bounds : {Bounds::kRow, spec::Bounds::kCone})
          for (const Skip skip : {Skip::kOff, Skip::kOn})
            for (const Clamp clamp : {Clamp::kNone, Clamp::kMax, Clamp::kMed})
              for (const Resid resid :
                   {Resid::kNone, Resid::kBoxed, Resid::kDelta, Resid::kQuotient})
                for (const Axpy axpy : {Axpy::kOff, Axpy::kOn}) {
                  if (form == Form::kImpulse && clamp == Clamp::kMax) continue;
                  RowControl control;
                  control.form = form;
                  control.bias = bias;
                  control.step = step;
                  control.bounds = bounds;
                  control.skip = skip;
                  control.clamp = clamp;
                  control.resid = resid;
                  control.axpy = axpy;
                  control.mark = Mark::kOn;
                  control.lead = all.size() % 2 == 0 ? Lead::kOn : Lead::kOff;
                  all.push_back(control);
                }
  return all;
}

/// Rows with terms of all sizes, that end at a bound, near it and between both.
class RandomRow : public Row {
 public:
  explicit RandomRow(std::mt19937& random) : random_(random) {
    for (std::size_t i = 0; i < kRowElements; ++i) {
      jacobian[i] = number();
      inv_mass_jacobian[i] = number();
      operands.velocity[i] = number();
    }
    operands.bias = number();
    operands.inv_diagonal = std::fabs(number()) + 0x1p-10F;
    operands.compliance = random_() % 2 == 0 ? 0 : std::fabs(number());
    operands.impulse = number();
    operands.has_parent = random_() % 2 == 0;
    operands.parent_impulse = operands.has_parent ? number() : 0;
    operands.upper = std::fabs(number());
    operands.lower = random_() % 4 == 0 ? operands.upper : -operands.upper;
    operands.mark_threshold = std::fabs(number());
    operands.stored = number();
    operands.lead_factor = std::fabs(number());
    operands.jacobian = jacobian.data();
    operands.inv_mass_jacobian = inv_mass_jacobian.data();
  }

 private:
  float number() {
    return std::ldexp(std::normal_distribution<float>()(random_),
                      static_cast<int>(random_() % 9) - 4);
  }
  std::mt19937& random_;
};

TEST(ExactRow, HasEveryRowWithinWhatRoundingAllows) {
  std::mt19937 random(1);
  double worst = 0;
  for (const RowControl& control : controls())
    for (int n = 0; n < 200; ++n) {
      RandomRow row(random);
      const RowResult found = row.update(control);
      const RowDeviation deviation = deviation_of(control_word(control), row.operands, found);
      ASSERT_LE(deviation.share, 1)
          << deviation.value << ", control " << control_word(control).bits;
      worst = std::max(worst, deviation.share);
    }
  EXPECT_GT(worst, 0.1);  // The bound is no barn door.
}

TEST(ExactRow, TellsAKernelThatDoesSomethingElse) {
  // Of two control words that differ in one field, one is not the other's.
  const auto differ = [](auto change) {
    std::mt19937 random(2);
    int told = 0;
    for (int n = 0; n < 200; ++n) {
      RandomRow row(random);
      RowControl other;
      change(&other);
      if (deviation_of(control_word({}), row.operands, row.update(other)).share > 1) ++told;
    }
    return told;
  };
  EXPECT_EQ(differ([](RowControl*) {}), 0);
  EXPECT_GT(differ([](RowControl* c) { c->form = Form::kImpulse; }), 100);
  EXPECT_GT(differ([](RowControl* c) { c->bias = Bias::kPlain; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->step = Step::kOff; }), 100);
  EXPECT_GT(differ([](RowControl* c) { c->bounds = spec::Bounds::kRow; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->skip = Skip::kOn; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->clamp = Clamp::kMax; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->clamp = Clamp::kNone; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->axpy = Axpy::kOff; }), 100);
  EXPECT_GT(differ([](RowControl* c) { c->resid = Resid::kDelta; }), 100);
  EXPECT_GT(differ([](RowControl* c) { c->mark = Mark::kOn; }), 10);
  EXPECT_GT(differ([](RowControl* c) { c->lead = Lead::kOn; }), 10);
}

TEST(ExactRow, TellsAWrongValueOfEveryKind) {
  RowControl control;
  control.resid = Resid::kBoxed;
  std::mt19937 random(3);
  RandomRow row(random);
  row.operands.lower = -1e6F;
  row.operands.upper = 1e6F;
  row.operands.has_parent = false;
  const RowResult good = row.update(control);
  const auto judge = [&](auto change) {
    RowResult bad = good;
    change(&bad);
    return std::string(deviation_of(control_word(control), row.operands, bad).value);
  };
  constexpr float kOff = 1.001F;
  EXPECT_EQ(judge([](RowResult* r) { r->target *= kOff; }), "t");
  EXPECT_EQ(judge([](RowResult* r) { r->impulse *= kOff; }), "x");
  EXPECT_EQ(judge([](RowResult* r) { r->delta *= kOff; }), "dx");
  EXPECT_EQ(judge([](RowResult* r) { r->velocity[7] *= kOff; }), "v");
  EXPECT_EQ(judge([](RowResult* r) { r->residual *= kOff; }), "residual");
  EXPECT_EQ(judge([](RowResult* r) { r->rate *= kOff; }), "u");
  EXPECT_EQ(judge([](RowResult* r) { r->lead *= kOff; }), "lead");
  EXPECT_EQ(judge([](RowResult* r) { r->mark_a = true; }), "mark");
  EXPECT_EQ(judge([](RowResult* r) { r->fault = true; }), "fault");
}

TEST(ExactRow, LeavesRowsAloneThatFloatCannotHold) {
  Row row;
  row.jacobian[0] = 3e38F;
  row.operands.velocity[0] = 3e38F;
  const RowResult found = row.update();
  EXPECT_TRUE(found.fault);
  EXPECT_EQ(deviation_of(control_word({}), row.operands, found).share, 0);
}

}  // namespace
}  // namespace ppu::model
