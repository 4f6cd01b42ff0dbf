// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The shipped programs: their arithmetic, the kernel they take, how many sweeps they run and what
// they do with a budget.
#include "firmware/programs/programs.hpp"

#include "tests/firmware/recorded_run.hpp"

namespace ppu::firmware {
namespace {

using test::Play;
using test::RecordedRun;
using test::run;
using test::shipped;

const std::vector<std::string> kFixed = {"pgs", "boxed", "classes", "reduced", "impulse"};
const std::vector<std::string> kWithFriction = {"boxed",   "classes",          "threshold",
                                                "reduced", "filter",           "filter-literal",
                                                "impulse", "impulse-threshold"};

TEST(Programs, AreTheTenOfTheManual) {
  std::vector<std::string_view> names;
  for (const Program& program : programs()) names.push_back(program.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"pgs", "boxed", "classes", "threshold",
                                                  "nesterov", "reduced", "filter", "filter-literal",
                                                  "impulse", "impulse-threshold"}));
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
    EXPECT_LE(shipped(program.name).image.words.size(), spec::Config{}.instruction_memory_words);
  }
}

TEST(Programs, EndOnAProblemWithoutRows) {
  for (const Program& program : programs()) {
    Play empty;
    empty.rows = 0;
    for (const auto& [first, count] : run(program.name, empty).ranges) {
      EXPECT_EQ(count, 0U) << program.name << " from " << first;
    }
  }
}

TEST(Programs, PassOverAllRowsInEveryPass) {
  for (const Program& program : programs()) {
    Play play;
    play.residuals = std::vector<float>(4, 5);
    for (const auto& [first, count] : run(program.name, play).ranges) {
      EXPECT_EQ(first, 0U) << program.name;
      EXPECT_EQ(count, play.rows) << program.name;
    }
  }
}

TEST(Programs, TakeTheKernelOfTheFrictionRule) {
  for (const std::string& name : kWithFriction) {
    for (const std::uint32_t rule : {0U, 1U}) {
      Play play;
      play.friction_rule = rule;
      play.residuals = std::vector<float>(4, 5);
      const RecordedRun done = run(name, play);
      EXPECT_GT(done.passes(), 1U) << name;
      for (const spec::ControlWord control : done.controls) {
        EXPECT_EQ(control.skip(), rule == 0 ? spec::Skip::kOff : spec::Skip::kOn) << name;
        EXPECT_EQ(control.bounds(), spec::Bounds::kCone) << name;
      }
    }
  }
}

TEST(Programs, HoldOneKernelPerFrictionRuleThatDiffersInSkipAlone) {
  for (const std::string& name : kWithFriction) {
    const std::vector<Kernel> kernels = shipped(name).kernels;
    ASSERT_EQ(kernels.size() % 2, 0U) << name;
    for (std::size_t i = 0; i < kernels.size(); i += 2) {
      spec::ControlWord skipping = kernels[i].control;
      for (const spec::KernelOp& op : spec::kKernelOps) {
        if (op.name == "skip") skipping.bits |= op.bits;
      }
      EXPECT_EQ(skipping, kernels[i + 1].control) << kernels[i].name;
    }
  }
}

TEST(Programs, SweepInTheArithmeticOfTheirForm) {
  for (const Program& program : programs()) {
    const bool impulse = program.name.substr(0, 7) == "impulse";
    for (const Kernel& kernel : shipped(program.name).kernels) {
      const spec::ControlWord control = kernel.control;
      EXPECT_EQ(control.form(), impulse ? spec::Form::kImpulse : spec::Form::kRate) << kernel.name;
      EXPECT_EQ(control.bias(), spec::Bias::kSoft) << kernel.name;
      if (control.step() == spec::Step::kOff) continue;
      const bool unbounded = program.name == "pgs";
      EXPECT_EQ(control.clamp(), unbounded ? spec::Clamp::kMax : spec::Clamp::kMed) << kernel.name;
      EXPECT_EQ(control.axpy(), spec::Axpy::kOn) << kernel.name;
      EXPECT_EQ(control.store_velocity(), spec::StoreVelocity::kOn) << kernel.name;
      EXPECT_EQ(control.store_impulse(), spec::StoreImpulse::kOn) << kernel.name;
    }
  }
}

TEST(Programs, ThatOnlyProbeChangeNothing) {
  for (const Program& program : programs()) {
    for (const Kernel& kernel : shipped(program.name).kernels) {
      if (kernel.name.substr(0, 5) != "probe") continue;
      const spec::ControlWord control = kernel.control;
      EXPECT_EQ(control.step(), spec::Step::kOff) << program.name;
      EXPECT_EQ(control.axpy(), spec::Axpy::kOff) << program.name;
      EXPECT_EQ(control.store_velocity(), spec::StoreVelocity::kOff) << program.name;
      EXPECT_EQ(control.store_impulse(), spec::StoreImpulse::kOff) << program.name;
      EXPECT_EQ(control.resid(), spec::Resid::kBoxed) << program.name;
      EXPECT_EQ(control.filter(), spec::Filter::kOff) << "a probe looks at all rows";
    }
  }
}

