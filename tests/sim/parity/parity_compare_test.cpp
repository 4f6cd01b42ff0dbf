// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The comparison of two measurements: everything counts, and what differs is named.
#include <gtest/gtest.h>

#include "sim/parity/parity.hpp"

namespace ppu::sim {
namespace {

Measurement sample() {
  Measurement measurement;
  measurement.state_hash = 7;
  measurement.runs.resize(2);
  measurement.cycles = {{"upload cycles", 100}};
  measurement.counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES] = 1000;
  return measurement;
}

/// The one line that tells `changed` from the sample.
std::string only_difference(const Measurement& changed) {
  const std::vector<std::string> lines = differences("systemc", sample(), "rtl", changed);
  EXPECT_EQ(lines.size(), 1U);
  return lines.empty() ? std::string() : lines.front();
}

TEST(ParityComparison, EqualMeasurementsDoNotDiffer) {
  EXPECT_TRUE(differences("systemc", sample(), "rtl", sample()).empty());
}

TEST(ParityComparison, EveryCounterOfARunCountsByOne) {
  for (int i = 0; i < PPU_COUNTER_COUNT; ++i) {
    Measurement changed = sample();
    ++changed.runs[1].counters[i];
    EXPECT_EQ(only_difference(changed), std::string("run 1, counter ") +
                                            ppu_counter_name(static_cast<ppu_counter>(i)) +
                                            ": 0 on systemc, 1 on rtl");
  }
}

TEST(ParityComparison, EveryCounterOfTheDeviceCountsByOne) {
  for (std::size_t i = 0; i < PPU_DEVICE_COUNTER_COUNT; ++i) {
    Measurement changed = sample();
    ++changed.counters[i];
    EXPECT_NE(
        only_difference(changed).find(ppu_device_counter_name(static_cast<ppu_device_counter>(i))),
        std::string::npos);
  }
}

TEST(ParityComparison, EveryWordOfAReportCounts) {
  const auto differs = [](auto change) {
    Measurement changed = sample();
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

TEST(ParityComparison, StateCyclesOutcomeAndNumberOfRunsCount) {
  Measurement changed = sample();
  changed.state_hash = 8;
  EXPECT_EQ(only_difference(changed),
            "state hash: 0x0000000000000007 on systemc, 0x0000000000000008 on rtl");
  changed = sample();
  changed.cycles[0].second = 101;
  EXPECT_EQ(only_difference(changed), "upload cycles: 100 on systemc, 101 on rtl");
  changed = sample();
  changed.error = "command 3";
  EXPECT_EQ(only_difference(changed), "outcome: ok on systemc, command 3 on rtl");
  changed = sample();
  changed.runs.pop_back();
  EXPECT_EQ(only_difference(changed), "runs: 2 on systemc, 1 on rtl");
}

}  // namespace
}  // namespace ppu::sim
