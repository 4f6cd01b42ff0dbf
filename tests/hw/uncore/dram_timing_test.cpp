// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Device memory's timing against cycles computed by hand: 10 ns per cycle, 10 ns per beat on the
// bus, 20 ns to the first data of an open page, 30 ns to open one, 40 ns to close one.
#include "hw/uncore/dram_timing.hpp"

#include <gtest/gtest.h>

namespace ppu::hw {
namespace {

constexpr std::uint32_t kPage = 1024;

Config config_with(std::vector<std::string> overrides = {}) {
  std::vector<std::string> all = {"clock_mhz=100",           "dram_bus_bits=512",
                                  "dram_mega_transfers=100", "dram_banks=2",
                                  "dram_page_bytes=1024",    "dram_cas_ns=20",
                                  "dram_activate_ns=30",     "dram_precharge_ns=40",
                                  "dram_controller_ns=0",    "dram_refresh_interval_ns=100000",
                                  "dram_refresh_ns=500",     "dram_queue=4"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return resolve_config("default", all);
}

TEST(DramTiming, TheFirstAccessOpensThePage) {
  DramTiming dram(config_with());
  EXPECT_EQ(dram.access(100, 0), 106U);  // 30 + 20 + 10 ns.
}

TEST(DramTiming, AnOpenPageAnswersEveryCycle) {
  DramTiming dram(config_with());
  dram.access(100, 0);
  EXPECT_EQ(dram.access(101, 64), 107U);  // The bus is the limit.
  EXPECT_EQ(dram.access(102, 128), 108U);
  EXPECT_EQ(dram.access(200, 192), 203U);  // 20 + 10 ns.
}

TEST(DramTiming, TwoBeatsOfARequestMoveOneAfterTheOther) {
  DramTiming dram(config_with({"dram_bus_bits=1024"}));       // Half a cycle for each.
  EXPECT_EQ(dram.finish(dram.accept(100, 0, 2), 101), 106U);  // 30 + 20 + 5 + 5 ns.
  EXPECT_EQ(dram.finish(dram.accept(101, 128, 2), 102), 107U);
}

TEST(DramTiming, TwoBeatsOfARequestMayLieInTwoPages) {
  DramTiming dram(config_with());
  EXPECT_EQ(dram.finish(dram.accept(100, kPage - 64, 2), 101), 107U);  // Both banks open theirs.
}

TEST(DramTiming, TwoBeatsOfARequestHaveOnePlaceInTheQueue) {
  DramTiming dram(config_with());
  for (std::uint32_t n = 0; n < 4; ++n) {
    EXPECT_TRUE(dram.ready(100 + n));
    dram.accept(100 + n, 128 * n, 2);
  }
  EXPECT_FALSE(dram.ready(104));
}

TEST(DramTiming, AnotherPageOfTheBankIsClosedAndOpened) {
  DramTiming dram(config_with());
  dram.access(100, 0);
  // The bank is free at 1060 ns; 40 + 30 + 20 + 10 ns more.
  EXPECT_EQ(dram.access(101, 2 * kPage), 116U);
}

TEST(DramTiming, TheOtherBankOpensItsPageMeanwhile) {
  DramTiming dram(config_with());
  dram.access(100, 0);
  EXPECT_EQ(dram.access(101, kPage), 107U);
}

TEST(DramTiming, TheControllerDelaysEveryAccess) {
  DramTiming dram(config_with({"dram_controller_ns=25"}));
  EXPECT_EQ(dram.access(100, 0), 109U);  // 25 + 30 + 20 + 10 = 85 ns.
}

TEST(DramTiming, ARefreshDelaysAndClosesThePages) {
  DramTiming dram(config_with());
  dram.access(9000, 0);
  // The first refresh occupies cycles 10000 to 10049.
  EXPECT_EQ(dram.access(10020, 0), 10056U);
  EXPECT_EQ(dram.access(10060, 0), 10063U);
}

TEST(DramTiming, ARefreshBetweenTwoAccessesClosesThePages) {
  DramTiming dram(config_with());
  dram.access(9000, 0);
  EXPECT_EQ(dram.access(10500, 0), 10506U);
}

TEST(DramTiming, NoDataMovesInARefreshHoweverEarlyItWasAskedFor) {
  DramTiming dram(config_with({"dram_queue=8"}));
  EXPECT_EQ(dram.access(9990, 0), 9996U);
  EXPECT_EQ(dram.access(9997, 64), 10000U);   // It ends as the refresh begins.
  EXPECT_EQ(dram.access(9998, 128), 10056U);  // The refresh ends in 10050; 30 + 20 + 10 ns.
  EXPECT_EQ(dram.access(9999, 192), 10057U);
}

TEST(DramTiming, AWideBusStillAnswersOncePerCycle) {
  DramTiming dram(config_with({"dram_bus_bits=4096", "dram_mega_transfers=10000"}));
  dram.access(100, 0);
  EXPECT_EQ(dram.access(101, 64), 107U);
  EXPECT_EQ(dram.access(101, 128), 108U);
}

TEST(DramTiming, ANarrowBusIsRoundedUp) {
  // 64 bytes take 512 / 3 us.
  DramTiming dram(config_with({"dram_bus_bits=8", "dram_mega_transfers=375"}));
  EXPECT_EQ(dram.access(0, 0), 23U);  // 30 + 20 + 170.667 = 220.667 ns.
}

TEST(DramTiming, AFullQueueTakesTheNextRequestWhenTheOldestIsAnswered) {
  DramTiming dram(config_with());
  for (std::uint64_t cycle = 100; cycle < 104; ++cycle) {
    ASSERT_TRUE(dram.ready(cycle));
    dram.access(cycle, 0);  // Done in 106, 107, 108, 109.
  }
  EXPECT_FALSE(dram.ready(104));
  EXPECT_EQ(dram.next_ready(104), 106U);
  EXPECT_FALSE(dram.ready(105));
  EXPECT_TRUE(dram.ready(106));
  EXPECT_EQ(dram.next_ready(106), 107U);
}

TEST(DramTiming, StallsAreDrawnForTheGivenShareOfCycles) {
  DramTiming dram(config_with({"dram_stall_percent=30"}));
  int stalled = 0;
  for (std::uint64_t cycle = 0; cycle < 100000; ++cycle) stalled += dram.ready(cycle) ? 0 : 1;
  EXPECT_NEAR(stalled, 30000, 500);
}

TEST(DramTiming, StallsDependOnTheCycleOnly) {
  DramTiming every_cycle(config_with({"dram_stall_percent=50"}));
  DramTiming every_third(config_with({"dram_stall_percent=50"}));
  for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
    const bool ready = every_cycle.ready(cycle);
    if (cycle % 3 == 0) {
      EXPECT_EQ(every_third.ready(cycle), ready);
    }
  }
}

}  // namespace
}  // namespace ppu::hw
