// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Replays in C++: what of a long run is kept, and what of it a page has.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/demo/scene_replay.hpp"
#include "sim/demo/scene_twins.hpp"
#include "sim/measure/row_holds.hpp"
#include "sim/replay/replay_data.hpp"
#include "tests/sim/support/falling_stack.hpp"

namespace ppu::sim {
namespace {

/// Rows that do not deflate away.
FrameDetail random_rows(std::size_t count) {
  std::mt19937 draw(static_cast<std::mt19937::result_type>(count));
  FrameDetail detail;
  detail.rows.resize(count);
  for (RowDetail& row : detail.rows) {
    row.profile.body_stall = static_cast<std::uint32_t>(draw());
    row.profile.cycles = row.profile.body_stall;
  }
  return detail;
}

std::size_t bytes_of(const std::vector<PackedRows>& all) {
  return std::accumulate(
      all.begin(), all.end(), std::size_t{0},
      [](std::size_t sum, const PackedRows& rows) { return sum + rows.block.size(); });
}

std::vector<std::size_t> frames_of(const std::vector<PackedRows>& all) {
  std::vector<std::size_t> frames;
  for (const PackedRows& rows : all) frames.push_back(rows.frame);
  return frames;
}

TEST(KeptRows, AreThoseOfTheFrameWithMostRowsAndOfFramesSpreadEvenly) {
  constexpr std::size_t kBudget = 10800;
  KeptRows rows(kBudget);
  for (std::size_t frame = 0; frame < 64; ++frame) {
    rows.take(frame, random_rows(frame == 37 ? 160 : 150 - frame % 2));
    EXPECT_LE(bytes_of(rows.all()), kBudget);
  }
  EXPECT_EQ(frames_of(rows.all()), (std::vector<std::size_t>{0, 8, 16, 24, 32, 37, 40, 48, 56}));
  rows.fit(kBudget * 6 / 10);
  EXPECT_EQ(frames_of(rows.all()), (std::vector<std::size_t>{0, 16, 32, 37, 48}));
  rows.fit(kBudget * 2 / 10);
  EXPECT_EQ(frames_of(rows.all()), (std::vector<std::size_t>{37}));
  rows.fit(0);
  EXPECT_TRUE(rows.all().empty());
}

TEST(ReplayBlocks, OfALongRunHaveFewerFrames) {
  const ReplayReport report = falling_stack("functional", 60);
  const ReplayBlocks whole = replay_blocks(report, kReplayBytes);
  EXPECT_EQ(whole.frames.size(), 60U);
  const std::size_t budget = whole.main.size() * 5 / 4;
  const ReplayBlocks blocks = replay_blocks(report, budget);
  EXPECT_LE(blocks.main.size() + bytes_of(blocks.rows), budget);
  EXPECT_FALSE(blocks.rows.empty());
  EXPECT_EQ(blocks.frames.back(), 59U);
  EXPECT_TRUE(
      std::binary_search(blocks.frames.begin(), blocks.frames.end(), report.rows.heaviest()));
  EXPECT_EQ(blocks.frames[1], 2U) << "every second one";
  for (const PackedRows& rows : blocks.rows)
    EXPECT_TRUE(std::binary_search(blocks.frames.begin(), blocks.frames.end(), rows.frame));
  constexpr std::size_t kLittle = 13000;
  const ReplayBlocks few = replay_blocks(report, kLittle);
  EXPECT_LE(few.main.size() + bytes_of(few.rows), kLittle);
}

/// Each row of a frame as the plug-in tells it.
FrameDetail detail_of(const SolvedRows& solved) {
  FrameDetail detail;
  for (std::size_t i = 0; i < solved.rows.row_count(); ++i) {
    RowDetail row;
    row.kind = static_cast<model::RowKind>(solved.rows.kind[i]);
    for (std::size_t side = 0; side < 2; ++side) {
      const std::int32_t body = solved.rows.body[i][side];
      if (body >= 0) row.body[side] = solved.scene_body[static_cast<std::size_t>(body)];
    }
    row.impulse = solved.profile.impulse[i];
    row.profile = solved.profile.cycles[i];
    detail.rows.push_back(row);
  }
  const ppu_problem problem = solved.rows.view();
  detail.row_of_slot.resize(solved.rows.row_count());
  check(ppu_row_order(&problem, PPU_ORDER_ENGINE, detail.row_of_slot.data()));
  detail.held_by = token_senders(solved.rows.body, detail.row_of_slot, solved.profile.cycles);
  return detail;
}

TEST(SceneReplay, HasTheRowsOfTheSolveThatMovedTheBodies) {
  SceneOptions scene;
  scene.name = "ball";
  Options options;
  options.backend = "systemc";
  SceneTwins twins(scene, options);
  twins.keep_rows();
  const SceneRecord record = twins.start();
  SceneReplay replay(record, options, "");
  KeptRows expected(kReplayBytes);
  std::vector<std::uint64_t> cycles;
  for (std::size_t frame = 0; frame < 3; ++frame) {
    const FrameRecord step = twins.step(true);
    const std::optional<SolvedRows> solved = twins.take_rows();
    ASSERT_TRUE(solved);
    EXPECT_TRUE(solved->profile.one_run);
    expected.take(frame, detail_of(*solved));
    cycles.push_back(solved->report.engine_cycles);
    replay.take_frame(step, solved, {});
  }
  const ReplayReport report = std::move(replay).finish();
  ASSERT_EQ(report.rows.all().size(), 3U);
  for (std::size_t frame = 0; frame < 3; ++frame) {
    EXPECT_EQ(report.rows.all()[frame].block, expected.all()[frame].block);
    EXPECT_EQ(report.frames[frame].engine_cycles, cycles[frame]);
  }
}

}  // namespace
}  // namespace ppu::sim
