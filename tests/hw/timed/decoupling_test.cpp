// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The engines of the timed device go on in time before the uncore does; nobody can see that.
#include <gtest/gtest.h>

#include <algorithm>

#include "firmware/assembler/assembler.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kReportAddress = 0x1000;
constexpr std::uint32_t kVelocities = 0x4000;
constexpr std::uint32_t kCopies = 0x40000;

class Decoupling : public ::testing::Test {
 protected:
  void load(const std::string& source) {
    const std::vector<std::uint32_t> words = firmware::assemble("test.s", source).image.words;
    const auto bytes = static_cast<std::uint32_t>(4 * words.size());
    host.put_bytes(0x20000, words.data(), bytes);
    session.execute({copy_command(CommandOpcode::kLoadProgram, {0x20000, 0, bytes, 0})});
  }
  static CommandWords run(std::uint32_t bodies) {
    return make_command(CommandOpcode::kRun, {{field::kProgramWords, 16},
                                              {field::kBodyCount, bodies},
                                              {field::kVelocitiesAddress, kVelocities},
                                              {field::kReportAddress, kReportAddress}});
  }
  /// Lets cycles pass.
  void tick(int cycles) {
    constexpr std::uint32_t kNoRegister = 0xfc;
    for (int n = 0; n < cycles; ++n) device.write_register(kNoRegister, 0);
  }

  Config config = plain_config();
  DeviceHost host{config};
  TimedDevice device{config, host.memory()};
  DeviceSession session{host, device};
};

/// Signals 1, 2, ... in every fourth cycle.
const std::string kCount =
    "li t1, 20000\nagain: addi t0, t0, 1\nsignal t0\nbne t0, t1, again\nhalt\n";

TEST_F(Decoupling, ProgressIsWhatHasBeenSignalledByNow) {
  load(kCount);
  host.add(run(0));
  session.ring();
  // Fetched in this cycle, begun 22 cycles later; two cycles later the first instruction, another
  // two later the first signal, which is visible in the cycle after.
  tick(22 + 2 + 2);
  EXPECT_EQ(session.read(PPU_REGISTER_PROGRESS), 0U);
  for (std::uint32_t value = 1; value < 1000; ++value) {
    tick(1);
    ASSERT_EQ(session.read(PPU_REGISTER_PROGRESS), value);
    tick(3);
    ASSERT_EQ(session.read(PPU_REGISTER_PROGRESS), value);
  }
  session.finish();
  EXPECT_EQ(session.read(PPU_REGISTER_PROGRESS), 20000U);
}

TEST_F(Decoupling, ARunIsCancelledBeforeTheCycleOfItsHalt) {
  load(kCount);
  host.add(run(0));
  session.ring();
  tick(100);
  const std::uint32_t progress = session.read(PPU_REGISTER_PROGRESS);
  session.write(PPU_REGISTER_CONTROL, 1);
  session.finish();
  EXPECT_EQ(host.get<std::uint32_t>(kReportAddress), PPU_RUN_CANCELLED);
  EXPECT_LE(session.read(PPU_REGISTER_PROGRESS), progress + 1);
}

TEST_F(Decoupling, ARunIsCancelledThoughItsProgramNeverWaitsForItsRows) {
  ppu_row row{};
  row.body_a = row.body_b = row.parent = PPU_NONE;
  host.put(kCopies, row);
  session.execute({copy_command(CommandOpcode::kCopyIn, {kCopies, 0, sizeof row, 0})});
  load(
      "kernel k\nrows zero, a0\nagain: addi t0, t0, 1\nsignal t0\nj again\n.kernel k\n ldrow r\n"
      " ldvel v, r.ia, r.ib\n dot u, r.J, v, r.b\n step t, r.x, r.d, u\n max x, 0, t\n"
      " sub dx, x, r.x\n axpy v, dx, r.JM\n stvel v, r.ia, r.ib\n stimp x\n.end\n");
  for (const std::uint32_t flags : {0U, spec::kFlagStream}) {
    host.add(make_command(CommandOpcode::kRun, {{field::kProgramWords, 16},
                                                {field::kRowCount, 1},
                                                {field::kImpulsesAddress, 0x8000},
                                                {field::kReportAddress, kReportAddress},
                                                {field::kFlags, flags},
                                                {field::kArguments, 1}}));
    session.ring();
    tick(500);
    const std::uint32_t progress = session.read(PPU_REGISTER_PROGRESS);
    // A signal every four cycles, but for those before the first one.
    EXPECT_GT(progress, 105U);
    EXPECT_LT(progress, 500U / 4);
    session.write(PPU_REGISTER_CONTROL, 1);
    session.finish();
    EXPECT_EQ(host.get<std::uint32_t>(kReportAddress), PPU_RUN_CANCELLED);
    EXPECT_LE(session.read(PPU_REGISTER_PROGRESS), progress + 1);
  }
}

TEST_F(Decoupling, ARunIsCancelledFromTheCycleOnInWhichItBegins) {
  for (const int cycle : {21, 22, 23}) {
    load("halt\n");
    host.add(run(0));
    session.ring();
    tick(cycle);
    session.write(PPU_REGISTER_CONTROL, 1);
    session.finish();
    EXPECT_EQ(host.get<std::uint32_t>(kReportAddress), cycle < 22 ? PPU_RUN_OK : PPU_RUN_CANCELLED);
  }
}

TEST_F(Decoupling, MemoryChangesWhenTheStoreIsAccepted) {
  constexpr std::uint32_t kTimes = 200, kUnused = 28, kMark = 0x1111;
  load("li t1, 100\nagain: addi t0, t0, 1\nbne t0, t1, again\nhalt\n");
  host.put(kCopies + kUnused, kMark);
  session.execute({copy_command(CommandOpcode::kCopyIn, {kCopies, kVelocities, 64, 0})});
  // What is in memory, again and again. A store clears the word that is not used.
  for (std::uint32_t n = 1; n < kTimes; ++n)
    host.put(0x10000 + 16 * (n - 1), Descriptor{kCopies + 64 * n, kVelocities, 64, 0});
  session.execute({run(2), copy_command(CommandOpcode::kCopyOut, {kCopies, kVelocities, 64, 0},
                                        0x10000, kTimes - 1)});
  std::vector<std::uint32_t> seen(kTimes);
  for (std::uint32_t n = 0; n < kTimes; ++n)
    seen[n] = host.get<std::uint32_t>(kCopies + 64 * n + kUnused);
  const auto changed = std::find(seen.begin(), seen.end(), 0U);
  EXPECT_EQ(std::count(seen.begin(), changed, kMark), changed - seen.begin());
  EXPECT_EQ(std::count(changed, seen.end(), 0U), seen.end() - changed);
  // The program takes 203 cycles, a copy of the list 17 to 37.
  EXPECT_GT(changed - seen.begin(), 4);
  EXPECT_LT(changed - seen.begin(), 20);
}

}  // namespace
}  // namespace ppu::hw::test
