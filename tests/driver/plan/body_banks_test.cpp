// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers of bodies on the device: each body has one, rows find their bodies in different banks,
// and there are few holes.
#include "driver/plan/body_banks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/driver/support/orders.hpp"

namespace ppu::driver {
namespace {

constexpr std::uint32_t kAmple = 1U << 20;

/// Bank of each body, after checking that each has exactly one number.
std::vector<std::uint32_t> banks_of(const RowGraph& graph,
                                    const std::vector<std::uint32_t>& numbers,
                                    std::uint32_t banks) {
  std::vector<std::uint32_t> bank(graph.body_count, kNoBody);
  for (std::uint32_t number = 0; number < numbers.size(); ++number) {
    const std::uint32_t body = numbers[number];
    if (body == kNoBody) continue;
    EXPECT_LT(body, graph.body_count);
    EXPECT_EQ(bank.at(body), kNoBody) << "body " << body << " has two numbers";
    bank[body] = number % banks;
  }
  EXPECT_EQ(std::count(bank.begin(), bank.end(), kNoBody), 0);
  return bank;
}

/// Rows whose two bodies lie in one bank.
std::size_t clashes(const RowGraph& graph, const std::vector<std::uint32_t>& bank) {
  return static_cast<std::size_t>(
      std::count_if(graph.body.begin(), graph.body.end(), [&](const Bodies& body) {
        return body[0] >= 0 && body[1] >= 0 &&
               bank[static_cast<std::size_t>(body[0])] == bank[static_cast<std::size_t>(body[1])];
      }));
}

/// Body 0 shares a row with each of `leaves` other bodies.
RowGraph star(std::int32_t leaves) {
  RowGraph graph;
  graph.body_count = static_cast<std::size_t>(leaves) + 1;
  for (std::int32_t leaf = 1; leaf <= leaves; ++leaf) graph.body.push_back({0, leaf});
  graph.parent.assign(graph.rows(), -1);
  return graph;
}

TEST(BodyBanks, NumberEveryBodyOnceWithinTheCapacity) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const RowGraph graph = test::random_graph(seed, 10 * seed, seed);
    for (const std::uint32_t banks : {2U, 8U, 64U})
      for (const std::uint32_t capacity : {0U, seed, seed + 3, kAmple}) {
        const auto numbers = number_bodies(graph, banks, capacity);
        banks_of(graph, numbers, banks);
        EXPECT_LE(numbers.size(), std::max(capacity, seed)) << banks << " banks";
        EXPECT_EQ(numbers, number_bodies(graph, banks, capacity));
      }
  }
}

TEST(BodyBanks, GiveTheBodiesOfARowDifferentBanks) {
  for (const char* file : {"ragdoll_f140.h5", "wall10_f040.h5", "topple_f060.h5"}) {
    const RowGraph graph = test::graph_of_file(file);
    for (const std::uint32_t banks : {4U, 8U, 16U, 64U}) {
      const auto numbers = number_bodies(graph, banks, kAmple);
      EXPECT_EQ(clashes(graph, banks_of(graph, numbers, banks)), 0U) << file << ", " << banks;
      EXPECT_LE(numbers.size(), graph.body_count * 21 / 20 + 1) << file << ", " << banks;
    }
  }
}

TEST(BodyBanks, TwoAreEnoughForAChain) {
  RowGraph graph;
  graph.body_count = 101;
  for (std::int32_t body = 0; body < 100; ++body) graph.body.push_back({body, body + 1});
  graph.parent.assign(100, -1);
  const auto numbers = number_bodies(graph, 2, kAmple);
  EXPECT_EQ(clashes(graph, banks_of(graph, numbers, 2)), 0U);
  EXPECT_LE(numbers.size(), 102U);
}

TEST(BodyBanks, LeaveHolesRatherThanClashAsFarAsTheCapacityAllows) {
  const RowGraph graph = star(20);
  const auto numbers = number_bodies(graph, 2, kAmple);
  EXPECT_EQ(clashes(graph, banks_of(graph, numbers, 2)), 0U);
  EXPECT_LE(numbers.size(), 40U);
  // 15 numbers in each bank.
  const auto fewer = number_bodies(graph, 2, 30);
  EXPECT_EQ(clashes(graph, banks_of(graph, fewer, 2)), 5U);
  EXPECT_LE(fewer.size(), 30U);
  const auto fewest = number_bodies(graph, 2, 21);
  EXPECT_EQ(fewest.size(), 21U);
}

TEST(BodyBanks, SpreadTheRowsEvenlyWithoutHoles) {
  RowGraph graph;
  graph.body_count = 40;
  // Body i has i rows.
  for (std::int32_t body = 0; body < 40; ++body)
    graph.body.insert(graph.body.end(), static_cast<std::size_t>(body), {body, -1});
  graph.parent.assign(graph.rows(), -1);
  const auto numbers = number_bodies(graph, 4, kAmple);
  EXPECT_EQ(numbers.size(), 40U);
  std::vector<std::int64_t> rows(4, 0);
  const auto bank = banks_of(graph, numbers, 4);
  for (const Bodies& body : graph.body) ++rows[bank[static_cast<std::size_t>(body[0])]];
  const auto [fewest, most] = std::minmax_element(rows.begin(), rows.end());
  EXPECT_LE(*most - *fewest, 10);
}

TEST(BodyBanks, MoreBanksThanBodiesLeaveNoHoles) {
  EXPECT_EQ(number_bodies(star(3), 64, kAmple).size(), 4U);
  EXPECT_TRUE(number_bodies(RowGraph{}, 64, kAmple).empty());
}

}  // namespace
}  // namespace ppu::driver