TEST(Programs, OfTheReducedFormUpdateWithJInEverySweepAndTheOthersInNone) {
  for (const Program& program : programs()) {
    const bool reduced = program.name == "reduced" || program.name == "filter-literal";
    for (const Kernel& kernel : shipped(program.name).kernels) {
      if (kernel.control.axpy() == spec::Axpy::kOff) continue;
      EXPECT_EQ(kernel.control.matrix(), reduced ? spec::Matrix::kReduced : spec::Matrix::kFull)
          << program.name << " " << kernel.name;
    }
  }
}

TEST(FixedPrograms, RunTheAskedNumberOfSweepsAndSignalIt) {
  for (const std::string& name : kFixed) {
    const RecordedRun done = run(name, {});
    EXPECT_EQ(done.events, std::vector<std::string>(3, "sweep")) << name;
    EXPECT_EQ(done.progress, 3U) << name;
    EXPECT_EQ(done.residuals_read, 0U) << name;
  }
}

TEST(FixedPrograms, RunNoSweepIfNoneIsAsked) {
  for (const std::string& name : kFixed) {
    Play none;
    none.sweeps = 0;
    const RecordedRun done = run(name, none);
    EXPECT_EQ(done.passes(), 0U) << name;
    EXPECT_EQ(done.progress, 0U) << name;
  }
}

TEST(FixedPrograms, SpendSixCyclesPerSweepAndThirteenWithClasses) {
  for (const std::string& name : kFixed) {
    Play more;
    more.sweeps = 4;
    EXPECT_EQ(run(name, more).cycles - run(name, {}).cycles, name == "classes" ? 13 : 6) << name;
  }
}

/// All but `nesterov`: a sweep that is cut from its lead would leave neither x nor y.
std::vector<std::string> with_budget() {
  std::vector<std::string> names;
  for (const Program& program : programs())
    if (program.name != "nesterov") names.emplace_back(program.name);
  return names;
}

TEST(Budget, IsForEveryProgramThatDoesNotLead) {
  for (const Program& program : programs()) {
    const auto is_lead = [](const Kernel& kernel) {
      return kernel.control.lead() == spec::Lead::kOn;
    };
    const Assembly assembly = shipped(program.name);
    EXPECT_EQ(std::any_of(assembly.kernels.begin(), assembly.kernels.end(), is_lead),
              run(program.name, {}).budgets.empty())
        << program.name;
  }
}

TEST(Budget, IsTakenFromTheLastArgumentOnceBeforeAnyPass) {
  for (const std::string& name : with_budget()) {
    Play play;
    play.budget = 12345;
    EXPECT_EQ(run(name, play).budgets, std::vector<std::uint32_t>{12345}) << name;
  }
}

TEST(Budget, ThatIsSpentEndsTheLoopOfEveryProgram) {
  for (const std::string& name : with_budget()) {
    Play play;
    play.sweeps = 100;
    play.residuals = std::vector<float>(100, 9);
    play.passes_in_time = 4;
    EXPECT_EQ(run(name, play).passes(), 5U) << name;
  }
}

TEST(Budget, LeavesTheCutSweepOutOfTheProgress) {
  for (const std::string& name : kFixed) {
    Play play;
    play.sweeps = 100;
    play.passes_in_time = 4;
    EXPECT_EQ(run(name, play).progress, 4U) << name;
  }
  for (const std::string name : {"threshold", "filter", "filter-literal", "impulse-threshold"}) {
    Play play;
    play.sweeps = 100;
    play.residuals = std::vector<float>(100, 9);
    play.passes_in_time = 4;
    const RecordedRun done = run(name, play);
    const std::size_t probes = done.passes_by_kind()[0] == "probe" ? 1 : 0;
    EXPECT_EQ(done.progress, 4U - probes) << name;
  }
}

TEST(Budget, LeavesOutPassesThatOnlyTheWaitShowsToBeCut) {
  for (const std::string& name : kFixed) {
    Play play;
    play.sweeps = 6;
    play.passes_in_time = 4;
    play.late_is_seen_late = true;
    const RecordedRun done = run(name, play);
    EXPECT_EQ(done.passes(), 6U) << name;
    EXPECT_EQ(done.progress, 4U) << name;
  }
}

TEST(Budget, SpentBeforeTheFirstPassLeavesNoSweep) {
  for (const std::string& name : with_budget()) {
    Play play;
    play.residuals = std::vector<float>(3, 9);
    play.passes_in_time = 0;
    const RecordedRun done = run(name, play);
    EXPECT_EQ(done.passes(), 1U) << name;
    EXPECT_EQ(done.progress, 0U) << name;
  }
}

}  // namespace
}  // namespace ppu::firmware
