// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Cases of the fuzz: told by their seed, of every nature; comparison sees everything, and what is
// made smaller keeps only what it needs.
#include "sim/fuzz/fuzz_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "firmware/assembler/assembler.hpp"
#include "sim/fuzz/fuzz_compare.hpp"
#include "sim/fuzz/fuzz_shrink.hpp"

namespace ppu::sim {
namespace {

FuzzTarget target_of(FuzzType type, bool budgets = false) {
  const spec::Config config;
  FuzzTarget target{};
  target.device.velocity_banks = config.velocity_banks;
  target.device.impulse_memory_rows = config.impulse_memory_rows;
  target.device.body_memory_bodies = config.body_memory_bodies;
  target.device.instruction_memory_words = config.instruction_memory_words;
  target.budgets = budgets;
  target.type = type;
  return target;
}

bool same_rows(const RowSet& a, const RowSet& b) {
  return a.rows.size() == b.rows.size() && a.velocities.size() == b.velocities.size() &&
         row_records(a.rows, false) == row_records(b.rows, false) &&
         std::memcmp(a.impulses.data(), b.impulses.data(), a.impulses.size() * sizeof(float)) == 0;
}

TEST(FuzzCase, IsToldByItsSeed) {
  for (const FuzzType type : {FuzzType::kProgram, FuzzType::kRowPipe})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const FuzzCase one = make_case(seed, target_of(type));
      const FuzzCase same = make_case(seed, target_of(type));
      EXPECT_EQ(one.source(), same.source());
      EXPECT_EQ(one.arguments, same.arguments);
      EXPECT_TRUE(same_rows(one.set, same.set));
      EXPECT_FALSE(same_rows(one.set, make_case(seed + 1, target_of(type)).set));
    }
}

TEST(FuzzCase, FitsTheDevice) {
  FuzzTarget target = target_of(FuzzType::kBoth);
  target.device.instruction_memory_words = 64;
  target.device.impulse_memory_rows = 32;
  target.device.body_memory_bodies = 64;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const FuzzCase fuzz = make_case(seed, target);
    const auto words = firmware::assemble("case.s", fuzz.source()).image.words.size();
    EXPECT_LE(words, 64U) << "seed " << seed;
    EXPECT_LE(fuzz.set.rows.size(), 32U);
    EXPECT_LE(fuzz.set.velocities.size(), 64U);
    EXPECT_EQ(fuzz.set.impulses.size(), fuzz.set.rows.size());
  }
}

TEST(FuzzCase, NeedsTimeOnlyWhereThereAreBudgets) {
  int budgets = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    EXPECT_FALSE(make_case(seed, target_of(FuzzType::kProgram)).needs_time());
    FuzzCase fuzz = make_case(seed, target_of(FuzzType::kProgram, true));
    const bool needs_time = fuzz.needs_time();
    budgets += needs_time ? 1 : 0;
    // The text alone tells, too.
    fuzz.text = fuzz.source();
    EXPECT_EQ(fuzz.needs_time(), needs_time);
  }
  EXPECT_GT(budgets, 20);
}

TEST(FuzzRows, HaveValuesOfEveryNature) {
  int kinds[8] = {};
  const auto look = [&kinds](float value) {
    ++kinds[0];
    kinds[1] += std::fpclassify(value) == FP_SUBNORMAL ? 1 : 0;
    kinds[2] += value == 0 && !std::signbit(value) ? 1 : 0;
    kinds[3] += value == 0 && std::signbit(value) ? 1 : 0;
    kinds[4] += std::isinf(value) ? 1 : 0;
    kinds[5] += std::isnan(value) ? 1 : 0;
    kinds[6] += std::isfinite(value) && std::fabs(value) > 1e30F ? 1 : 0;
    kinds[7] += std::isfinite(value) && std::fabs(value) < 4 ? 1 : 0;
  };
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const FuzzCase fuzz = make_case(seed, target_of(FuzzType::kProgram));
    for (const ppu_row& row : fuzz.set.rows) {
      for (const float value : row.jacobian) look(value);
      look(row.bias);
      look(row.upper);
    }
    for (const float impulse : fuzz.set.impulses) look(impulse);
  }
  for (const int count : kinds) EXPECT_GT(count, 5);
  // Most of a case is tame, or nothing would run to its end.
  EXPECT_GT(kinds[7], kinds[0] * 3 / 4);
}

TEST(FuzzRows, OfAMadeCaseNameBodiesAndParentsOfTheRunUnlessTheyAreBadOnPurpose) {
  int bad_cases = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const FuzzCase fuzz = make_case(seed, target_of(FuzzType::kProgram));
    std::uint32_t bad = 0, slot = 0;
    for (const ppu_row& row : fuzz.set.rows) {
      const bool same = row.body_a == row.body_b && row.body_a != PPU_NONE;
      const auto beyond = [](std::uint32_t index, std::size_t count) {
        return index != PPU_NONE && index >= count;
      };
      bad += same || beyond(row.body_a, fuzz.set.velocities.size()) ||
                     beyond(row.body_b, fuzz.set.velocities.size()) ||
                     beyond(row.parent, fuzz.set.rows.size()) || row.parent == slot
                 ? 1
                 : 0;
      ++slot;
    }
    EXPECT_LE(bad, 1U) << "seed " << seed;
    bad_cases += bad > 0 ? 1 : 0;
  }
  EXPECT_GT(bad_cases, 4);
  EXPECT_LT(bad_cases, 60);
}

