// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The shipped programs on the sequencer: how many passes they run with which kernel, and when they
// stop.
#include "ppu/firmware/programs.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "ppu/firmware/assembler.hpp"
#include "ppu/hw/sequencer.hpp"

namespace ppu::firmware {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Stands for the row pipe: notes the passes and gives out residuals one by one.
class Passes final : public hw::RowUnit {
 public:
  void spend(int more) override { cycles += more; }
  bool queue_pass(const hw::LoadedKernel& kernel, std::uint32_t first,
                  std::uint32_t count) override {
    EXPECT_EQ(first, 0U);
    counts.push_back(count);
    controls.push_back(kernel.control);
    return true;
  }
  bool drain() override { return true; }
  void set_mark_threshold(std::uint32_t /*bits*/) override {}
  void tag_all() override {}
  void tag_next() override {}
  bool set_budget(std::uint32_t cycles_left) override { return cycles_left == 0; }
  std::optional<std::uint32_t> cut_passes() override { return 0; }
  std::uint32_t take_max_residual() override {
    return bits_of(next < residuals.size() ? residuals[next++] : 0.0F);
  }

  std::vector<std::uint32_t> counts;
  std::vector<spec::ControlWord> controls;
  std::vector<float> residuals;
  std::size_t next = 0;
  int cycles = 0;
  std::uint32_t progress = 0;
};

struct Arguments {
  std::uint32_t rows = 9;
  std::uint32_t sweeps = 3;
  float threshold = 0;
  std::uint32_t friction_rule = 0;
};

Passes run(std::string_view name, const Arguments& arguments, std::vector<float> residuals = {}) {
  hw::RunCommand command;
  command.row_count = arguments.rows;
  command.arguments = {arguments.rows, arguments.sweeps, bits_of(arguments.threshold),
                       arguments.friction_rule};
  hw::RunReport report;
  Passes passes;
  passes.residuals = std::move(residuals);
  const Program* program = find_program(name);
  const std::vector<std::uint32_t> words = assemble(name, program->source).image.words;
  hw::Sequencer sequencer({words.data(), static_cast<std::uint32_t>(words.size())}, command,
                          &report);
  while (sequencer.step(passes) != hw::Sequencer::Step::kHalted) {
  }
  passes.progress = report.progress;
  return passes;
}

const std::vector<std::string> kFixed = {"pgs", "boxed", "impulse"};

TEST(Programs, AreTheFourOfTheManual) {
  std::vector<std::string_view> names;
  for (const Program& program : programs()) names.push_back(program.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"pgs", "boxed", "threshold", "impulse"}));
  EXPECT_EQ(find_program("nonsense"), nullptr);
}

TEST(Programs, SayWhatTheyAreInTheirFirstLine) {
  EXPECT_EQ(find_program("boxed")->summary,
            "Projected Gauss-Seidel with bounds and a fixed number of sweeps: US 7,079,145, "
            "Example 5.");
  for (const Program& program : programs()) EXPECT_GT(program.summary.size(), 40U) << program.name;
}

TEST(Programs, FitTheSmallestInstructionMemoryOfTheNamedConfigurations) {
  for (const Program& program : programs()) {
    EXPECT_LE(assemble(program.name, program.source).image.words.size(),
              spec::Config{}.instruction_memory_words);
  }
}

TEST(FixedPrograms, RunTheAskedNumberOfSweepsAndSignalIt) {
  for (const std::string& name : kFixed) {
    const Passes passes = run(name, {});
    EXPECT_EQ(passes.counts, (std::vector<std::uint32_t>{9, 9, 9})) << name;
    EXPECT_EQ(passes.progress, 3U) << name;
  }
}

TEST(FixedPrograms, RunNoSweepIfNoneIsAsked) {
  for (const std::string& name : kFixed) {
    Arguments none;
    none.sweeps = 0;
    const Passes passes = run(name, none);
    EXPECT_TRUE(passes.counts.empty()) << name;
    EXPECT_EQ(passes.progress, 0U) << name;
  }
}

TEST(AllPrograms, EndOnAProblemWithoutRows) {
  for (const Program& program : programs()) {
    Arguments empty;
    empty.rows = 0;
    const Passes passes = run(program.name, empty);
    for (const std::uint32_t count : passes.counts) EXPECT_EQ(count, 0U) << program.name;
  }
}

