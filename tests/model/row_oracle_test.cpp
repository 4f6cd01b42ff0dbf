// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// `update_row` against the slow and obvious: one scalar at a time, every value tested for faults on
// its own, on random and hostile rows under every control word.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/arithmetic/control.hpp"
#include "model/arithmetic/row_arithmetic.hpp"

namespace ppu::model {
namespace {

using namespace spec;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = std::numeric_limits<float>::denorm_min();

struct Row {
  RowVector jacobian{};
  RowVector inv_mass_jacobian{};
  RowOperands operands{};

  [[nodiscard]] RowOperands view() const {
    RowOperands in = operands;
    in.jacobian = jacobian.data();
    in.inv_mass_jacobian = inv_mass_jacobian.data();
    return in;
  }
};

/// u, t, x' and dx of the rate form.
void oracle_rate(ControlWord control, const RowOperands& in, float lo, float hi, RowResult& out) {
  std::array<float, 12> p{};
  for (std::size_t i = 0; i < 12; ++i) p[i] = in.jacobian[i] * in.velocity[i];
  float b = in.bias;
  if (control.bias() == Bias::kSoft && in.compliance != 0) b = in.bias + in.compliance * in.impulse;
  const float left = ((p[0] + p[1]) + (p[2] + p[3])) + ((p[6] + p[7]) + (p[8] + p[9]));
  const float right = ((p[4] + p[5]) + (p[10] + p[11])) + b;
  out.rate = left + right;
  out.target = in.impulse;
  out.impulse = in.impulse;
  if (control.step() == Step::kOn) {
    const float change = in.inv_diagonal * out.rate;
    out.target = in.impulse - change;
    out.impulse = out.target;
    if (control.clamp() == Clamp::kMax && out.target < 0) out.impulse = 0;
    if (control.clamp() == Clamp::kMed && out.target > hi) out.impulse = hi;
    if (control.clamp() == Clamp::kMed && out.target < lo) out.impulse = lo;
    out.delta = out.impulse - in.impulse;
  }
}

/// t, x' and dx of the impulse form.
void oracle_impulse(ControlWord control, const RowOperands& in, float lo, float hi,
                    RowResult& out) {
  const auto dot3 = [&in](std::size_t i) {
    const float first = in.jacobian[i] * in.velocity[i];
    const float second = in.jacobian[i + 1] * in.velocity[i + 1];
    const float third = in.jacobian[i + 2] * in.velocity[i + 2];
    return (first + second) + third;
  };
  const float q1 = dot3(0) + dot3(3);
  const float q2 = dot3(6) + dot3(9);
  float e = in.bias;
  if (control.bias() == Bias::kSoft) e = in.bias - in.impulse * in.compliance;
  e = e - q1 * in.inv_diagonal;
  e = e - q2 * in.inv_diagonal;
  out.target = in.impulse + e;
  out.impulse = in.impulse;
  if (control.step() == Step::kOff) return;
  out.impulse = out.target;
  out.delta = e;
  if (control.clamp() != Clamp::kMed) return;
  if (out.target < lo) {
    out.impulse = lo;
    out.delta = lo - in.impulse;
  } else if (out.target > hi) {
    out.impulse = hi;
    out.delta = hi - in.impulse;
  }
}

/// Example 8's text for both bodies: x = lo and u < 0, x = hi and u > 0, or inside and u large.
bool oracle_violates(const RowResult& out, float lo, float hi, float threshold) {
  const float x = out.impulse;
  const float u = out.rate;
  const float magnitude = std::signbit(u) ? -u : u;
  bool violates = false;
  if (x <= lo && u < 0) violates = true;
  if (x >= hi && u > 0) violates = true;
  if (x > lo && x < hi && magnitude > threshold) violates = true;
  if (lo == hi) violates = false;
  return violates;
}

/// |dx/d|, correctly rounded: a double has more than twice the digits.
float oracle_quotient(float delta, float inv_diagonal) {
  if (delta == 0) return 0;
  const double quotient = static_cast<double>(delta) / static_cast<double>(inv_diagonal);
  return static_cast<float>(std::fabs(quotient));
}

RowResult oracle(ControlWord control, const RowOperands& in) {
  RowResult out;
  out.velocity = in.velocity;
  const bool holds = in.parent_impulse > 0;
  float lo = in.lower;
  float hi = in.upper;
  if (control.bounds() == Bounds::kCone && in.has_parent) {
    hi = in.upper * (holds ? in.parent_impulse : 0.0F);
    lo = -hi;
  }
  const bool rate_form = control.form() == Form::kRate;
  if (rate_form) oracle_rate(control, in, lo, hi, out);
  if (!rate_form) oracle_impulse(control, in, lo, hi, out);
  if (control.skip() == Skip::kOn && in.has_parent && !holds) {
    out.impulse = in.impulse;
    out.delta = 0;
    out.skipped = true;
    return out;
  }
  if (control.resid() == Resid::kBoxed && rate_form)
    out.residual = boxing_violation(out.rate, out.impulse, lo, hi);
  if (control.resid() == Resid::kDelta) out.residual = std::fabs(out.delta);
  if (control.resid() == Resid::kQuotient)
    out.residual = oracle_quotient(out.delta, in.inv_diagonal);
  bool mark_a = oracle_violates(out, lo, hi, in.mark_threshold);
  bool mark_b = mark_a;
  out.fault = !std::isfinite(out.rate) || !std::isfinite(out.target) || !std::isfinite(out.delta);
  if (control.clamp() == Clamp::kMed && !(lo <= hi)) out.fault = true;
  if (control.axpy() == Axpy::kOn) {
    for (std::size_t i = 0; i < 12; ++i) {
      const float change = in.inv_mass_jacobian[i] * out.delta;
      out.velocity[i] = in.velocity[i] + change;
      if (!std::isfinite(out.velocity[i])) out.fault = true;
      if (std::fabs(change) > in.mark_threshold) (i < 6 ? mark_a : mark_b) = true;
    }
  }
  const bool marks = control.mark() == Mark::kOn && !out.fault;
  out.mark_a = marks && mark_a;
  out.mark_b = marks && mark_b;
  return out;
}

/// Equal bits; the payload and sign of a NaN are not specified.
bool same(float a, float b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

/// The first field in which the two results differ, or nothing.
std::string difference(const RowResult& expected, const RowResult& got) {
  if (expected.skipped != got.skipped) return "skipped";
  if (expected.fault != got.fault) return "fault";
  if (!same(expected.rate, got.rate)) return "u";
  if (!same(expected.target, got.target)) return "t";
  if (!same(expected.impulse, got.impulse)) return "x'";
  if (!same(expected.delta, got.delta)) return "dx";
  if (!same(expected.residual, got.residual)) return "residual";
  if (expected.mark_a != got.mark_a) return "mark a";
  if (expected.mark_b != got.mark_b) return "mark b";
  for (std::size_t i = 0; i < 12; ++i)
    if (!same(expected.velocity[i], got.velocity[i])) return "v'" + std::to_string(i);
  return "";
}

/// Rows of moderate numbers in which some values, or none, are replaced by hostile ones.
class RowMaker {
 public:
  Row make() {
    static constexpr std::array<double, 4> kShares{0.0, 0.005, 0.03, 0.3};
    hostile_share_ = kShares[engine_() % kShares.size()];
    Row row;
    RowOperands& in = row.operands;
    for (std::size_t i = 0; i < 12; ++i) {
      row.jacobian[i] = value();
      row.inv_mass_jacobian[i] = value();
      in.velocity[i] = value();
    }
    in.has_parent = engine_() % 2 == 0;
    for (float* field : {&in.bias, &in.inv_diagonal, &in.lower, &in.upper, &in.impulse}) {
      *field = value();
    }
    if (!in.has_parent && engine_() % 8 != 0 && in.lower > in.upper) std::swap(in.lower, in.upper);
    if (in.has_parent) in.parent_impulse = value();
    if (in.has_parent && engine_() % 8 != 0) in.upper = std::fabs(in.upper);
    if (engine_() % 2 == 0) in.compliance = value();
    if (engine_() % 8 == 0) in.lower = in.upper;
    in.mark_threshold = engine_() % 8 == 0 ? value() : 4 * std::fabs(value());
    return row;
  }

 private:
  float value() {
    static constexpr std::array<float, 16> kHostile{
        0.0F,      -0.0F,     kDenormal, -kDenormal, 0x1p-126F, -0x1p-100F, 0x1p-24F, 1.0F,
        0x1p+100F, -0x1p+64F, 3.4e38F,   -3.4e38F,   kInfinity, -kInfinity, kNan,     -kNan};
    if (share_(engine_) < hostile_share_) return kHostile[engine_() % kHostile.size()];
    return static_cast<float>(normal_(engine_));
  }

  std::mt19937 engine_{20};
  std::uniform_real_distribution<double> share_{0, 1};
  std::normal_distribution<double> normal_{0, 2};
  double hostile_share_ = 0;
};

std::vector<Row> make_rows(std::size_t count) {
  RowMaker maker;
  std::vector<Row> rows(count);
  for (Row& row : rows) row = maker.make();
  return rows;
}

struct Tally {
  std::size_t rows = 0, faults = 0, skipped = 0, clamped = 0, marks_a = 0, marks_b = 0;
};

/// Compares on the rows from `first` to `last - 1`; counts what kinds of rows there were.
template <class Control>
void compare(Control control, ControlWord word, const std::vector<Row>& rows, std::size_t first,
             std::size_t last, Tally& tally) {
  for (std::size_t n = first; n < last; ++n) {
    const RowOperands in = rows[n].view();
    const RowResult expected = oracle(word, in);
    ASSERT_EQ(difference(expected, update_row(control, in)), "")
        << "row " << n << ", control word " << word.bits;
    ++tally.rows;
    if (expected.fault) ++tally.faults;
    if (expected.skipped) ++tally.skipped;
    if (!expected.fault && expected.impulse != expected.target) ++tally.clamped;
    if (expected.mark_a) ++tally.marks_a;
    if (expected.mark_b) ++tally.marks_b;
  }
}

TEST(UpdateRow, EqualsTheScalarOracleUnderEveryControlWord) {
  // Some of the rows under each word, other ones under the next.
  constexpr std::size_t kRowsPerWord = 100;
  const std::vector<Row> rows = make_rows(97 * kRowsPerWord);
  Tally tally;
  for (std::uint32_t bits = 0; bits < 1U << kControlBits; ++bits) {
    const ControlWord word{bits};
    if (word.clamp() > Clamp::kMed) continue;
    const std::size_t first = bits % 97 * kRowsPerWord;
    compare(word, word, rows, first, first + kRowsPerWord, tally);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.rows, 1'000'000U);
  EXPECT_GT(tally.faults, tally.rows / 10);
  EXPECT_GT(tally.rows - tally.faults, tally.rows / 4);
  EXPECT_GT(tally.skipped, tally.rows / 20);
  EXPECT_GT(tally.clamped, tally.rows / 20);
  EXPECT_GT(tally.marks_a, tally.rows / 10);
  EXPECT_LT(tally.marks_a, tally.rows / 3);
  EXPECT_NE(tally.marks_a, tally.marks_b);
}

template <std::uint32_t kBits>
void compare_static(const std::vector<Row>& rows) {
  Tally tally;
  compare(StaticControl<kBits>{}, ControlWord{kBits}, rows, 0, rows.size(), tally);
}

TEST(UpdateRow, EqualsTheScalarOracleInTheKernelsCompiledSpecially) {
  const std::vector<Row> rows = make_rows(250'000);
  constexpr std::uint32_t kBoxed = control_word({}).bits;
  constexpr std::uint32_t kSkip = control_bits("skip", Skip::kOn);
  constexpr std::uint32_t kImpulse = control_bits("form", Form::kImpulse);
  compare_static<kBoxed>(rows);
  compare_static<kBoxed | kSkip>(rows);
  compare_static<kBoxed | kImpulse>(rows);
  compare_static<kBoxed | kSkip | kImpulse>(rows);
  compare_static<kBoxed | kSkip | control_bits("mark", Mark::kOn)>(rows);
  compare_static<kBoxed | kImpulse | control_bits("resid", Resid::kQuotient)>(rows);
}

/// A row with a hostile product somewhere, which nothing else must hide.
class HiddenFault : public ::testing::TestWithParam<float> {};

TEST_P(HiddenFault, RateIsSeenThroughAnInverseDiagonalOfZero) {
  Row row;
  row.operands.bias = GetParam();
  row.operands.upper = 1;
  EXPECT_TRUE(update_row(control_word({}), row.view()).fault);
}

TEST_P(HiddenFault, TargetIsSeenThoughTheClampRepairsIt) {
  Row row;
  row.operands.bias = GetParam();
  row.operands.inv_diagonal = 1;
  row.operands.lower = -1;
  row.operands.upper = 1;
  EXPECT_TRUE(update_row(control_word({}), row.view()).fault);
}

TEST_P(HiddenFault, ChangeIsSeenThroughInverseMassesOfZero) {
  Row row;  // t = 0 is finite; the bound is not, and dx = lo - 0.
  row.operands.lower = std::fabs(GetParam());
  row.operands.upper = kInfinity;
  for (const Axpy axpy : {Axpy::kOff, Axpy::kOn}) {
    RowControl control;
    control.axpy = axpy;
    EXPECT_TRUE(update_row(control_word(control), row.view()).fault);
  }
}

TEST_P(HiddenFault, EachVelocityIsSeen) {
  for (std::size_t i = 0; i < 12; ++i) {
    Row row;
    row.inv_mass_jacobian[i] = GetParam();
    EXPECT_TRUE(update_row(control_word({}), row.view()).fault) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Hostile, HiddenFault, ::testing::Values(kInfinity, -kInfinity, kNan),
                         [](const auto& test) {
                           return std::isnan(test.param) ? "Nan"
                                  : test.param > 0       ? "PlusInfinity"
                                                         : "MinusInfinity";
                         });

}  // namespace
}  // namespace ppu::model
