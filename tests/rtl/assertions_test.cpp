// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks the promise behind every assertion once and expects exactly that assertion to fail, by
// name.
#include <Vppu_assertion_bench.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <functional>
#include <limits>
#include <ostream>
#include <set>
#include <string>

#include "failed_assertions.hpp"
#include "ppu/model/control.hpp"
#include "ppu/spec.h"

namespace ppu::test {
namespace {

constexpr std::uint32_t kNan = 0x7fc00000;
constexpr std::uint32_t kTag = 42;
constexpr auto kMark = static_cast<SData>(model::control_bits("mark", spec::Mark::kOn));
constexpr auto kQuotient = static_cast<SData>(model::control_bits("resid", spec::Resid::kQuotient));

class AssertionBench {
 public:
  AssertionBench() {
    context_.errorLimit(std::numeric_limits<int>::max());
    top_.fault_tag_i = PPU_NONE;
    top_.en_i = 1;
    top_.rst_ni = 0;
    clock();
    top_.rst_ni = 1;
    clock();
  }

  Vppu_assertion_bench& top() { return top_; }

  void clock() {
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
  }

  // A row with kTag enters and has gone one cycle far.
  void enter() {
    top_.accept_i = 1;
    top_.in_tag_i = kTag;
    clock();
    top_.accept_i = 0;
    top_.valid_i = 1;
  }

  // It is at the output.
  void enter_and_finish() {
    enter();
    top_.valid_i = 8;
    top_.out_valid_i = 1;
    top_.out_tag_i = kTag;
  }

  [[nodiscard]] int failures() const { return context_.errorCount(); }

 private:
  VerilatedContext context_;
  Vppu_assertion_bench top_{&context_};
};

struct Break {
  std::string assertion;
  std::function<void(AssertionBench&)> act;  ///< The last step is clocked by the test.
};

std::ostream& operator<<(std::ostream& out, const Break& broken) {
  return out << broken.assertion;
}

class Assertion : public testing::TestWithParam<Break> {};

TEST_P(Assertion, FailsWhenItsPromiseIsBrokenAndNotBefore) {
  AssertionBench bench;
  testing::internal::CaptureStdout();
  GetParam().act(bench);
  const int before = bench.failures();
  bench.clock();
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_EQ(before, 0) << output;
  EXPECT_EQ(failed_assertions(output), std::set<std::string>{GetParam().assertion});
  EXPECT_EQ(bench.failures(), 1);
}

const Break kBreaks[] = {
    {"NoRowIsLostOrMadeUp",
     [](AssertionBench& bench) {
       bench.enter();
       bench.top().valid_i = 0;
     }},
    {"LateJmRequestNamesTheNextRow",
     [](AssertionBench& bench) {
       bench.enter();
       bench.top().late_jm_valid_i = 1;
       bench.top().late_jm_tag_i = kTag + 1;
     }},
    {"LateVRequestNamesTheNextRow",
     [](AssertionBench& bench) {
       bench.enter();
       bench.top().late_v_valid_i = 1;
       bench.top().late_v_tag_i = kTag + 1;
     }},
    {"LateBeatsAreBelowBeats", [](AssertionBench& bench) { bench.top().late_v_beat_i = 3; }},
    {"ResultCarriesTheOldestTag",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_tag_i = kTag + 1;
     }},
    {"ControlWordIsLegal",
     [](AssertionBench& bench) {
       bench.top().accept_i = 1;
       bench.top().in_control_i = 3U << 5U;
     }},
    {"SkippedRowsDoNotFault",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_skipped_i = 1;
       bench.top().out_fault_i = 1;
     }},
    {"ResidualWithoutFaultIsFiniteAndNotNegative",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_residual_i = 0x80000001;
     }},
    {"ImpulseWithoutFaultIsFinite",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_impulse_i = kNan;
     }},
    {"ResidualOfAQuotientComesLater",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kQuotient;
       bench.top().out_residual_i = 1;
     }},
    {"MarksComeFromRowsThatMarkAndAreWritten",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kMark;
       bench.top().out_mark_a_i = 1;
       bench.clock();
       bench.top().out_control_i = 0;
     }},
    {"MaxResidualIsANumberAndNotNegative",
     [](AssertionBench& bench) { bench.top().max_residual_i = kNan; }},
    {"ResultIsStableWhileStalled",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.clock();
       bench.top().out_velocity_i[11] ^= 1U;
     }},
    {"FirstFaultIsSticky",
     [](AssertionBench& bench) {
       bench.top().fault_valid_i = 1;
       bench.top().fault_tag_i = kTag;
       bench.clock();
       bench.top().fault_tag_i = kTag + 1;
     }},
    {"MarkThresholdHoldsWhileRowsAreInThePipe",
     [](AssertionBench& bench) {
       bench.top().mark_threshold_i = 1;
       bench.enter();
       bench.top().mark_threshold_i = 2;
     }},
    {"DividingLastsAsLongAsADivision",
     [](AssertionBench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kQuotient;
       bench.top().out_ready_i = 1;
       bench.clock();
       bench.top().valid_i = 0;
       bench.top().out_valid_i = 0;
       bench.top().dividing_i = 1;
       bench.clock();
       bench.clock();
     }},
    {"EventsComeOnlyBetweenEvents",
     [](AssertionBench& bench) {
       bench.top().start_i = 1;
       bench.clock();
     }},
};

INSTANTIATE_TEST_SUITE_P(Every, Assertion, testing::ValuesIn(kBreaks),
                         [](const auto& broken) { return broken.param.assertion; });

}  // namespace
}  // namespace ppu::test