FuzzOutcome sample() {
  FuzzOutcome outcome;
  outcome.runs.resize(2);
  outcome.impulses.resize(12);
  outcome.velocities.resize(2 * sizeof(ppu_velocity));
  return outcome;
}

std::vector<std::string> compared(const FuzzOutcome& changed, bool cycles) {
  return differences("systemc", sample(), "rtl", changed, cycles);
}

TEST(FuzzComparison, SeesEveryCounterWhereCyclesCountAndUntimedOnesAlways) {
  EXPECT_TRUE(compared(sample(), true).empty());
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i) {
    FuzzOutcome changed = sample();
    ++changed.runs[1].counters[i];
    EXPECT_EQ(compared(changed, true),
              std::vector<std::string>{"run 1, counter " + std::string(spec::kCounters[i].name) +
                                       ": 0 on systemc, 1 on rtl"});
    EXPECT_EQ(compared(changed, false).empty(), spec::kCounters[i].timed);
  }
  for (std::size_t i = 0; i < spec::kDeviceCounters.size(); ++i) {
    FuzzOutcome changed = sample();
    ++changed.counters[i];
    EXPECT_EQ(compared(changed, true).size(), 1U);
    EXPECT_EQ(compared(changed, false).empty(), spec::kDeviceCounters[i].timed);
  }
}

TEST(FuzzComparison, SeesStatusFaultProgressResidualImpulsesAndVelocities) {
  std::vector<FuzzOutcome> changed(7, sample());
  changed[0].sentence = "slot 1: the rate u is not finite";
  changed[1].runs[0].status = PPU_RUN_ROW_FAULT;
  changed[2].runs[0].fault_row = 7;
  changed[3].runs[1].progress = 1;
  changed[4].runs[1].last_residual = -0.0F;
  changed[5].impulses[8] = 1;
  changed[6].velocities[sizeof(ppu_velocity) + 4] = 1;
  for (const FuzzOutcome& outcome : changed) EXPECT_EQ(compared(outcome, false).size(), 1U);
  EXPECT_EQ(compared(changed[5], false)[0],
            "impulse 2, word 0 (1 words differ): 0x0000000000000000 on systemc, "
            "0x0000000000000001 on rtl");
  EXPECT_EQ(compared(changed[6], false)[0].substr(0, 18), "velocity 1, word 1");
}

bool uses(const FuzzCase& fuzz, std::string_view operation) {
  const auto assembly = firmware::assemble("case.s", fuzz.source());
  return std::any_of(assembly.kernels.begin(), assembly.kernels.end(), [&](const auto& kernel) {
    return std::any_of(kernel.ops.begin(), kernel.ops.end(),
                       [&](const spec::KernelOp* op) { return op->name == operation; });
  });
}

TEST(FuzzShrinking, KeepsOnlyTheOperationAndTheRowThatTheDifferenceNeeds) {
  int shrunk = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const FuzzCase fuzz = make_case(seed, target_of(FuzzType::kProgram));
    if (!uses(fuzz, "step") || fuzz.set.rows.size() < 10) continue;
    const float bias = fuzz.set.rows[7].bias;
    const auto differs = [&](const FuzzCase& candidate) {
      return uses(candidate, "step") &&
             std::any_of(candidate.set.rows.begin(), candidate.set.rows.end(),
                         [&](const ppu_row& row) {
                           return std::memcmp(&row.bias, &bias, sizeof bias) == 0;
                         });
    };
    const FuzzCase small = shrink(fuzz, differs, 2000);
    ++shrunk;
    EXPECT_TRUE(differs(small));
    EXPECT_EQ(small.set.rows.size(), 1U);
    EXPECT_EQ(small.set.impulses.size(), 1U);
    EXPECT_EQ(small.copies, 1U);
    EXPECT_EQ(small.arguments[static_cast<std::size_t>(spec::Argument::kRowCount)], 1U);
    // Load the kernel, halt; fetch, velocities, rate, step and the end, perhaps the bias.
    EXPECT_LE(firmware::assemble("small.s", small.source()).image.words.size(), 8U)
        << small.source();
  }
  EXPECT_GT(shrunk, 5);
}

TEST(FuzzShrinking, AsksNoMoreOftenThanItMay) {
  std::uint32_t asked = 0;
  shrink(
      make_case(3, target_of(FuzzType::kProgram)),
      [&asked](const FuzzCase&) { return ++asked % 2 == 0; }, 50);
  EXPECT_LE(asked, 50U);
}

}  // namespace
}  // namespace ppu::sim
