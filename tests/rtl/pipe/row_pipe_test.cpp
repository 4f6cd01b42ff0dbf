// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The Verilated row pipes against the row arithmetic, bit for bit, and against the latencies that
// the models count with. PPU_TEST_SHAPES lists the shapes in the linked library.
#include <gtest/gtest.h>

#include <deque>
#include <sstream>

#include "tests/rtl/pipe/row_stimulus.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::test {
namespace {

struct Shape {
  std::string name;
  hw::Config config;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << shape.name;
}

std::vector<Shape> built_shapes() {
  std::vector<Shape> shapes;
  std::istringstream list(PPU_TEST_SHAPES);
  for (std::string item; list >> item;) {
    std::istringstream parts(item);
    Shape shape;
    char slash;
    std::getline(parts, shape.name, '/');
    parts >> shape.config.lanes >> slash >> shape.config.fp_mul_stages >> slash >>
        shape.config.fp_add_stages >> slash >> shape.config.fp_div_stages;
    shapes.push_back(shape);
  }
  return shapes;
}

// Same bits, or both not a number.
void expect_same(float rtl, float want, const char* what, const Stimulus& stimulus) {
  if (std::isnan(rtl) && std::isnan(want)) return;
  EXPECT_EQ(bits_of(rtl), bits_of(want))
      << what << " of row " << stimulus.row.tag << ", control word " << std::hex
      << stimulus.row.control.bits << std::dec << ", seed " << options().seed;
}

void expect_row(const hw::RtlResult& result, const Stimulus& stimulus) {
  const model::RowResult& rtl = result.values;
  const model::RowResult& want = stimulus.want;
  EXPECT_EQ(result.tag, stimulus.row.tag);
  expect_same(rtl.rate, want.rate, "u", stimulus);
  expect_same(rtl.target, want.target, "t", stimulus);
  expect_same(rtl.impulse, want.impulse, "x", stimulus);
  expect_same(rtl.lead, want.lead, "y", stimulus);
  expect_same(rtl.delta, want.delta, "dx", stimulus);
  const bool quotient = stimulus.row.control.resid() == spec::Resid::kQuotient;
  expect_same(rtl.residual, quotient ? 0.0F : want.residual, "residual", stimulus);
  EXPECT_EQ(rtl.mark_a, want.mark_a) << "row " << result.tag << ", seed " << options().seed;
  EXPECT_EQ(rtl.mark_b, want.mark_b) << "row " << result.tag << ", seed " << options().seed;
  for (std::size_t i = 0; i < want.velocity.size(); ++i)
    expect_same(rtl.velocity[i], want.velocity[i], ("v" + std::to_string(i)).c_str(), stimulus);
  EXPECT_EQ(rtl.skipped, want.skipped) << "row " << stimulus.row.tag;
  EXPECT_EQ(rtl.fault, want.fault) << "row " << stimulus.row.tag;
}

struct Times {
  std::vector<std::uint64_t> accepted, left;
};

// The quotients of all rows that have left become part of the residual maximum.
void divide(hw::RtlRowPipe& pipe, const hw::Config& config) {
  for (std::uint32_t i = 0; i < config.fp_div_stages; ++i) pipe.step(nullptr);
}

// Sends the rows through, none in some of the cycles, and checks each result.
Times run(hw::RtlRowPipe& pipe, const Stimuli& rows, unsigned bubble_percent = 0) {
  Random random(options().seed);
  Times times;
  const std::uint64_t limit = pipe.cycle() + 1000 + 100 * rows.size();
  while (times.left.size() < rows.size() && !testing::Test::HasFailure()) {
    const bool offer = times.accepted.size() < rows.size() && random() % 100 >= bubble_percent;
    const std::uint64_t cycle = pipe.cycle();
    const auto step = pipe.step(offer ? &rows[times.accepted.size()]->row : nullptr);
    if (step.accepted) times.accepted.push_back(cycle);
    if (step.result != nullptr) {
      expect_row(*step.result, *rows[times.left.size()]);
      times.left.push_back(cycle);
    }
    if (cycle > limit) ADD_FAILURE() << "only " << times.left.size() << " rows came out";
  }
  EXPECT_EQ(pipe.assertion_failures(), 0);
  return times;
}

float max_residual(const Stimuli& rows) {
  float max = 0.0F;
  for (const auto& row : rows)
    if (!row->want.fault) max = std::max(max, row->want.residual);
  return max;
}

class RowPipe : public testing::TestWithParam<Shape> {
 protected:
  [[nodiscard]] std::unique_ptr<hw::RtlRowPipe> create(int seed = 1) const {
    return hw::RtlRowPipe::create(GetParam().config, seed);
  }
  RowMaker maker_{options().seed};
};

TEST_P(RowPipe, EqualsTheRowArithmeticOnPlainRowsUnderEveryControlWord) {
  const auto pipe = create();
  run(*pipe, maker_.make(4 * legal_control_words().size(), Nature::kPlain));
}

TEST_P(RowPipe, EqualsTheRowArithmeticOnHostileRowsWithBubblesFromAnyReset) {
  for (const int seed : {1, 2, 3}) {
    const Stimuli rows = maker_.make(12 * legal_control_words().size(), Nature::kHostile);
    const auto pipe = create(seed);
    run(*pipe, rows, seed == 1 ? 0 : 30);
    divide(*pipe, GetParam().config);
    EXPECT_EQ(bits_of(pipe->take_max_residual()), bits_of(max_residual(rows)));
  }
}

TEST_P(RowPipe, TakesARowEveryInitiationIntervalAndReturnsItAfterItsLatency) {
  const auto pipe = create();
  const Times times = run(*pipe, maker_.make(200, Nature::kPlain));
  const auto interval = static_cast<std::uint64_t>(hw::initiation_interval(GetParam().config));
  const auto latency = static_cast<std::uint64_t>(hw::row_pipe_latency(GetParam().config));
  ASSERT_EQ(times.left.size(), 200U);
  for (std::size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(times.accepted[i], times.accepted[0] + i * interval);
    EXPECT_EQ(times.left[i], times.accepted[i] + latency);
  }
}

TEST_P(RowPipe, LetsARowEnterInAnyCycleBetweenTheIntervals) {
  const auto pipe = create();
  const Times times = run(*pipe, maker_.make(2000, Nature::kPlain), 50);
  const auto latency = static_cast<std::uint64_t>(hw::row_pipe_latency(GetParam().config));
  for (std::size_t i = 0; i < times.left.size(); ++i)
    EXPECT_EQ(times.left[i], times.accepted[i] + latency);
}

TEST_P(RowPipe, KeepsTheResidualMaximumUntilItIsTaken) {
  const auto pipe = create();
  EXPECT_EQ(pipe->take_max_residual(), 0.0F);
  const Stimuli first = maker_.make(3000, Nature::kPlain);
  const Stimuli second = maker_.make(3000, Nature::kPlain);
  run(*pipe, first);
  divide(*pipe, GetParam().config);
  EXPECT_GT(max_residual(first), 0.0F);
  EXPECT_EQ(pipe->take_max_residual(), max_residual(first));
  EXPECT_EQ(pipe->take_max_residual(), 0.0F);
  run(*pipe, second);
  divide(*pipe, GetParam().config);
  EXPECT_EQ(pipe->take_max_residual(), max_residual(second));
}

TEST_P(RowPipe, EqualsTheRowArithmeticUnderManyMarkThresholds) {
  const auto pipe = create();
  std::size_t marks_a = 0, marks_b = 0, rows_sent = 0;
  for (int i = 0; i < 40; ++i) {
    const Stimuli rows = maker_.make(200, i % 4 == 0 ? Nature::kHostile : Nature::kPlain);
    for (const auto& row : rows) {
      row->row.control.bits |= model::control_bits("mark", spec::Mark::kOn);
      row->want = model::update_row(row->row.control, row->row.operands);
      marks_a += row->want.mark_a ? 1 : 0;
      marks_b += row->want.mark_b ? 1 : 0;
    }
    run(*pipe, rows);
    rows_sent += rows.size();
  }
  for (const std::size_t marks : {marks_a, marks_b}) {
    EXPECT_GT(marks, rows_sent / 10);
    EXPECT_LT(marks, rows_sent / 2);
  }
  EXPECT_NE(marks_a, marks_b);
}

// What a row that does not lead brings as its factor does not matter to those before it.
TEST_P(RowPipe, EqualsTheRowArithmeticUnderManyLeadFactors) {
  const auto pipe = create();
  std::size_t led = 0, rows_sent = 0;
  for (int i = 0; i < 40; ++i) {
    const Stimuli rows = maker_.make(200, i % 4 == 0 ? Nature::kHostile : Nature::kPlain);
    for (const auto& row : rows) {
      model::RowOperands& in = row->row.operands;
      if (row->row.tag % 3 == 0)
        in.lead_factor = std::numeric_limits<float>::quiet_NaN();
      else
        row->row.control.bits |= model::control_bits("lead", spec::Lead::kOn);
      row->want = model::update_row(row->row.control, in);
      led += bits_of(row->want.lead) == bits_of(row->want.impulse) ? 0 : 1;
    }
    run(*pipe, rows, i % 2 == 0 ? 0 : 30);
    rows_sent += rows.size();
  }
  EXPECT_GT(led, rows_sent / 6);
  EXPECT_LT(led, rows_sent / 2);
}

TEST_P(RowPipe, RaisesTheMaximumToAQuotientWhenTheDivisionEnds) {
  const auto pipe = create();
  Stimuli rows = maker_.make(1, Nature::kPlain);
  model::RowControl control;
  control.form = spec::Form::kImpulse;
  control.resid = spec::Resid::kQuotient;
  maker_.fill(*rows[0], model::control_word(control), Nature::kPlain);
  ASSERT_GT(rows[0]->want.residual, 0.0F);
  run(*pipe, rows);
  for (std::uint32_t i = 1; i < GetParam().config.fp_div_stages; ++i) pipe->step(nullptr);
  EXPECT_EQ(pipe->take_max_residual(), 0.0F);
  pipe->step(nullptr);
  EXPECT_EQ(pipe->take_max_residual(), rows[0]->want.residual);
}

// Of two residuals that follow one another the larger counts, whichever comes first.
TEST_P(RowPipe, RaisesTheMaximumByAsLittleAsThereIs) {
  const float less = 0.7F, more = std::nextafter(less, 1.0F);
  for (const spec::Resid resid : {spec::Resid::kDelta, spec::Resid::kQuotient})
    for (const bool rises : {false, true}) {
      const auto pipe = create();
      model::RowControl control;
      control.bounds = spec::Bounds::kRow;
      control.clamp = spec::Clamp::kNone;
      control.resid = resid;
      Stimuli rows = maker_.make(2, Nature::kPlain);
      for (std::size_t i = 0; i < 2; ++i) {
        Stimulus& one = *rows[i];
        maker_.fill(one, model::control_word(control), Nature::kPlain);
        one.jacobian = {};
        model::RowOperands& in = one.row.operands;
        in.impulse = in.compliance = 0;
        in.inv_diagonal = 1;
        in.bias = (i == 1) == rises ? more : less;
        one.want = model::update_row(one.row.control, in);
        ASSERT_EQ(one.want.residual, in.bias);
      }
      run(*pipe, rows);
      divide(*pipe, GetParam().config);
      EXPECT_EQ(bits_of(pipe->take_max_residual()), bits_of(more));
    }
}

TEST_P(RowPipe, DividesRowsThatLeaveOneAfterTheOther) {
  const auto pipe = create();
  model::RowControl control;
  control.resid = spec::Resid::kQuotient;
  for (int i = 0; i < 20; ++i) {
    Stimuli rows = maker_.make(50, Nature::kPlain);
    for (const auto& row : rows) maker_.fill(*row, model::control_word(control), Nature::kPlain);
    run(*pipe, rows, i % 2 == 0 ? 0 : 30);
    divide(*pipe, GetParam().config);
    EXPECT_EQ(bits_of(pipe->take_max_residual()), bits_of(max_residual(rows)));
  }
}

INSTANTIATE_TEST_SUITE_P(Built, RowPipe, testing::ValuesIn(built_shapes()),
                         [](const auto& shape) { return shape.param.name; });

}  // namespace
}  // namespace ppu::test
