// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Random programs: they assemble, come back from their image as they were, halt whatever the rows
// say, and meet everything that the specification lists.
#include "firmware/random/random_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "firmware/assembler/disassembler.hpp"
#include "hw/contract/run_stop.hpp"
#include "hw/program/sequencer.hpp"

namespace ppu::firmware {
namespace {

constexpr std::uint64_t kPrograms = 1500;

ProgramPlan plan_of(std::uint64_t seed) {
  ProgramPlan plan;
  plan.row_count = static_cast<std::uint32_t>(seed % 50);
  plan.matrix = seed % 3 == 0 ? spec::Matrix::kReduced : spec::Matrix::kFull;
  plan.budget_cycles = seed % 4 == 0 ? 1000 : 0;
  return plan;
}

RandomProgram program_of(std::uint64_t seed, const ProgramPlan& plan) {
  Random random(seed);
  return random_program(random, plan);
}

/// Rows that never are there: what a program reads of them is random.
class RandomRows final : public hw::RowUnit {
 public:
  explicit RandomRows(std::uint64_t seed) : random_(seed) {}
  void spend(int /*cycles*/) override {}
  bool queue_pass(const hw::LoadedKernel& /*kernel*/, std::uint32_t /*first*/,
                  std::uint32_t count) override {
    updates += count;
    return true;
  }
  bool drain() override { return true; }
  std::uint32_t take_max_residual() override { return static_cast<std::uint32_t>(random_.bits()); }
  std::optional<bool> residual_exceeds(std::uint32_t /*bits*/) override {
    return random_.below(2) == 0;
  }
  void set_mark_threshold(std::uint32_t /*bits*/) override {}
  void tag_all() override {}
  void tag_next() override {}
  void set_lead_factor(std::uint32_t /*bits*/) override {}
  void rebase() override { based_ = true; }
  bool extrapolate() override { return based_; }
  bool set_budget(std::uint32_t cycles) override {
    budget = budget || cycles > 0;
    return true;
  }
  std::optional<std::uint32_t> cut_passes() override { return random_.below(3); }

  std::uint64_t updates = 0;
  bool budget = false;

 private:
  Random random_;
  bool based_ = false;
};

struct Ran {
  ppu_run_status status = PPU_RUN_RUNNING;  ///< It did not come to an end.
  std::uint64_t updates = 0;
  bool budget = false;
};

Ran run(const std::string& text, const ProgramPlan& plan, std::uint64_t seed) {
  const Image image = assemble("random.s", text).image;
  hw::RunCommand command;
  command.row_count = plan.row_count;
  command.reduced = plan.matrix == spec::Matrix::kReduced;
  Random random(~seed);
  for (std::uint32_t& argument : command.arguments) argument = random.below(100);
  command.arguments[static_cast<std::size_t>(spec::Argument::kRowCount)] = plan.row_count;
  hw::RunReport report;
  const auto count = static_cast<std::uint32_t>(image.words.size());
  hw::Sequencer sequencer({image.words.data(), count}, command, &report);
  RandomRows rows(seed);
  Ran ran;
  constexpr int kMostInstructions = 20000;
  try {
    for (int n = 0; n < kMostInstructions; ++n) {
      if (sequencer.step(rows) != hw::Sequencer::Step::kHalted) continue;
      ran.status = PPU_RUN_OK;
      break;
    }
  } catch (const hw::RunStop& stop) {
    ran.status = stop.status;
  }
  ran.updates = rows.updates;
  ran.budget = rows.budget;
  return ran;
}

TEST(RandomProgram, AssemblesAndComesBackFromItsImage) {
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const RandomProgram program = program_of(seed, plan_of(seed));
    const std::string text = program.text();
    Assembly assembly;
    ASSERT_NO_THROW(assembly = assemble("random.s", text)) << "seed " << seed << "\n" << text;
    EXPECT_EQ(assembly.image.words.size(), program.words()) << "seed " << seed;
    const std::string again = disassemble(assembly.image);
    EXPECT_EQ(assemble("again.s", again).image, assembly.image) << "seed " << seed;
    EXPECT_EQ(disassemble(assemble("again.s", again).image), again) << "seed " << seed;
  }
}

TEST(RandomProgram, IsToldByItsSeed) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = program_of(seed, plan_of(3)).text();
    EXPECT_EQ(program_of(seed, plan_of(3)).text(), text);
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 95U);
}

TEST(RandomProgram, HaltsWhateverTheRowsSay) {
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const ProgramPlan plan = plan_of(seed);
    const std::string text = program_of(seed, plan).text();
    const Ran ran = run(text, plan, seed);
    EXPECT_EQ(ran.status, PPU_RUN_OK) << "seed " << seed << "\n" << text;
    EXPECT_LE(ran.updates, plan.most_updates) << "seed " << seed;
  }
}

