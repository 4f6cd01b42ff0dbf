// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The comparison of two outcomes: everything counts, and what differs is named.
#include "sim/outcome/comparison.hpp"

#include <gtest/gtest.h>

#include "ppu_spec.hpp"

namespace ppu::sim {
namespace {

Outcome sample() {
  Outcome outcome;
  outcome.state_hash = 7;
  outcome.runs.resize(2);
  outcome.memory = {{"impulse", sizeof(float), {}}, {"velocity", sizeof(ppu_velocity), {}}};
  outcome.memory[0].bytes.resize(3 * sizeof(float));
  outcome.memory[1].bytes.resize(2 * sizeof(ppu_velocity));
  outcome.cycles = {{"upload cycles", 100}};
  outcome.counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES] = 1000;
  return outcome;
}

/// The one line that tells `changed` from the sample.
std::string only_difference(const Outcome& changed) {
  const std::vector<std::string> lines = differences("systemc", sample(), "rtl", changed);
  EXPECT_EQ(lines.size(), 1U);
  return lines.empty() ? std::string() : lines.front();
}

TEST(Comparison, EqualOutcomesDoNotDiffer) {
  EXPECT_TRUE(differences("systemc", sample(), "rtl", sample()).empty());
}

TEST(Comparison, WhatOneSideAloneHasIsNamed) {
  Outcome changed = sample();
  changed.memory.pop_back();
  EXPECT_EQ(only_difference(changed), "memories read back: 2 on systemc, 1 on rtl");
  changed = sample();
  changed.memory[1].item = "impulse";
  EXPECT_EQ(only_difference(changed), "memory: velocity on systemc, impulse on rtl");
  changed = sample();
  changed.cycles.clear();
  EXPECT_EQ(only_difference(changed), "measured parts: 1 on systemc, 0 on rtl");
}

TEST(Comparison, EveryCounterOfARunCountsByOne) {
  for (int i = 0; i < PPU_COUNTER_COUNT; ++i) {
    Outcome changed = sample();
    ++changed.runs[1].counters[i];
    EXPECT_EQ(only_difference(changed), std::string("run 1, counter ") +
                                            ppu_counter_name(static_cast<ppu_counter>(i)) +
                                            ": 0 on systemc, 1 on rtl");
  }
}

TEST(Comparison, EveryCounterOfTheDeviceCountsByOne) {
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    Outcome changed = sample();
    ++changed.counters[i];
    EXPECT_NE(
        only_difference(changed).find(ppu_device_counter_name(static_cast<ppu_device_counter>(i))),
        std::string::npos);
  }
}

TEST(Comparison, EveryWordOfAReportCounts) {
  const auto differs = [](auto change) {
    Outcome changed = sample();
    change(changed.runs[0]);
    return only_difference(changed);
  };
  EXPECT_EQ(differs([](ppu_run_report& run) { run.status = PPU_RUN_BAD_ROW; }),
            "run 0, status: ok on systemc, bad_row on rtl");
  EXPECT_NE(differs([](ppu_run_report& run) { run.fault_row = 1; }).find("fault row"),
            std::string::npos);
  EXPECT_NE(differs([](ppu_run_report& run) { run.progress = 1; }).find("progress"),
            std::string::npos);
  EXPECT_NE(differs([](ppu_run_report& run) { run.engine = 1; }).find("engine"), std::string::npos);
  // Bits, not values.
  EXPECT_NE(differs([](ppu_run_report& run) { run.last_residual = -0.0F; }).find("0x"),
            std::string::npos);
}

TEST(Comparison, StateCyclesOutcomeAndNumberOfRunsCount) {
  Outcome changed = sample();
  changed.state_hash = 8;
  EXPECT_EQ(only_difference(changed),
            "state hash: 0x0000000000000007 on systemc, 0x0000000000000008 on rtl");
  changed = sample();
  changed.cycles[0].second = 101;
  EXPECT_EQ(only_difference(changed), "upload cycles: 100 on systemc, 101 on rtl");
  changed = sample();
  changed.error = "command 3";
  EXPECT_EQ(only_difference(changed), "outcome: ok on systemc, \"command 3\" on rtl");
  changed = sample();
  changed.runs.pop_back();
  EXPECT_EQ(only_difference(changed), "runs: 2 on systemc, 1 on rtl");
}

TEST(Comparison, LeavesOutWhatDependsOnTimeWhereItIsTold) {
  const auto compared = [](const Outcome& changed) {
    return differences("functional", sample(), "systemc", changed, Time::kLeftOut);
  };
  for (std::size_t i = 0; i < spec::kCounters.size(); ++i) {
    Outcome changed = sample();
    ++changed.runs[1].counters[i];
    EXPECT_EQ(compared(changed).empty(), spec::kCounters[i].timed);
  }
  for (std::size_t i = 0; i < spec::kDeviceCounters.size(); ++i) {
    Outcome changed = sample();
    ++changed.counters[i];
    EXPECT_EQ(compared(changed).empty(), spec::kDeviceCounters[i].timed);
  }
  Outcome changed = sample();
  changed.runs[0].engine = 1;
  EXPECT_TRUE(compared(changed).empty());
  changed.runs[0].fault_row = 7;
  EXPECT_EQ(compared(changed).size(), 1U);
}

TEST(Comparison, NamesTheFirstWordOfMemoryThatDiffers) {
  Outcome changed = sample();
  changed.memory[0].bytes[8] = 1;
  EXPECT_EQ(only_difference(changed),
            "impulse 2, word 0 (1 words differ): 0x0000000000000000 on systemc, "
            "0x0000000000000001 on rtl");
  changed = sample();
  changed.memory[1].bytes[sizeof(ppu_velocity) + 4] = 1;
  changed.memory[1].bytes[sizeof(ppu_velocity) + 8] = 1;
  EXPECT_EQ(only_difference(changed).substr(0, 36), "velocity 1, word 1 (2 words differ):");
}

}  // namespace
}  // namespace ppu::sim
