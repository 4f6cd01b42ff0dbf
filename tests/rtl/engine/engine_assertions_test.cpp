// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks the promise behind every assertion of an engine once and expects exactly that assertion to
// fail, by name.
#include <Vppu_engine_assertion_bench.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "tests/rtl/support/assertion_bench.hpp"

namespace ppu::test {
namespace {

using Bench = AssertionBench<Vppu_engine_assertion_bench>;

struct Break {
  std::string assertion;
  std::function<void(Bench&)> act;  ///< The last step is clocked by the test.
};

std::ostream& operator<<(std::ostream& out, const Break& broken) {
  return out << broken.assertion;
}

class EngineAssertion : public testing::TestWithParam<Break> {};

TEST_P(EngineAssertion, FailsWhenItsPromiseIsBrokenAndNotBefore) {
  Bench bench;
  expect_broken(bench, GetParam().act, GetParam().assertion);
}

/// Cycles from the issue of a row of the pipe to the last read of its JM.
constexpr int kLastJmRead = 11;

/// Two rows stand before the pipe, and the first one has issued.
void issue_first_row(Bench& bench) {
  bench.top().pipe_pass_i = 1;
  bench.clock();
  bench.top().pipe_pass_i = 0;
  bench.clock(3);
  bench.top().pipe_issue_i = 1;
  bench.top().pipe_go_i = 1;
  bench.clock();
}

const Break kBreaks[] = {
    {"NothingIsPushedIntoAFullQueue",
     [](Bench& bench) {
       bench.top().fifo_push_i = 1;
       bench.clock(2);
     }},
    {"NothingIsPoppedFromAnEmptyQueue", [](Bench& bench) { bench.top().fifo_pop_i = 1; }},
    {"OnlyWordsThatExistAreWritten", [](Bench& bench) { bench.top().ram_write_i = 1; }},
    {"OnlySharedWordsThatExistAreWritten",
     [](Bench& bench) { bench.top().shared_ram_write_i = 1; }},
    {"NoThirdPassIsPushed",
     [](Bench& bench) {
       bench.top().pass_push_i = 1;
       bench.top().pass_count_i = 3;
       bench.clock(2);
     }},
    {"PassesHaveItems", [](Bench& bench) { bench.top().pass_push_i = 1; }},
    {"OnlyItemsThatAreLeftAreTaken", [](Bench& bench) { bench.top().pass_take_i = 1; }},
    {"NoStepBehindTheEnd", [](Bench& bench) { bench.top().walk_step_i = 1; }},
    {"RowsHaveNoBeatBehindTheLast", [](Bench& bench) { bench.top().row_walk_step_i = 1; }},
    {"OnlyRequestsAreAccepted", [](Bench& bench) { bench.top().transfer_accept_i = 1; }},
    {"ABankReadsOnceInACycle", [](Bench& bench) { bench.top().velocity_read_i = 3; }},
    {"ABankWritesOnceInACycle", [](Bench& bench) { bench.top().velocity_write_i = 3; }},
    {"ABankReadsOneParentInACycle", [](Bench& bench) { bench.top().impulse_parent_i = 3; }},
    {"LinesMoveWhenNoRowDoes",
     [](Bench& bench) { bench.top().impulse_line_read_i = bench.top().impulse_read_i = 1; }},
    {"NothingStartsWhileVelocitiesMove",
     [](Bench& bench) {
       bench.top().ahead_start_i = 1;
       bench.clock();
     }},
    {"NothingElseUsesVelocitiesWhileTheyMove",
     [](Bench& bench) {
       bench.strobe(bench.top().set_settle_i);
       bench.top().set_issue_i = 1;
     }},
    {"OnlyPlacesThatAreTakenBecomeFree",
     [](Bench& bench) {
       bench.strobe(bench.top().stream_clear_i);
       bench.top().stream_free_i = 1;
     }},
    {"BadRowsAreRowsOfTheRun",
     [](Bench& bench) {
       bench.strobe(bench.top().arrival_pass_i);
       bench.top().arrival_arrive_i = 1;
       bench.clock(2);
       bench.top().arrival_arrive_i = 0;
     }},
    {"RowsIssueWhenTheLanesAreFree", issue_first_row},
    {"EveryRowThatIssuesIsRead",
     [](Bench& bench) { bench.top().pipe_issue_i = bench.top().pipe_unread_i = 1; }},
    {"JmIsReadBeforeItsPlaceIsFree",
     [](Bench& bench) {
       bench.top().pipe_pass_i = 1;
       bench.clock();
       bench.top().pipe_pass_i = 0;
       bench.clock(3);
       bench.top().pipe_issue_i = 1;
       bench.clock();
       bench.top().pipe_issue_i = 0;
       bench.clock(kLastJmRead - 1);
     }},
    {"ARunBeginsWithoutHeads",
     [](Bench& bench) {
       bench.top().pipe_pass_i = 1;
       bench.clock();
       bench.top().pipe_pass_i = 0;
       bench.clock(3);
       bench.top().pipe_clear_i = 1;
     }},
    {"ASearchIsAlone",
     [](Bench& bench) {
       bench.top().pipe_pass_i = 1;
       bench.clock();
       bench.top().pipe_pass_i = 0;
       bench.top().pipe_read_window_i = 1;
     }},
    {"NoSearchBeginsInAnother",
     [](Bench& bench) {
       bench.top().scan_start_i = 1;
       bench.clock();
     }},
    {"OnlyGroupsThatWereTakenAreGone", [](Bench& bench) { bench.top().scan_gone_i = 1; }},
    {"NoRowMarksWhileTheTablesChange",
     [](Bench& bench) { bench.top().tags_next_i = bench.top().tags_set_i = 1; }},
    {"PassesBeginWhereThereIsRoom",
     [](Bench& bench) {
       bench.top().issue_filter_i = bench.top().issue_pass_i = 1;
       bench.clock();
     }},
    {"NoPassBeginsInALateRun",
     [](Bench& bench) { bench.top().issue_late_i = bench.top().issue_pass_i = 1; }},
    {"OnlyASearchLeavesRowsOut",
     [](Bench& bench) {
       bench.strobe(bench.top().issue_pass_i);
       bench.top().issue_passed_i = 1;
     }},
    {"ARowWhoseBodyWasReadIssues",
     [](Bench& bench) {
       bench.top().issue_pass_i = 1;
       bench.clock();
       bench.top().issue_pass_i = 0;
       bench.top().issue_head_i = 1;
       bench.clock();
       bench.top().issue_head_i = 0;
     }},
    {"NoWordIsPushedIntoAFullQueue",
     [](Bench& bench) {
       bench.top().queue_push_i = 1;
       bench.clock(2);
     }},
    {"NoWordIsPoppedFromAnEmptyQueue", [](Bench& bench) { bench.top().queue_pop_i = 1; }},
    {"NoThirdPassIsPushedHere",
     [](Bench& bench) {
       bench.top().flow_pass_push_i = 1;
       bench.clock(2);
     }},
    {"FaultsHaveADetail", [](Bench& bench) { bench.top().flow_fault_i = 1; }},
    {"ALinkIsWrittenForOneReasonAtATime",
     [](Bench& bench) {
       // The run of one row has another one when the bodies of the first are closed.
       bench.top().linker_rows_i = 1;
       bench.strobe(bench.top().linker_begin_i);
       bench.top().linker_arrive_i = 1;
       bench.clock(5);
       bench.top().linker_rows_i = 2;
       bench.clock(3);
     }},
    {"ARowIsLookedUpBehindThoseInTheQueue", [](Bench& bench) { bench.top().ends_read_i = 1; }},
    {"ARowThatIssuesHasALane", [](Bench& bench) { bench.top().links_issue_i = 1; }},
    {"NoRowIsGoneFromAPartThatBecomesFree",
     [](Bench& bench) {
       bench.top().places_gone_i = 1;
       bench.clock();
     }},
    {"RowsAreParkedOneAtATime",
     [](Bench& bench) {
       // The row is looked at again, and goes back.
       bench.strobe(bench.top().station_seed_i);
       bench.strobe(bench.top().station_limit_i);
       bench.clock(2);
       bench.top().station_seed_i = 1;
     }},
    {"OneRowIssuesAtATime", [](Bench& bench) { bench.top().station_take_i = 1; }},
    {"BodiesOfASameBankRowShareABank", [](Bench& bench) { bench.top().select_row_i = 1; }},
    {"OnlyRowsThatIssuedSendTokens", [](Bench& bench) { bench.top().network_sent_i = 1; }},
    {"PassesThatOverlapHaveOneKernel",
     [](Bench& bench) {
       bench.top().dataflow_push_i = 1;
       bench.clock();
       bench.top().dataflow_divides_i = 1;
     }},
    {"OpenPassesOverResidentRowsDoNotOverlap",
     [](Bench& bench) {
       // A pass from where the rows stand, then the same pass again.
       bench.top().dataflow_push_i = 1;
       bench.clock();
     }},
    {"SeedsComeOneAtATime",
     [](Bench& bench) {
       // The run of two rows without bodies is a streamed one when the first is linked, so that its
       // seed is delayed, and a resident one again when the second is.
       bench.strobe(bench.top().dataflow_begin_i);
       bench.top().dataflow_arrive_i = 1;
       bench.clock();
       bench.top().dataflow_arrive_i = 2;
       bench.clock();
       bench.top().dataflow_arrive_i = 0;
       bench.clock(2);
       bench.top().dataflow_streamed_i = bench.top().dataflow_enable_i = 1;
       bench.clock();
       bench.top().dataflow_enable_i = 0;
       bench.clock();
       bench.top().dataflow_streamed_i = 0;
       bench.clock();
     }},
    {"ARowIsTakenWhenItIsThere",
     [](Bench& bench) {
       bench.strobe(bench.top().feed_push_i);
       bench.top().feed_take_i = 1;
     }},
    {"AMaximumIsLeftWhenTheOtherOneIsSettled",
     [](Bench& bench) {
       bench.top().rows_change_i = 1;
       bench.clock();
     }},
    {"NoRowIssuesAndIsPassedOver",
     [](Bench& bench) { bench.top().activity_issue_i = bench.top().activity_pass_over_i = 1; }},
    {"NothingExecutesWhenARunBegins",
     [](Bench& bench) { bench.top().sequencer_start_i = bench.top().sequencer_enable_i = 1; }},
    {"ALimitIsSetByTheProgram", [](Bench& bench) { bench.top().budget_set_i = 1; }},
    {"ARunThatARowEndsHasTheRow",
     [](Bench& bench) {
       bench.clock();
       bench.top().fault_status_i = 1;
     }},
    {"ABeatIsReadOrWritten",
     [](Bench& bench) { bench.top().counters_read_i = bench.top().counters_write_i = 1; }},
    {"RunsStartOnlyWhenIdle",
     [](Bench& bench) {
       bench.top().engine_start_i = 1;
       bench.clock();
     }},
    {"NoResponseWithoutARequest", [](Bench& bench) { bench.top().engine_response_i = 1; }},
    {"ProgramsAreLoadedOnlyWhenIdle",
     [](Bench& bench) {
       bench.top().engine_start_i = 1;
       bench.clock();
       bench.top().engine_start_i = 0;
       bench.top().engine_imem_write_i = 1;
     }},
};

INSTANTIATE_TEST_SUITE_P(Every, EngineAssertion, testing::ValuesIn(kBreaks),
                         [](const auto& broken) { return broken.param.assertion; });

// The pipe and the list of its rows in flight agree when a row leaves: a row that the pipe could
// not take is missed.
TEST(EngineAssertion, NoticesARowThatDoesNotLeave) {
  Bench bench;
  testing::internal::CaptureStdout();
  issue_first_row(bench);
  bench.clock();
  bench.top().pipe_issue_i = bench.top().pipe_go_i = 0;
  bench.clock(40);
  const auto names = failed_assertions(testing::internal::GetCapturedStdout());
  EXPECT_EQ(names, (std::set<std::string>{"RowsIssueWhenTheLanesAreFree", "ThePipeTakesTheRow",
                                          "RowsLeaveWhenTheyShould"}));
}

}  // namespace
}  // namespace ppu::test
