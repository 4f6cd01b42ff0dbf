// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The floating-point units at every stage count against the CPU's own float32, which rounds to
// nearest even. A NaN must be the canonical one.
#include <Vppu_fp_bench.h>
#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <cmath>
#include <deque>
#include <iomanip>

#include "base/bits/float_patterns.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::test {
namespace {

constexpr int kMaxStages = 5;

Bits canonical(float value) {
  return std::isnan(value) ? kCanonicalNan : bits_of(value);
}

// Feeds one pair per cycle and keeps the pairs still in the pipelines, newest first.
class FpBench {
 public:
  FpBench() {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(options().seed));
    top_.clk_i = 0;
    top_.eval();
  }
  FpBench(const FpBench&) = delete;
  FpBench& operator=(const FpBench&) = delete;
  ~FpBench() { top_.final(); }

  void feed(Bits a, Bits b) {
    top_.a_i = a;
    top_.b_i = b;
    top_.clk_i = 0;
    top_.eval();
    less_ = top_.less_o != 0;
    unordered_ = top_.unordered_o != 0;
    top_.clk_i = 1;
    top_.eval();
    pairs_.push_front({a, b});
    if (pairs_.size() > kMaxStages) pairs_.pop_back();
  }

  void expect_sums() const { expect(top_.sum_o, top_.sum_nonfinite_o, '+', std::plus<float>()); }
  void expect_products() const {
    expect(top_.product_o, top_.product_nonfinite_o, '*', std::multiplies<float>());
  }
  void expect_comparison() const {
    const float a = float_of(top_.a_i), b = float_of(top_.b_i);
    ASSERT_EQ(less_, a < b) << std::hex << top_.a_i << " < " << top_.b_i;
    ASSERT_EQ(unordered_, std::isnan(a) || std::isnan(b))
        << std::hex << top_.a_i << ' ' << top_.b_i;
  }

  // Result of one pair, the same from all stage counts.
  Bits sum(Bits a, Bits b) {
    for (int i = 0; i < kMaxStages; ++i) feed(a, b);
    expect_sums();
    return top_.sum_o[0];
  }
  Bits product(Bits a, Bits b) {
    for (int i = 0; i < kMaxStages; ++i) feed(a, b);
    expect_products();
    return top_.product_o[0];
  }

 private:
  template <class Words, class Operation>
  void expect(const Words& words, unsigned nonfinite, char symbol, Operation operation) const {
    for (unsigned stages = 1; stages <= pairs_.size(); ++stages) {
      const auto [a, b] = pairs_[stages - 1];
      const float want = operation(float_of(a), float_of(b));
      ASSERT_EQ(words[stages - 1], canonical(want))
          << std::hex << std::setfill('0') << std::setw(8) << a << ' ' << symbol << ' '
          << std::setw(8) << b << ", " << stages << " stages, seed " << std::dec << options().seed;
      ASSERT_EQ((nonfinite >> (stages - 1)) & 1U, std::isfinite(want) ? 0U : 1U)
          << std::hex << a << ' ' << symbol << ' ' << b;
    }
  }

  VerilatedContext context_;
  Vppu_fp_bench top_{&context_};
  std::deque<std::pair<Bits, Bits>> pairs_;
  bool less_ = false;
  bool unordered_ = false;
};

template <class Check>
void for_random_pairs(Check check) {
  FpBench bench;
  Random random(options().seed);
  for (std::uint64_t i = 0; i < options().patterns; ++i) {
    const auto [a, b] = random_pair(random);
    bench.feed(a, b);
    check(bench);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class Check>
void for_edge_pairs(Check check) {
  FpBench bench;
  for (const Bits a : kEdges) {
    for (const Bits b : kEdges) {
      for (const Bits signs : {0U, 1U, 2U, 3U}) {
        bench.feed(a | (signs & 1U) << 31U, b | (signs & 2U) << 30U);
        check(bench);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(FpAdd, EqualsTheCpuOnRandomPatternsAtEveryStageCount) {
  for_random_pairs([](const FpBench& bench) { bench.expect_sums(); });
}

TEST(FpMul, EqualsTheCpuOnRandomPatternsAtEveryStageCount) {
  for_random_pairs([](const FpBench& bench) { bench.expect_products(); });
}

TEST(FpCmp, EqualsTheCpuOnRandomPatterns) {
  for_random_pairs([](const FpBench& bench) { bench.expect_comparison(); });
}

TEST(FpAdd, EqualsTheCpuOnEveryPairOfEdgeValues) {
  for_edge_pairs([](const FpBench& bench) { bench.expect_sums(); });
}

TEST(FpMul, EqualsTheCpuOnEveryPairOfEdgeValues) {
  for_edge_pairs([](const FpBench& bench) { bench.expect_products(); });
}

TEST(FpCmp, EqualsTheCpuOnEveryPairOfEdgeValues) {
  for_edge_pairs([](const FpBench& bench) { bench.expect_comparison(); });
}

TEST(FpAdd, TiesToEvenAtHalfUlp) {
  FpBench bench;
  EXPECT_EQ(bench.sum(0x3f800000, 0x33800000), 0x3f800000U);
  EXPECT_EQ(bench.sum(0x3f800001, 0x33800000), 0x3f800002U);
}

TEST(FpAdd, RoundsUpJustAboveHalfUlp) {
  FpBench bench;
  EXPECT_EQ(bench.sum(0x3f800000, 0x33800001), 0x3f800001U);
}

TEST(FpAdd, CancelsToPlusZero) {
  FpBench bench;
  EXPECT_EQ(bench.sum(0x3f800000, 0xbf800000), 0U);
  EXPECT_EQ(bench.sum(kSign, kSign), kSign);
}

TEST(FpAdd, LeavesEveryNumberAsItIsWhenMinusZeroIsAdded) {
  FpBench bench;
  for (const Bits edge : kEdges) {
    if (std::isnan(float_of(edge))) continue;
    EXPECT_EQ(bench.sum(edge, kSign), edge);
    EXPECT_EQ(bench.sum(edge | kSign, kSign), edge | kSign);
  }
}

TEST(FpMul, KeepsSubnormals) {
  FpBench bench;
  EXPECT_EQ(bench.product(0x00800000, 0x3f000000), 0x00400000U);
  EXPECT_EQ(bench.product(0x00000001, 0x40000000), 0x00000002U);
}

TEST(FpMul, OverflowsToInfinity) {
  FpBench bench;
  EXPECT_EQ(bench.product(0x7f7fffff, 0x3f800001), 0x7f800000U);
}

}  // namespace
}  // namespace ppu::test
