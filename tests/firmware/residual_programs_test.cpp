// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The shipped programs that stop at a residual: which pass follows which answer of the row pipe,
// and what happens to the tags in between.
#include "tests/firmware/recorded_run.hpp"

namespace ppu::firmware {
namespace {

using test::Play;
using test::RecordedRun;
using test::run;
using test::shipped;

using Events = std::vector<std::string>;
const std::string kTagged = "sweep of tagged rows";

Play until(float threshold, std::vector<float> residuals) {
  Play play;
  play.sweeps = 9;
  play.threshold = threshold;
  play.residuals = std::move(residuals);
  return play;
}

TEST(Threshold, ProbesBeforeItSweepsAndAgainBeforeItStops) {
  const RecordedRun done = run("threshold", until(0.5F, {2, 1, 0.25F, 0.5F}));
  EXPECT_EQ(done.events, (Events{"probe", "sweep", "sweep", "probe"}));
  EXPECT_EQ(done.progress, 2U);
  EXPECT_EQ(done.residuals_read, 4U) << "the last residual is that of the probe";
}

TEST(Threshold, SweepsOnIfTheProbeDoesNotConfirm) {
  const RecordedRun done = run("threshold", until(0.5F, {2, 0.25F, 0.75F, 0.25F, 0.25F}));
  EXPECT_EQ(done.events, (Events{"probe", "sweep", "probe", "sweep", "probe"}));
  EXPECT_EQ(done.progress, 2U);
}

TEST(Threshold, SweepsNotAtAllIfTheStartIsGoodEnough) {
  for (const std::string name : {"threshold", "nesterov", "filter", "filter-literal"}) {
    const RecordedRun done = run(name, until(0.5F, {0.5F}));
    EXPECT_EQ(done.passes_by_kind(), (Events{"probe"})) << name;
    EXPECT_EQ(done.progress, 0U) << name;
  }
}

TEST(Threshold, StopsAtTheMostSweeps) {
  for (const std::string name : {"threshold", "nesterov", "filter", "filter-literal"}) {
    Play play = until(0, std::vector<float>(20, 9));
    play.sweeps = 4;
    EXPECT_EQ(run(name, play).passes(), 1U + 4U) << name;
    EXPECT_EQ(run(name, play).progress, 4U) << name;
    play.sweeps = 0;
    EXPECT_EQ(run(name, play).passes_by_kind(), (Events{"probe"})) << name;
  }
}

TEST(Threshold, StopsAtTheMostSweepsEvenIfNoProbeEverConfirms) {
  for (const std::string name : {"threshold", "nesterov", "filter"}) {
    Play play = until(0.5F, {9, 0, 9, 0, 9, 0, 9, 0, 9, 0, 9});
    play.sweeps = 3;
    const RecordedRun done = run(name, play);
    EXPECT_EQ(done.progress, 3U) << name;
    EXPECT_EQ(done.passes_by_kind().back(), "probe") << name;
  }
}

TEST(Threshold, ReadsTheResidualAfterEveryPass) {
  for (const std::string name :
       {"threshold", "nesterov", "filter", "filter-literal", "impulse-threshold"}) {
    const RecordedRun done = run(name, until(0.5F, {9, 9, 9, 0.25F, 0.25F}));
    EXPECT_EQ(done.residuals_read, done.passes()) << name;
  }
}

TEST(Nesterov, GoesAheadAfterEverySweepButTheLast) {
  Play play = until(0, {9, 8, 7, 6});
  play.sweeps = 3;
  EXPECT_EQ(run("nesterov", play).events,
            (Events{"settle", "probe", "sweep", "ahead", "sweep", "ahead", "sweep"}));
}

TEST(Nesterov, LetsTheLeadGrowFromAQuarterToItsLargest) {
  Play play = until(0, std::vector<float>(20, 9));
  play.sweeps = 12;
  const std::vector<std::uint32_t> factors = run("nesterov", play).lead_factors;
  ASSERT_EQ(factors.size(), 12U);
  EXPECT_EQ(factors.front(), bits_of(0.25F));
  EXPECT_EQ(factors[1], bits_of(0.296875F));
  EXPECT_LT(factors[8], factors[9]);
  EXPECT_EQ(factors[9], bits_of(0.8125F));
  EXPECT_EQ(factors[11], bits_of(0.8125F));
}

TEST(Nesterov, StartsAgainFromTheImpulsesWhereAResidualIsAboveFourTimesTheSmallest) {
  Play play = until(0, {9, 2, 8, 8.5F, 34, 34.5F});
  play.sweeps = 5;
  const RecordedRun done = run("nesterov", play);
  EXPECT_EQ(done.events, (Events{"settle", "probe", "sweep", "ahead", "sweep", "ahead", "sweep",
                                 "settle", "sweep", "ahead", "sweep"}));
  EXPECT_EQ(done.lead_factors[3], bits_of(0.25F)) << "after 8.5, above four times 2";
  EXPECT_EQ(done.lead_factors[4], bits_of(0.296875F)) << "34 is four times 8.5";
}

TEST(Nesterov, ConfirmsWithAProbeOfTheImpulsesAndStartsAgainIfItFails) {
  const RecordedRun done = run("nesterov", until(0.5F, {9, 3, 0.25F, 0.75F, 0.25F, 0.5F}));
  EXPECT_EQ(done.events, (Events{"settle", "probe", "sweep", "ahead", "sweep", "settle", "probe",
                                 "sweep", "settle", "probe"}));
  EXPECT_EQ(done.progress, 3U);
}

TEST(Filter, TagsEveryBodyOnceAndTurnsTheTagsBeforeEverySweep) {
  const Play play = until(0.5F, {2, 1, 0.25F, 0.25F});
  EXPECT_EQ(run("filter", play).events, (Events{"setmark", "tagall", "probe", "tagnext", kTagged,
                                                "tagnext", kTagged, "probe"}));
  EXPECT_EQ(run("filter-literal", play).events,
            (Events{"setmark", "tagall", "probe", "tagnext", kTagged, "tagnext", kTagged}));
}

TEST(Filter, ConfirmsWithAProbeOverAllRowsAndGoesOnIfItFails) {
  const RecordedRun done = run("filter", until(0.5F, {2, 0.25F, 0.75F, 0.25F, 0.5F}));
  EXPECT_EQ(done.events, (Events{"setmark", "tagall", "probe", "tagnext", kTagged, "probe",
                                 "tagnext", kTagged, "probe"}));
  EXPECT_EQ(done.progress, 2U);
}

TEST(Filter, MarksWithAThresholdOfItsOwn) {
  Play play = until(0.5F, {});
  play.mark_threshold = 0.125F;
  EXPECT_EQ(run("filter", play).mark_threshold_bits, bits_of(0.125F));
}

TEST(Filter, ProbesTagTheBodiesOfRowsThatFail) {
  for (const Kernel& kernel : shipped("filter").kernels) {
    EXPECT_EQ(kernel.control.mark(), spec::Mark::kOn) << kernel.name;
  }
}

TEST(FilterLiteral, StopsWhenTheRowsItProcessedPassAndAsksNoOther) {
  const RecordedRun done = run("filter-literal", until(0.5F, {2, 0.25F, 9}));
  EXPECT_EQ(done.passes_by_kind(), (Events{"probe", kTagged}));
  EXPECT_EQ(done.progress, 1U);
}

TEST(FilterLiteral, MarksWithTheThresholdThatItStopsAt) {
  Play play = until(0.5F, {});
  play.mark_threshold = 0.125F;
  EXPECT_EQ(run("filter-literal", play).mark_threshold_bits, bits_of(0.5F));
}

TEST(FilterLiteral, MarksNothingInItsFirstPass) {
  for (const Kernel& kernel : shipped("filter-literal").kernels) {
    const bool probe = kernel.name.substr(0, 5) == "probe";
    EXPECT_EQ(kernel.control.mark(), probe ? spec::Mark::kOff : spec::Mark::kOn) << kernel.name;
  }
}

TEST(ImpulseThreshold, StopsAfterTheSweepWhoseQuotientPasses) {
  const RecordedRun done = run("impulse-threshold", until(0.5F, {2, 1, 0.5F, 9}));
  EXPECT_EQ(done.events, (Events{"sweep", "sweep", "sweep"}));
  EXPECT_EQ(done.progress, 3U);
  for (const spec::ControlWord control : done.controls) {
    EXPECT_EQ(control.resid(), spec::Resid::kQuotient);
  }
}

TEST(ImpulseThreshold, RunsAtMostTheAskedSweepsAndNoneIfNoneIsAsked) {
  Play play = until(0, std::vector<float>(20, 9));
  play.sweeps = 4;
  EXPECT_EQ(run("impulse-threshold", play).progress, 4U);
  play.sweeps = 0;
  EXPECT_EQ(run("impulse-threshold", play).passes(), 0U);
}

TEST(ImpulseThreshold, SweepsAsImpulseDoes) {
  const std::vector<Kernel> plain = shipped("impulse").kernels;
  std::vector<Kernel> testing = shipped("impulse-threshold").kernels;
  ASSERT_EQ(plain.size(), testing.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    auto& ops = testing[i].ops;
    const auto resid = std::find_if(ops.begin(), ops.end(),
                                    [](const spec::KernelOp* op) { return op->name == "resid"; });
    ASSERT_NE(resid, ops.end());
    ops.erase(resid);
    EXPECT_EQ(ops, plain[i].ops);
  }
}

}  // namespace
}  // namespace ppu::firmware
