// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks the promise behind every assertion around the engines once and expects exactly that
// assertion to fail, by name.
#include <Vppu_top_assertion_bench.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "ppu_spec.hpp"
#include "tests/rtl/support/assertion_bench.hpp"

namespace ppu::test {
namespace {

class Bench : public AssertionBench<Vppu_top_assertion_bench> {
 public:
  /// The DMA reads a beat of its first descriptor.
  void start_dma(spec::CommandOpcode opcode) {
    top().dma_opcode_i = static_cast<CData>(opcode);
    strobe(top().dma_start_i);
    clock();
    strobe(top().dma_response_i);
  }
  /// The owner writes 1.
  void write_register(ppu_register offset) {
    top().open_address_i = static_cast<CData>(offset);
    strobe(top().open_write_i);
  }
  /// Something was requested and accepted; then `what` is requested, and waits for two cycles.
  void request(CData what) {
    top().request_valid_i = top().request_ready_i = 1;
    clock();
    top().request_i = what;
    top().request_ready_i = 0;
    clock(2);
  }
};

struct Break {
  std::string assertion;
  std::string unit;
  std::function<void(Bench&)> act;  ///< The last step is clocked by the test.
};

std::ostream& operator<<(std::ostream& out, const Break& broken) {
  return out << broken.assertion << " of " << broken.unit;
}

class TopAssertion : public testing::TestWithParam<Break> {};

TEST_P(TopAssertion, FailsWhenItsPromiseIsBrokenAndNotBefore) {
  Bench bench;
  const std::string output = expect_broken(bench, GetParam().act, GetParam().assertion);
  EXPECT_NE(output.find(GetParam().unit), std::string::npos) << output;
}

const Break kBreaks[] = {
    {"ResponsesAreForReads", "u_commands",
     [](Bench& bench) { bench.top().command_response_i = 1; }},
    {"NothingIsLeftWhenAMoveBegins", "u_move",
     [](Bench& bench) {
       bench.strobe(bench.top().move_set_i);
       bench.top().move_set_i = 1;
     }},
    {"AcknowledgementsAreForWrites", "u_move", [](Bench& bench) { bench.top().move_ack_i = 1; }},
    {"CommandsBeginWhenIdle", "u_dma",
     [](Bench& bench) {
       bench.start_dma(spec::CommandOpcode::kCopyIn);
       bench.clock();
       bench.strobe(bench.top().dma_ack_i);
       bench.top().dma_start_i = 1;
     }},
    {"ListsAreOfCopiesThatMayHaveThem", "u_dma",
     [](Bench& bench) {
       bench.start_dma(spec::CommandOpcode::kLoadProgram);
       bench.clock();
     }},
    {"FencesAndQueriesBeginWhenIdle", "u_writer",
     [](Bench& bench) {
       bench.strobe(bench.top().writer_fence_i);
       bench.top().writer_fence_i = 1;
     }},
    {"AcknowledgementsAreForWrites", "u_writer",
     [](Bench& bench) { bench.top().writer_ack_i = 1; }},
    {"EnginesStayDoneUntilReleased", "u_writer",
     [](Bench& bench) { bench.strobe(bench.top().writer_done_i); }},
    {"RequestsStayUntilTheyAreAccepted", "u_request",
     [](Bench& bench) {
       bench.request(5);
       bench.top().request_valid_i = 0;
     }},
    {"RequestsStayUntilTheyAreAccepted", "u_request",
     [](Bench& bench) {
       bench.request(5);
       bench.top().request_i = 6;
     }},
    {"WhoWaitsKeepsAsking", "u_arbiter",
     [](Bench& bench) {
       bench.top().memory_valid_i = 2;
       bench.clock();
       bench.top().memory_valid_i = 1;
     }},
    {"WhoWaitsKeepsAsking", "u_port", [](Bench& bench) { bench.strobe(bench.top().link_valid_i); }},
    {"EveryEntryHasAReason", "u_errors", [](Bench& bench) { bench.top().error_valid_i = 1; }},
    {"EveryEntryHasAReason", "u_errors", [](Bench& bench) { bench.top().error_valid_i = 2; }},
    {"EveryEntryHasAReason", "u_errors", [](Bench& bench) { bench.top().error_valid_i = 4; }},
    {"NothingIsReportedWhileIdle", "u_registers",
     [](Bench& bench) { bench.top().idle_fence_i = 1; }},
    {"NothingIsReportedWhileIdle", "u_registers",
     [](Bench& bench) { bench.top().idle_error_i = 1; }},
    {"NothingIsReportedWhileIdle", "u_registers",
     [](Bench& bench) { bench.top().idle_progress_i = 1; }},
    {"OnlyClosedContextsAreScrubbed", "u_client",
     [](Bench& bench) {
       bench.write_register(PPU_REGISTER_CONTEXT);
       bench.strobe(bench.top().open_scrub_i);
       bench.strobe(bench.top().open_scrubbed_i);
       bench.write_register(PPU_REGISTER_CONTEXT_STATE);
       bench.top().open_scrub_i = 1;
     }},
    {"TheOwnerIsNotScrubbed", "u_table",
     [](Bench& bench) { bench.top().open_owner_i = bench.top().open_scrub_i = 1; }},
    {"AClosedContextHasTakenNoCommands", "u_page",
     [](Bench& bench) { bench.top().page_taken_i = 1; }},
    {"RunsBeginOnIdleEngines", "u_quota", [](Bench& bench) { bench.top().quota_run_i = 1; }},
    {"EverythingHappensInADeviceCycle", "u_counters",
     [](Bench& bench) { bench.top().idle_doorbell_i = 1; }},
    {"PortsAreQuietWhileIdle", "u_cycle", [](Bench& bench) { bench.top().idle_traffic_i = 1; }},
};

INSTANTIATE_TEST_SUITE_P(Every, TopAssertion, testing::ValuesIn(kBreaks));

}  // namespace
}  // namespace ppu::test
