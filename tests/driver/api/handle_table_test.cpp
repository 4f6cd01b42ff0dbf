// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Value handles: null, stale and reused places.
#include "driver/api/handle_table.hpp"

#include <gtest/gtest.h>

#include <new>
#include <string>

#include "tests/driver/support/failing_new.hpp"

namespace ppu::driver {
namespace {

using Table = HandleTable<int, ppu_buffer>;

std::string refusal(const Table& table, ppu_buffer handle) {
  try {
    table.find(handle);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.result, PPU_ERROR_INVALID_HANDLE);
    return failure.what();
  }
  return "found";
}

TEST(HandleTable, FindsWhatWasInserted) {
  Table table("thing");
  const ppu_buffer one = table.insert(std::make_shared<int>(1));
  const ppu_buffer two = table.insert(std::make_shared<int>(2));
  EXPECT_EQ(*table.find(one), 1);
  EXPECT_EQ(*table.find(two), 2);
}

TEST(HandleTable, ZeroHandleIsNullEvenWhenThePlaceIsTaken) {
  Table table("thing");
  table.insert(std::make_shared<int>(1));
  EXPECT_EQ(refusal(table, ppu_buffer{}), "the thing handle is null");
}

TEST(HandleTable, RefusesTheHandleOfARemovedObjectWhosePlaceIsReused) {
  Table table("thing");
  const ppu_buffer old = table.insert(std::make_shared<int>(1));
  table.remove(old);
  const ppu_buffer fresh = table.insert(std::make_shared<int>(2));
  EXPECT_EQ(fresh.index, old.index);
  EXPECT_EQ(refusal(table, old),
            "the thing handle {0, 1} is stale: that thing or its device is gone");
  EXPECT_EQ(*table.find(fresh), 2);
}

TEST(HandleTable, RefusesAnIndexThatWasNeverGiven) {
  Table table("thing");
  EXPECT_NE(refusal(table, ppu_buffer{7, 1}).find("stale"), std::string::npos);
}

TEST(HandleTable, StaysWholeWhereMemoryEnds) {
  for (int allocations = 0; allocations < 4; ++allocations) {
    Table table("thing");
    const auto object = std::make_shared<int>(1);
    test::allocations_left = allocations;
    try {
      table.insert(object);
    } catch (const std::bad_alloc&) {
    }
    test::allocations_left = -1;
    const ppu_buffer first = table.insert(std::make_shared<int>(2));
    const ppu_buffer second = table.insert(std::make_shared<int>(3));
    EXPECT_EQ(*table.find(first), 2) << "after " << allocations << " allocations";
    EXPECT_EQ(*table.find(second), 3) << "after " << allocations << " allocations";
  }
}

TEST(HandleTable, RemovesWhatThePredicateNames) {
  Table table("thing");
  const ppu_buffer one = table.insert(std::make_shared<int>(1));
  const ppu_buffer two = table.insert(std::make_shared<int>(2));
  table.remove_if([](int value) { return value == 1; });
  EXPECT_NE(refusal(table, one), "found");
  EXPECT_EQ(*table.find(two), 2);
}

TEST(HandleTable, WhatAForkInheritsIsRefusedAndNeverTouched) {
  Table table("thing");
  const auto object = std::make_shared<int>(1);
  const ppu_buffer inherited = table.insert(object);
  table.disown();
  EXPECT_NE(refusal(table, inherited).find("the process that has forked"), std::string::npos);
  EXPECT_THROW(table.remove(inherited), Failure);
  table.remove_if([](int) { return true; });
  EXPECT_EQ(object.use_count(), 2) << "it is still there";
  const ppu_buffer own = table.insert(std::make_shared<int>(2));
  EXPECT_EQ(*table.find(own), 2);
}

}  // namespace
}  // namespace ppu::driver