TEST(FixedPrograms, SpendThreeInstructionsPerSweep) {
  for (const std::string& name : kFixed) {
    Arguments more;
    more.sweeps = 4;
    EXPECT_EQ(run(name, more).cycles - run(name, {}).cycles, 3) << name;
  }
}

TEST(Programs, TakeTheKernelOfTheFrictionRule) {
  for (const std::string name : {"boxed", "threshold", "impulse"}) {
    for (const std::uint32_t rule : {0U, 1U}) {
      Arguments arguments;
      arguments.friction_rule = rule;
      const Passes passes = run(name, arguments, {5, 5, 5, 5});
      for (const spec::ControlWord control : passes.controls) {
        EXPECT_EQ(control.skip(), rule == 0 ? spec::Skip::kOff : spec::Skip::kOn) << name;
        EXPECT_EQ(control.bounds(), spec::Bounds::kCone) << name;
      }
    }
  }
}

TEST(Programs, UseTheArithmeticOfTheirForm) {
  const spec::ControlWord pgs = run("pgs", {}).controls.at(0);
  EXPECT_EQ(pgs.form(), spec::Form::kRate);
  EXPECT_EQ(pgs.clamp(), spec::Clamp::kMax);
  const spec::ControlWord boxed = run("boxed", {}).controls.at(0);
  EXPECT_EQ(boxed.form(), spec::Form::kRate);
  EXPECT_EQ(boxed.clamp(), spec::Clamp::kMed);
  EXPECT_EQ(boxed.resid(), spec::Resid::kNone);
  const spec::ControlWord impulse = run("impulse", {}).controls.at(0);
  EXPECT_EQ(impulse.form(), spec::Form::kImpulse);
  EXPECT_EQ(impulse.clamp(), spec::Clamp::kMed);
  for (const spec::ControlWord control : {pgs, boxed, impulse}) {
    EXPECT_EQ(control.bias(), spec::Bias::kSoft);
    EXPECT_EQ(control.step(), spec::Step::kOn);
    EXPECT_EQ(control.axpy(), spec::Axpy::kOn);
    EXPECT_EQ(control.store_velocity(), spec::StoreVelocity::kOn);
    EXPECT_EQ(control.store_impulse(), spec::StoreImpulse::kOn);
  }
}

TEST(Threshold, ProbesBeforeItSweeps) {
  Arguments arguments;
  arguments.threshold = 0.5F;
  const Passes passes = run("threshold", arguments, {2, 1, 0.25F});
  ASSERT_EQ(passes.controls.size(), 3U);
  EXPECT_EQ(passes.controls[0].step(), spec::Step::kOff);
  EXPECT_EQ(passes.controls[0].store_velocity(), spec::StoreVelocity::kOff);
  EXPECT_EQ(passes.controls[0].store_impulse(), spec::StoreImpulse::kOff);
  EXPECT_EQ(passes.controls[0].resid(), spec::Resid::kBoxed);
  EXPECT_EQ(passes.controls[1].step(), spec::Step::kOn);
  EXPECT_EQ(passes.controls[1].resid(), spec::Resid::kBoxed);
  EXPECT_EQ(passes.progress, 2U);
}

TEST(Threshold, SweepsNotAtAllIfTheStartIsGoodEnough) {
  Arguments arguments;
  arguments.threshold = 0.5F;
  const Passes passes = run("threshold", arguments, {0.5F});
  EXPECT_EQ(passes.counts.size(), 1U);
  EXPECT_EQ(passes.progress, 0U);
}

TEST(Threshold, StopsAtTheMostSweeps) {
  Arguments arguments;
  arguments.sweeps = 4;
  const Passes passes = run("threshold", arguments, {9, 9, 9, 9, 9, 9, 9, 9});
  EXPECT_EQ(passes.counts.size(), 1U + 4U);
  EXPECT_EQ(passes.progress, 4U);
  arguments.sweeps = 0;
  EXPECT_EQ(run("threshold", arguments, {9, 9}).counts.size(), 1U);
}

}  // namespace
}  // namespace ppu::firmware
