// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A device in this process: registers, interrupts and what a device throws.
#include "driver/session/local_session.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <new>
#include <optional>

#include "driver/base/failure.hpp"
#include "driver/device/command.hpp"
#include "tests/driver/support/fake_chip.hpp"

namespace ppu::driver {
namespace {

constexpr std::uint64_t kLocalMillisecond = 1'000'000;

hw::Config one_mib_config() {
  hw::Config config;
  config.host_memory_mib = 1;
  return config;
}

class LocalSessionTest : public testing::Test {
 protected:
  LocalSessionTest() {
    session_.emplace(one_mib_config(), [this](hw::Memory host) {
      auto chip = std::make_unique<test::FakeChip>(one_mib_config(), host);
      chip_ = chip.get();
      return chip;
    });
    session_->write_register(PPU_REGISTER_RING_ENTRIES, 16);
    session_->write_register(PPU_REGISTER_IRQ_MASK, 3);
  }

  /// Puts `command` into the ring at the start of host memory.
  void submit(const Command& command) {
    std::memcpy(session_->host_memory().data + tail_++ * sizeof command, command.data(),
                sizeof command);
    session_->write_register(PPU_REGISTER_RING_TAIL, tail_);
  }

  test::FakeChip* chip_ = nullptr;
  std::optional<LocalSession> session_;
  std::uint32_t tail_ = 0;
};

TEST_F(LocalSessionTest, HostMemoryIsZeroAndOfTheConfiguredSize) {
  EXPECT_EQ(session_->host_memory().size_bytes, std::size_t{1} << 20U);
  EXPECT_EQ(session_->host_memory().data[session_->host_memory().size_bytes - 1], std::byte{0});
}

TEST_F(LocalSessionTest, RegistersAreThoseOfTheDevice) {
  session_->write_register(PPU_REGISTER_RING_BASE, 4096);
  EXPECT_EQ(session_->read_register(PPU_REGISTER_RING_BASE), 4096U);
  EXPECT_EQ(session_->read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
}

TEST_F(LocalSessionTest, WaitsForTheInterruptLineAndSeesItUntilItIsCleared) {
  submit(fence_command(4096, 5, true));
  EXPECT_TRUE(session_->wait_interrupt(Deadline(PPU_NO_TIMEOUT)));
  EXPECT_EQ(std::to_integer<int>(session_->host_memory().data[4096]), 5);
  EXPECT_TRUE(session_->wait_interrupt(Deadline(0)));
  session_->write_register(PPU_REGISTER_IRQ_STATUS, 1);
  EXPECT_FALSE(session_->wait_interrupt(Deadline(kLocalMillisecond)));
}

TEST_F(LocalSessionTest, FenceThatAsksForNoInterruptRaisesNone) {
  submit(fence_command(4096, 5, false));
  EXPECT_FALSE(session_->wait_interrupt(Deadline(kLocalMillisecond)));
}

TEST_F(LocalSessionTest, RegistersAnswerWhileTheDeviceIsBusy) {
  hw::RunCommand run;
  run.row_count = test::FakeChip::kEndlessRows;
  submit(run_command(run, 4096));
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(session_->read_register(PPU_REGISTER_MAGIC), PPU_MAGIC);
}

TEST_F(LocalSessionTest, TakesDownADeviceThatIsBusy) {
  const auto life = std::make_shared<int>();
  chip_->life = life;
  hw::RunCommand run;
  run.row_count = test::FakeChip::kEndlessRows;
  submit(run_command(run, 4096));
  while (session_->read_register(PPU_REGISTER_RING_HEAD) == 0) {
  }
  ASSERT_EQ(life.use_count(), 2) << "the run goes on";
  session_.reset();
  EXPECT_EQ(life.use_count(), 1) << "the device is gone";
}

TEST_F(LocalSessionTest, PassesOnWhatTheDeviceThrowsAndStaysLost) {
  chip_->out_of_memory = true;
  submit(fence_command(4096, 5, true));
  EXPECT_THROW(session_->wait_interrupt(Deadline(PPU_NO_TIMEOUT)), std::bad_alloc);
  EXPECT_THROW(session_->read_register(PPU_REGISTER_MAGIC), std::bad_alloc);
}

}  // namespace
}  // namespace ppu::driver