TEST(RandomProgram, HaltsWithAnyOfItsItemsLeftOut) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ProgramPlan plan = plan_of(seed);
    const RandomProgram whole = program_of(seed, plan);
    for (std::size_t i = 0; i < whole.items.size(); ++i) {
      RandomProgram part = whole;
      part.items.erase(part.items.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_NE(run(part.text(), plan, seed).status, PPU_RUN_RUNNING) << "seed " << seed;
    }
  }
}

TEST(RandomProgram, HasABudgetOnlyWhereThereIsTime) {
  int budgets = 0;
  for (std::uint64_t seed = 0; seed < kPrograms; seed += 2) {
    const ProgramPlan plan = plan_of(seed);
    const RandomProgram program = program_of(seed, plan);
    const bool budget = run(program.text(), plan, seed).budget;
    EXPECT_TRUE(plan.budget_cycles > 0 || !budget) << "seed " << seed;
    EXPECT_FALSE(run(program.text(false), plan, seed).budget) << "seed " << seed;
    budgets += budget ? 1 : 0;
  }
  EXPECT_GT(budgets, 50);
}

TEST(RandomProgram, IsIllegalOnlyWhereItIsAskedTo) {
  int illegal = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ProgramPlan plan = plan_of(seed);
    plan.illegal = true;
    illegal += run(program_of(seed, plan).text(), plan, seed).status == PPU_RUN_ILLEGAL_INSTRUCTION
                   ? 1
                   : 0;
  }
  EXPECT_GT(illegal, 50);
}

TEST(RandomProgram, FitsTheSmallestInstructionMemory) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    ProgramPlan plan = plan_of(seed);
    plan.most_words = 32;
    EXPECT_LE(program_of(seed, plan).words(), 32U) << "seed " << seed;
  }
}

TEST(RandomProgram, MeetsEveryInstructionOperationAndControlValue) {
  std::map<std::uint32_t, int> opcodes;
  std::map<std::pair<std::string_view, std::uint32_t>, int> values;
  for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
    const Assembly assembly = assemble("random.s", program_of(seed, plan_of(seed)).text());
    for (const std::uint32_t word : assembly.image.words) ++opcodes[spec::decode(word).opcode];
    for (const Kernel& kernel : assembly.kernels)
      for (const spec::ControlField& field : spec::kControlFields)
        ++values[{field.name, kernel.control.bits >> field.lsb & ((1U << field.width) - 1U)}];
  }
  for (const spec::Instruction& instruction : spec::kInstructions)
    EXPECT_GT(opcodes[static_cast<std::uint32_t>(instruction.opcode)], 50) << instruction.name;
  for (const spec::KernelOp& op : spec::kKernelOps) EXPECT_GT(opcodes[op.opcode], 20) << op.doc;
  for (const spec::ControlField& field : spec::kControlFields)
    for (std::uint32_t value = 0; value < field.values.size(); ++value) {
      if (field.values[value].empty()) continue;
      const int times = values[{field.name, value}];
      EXPECT_GT(times, 50) << field.name << "=" << field.values[value];
    }
}

/// Nets and control fields decide which operations go together; a pair that never met would be a
/// rule that is too strict.
TEST(RandomKernel, MeetsEveryPairOfOperationsThatMayFollowEachOtherInAKernel) {
  std::set<std::pair<const spec::KernelOp*, const spec::KernelOp*>> met, possible;
  Random random(7);
  for (int n = 0; n < 6000; ++n) {
    const KernelOps kernel =
        random_kernel(random, n % 2 == 0 ? spec::Matrix::kFull : spec::Matrix::kReduced);
    for (std::size_t i = 0; i < kernel.size(); ++i)
      for (std::size_t k = i + 1; k < kernel.size(); ++k) met.insert({kernel[i], kernel[k]});
    // Whatever may follow could have been drawn.
    for (const spec::KernelOp& op : spec::kKernelOps)
      if (may_follow(kernel, op))
        for (const spec::KernelOp* earlier : kernel) possible.insert({earlier, &op});
  }
  std::size_t missed = 0;
  for (const auto& pair : possible) missed += met.count(pair) == 0 ? 1 : 0;
  EXPECT_GT(possible.size(), 300U);
  EXPECT_LE(missed, possible.size() / 50);
}

TEST(RandomKernel, StaysLegalWithoutAnyOfItsOperations) {
  Random random(8);
  for (int n = 0; n < 300; ++n) {
    const KernelOps kernel = random_kernel(random, spec::Matrix::kFull);
    for (std::size_t i = 1; i < kernel.size(); ++i) {
      RandomProgram program;
      ProgramItem load{ProgramItem::Kind::kKernel};
      program.items = {load};
      program.kernels = {without(kernel, i)};
      EXPECT_LT(program.kernels[0].size(), kernel.size());
      EXPECT_NO_THROW(assemble("part.s", program.text())) << program.text();
    }
  }
}

}  // namespace
}  // namespace ppu::firmware
