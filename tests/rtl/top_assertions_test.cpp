// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Breaks the promise behind every assertion around the engines once and expects exactly that
// assertion to fail, by name.
#include <Vppu_top_assertion_bench.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <functional>
#include <limits>
#include <ostream>

#include "failed_assertions.hpp"
#include "ppu_spec.hpp"

namespace ppu::test {
namespace {

class Bench {
 public:
  Bench() {
    context_.errorLimit(std::numeric_limits<int>::max());
    top_.rst_ni = 0;
    clock(2);
    top_.rst_ni = 1;
    clock();
  }
  ~Bench() { top_.final(); }

  Vppu_top_assertion_bench& top() { return top_; }
  void clock(int cycles = 1) {
    for (int i = 0; i < cycles; ++i) {
      top_.clk_i = 0;
      top_.eval();
      top_.clk_i = 1;
      top_.eval();
    }
  }
  /// Clocks once with a strobe up.
  void strobe(CData& port) {
    port = 1;
    clock();
    port = 0;
  }
  /// The DMA reads a beat of its first descriptor.
  void start_dma(spec::CommandOpcode opcode) {
    top_.dma_opcode_i = static_cast<CData>(opcode);
    strobe(top_.dma_start_i);
    clock();
    strobe(top_.dma_response_i);
  }
  [[nodiscard]] int failures() const { return context_.errorCount(); }

 private:
  VerilatedContext context_;
  Vppu_top_assertion_bench top_{&context_};
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
  testing::internal::CaptureStdout();
  GetParam().act(bench);
  const int before = bench.failures();
  bench.clock();
  const std::string output = testing::internal::GetCapturedStdout();
  EXPECT_EQ(before, 0) << output;
  EXPECT_EQ(failed_assertions(output), std::set<std::string>{GetParam().assertion});
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
};

INSTANTIATE_TEST_SUITE_P(Every, TopAssertion, testing::ValuesIn(kBreaks));

}  // namespace
}  // namespace ppu::test
