// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks the promise behind every assertion once and expects exactly that assertion to fail, by
// name.
#include <Vppu_assertion_bench.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "model/arithmetic/control.hpp"
#include "tests/rtl/support/assertion_bench.hpp"

namespace ppu::test {
namespace {

constexpr std::uint32_t kNan = 0x7fc00000;
constexpr std::uint32_t kTag = 42;
constexpr auto kMark = static_cast<SData>(model::control_bits("mark", spec::Mark::kOn));
constexpr auto kLead = static_cast<SData>(model::control_bits("lead", spec::Lead::kOn));
constexpr auto kQuotient = static_cast<SData>(model::control_bits("resid", spec::Resid::kQuotient));

class Bench : public AssertionBench<Vppu_assertion_bench> {
 public:
  // A row with kTag enters and has gone one cycle far.
  void enter() {
    top().in_tag_i = kTag;
    strobe(top().accept_i);
    top().valid_i = 1;
  }

  // It is at the output.
  void enter_and_finish() {
    enter();
    top().valid_i = 8;
    top().out_valid_i = 1;
    top().out_tag_i = kTag;
  }

  // It leaves.
  void leave() {
    clock();
    top().valid_i = 0;
    top().out_valid_i = 0;
  }
};

struct Break {
  std::string assertion;
  std::function<void(Bench&)> act;  ///< The last step is clocked by the test.
};

std::ostream& operator<<(std::ostream& out, const Break& broken) {
  return out << broken.assertion;
}

class Assertion : public testing::TestWithParam<Break> {};

TEST_P(Assertion, FailsWhenItsPromiseIsBrokenAndNotBefore) {
  Bench bench;
  expect_broken(bench, GetParam().act, GetParam().assertion);
  EXPECT_EQ(bench.failures(), 1);
}

const Break kBreaks[] = {
    {"NoRowIsLostOrMadeUp",
     [](Bench& bench) {
       bench.enter();
       bench.top().valid_i = 0;
     }},
    {"AxpyJmRequestNamesTheNextRow",
     [](Bench& bench) {
       bench.enter();
       bench.top().axpy_jm_valid_i = 1;
       bench.top().axpy_jm_tag_i = kTag + 1;
     }},
    {"AxpyVRequestNamesTheNextRow",
     [](Bench& bench) {
       bench.enter();
       bench.top().axpy_v_valid_i = 1;
       bench.top().axpy_v_tag_i = kTag + 1;
     }},
    {"AxpyBeatsAreBelowBeats", [](Bench& bench) { bench.top().axpy_v_beat_i = 3; }},
    {"ResultCarriesTheOldestTag",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_tag_i = kTag + 1;
     }},
    {"ControlWordIsLegal",
     [](Bench& bench) {
       bench.top().accept_i = 1;
       bench.top().in_control_i = 3U << 5U;
     }},
    {"SkippedRowsDoNotFault",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_skipped_i = 1;
       bench.top().out_fault_i = 1;
     }},
    {"ResidualWithoutFaultIsFiniteAndNotNegative",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_residual_i = 0x80000001;
     }},
    {"ImpulseWithoutFaultIsFinite",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_impulse_i = bench.top().out_lead_i = kNan;
     }},
    {"ResidualOfAQuotientComesLater",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kQuotient;
       bench.top().out_residual_i = 1;
     }},
    {"MarksComeFromRowsThatMarkAndAreWritten",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kMark;
       bench.top().out_mark_a_i = 1;
       bench.leave();
       bench.enter_and_finish();
       bench.top().out_control_i = 0;
     }},
    {"LeadOfARowThatDoesNotExtrapolateIsItsImpulse",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kLead;
       bench.top().out_lead_i = 1;
       bench.leave();
       bench.enter_and_finish();
       bench.top().out_control_i = 0;
     }},
    {"MaxResidualIsANumberAndNotNegative",
     [](Bench& bench) {
       bench.top().quotient_i = kNan;
       bench.clock();
     }},
    {"AQuotientIsANumber",
     [](Bench& bench) {
       bench.top().inv_diagonal_i = kNan;
       bench.strobe(bench.top().enter_i);
       bench.clock();
     }},
    {"MarkThresholdHoldsWhileRowsAreInThePipe",
     [](Bench& bench) {
       bench.top().mark_threshold_i = 1;
       bench.enter();
       bench.top().mark_threshold_i = 2;
     }},
    {"LeadFactorHoldsWhileRowsThatExtrapolateAreInThePipe",
     [](Bench& bench) {
       bench.enter();
       bench.top().lead_factor_i = 1;
       bench.clock();
       bench.top().in_control_i = kLead;
       bench.strobe(bench.top().accept_i);
       bench.top().valid_i = 3;
       bench.top().lead_factor_i = 2;
     }},
    {"DividingLastsAsLongAsADivision",
     [](Bench& bench) {
       bench.enter_and_finish();
       bench.top().out_control_i = kQuotient;
       bench.leave();
       bench.top().dividing_i = 1;
       bench.clock();
       bench.clock();
     }},
    {"EventsComeOnlyBetweenEvents",
     [](Bench& bench) {
       bench.top().start_i = 1;
       bench.clock();
     }},
};

INSTANTIATE_TEST_SUITE_P(Every, Assertion, testing::ValuesIn(kBreaks),
                         [](const auto& broken) { return broken.param.assertion; });

}  // namespace
}  // namespace ppu::test
