// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The divider at several stage counts against the CPU's own float32, which rounds to nearest even.
// A NaN must be the canonical one.
#include <Vppu_fp_div_bench.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <cmath>
#include <deque>
#include <iomanip>

#include "base/bits/float_patterns.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::test {
namespace {

constexpr unsigned kUnits = 6;
constexpr unsigned kMaxDivStages = 29;

Bits cpu_quotient(Bits a, Bits b) {
  const float quotient = float_of(a) / float_of(b);
  return std::isnan(quotient) ? kCanonicalNan : bits_of(quotient);
}

// Feeds one pair per enabled cycle; checks every unit on the pair that reached its end.
class DivBench {
 public:
  DivBench() {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options().seed));
    top_.clk_i = 0;
    top_.en_i = 0;
    top_.eval();
  }
  DivBench(const DivBench&) = delete;
  DivBench& operator=(const DivBench&) = delete;
  ~DivBench() { top_.final(); }

  void feed(Bits a, Bits b, bool enable = true) {
    top_.a_i = a;
    top_.b_i = b;
    top_.en_i = enable;
    top_.clk_i = 0;
    top_.eval();
    top_.clk_i = 1;
    top_.eval();
    if (!enable) return;
    pairs_.push_front({a, b, cpu_quotient(a, b)});
    if (pairs_.size() > kMaxDivStages) pairs_.pop_back();
  }

  [[nodiscard]] unsigned stages(unsigned unit) const { return top_.stages_o >> 8 * unit & 0xffU; }

  void expect() const {
    for (unsigned unit = 0; unit < kUnits; ++unit) {
      if (stages(unit) > pairs_.size()) continue;
      const Pair& pair = pairs_[stages(unit) - 1];
      ASSERT_EQ(top_.quotient_o[unit], pair.quotient)
          << std::hex << std::setfill('0') << std::setw(8) << pair.a << " / " << std::setw(8)
          << pair.b << ", " << std::dec << stages(unit) << " stages, seed " << options().seed;
    }
  }

  // Quotient of one pair, the same from all units.
  Bits quotient(Bits a, Bits b) {
    for (unsigned i = 0; i < kMaxDivStages; ++i) feed(a, b);
    expect();
    return top_.quotient_o[0];
  }

 private:
  struct Pair {
    Bits a, b, quotient;
  };

  VerilatedContext context_;
  Vppu_fp_div_bench top_{&context_};
  std::deque<Pair> pairs_;
};

// Pairs whose quotient is exact, half-way between two numbers or next to that: a is b times a
// number of few bits, or nearly so.
std::pair<Bits, Bits> hard_pair(Random& random) {
  const Bits b = (random_bits(random) & 0x80000000U) | (static_cast<Bits>(random()) & 0x7fffffffU);
  const auto word = static_cast<std::uint32_t>(random());
  const Bits factor = (64U + word % 128U) << 23U | (word & 0x007fffffU & (~0U << (word >> 27U)));
  return {bits_of(float_of(b) * float_of(factor)) + (word >> 24U) % 3U - 1U, b};
}

template <class NextPair>
void for_division_pairs(NextPair next_pair) {
  DivBench bench;
  Random random(options().seed);
  for (std::uint64_t i = 0; i < options().patterns; ++i) {
    const auto [a, b] = next_pair(random);
    bench.feed(a, b);
    bench.expect();
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(FpDiv, EqualsTheCpuOnRandomPatterns) {
  for_division_pairs(random_pair);
}

TEST(FpDiv, EqualsTheCpuOnQuotientsNearTheMiddleOfTwoNumbers) {
  for_division_pairs(hard_pair);
}

TEST(FpDiv, EqualsTheCpuOnEveryPairOfEdgeValues) {
  DivBench bench;
  for (const Bits a : kEdges) {
    for (const Bits b : kEdges) {
      for (const Bits signs : {0U, 1U, 2U, 3U}) {
        bench.feed(a | (signs & 1U) << 31U, b | (signs & 2U) << 30U);
        bench.expect();
        ASSERT_FALSE(HasFatalFailure());
      }
    }
  }
}

TEST(FpDiv, HasEveryStageCountThatTheTestNames) {
  const DivBench bench;
  EXPECT_EQ(bench.stages(0), 2U);
  EXPECT_EQ(bench.stages(kUnits - 1), kMaxDivStages);
}

TEST(FpDiv, RoundsToNearest) {
  DivBench bench;
  EXPECT_EQ(bench.quotient(0x3f800000, 0x40400000), 0x3eaaaaabU);  // 1/3 up
  EXPECT_EQ(bench.quotient(0x40000000, 0x40400000), 0x3f2aaaabU);  // 2/3 up
  EXPECT_EQ(bench.quotient(0x3f800000, 0x41200000), 0x3dcccccdU);  // 0.1 up
  EXPECT_EQ(bench.quotient(0x40a00000, 0x40400000), 0x3fd55555U);  // 5/3 down
}

TEST(FpDiv, TiesToEvenAmongSubnormals) {
  DivBench bench;
  EXPECT_EQ(bench.quotient(0x00000001, 0x40000000), 0x00000000U);  // half of the least number
  EXPECT_EQ(bench.quotient(0x00000003, 0x40000000), 0x00000002U);
  EXPECT_EQ(bench.quotient(0x00000005, 0x40000000), 0x00000002U);
  EXPECT_EQ(bench.quotient(0x00000001, 0x3fffffff), 0x00000001U);  // just above half
  EXPECT_EQ(bench.quotient(0x00ffffff, 0x40000000), 0x00800000U);  // up to the least normal one
}

TEST(FpDiv, DividesSubnormalsBySubnormals) {
  DivBench bench;
  EXPECT_EQ(bench.quotient(0x00000001, 0x00000001), 0x3f800000U);
  EXPECT_EQ(bench.quotient(0x007fffff, 0x00000001), 0x4afffffeU);
  EXPECT_EQ(bench.quotient(0x00000001, 0x00000003), 0x3eaaaaabU);
}

TEST(FpDiv, OverflowsToInfinityAndVanishesToZeroWithItsSign) {
  DivBench bench;
  EXPECT_EQ(bench.quotient(0x7f7fffff, 0x3f7fffff), 0x7f800000U);
  EXPECT_EQ(bench.quotient(0xff7fffff, 0x00000001), 0xff800000U);
  EXPECT_EQ(bench.quotient(0x00000001, 0x7f7fffff), 0x00000000U);
  EXPECT_EQ(bench.quotient(0x80000001, 0x7f7fffff), 0x80000000U);
}

TEST(FpDiv, KnowsZerosAndInfinities) {
  DivBench bench;
  EXPECT_EQ(bench.quotient(0x3f800000, kSign), 0xff800000U);
  EXPECT_EQ(bench.quotient(kSign, 0x3f800000), kSign);
  EXPECT_EQ(bench.quotient(0x3f800000, 0xff800000), kSign);
  EXPECT_EQ(bench.quotient(0x7f800000, 0x00000000), 0x7f800000U);
  EXPECT_EQ(bench.quotient(0x00000000, 0x80000000), kCanonicalNan);
  EXPECT_EQ(bench.quotient(0x7f800000, 0xff800000), kCanonicalNan);
}

TEST(FpDiv, KeepsItsStagesWhileNotEnabled) {
  DivBench bench;
  Random random(options().seed);
  for (int i = 0; i < 100'000; ++i) {
    const auto [a, b] = random_pair(random);
    bench.feed(a, b, random() % 3 != 0);
    bench.expect();
    ASSERT_FALSE(HasFatalFailure());
  }
}

}  // namespace
}  // namespace ppu::test
