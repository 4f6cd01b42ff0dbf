// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Clocks of technologies: that of the engine which was measured, of a slower one, or of the
// slowest; said as such.
#include "hw/contract/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "ppu_clocks.hpp"

namespace ppu::hw {
namespace {

using spec::kClockKeys;
using spec::kMeasuredClocks;
using spec::MeasuredClock;

ConfigDraft draft_of(const MeasuredClock& measured) {
  ConfigDraft draft;
  draft.technology = measured.technology;
  for (std::size_t i = 0; i < kClockKeys.size(); ++i)
    draft.config.*(kClockKeys[i].member) = measured.shape[i];
  return draft;
}

/// The slowest engine with check bits in its memories, or without.
std::uint32_t slowest(std::string_view technology, std::uint32_t protection) {
  std::uint32_t mhz = UINT32_MAX;
  for (const MeasuredClock& measured : kMeasuredClocks)
    if (measured.technology == technology &&
        draft_of(measured).config.memory_protection == protection)
      mhz = std::min(mhz, measured.mhz);
  return mhz;
}

TEST(Clock, AMeasuredEngineHasItsOwn) {
  ASSERT_FALSE(kMeasuredClocks.empty());
  for (const MeasuredClock& measured : kMeasuredClocks) {
    const Clock clock = clock_of(draft_of(measured));
    EXPECT_EQ(clock.origin, ClockOrigin::kMeasured);
    EXPECT_EQ(clock.mhz, measured.mhz);
    EXPECT_EQ(clock.engine, measured.engine);
    EXPECT_EQ(origin_of(clock), measured.technology);
  }
}

TEST(Clock, DeeperArithmeticAndLessMemoryAreNoSlower) {
  for (const MeasuredClock& measured : kMeasuredClocks) {
    ConfigDraft draft = draft_of(measured);
    draft.config.fp_mul_stages = 5;
    draft.config.impulse_memory_rows -= 16;
    const Clock clock = clock_of(draft);
    EXPECT_EQ(clock.origin, ClockOrigin::kSlowerEngine);
    EXPECT_GE(clock.mhz, measured.mhz);
    EXPECT_EQ(origin_of(clock),
              draft.technology + ", of a slower engine (" + std::string(clock.engine) + ")");
  }
}

TEST(Clock, OfEnginesThatNoneIsAsSlowAsItIsTheSlowest) {
  for (const std::string_view technology : technologies()) {
    ConfigDraft draft;
    draft.technology = technology;
    draft.config.instruction_memory_words = 65536;
    const Clock clock = clock_of(draft);
    EXPECT_EQ(clock.origin, ClockOrigin::kSlowestEngine);
    EXPECT_EQ(clock.mhz, slowest(technology, 0));
    EXPECT_EQ(origin_of(clock), draft.technology + ", not measured: of its slowest engine (" +
                                    std::string(clock.engine) + ")");
  }
}

TEST(Clock, OnlyEnginesWithCheckBitsCountForOneThatHasThem) {
  for (const std::string_view technology : technologies()) {
    ConfigDraft draft;
    draft.technology = technology;
    draft.config.instruction_memory_words = 65536;
    draft.config.memory_protection = 1;
    const bool measured = slowest(technology, 1) != UINT32_MAX;
    EXPECT_EQ(clock_of(draft).mhz, slowest(technology, measured ? 1 : 0));
  }
}

TEST(Clock, WhatIsSaidLastCounts) {
  const std::string technology(technologies().front());
  const auto clock = [](const std::string& name, const std::vector<std::string>& overrides = {}) {
    return clock_of(draft_config(name, overrides));
  };
  EXPECT_EQ(clock("default", {"clock_mhz=77"}).origin, ClockOrigin::kByHand);
  EXPECT_EQ(clock("small+" + technology).technology, technology);
  EXPECT_EQ(clock("small+" + technology, {"clock_mhz=77"}).origin, ClockOrigin::kByHand);
  EXPECT_EQ(resolve_config("small+" + technology, {"clock_mhz=77"}).clock_mhz, 77U);
  for (const std::string_view other : technologies())
    EXPECT_EQ(clock("default+" + technology + "+" + std::string(other)).technology, other);

  const std::string path = testing::TempDir() + "ppu_clock_test.toml";
  std::ofstream(path) << "parts = [\"" << technology << "\"]\n";
  EXPECT_EQ(clock(path).technology, technology);
  EXPECT_EQ(resolve_config(path).clock_mhz, clock(path).mhz);
  std::ofstream(path) << "clock_mhz = 77\nparts = [\"" << technology << "\"]\n";
  EXPECT_EQ(clock(path).mhz, 77U);
  std::remove(path.c_str());
}

TEST(Clock, OfANamedConfigurationIsThatOfItsOwnEngine) {
  for (const spec::NamedConfig& named : spec::kNamedConfigs)
    EXPECT_EQ(clock_of(draft_config(std::string(named.name), {})).origin, ClockOrigin::kMeasured)
        << named.name;
}

TEST(Clock, ChangesWithTheStagesOfArithmetic) {
  const Clock clock = clock_of(draft_config("default", {"fp_mul_stages=2", "fp_add_stages=2"}));
  EXPECT_EQ(clock.origin, ClockOrigin::kMeasured);
  EXPECT_EQ(clock.engine, "fp_mul_stages=2 fp_add_stages=2");
}

TEST(Clock, ATechnologyThatHasNoEngineIsNoPart) {
  try {
    resolve_config("default+cmos9000");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_TRUE(error.unknown);
    for (const std::string_view technology : technologies())
      EXPECT_NE(std::string(error.what()).find(technology), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ppu::hw
