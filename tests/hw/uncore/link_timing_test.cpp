// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The host link's timing against cycles computed by hand: 10 ns per cycle, 20 ns per request on the
// link, 100 ns one way.
#include "hw/uncore/link_timing.hpp"

#include <gtest/gtest.h>

namespace ppu::hw {
namespace {

constexpr LinkChannel kRead = LinkChannel::kRead;
constexpr LinkChannel kWrite = LinkChannel::kWrite;

Config link_config_with(std::vector<std::string> overrides = {}) {
  std::vector<std::string> all = {"clock_mhz=100",       "link_mb_per_s=4000",
                                  "link_latency_ns=100", "link_overhead_bytes=16",
                                  "link_full_duplex=1",  "link_queue=3"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return resolve_config("default", all);
}

TEST(LinkTiming, AReadGoesThereAndBack) {
  LinkTiming link(link_config_with());
  EXPECT_EQ(link.access(kRead, 50), 72U);
}

TEST(LinkTiming, AWriteIsAcknowledgedWhereItArrives) {
  LinkTiming link(link_config_with());
  EXPECT_EQ(link.access(kWrite, 50), 62U);
}

TEST(LinkTiming, RequestsFollowEachOtherAtTheBandwidth) {
  LinkTiming link(link_config_with());
  EXPECT_EQ(link.access(kRead, 50), 72U);
  EXPECT_EQ(link.access(kRead, 51), 74U);
  EXPECT_EQ(link.access(kRead, 52), 76U);
}

TEST(LinkTiming, DirectionsOfAFullDuplexLinkDoNotMeet) {
  LinkTiming link(link_config_with());
  link.access(kRead, 50);
  EXPECT_EQ(link.access(kWrite, 50), 62U);
}

TEST(LinkTiming, DirectionsOfAHalfDuplexLinkShareTheBus) {
  LinkTiming link(link_config_with({"link_full_duplex=0"}));
  EXPECT_EQ(link.access(kRead, 50), 72U);
  EXPECT_EQ(link.access(kWrite, 50), 64U);
  EXPECT_EQ(link.access(kRead, 51), 76U);
}

TEST(LinkTiming, AnswersOfAChannelComeOneByOne) {
  // A beat takes 1 ns on this link.
  LinkTiming link(link_config_with({"link_mb_per_s=80000"}));
  EXPECT_EQ(link.access(kRead, 50), 71U);
  EXPECT_EQ(link.access(kRead, 50), 72U);
  EXPECT_EQ(link.access(kWrite, 50), 61U);
}

TEST(LinkTiming, TimeOnTheLinkIsRoundedUp) {
  // 80 bytes at 7,999 MB/s take 10.00125 ns, one picosecond after which the next cycle has begun.
  LinkTiming link(link_config_with({"link_mb_per_s=7999"}));
  EXPECT_EQ(link.access(kWrite, 50), 62U);
}

TEST(LinkTiming, AChannelTakesSoManyRequestsAtATime) {
  LinkTiming link(link_config_with());
  for (std::uint64_t cycle = 50; cycle < 53; ++cycle) {
    ASSERT_TRUE(link.ready(kRead, cycle));
    link.access(kRead, cycle);
  }
  EXPECT_FALSE(link.ready(kRead, 53));
  EXPECT_TRUE(link.ready(kWrite, 53));
  EXPECT_EQ(link.next_ready(kRead, 53), 72U);
  EXPECT_EQ(link.next_ready(kWrite, 53), 54U);
  EXPECT_FALSE(link.ready(kRead, 71));
  EXPECT_TRUE(link.ready(kRead, 72));
}

}  // namespace
}  // namespace ppu::hw
