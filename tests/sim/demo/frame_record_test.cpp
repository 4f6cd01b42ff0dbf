// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The table of a demo: medians, worst cases, and what it says of a difference.
#include "sim/demo/frame_record.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ppu::sim {
namespace {

/// Three frames with 10, 30 and 20 rows, and one body that moves.
SceneRecord record_of_three() {
  SceneRecord record;
  record.identity = {"ball", "ball", "seed=1", "A ball.", 1};
  record.device.clock_mhz = 250;
  record.bodies = {{scenes::Shape::box(1, 2, 3), 0}, {scenes::Shape::sphere(0.1F), 5}};
  for (const std::uint64_t rows : {10, 30, 20}) {
    FrameRecord frame;
    frame.frame = static_cast<std::uint32_t>(record.frames.size());
    frame.rows = rows;
    frame.device_cycles = 100 * rows;
    record.frames.push_back(frame);
  }
  return record;
}

TEST(SceneSummary, HasTheMedianAndTheFrameOfTheMost) {
  const std::string text = record_summary(record_of_three());
  EXPECT_NE(text.find("rows                                      20    30         1\n"),
            std::string::npos)
      << text;
}

TEST(SceneSummary, HasTimesOfTheDeviceOnlyWhereThereAreAny) {
  SceneRecord record = record_of_three();
  EXPECT_TRUE(std::isnan(record.microseconds(1000)));
  EXPECT_EQ(record_summary(record).find("PPU, whole"), std::string::npos);
  record.device.timed = true;
  EXPECT_EQ(record.microseconds(1000), 4);
  EXPECT_NE(record_summary(record).find("PPU, whole, µs"), std::string::npos);
}

TEST(SceneSummary, HasTheHostsShareInItsParts) {
  SceneRecord record = record_of_three();
  for (FrameRecord& frame : record.frames)
    frame.host = {30e-6, 4e-6, 1e-6, 2e-6, 3e-6, 20e-6, static_cast<double>(frame.rows) * 1e-7,
                  5e-6};
  const std::string text = record_summary(record);
  EXPECT_NE(text.find("host, plan, µs"), std::string::npos) << text;
  EXPECT_NE(text.find("host, copying back, µs                   2.0   3.0         1\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(json_of(record)["frames"][1]["host"]["copying_back_seconds"], 3e-6);
}

TEST(SceneSummary, ComparesTheWholeStep) {
  SceneRecord record = record_of_three();
  record.device.timed = true;
  for (FrameRecord& frame : record.frames) {
    frame.cpu = {4e-6, 31e-6, 5e-6};
    frame.host.set_up = 4e-6;
    frame.host.whole = 30e-6;
    frame.host.waiting = 27e-6;
    frame.host.finish = 5e-6;
    frame.device_cycles = 2000;  // 8 µs.
  }
  // 40 µs beside 4 + 3 + 8 + 5.
  EXPECT_DOUBLE_EQ(record.gain(record.frames[0]), 2.0);
  EXPECT_NE(record_summary(record).find("whole step, CPU engine / PPU            2.00"),
            std::string::npos)
      << record_summary(record);
  record.device.timed = false;
  EXPECT_EQ(record_summary(record).find("whole step"), std::string::npos);
}

TEST(SceneSummary, NamesFrameBodyAndNumberOfADifference) {
  SceneRecord record = record_of_three();
  EXPECT_NE(record_summary(record).find("of 1 moving bodies equal bit for bit in 3 frames.\n"),
            std::string::npos);
  record.difference = scenes::Difference{1, 13, 0.5F, 0.25F};
  EXPECT_NE(record_summary(record).find("DIFFER after frame 2: body 1, velocity y: 0.5 "
                                        "(0x3f000000) and 0.25 (0x3e800000).\n"),
            std::string::npos);
  EXPECT_EQ(json_of(record)["equal"], false);
}

TEST(SceneJson, WritesFloatsWithTheFewestDigitsThatKeepTheirBits) {
  SceneRecord record = record_of_three();
  record.frames[0].poses = {{{0.1F, -3, 1e-7F}, {0, 0, 0, 1}}};
  const nlohmann::ordered_json json = json_of(record);
  EXPECT_EQ(json["frames"][0]["transforms"].dump(), "[[0.1,-3.0,1e-07,0.0,0.0,0.0,1.0]]");
  EXPECT_EQ(json["bodies"].dump(), R"([{"mass":0.0,"shape":"box","half_extents":[1.0,2.0,3.0]},)"
                                   R"({"mass":5.0,"shape":"sphere","radius":0.1}])");
}

}  // namespace
}  // namespace ppu::sim
