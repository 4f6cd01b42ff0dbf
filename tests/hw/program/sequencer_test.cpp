// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The sequencer alone: control flow, arithmetic, and what it refuses to execute.
#include "hw/program/sequencer.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "firmware/assembler/assembler.hpp"
#include "hw/contract/run_stop.hpp"

namespace ppu::hw {
namespace {

/// Writes down what the sequencer asks for.
class Recorder final : public RowUnit {
 public:
  void spend(int cycles) override { spent += cycles; }
  bool queue_pass(const LoadedKernel& kernel, std::uint32_t first, std::uint32_t count) override {
    log += "rows " + std::to_string(first) + "+" + std::to_string(count) + "; ";
    control = kernel.control;
    return true;
  }
  bool drain() override {
    log += "drain; ";
    return true;
  }
  void set_mark_threshold(std::uint32_t bits) override {
    log += "setmark " + std::to_string(bits) + "; ";
  }
  void tag_all() override { log += "tagall; "; }
  void tag_next() override { log += "tagnext; "; }
  void set_lead_factor(std::uint32_t bits) override {
    log += "setlead " + std::to_string(bits) + "; ";
  }
  void rebase() override {
    log += "settle; ";
    has_base = true;
  }
  bool extrapolate() override {
    log += "ahead; ";
    return has_base;
  }
  bool set_budget(std::uint32_t cycles) override {
    log += "budget " + std::to_string(cycles) + "; ";
    return has_clock || cycles == 0;
  }
  std::optional<std::uint32_t> cut_passes() override { return 5; }
  std::uint32_t take_max_residual() override {
    log += "rdmax; ";
    std::uint32_t bits;
    std::memcpy(&bits, &residual, sizeof bits);
    return bits;
  }
  std::optional<bool> residual_exceeds(std::uint32_t bits) override {
    log += "bmax; ";
    std::uint32_t reached;
    std::memcpy(&reached, &residual, sizeof reached);
    return reached > bits;
  }
  std::string log;
  int spent = 0;
  float residual = 0;
  bool has_clock = true;
  bool has_base = false;
  spec::ControlWord control;
};

struct Outcome {
  Recorder unit;
  RunReport report;
};

/// What the run of a program meets.
struct Setting {
  float residual = 0;
  bool reduced = false;
  bool has_clock = true;
  int word_cycles = 1;
};

Outcome execute(const std::vector<std::uint32_t>& words,
                const std::vector<std::uint32_t>& arguments = {}, Setting setting = {}) {
  Outcome outcome;
  outcome.unit.residual = setting.residual;
  outcome.unit.has_clock = setting.has_clock;
  RunCommand command;
  command.row_count = 10;
  command.reduced = setting.reduced;
  std::copy(arguments.begin(), arguments.end(), command.arguments.begin());
  const Program program{words.data(), static_cast<std::uint32_t>(words.size())};
  Sequencer sequencer(program, command, &outcome.report, setting.word_cycles);
  try {
    while (sequencer.step(outcome.unit) != Sequencer::Step::kHalted) {
    }
  } catch (const RunStop& stop) {
    report_stop(stop, &outcome.report);
  }
  return outcome;
}

Outcome execute(const std::string& source, const std::vector<std::uint32_t>& arguments = {},
                Setting setting = {}) {
  return execute(firmware::assemble("test.s", source).image.words, arguments, setting);
}

const std::string kKernel =
    ".kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n.end\n";

TEST(Sequencer, SignalsTheArgumentsItWasGiven) {
  EXPECT_EQ(execute("signal a3\nhalt\n", {1, 2, 3, 4}).report.progress, 4U);
}

TEST(Sequencer, AddsAndSubtractsWithSigns) {
  EXPECT_EQ(execute("li t0, -5\naddi t0, t0, 3\nsub t0, a0, t0\nadd t0, t0, a1\nsignal t0\nhalt\n",
                    {10, 7})
                .report.progress,
            19U);
}

TEST(Sequencer, RegisterZeroStaysZero) {
  EXPECT_EQ(execute("li zero, 9\nsignal zero\nhalt\n").report.progress, 0U);
}

TEST(Sequencer, ComparesSignedAndUnsigned) {
  const std::string signed_less =
      "li t0, -1\nblt t0, zero, yes\nhalt\nyes: li t1, 1\nsignal t1\nhalt\n";
  const std::string unsigned_less =
      "li t0, -1\nbltu t0, zero, yes\nhalt\nyes: li t1, 1\nsignal t1\nhalt\n";
  EXPECT_EQ(execute(signed_less).report.progress, 1U);
  EXPECT_EQ(execute(unsigned_less).report.progress, 0U);
}

TEST(Sequencer, LoopsOverPasses) {
  const Outcome outcome = execute(
      "kernel k\nli t0, 0\nagain: bge t0, a1, out\nrows zero, a0\naddi t0, t0, 1\nj again\n"
      "out: halt\n" +
          kKernel,
      {10, 3});
  EXPECT_EQ(outcome.unit.log, "rows 0+10; rows 0+10; rows 0+10; drain; ");
  EXPECT_EQ(outcome.report.counters[PPU_COUNTER_ROW_PASSES], 3U);
}

TEST(Sequencer, ReadsTheResidualAfterDraining) {
  const Outcome outcome = execute("rdmax t0\nsignal t0\nhalt\n", {}, {0.5F});
  EXPECT_EQ(outcome.unit.log, "drain; rdmax; drain; ");
  EXPECT_EQ(outcome.report.progress, 0x3f000000U);
  EXPECT_EQ(outcome.report.last_residual, 0x3f000000U);
}

TEST(Sequencer, SpendsOneCycleAnInstructionOneAKernelWordAndOneToGoElsewhere) {
  const Outcome outcome = execute("kernel k\nhalt\n" + kKernel);
  EXPECT_EQ(outcome.unit.spent, 2 + 4 + 2);
  EXPECT_EQ(outcome.report.counters[PPU_COUNTER_INSTRUCTIONS], 2U);
  EXPECT_EQ(outcome.report.counters[PPU_COUNTER_KERNEL_WORDS], 4U);
}

TEST(Sequencer, SpendsMoreOnEachWordWhereItIsToldSo) {
  Setting setting;
  setting.word_cycles = 2;
  const Outcome outcome = execute("kernel k\nj over\nover: halt\n" + kKernel, {}, setting);
  EXPECT_EQ(outcome.unit.spent, 2 + 1 + 4 * 2 + 1 + 2 + 1 + 1)
      << "`kernel`, the way, the words, the way back, `j`, the way, `halt`";
}

void expect_illegal_at(std::uint32_t word, const RunReport& report) {
  EXPECT_EQ(report.status, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(report.fault_detail, word);
  EXPECT_EQ(report.fault_row, PPU_NONE);
}

TEST(Sequencer, WalksABadKernelUpToItsFirstBadWord) {
  std::vector<std::uint32_t> words =
      firmware::assemble("test.s", "kernel k\nhalt\n" + kKernel).image.words;
  words.back() = 0x7f000000U;
  const Outcome outcome = execute(words);
  expect_illegal_at(0, outcome.report);
  EXPECT_EQ(outcome.unit.spent, 1 + 1 + 3 + 1)
      << "the instruction, the way, the good words, the bad one";
}

TEST(Sequencer, RefusesAnUnknownWordAfterTheRowsBeforeIt) {
  const Outcome outcome = execute(std::vector<std::uint32_t>{0x7f000000U});
  expect_illegal_at(0, outcome.report);
  EXPECT_EQ(outcome.unit.log, "drain; ");
}

TEST(Sequencer, RefusesToRunOffTheEnd) {
  auto words = firmware::assemble("test.s", "li t0, 1\nhalt\n").image.words;
  words.pop_back();
  expect_illegal_at(1, execute(words).report);
}

TEST(Sequencer, RefusesRowsThatDoNotExist) {
  expect_illegal_at(2, execute("kernel k\nli t0, 4\nrows t0, a0\nhalt\n" + kKernel, {10}).report);
}

TEST(Sequencer, RefusesRowsWithoutAKernel) {
  expect_illegal_at(0, execute("rows zero, a0\nhalt\n", {10}).report);
}

TEST(Sequencer, RefusesAKernelWithoutEnd) {
  auto words = firmware::assemble("test.s", "kernel k\nhalt\n" + kKernel).image.words;
  words.pop_back();
  expect_illegal_at(0, execute(words).report);
}

TEST(Sequencer, RefusesReservedControlValues) {
  auto words = firmware::assemble("test.s", "kernel k\nhalt\n" + kKernel).image.words;
  words[2] |= 3U << 5;  // clamp
  expect_illegal_at(0, execute(words).report);
}

TEST(Sequencer, DrainsBeforeItTouchesTagsOrTheirThreshold) {
  const Outcome outcome = execute("setmark a4\ntagall\ntagnext\nhalt\n", {0, 0, 0, 0, 7});
  EXPECT_EQ(outcome.unit.log, "drain; setmark 7; drain; tagall; drain; tagnext; drain; ");
}

TEST(Sequencer, SetsABudgetAndReadsWhatItCutWithoutDraining) {
  const Outcome outcome =
      execute("budget a7\nrdlate t0\nsignal t0\nhalt\n", {0, 0, 0, 0, 0, 0, 0, 99});
  EXPECT_EQ(outcome.unit.log, "budget 99; drain; ");
  EXPECT_EQ(outcome.report.progress, 5U);
}

TEST(Sequencer, RefusesABudgetWhereThereIsNoTime) {
  const Setting untimed{0, false, false};
  expect_illegal_at(1, execute("li t0, 1\nbudget t0\nhalt\n", {}, untimed).report);
  EXPECT_EQ(execute("budget zero\nhalt\n", {}, untimed).report.status, PPU_RUN_OK);
}

std::string adds(const std::string& operand) {
  return "kernel k\nrows zero, a0\nhalt\n.kernel k\n ldrow r\n ldvel v, r.ia, r.ib\n"
         " dot u, r.J, v, r.b\n step t, r.x, r.d, u\n mov x, t\n sub dx, x, r.x\n axpy v, dx, r." +
         operand + "\n stvel v, r.ia, r.ib\n.end\n";
}

TEST(Sequencer, RefusesRowsOfTheOtherForm) {
  const Setting reduced{0, true, true};
  EXPECT_EQ(execute(adds("JM"), {10}).report.status, PPU_RUN_OK);
  EXPECT_EQ(execute(adds("J"), {10}, reduced).report.status, PPU_RUN_OK);
  expect_illegal_at(1, execute(adds("J"), {10}).report);
  expect_illegal_at(1, execute(adds("JM"), {10}, reduced).report);
}

TEST(Sequencer, TakesRowsOfEitherFormWhereNothingIsAdded) {
  const std::string source = "kernel k\nrows zero, a0\nhalt\n" + kKernel;
  for (const bool reduced : {false, true})
    EXPECT_EQ(execute(source, {10}, {0, reduced, true}).report.status, PPU_RUN_OK);
}

TEST(Sequencer, RefusesFilteredRowsFromAnotherSlotThanTheFirst) {
  const std::string kernel =
      ".kernel k\n ldrow r\n tagged r.ia, r.ib\n ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n.end\n";
  EXPECT_EQ(execute("kernel k\nrows zero, a0\nhalt\n" + kernel, {10}).report.status, PPU_RUN_OK);
  expect_illegal_at(2, execute("kernel k\nli t0, 4\nrows t0, t0\nhalt\n" + kernel).report);
}

TEST(Sequencer, ReportsNothingButTheEndOfARunThatFailed) {
  const Outcome outcome = execute("li t0, 5\nsignal t0\nrows zero, a0\nhalt\n", {10});
  EXPECT_EQ(outcome.report.progress, 0U);
  EXPECT_EQ(outcome.report.counters, Counters{});
}

}  // namespace
}  // namespace ppu::hw
