// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The server of a device process, over a socket pair and around a device in this process.
#include "hw/server/device_server.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>

#include "firmware/assembler/assembler.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

/// A timed device that says something, as one in lockstep would.
class TalkingDevice final : public Device {
 public:
  TalkingDevice(const Config& config, Memory host_memory) : device_(config, host_memory) {}
  void write_register(std::uint32_t offset, std::uint32_t value) override {
    device_.write_register(offset, value);
  }
  std::uint32_t read_register(std::uint32_t offset) override {
    return device_.read_register(offset);
  }
  bool step() override { return device_.step(); }
  [[nodiscard]] std::uint32_t interrupts() const override { return device_.interrupts(); }
  std::uint32_t copy_profile(std::uint32_t engine, std::uint32_t address) override {
    return engine * 1000 + address;
  }
  [[nodiscard]] std::string message() const override { return std::string(5000, 'x'); }

 private:
  TimedDevice device_;
};

class DeviceServerTest : public ::testing::Test {
 protected:
  DeviceServerTest() {
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets_.data());
    server_ = std::thread([this] {
      DeviceServer server(sockets_[1], device_, text_.data());
      closed_ = server.run();
      if (closed_) server.confirm_close();
    });
    write(PPU_REGISTER_RING_BASE, host_.ring());
    write(PPU_REGISTER_RING_ENTRIES, DeviceHost::kEntries);
    write(PPU_REGISTER_IRQ_MASK, 3);
  }
  ~DeviceServerTest() override {
    if (server_.joinable()) leave();
    close(sockets_[1]);
  }
  /// The host is gone, and the server has seen it.
  void leave() {
    close(sockets_[0]);
    server_.join();
  }

  void send(HostMessageKind kind, std::uint32_t offset, std::uint32_t value) const {
    const HostMessage message{kind, offset, value};
    ASSERT_EQ(::send(sockets_[0], &message, sizeof message, 0), ssize_t{sizeof message});
  }
  void write(std::uint32_t offset, std::uint32_t value) const {
    send(HostMessageKind::kWrite, offset, value);
  }
  [[nodiscard]] DeviceMessage receive() const {
    DeviceMessage message;
    EXPECT_EQ(recv(sockets_[0], &message, sizeof message, 0), ssize_t{sizeof message});
    return message;
  }
  /// Reads a register; there is no interrupt before the answer.
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) const {
    send(HostMessageKind::kRead, offset, 0);
    const DeviceMessage message = receive();
    EXPECT_EQ(message.kind, DeviceMessageKind::kValue);
    return message.value;
  }
  void ring(std::initializer_list<CommandWords> commands) {
    host_.add(commands);
    write(PPU_REGISTER_RING_TAIL, host_.tail());
  }

  Config config_ = plain_config();
  DeviceHost host_{config_};
  TalkingDevice device_{config_, host_.memory()};
  std::array<char, kDeviceTextBytes> text_{};
  std::array<int, 2> sockets_{};
  std::atomic<bool> closed_{false};
  std::thread server_;
};

TEST_F(DeviceServerTest, AnswersReadsInTheOrderOfTheWrites) {
  EXPECT_EQ(read(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(read(PPU_REGISTER_IRQ_MASK), 3U);
  write(PPU_REGISTER_IRQ_MASK, 1);
  EXPECT_EQ(read(PPU_REGISTER_IRQ_MASK), 1U);
}

TEST_F(DeviceServerTest, SendsAnInterruptWhenTheLineRises) {
  ring({fence_command(0, 5, true)});
  EXPECT_EQ(receive().kind, DeviceMessageKind::kInterrupt);
  EXPECT_EQ(host_.get<std::uint64_t>(0), 5U);
  EXPECT_EQ(read(PPU_REGISTER_IRQ_STATUS), 1U);
}

TEST_F(DeviceServerTest, SendsNoInterruptWhileTheLineStaysUp) {
  ring({fence_command(0, 5, true)});
  EXPECT_EQ(receive().kind, DeviceMessageKind::kInterrupt);
  ring({fence_command(0, 6, true)});
  while (read(PPU_REGISTER_STATUS) % 2 != 0) {
  }
}

TEST_F(DeviceServerTest, SendsAnInterruptAgainWhereClearingLeavesTheLineUp) {
  ring({make_command(static_cast<CommandOpcode>(0x77)), fence_command(0, 5, true)});
  EXPECT_EQ(receive().kind, DeviceMessageKind::kInterrupt);
  while (read(PPU_REGISTER_IRQ_STATUS) != 3) {
  }
  write(PPU_REGISTER_IRQ_STATUS, 1);
  EXPECT_EQ(receive().kind, DeviceMessageKind::kInterrupt) << "the error is still there";
  write(PPU_REGISTER_IRQ_STATUS, 2);
  EXPECT_EQ(read(PPU_REGISTER_IRQ_STATUS), 0U);
}

TEST_F(DeviceServerTest, CopiesTheProfile) {
  send(HostMessageKind::kProfile, 64, 2);
  EXPECT_EQ(receive().value, 2064U);
}

TEST_F(DeviceServerTest, LeavesATerminatedText) {
  ring({fence_command(0, 5, true)});
  EXPECT_EQ(receive().kind, DeviceMessageKind::kInterrupt);
  EXPECT_EQ(std::string(text_.data()), std::string(kDeviceTextBytes - 1, 'x'));
}

TEST_F(DeviceServerTest, EndsInTheMidstOfARun) {
  const std::vector<std::uint32_t> words =
      firmware::assemble("test.s", "again: j again\n").image.words;
  host_.put_bytes(0x1000, words.data(), 4 * words.size());
  ring({copy_command(CommandOpcode::kLoadProgram,
                     {0x1000, 0, static_cast<std::uint32_t>(4 * words.size()), 0}),
        make_command(CommandOpcode::kRun,
                     {{field::kProgramWords, static_cast<std::uint32_t>(words.size())}})});
  while (read(PPU_REGISTER_RING_HEAD) < 2) {
  }
  EXPECT_EQ(read(PPU_REGISTER_STATUS), 1U);
  leave();
  EXPECT_FALSE(closed_) << "the host has not asked: files may not appear";
}

TEST_F(DeviceServerTest, AnswersWhenTheHostHasAskedForTheEnd) {
  send(HostMessageKind::kClose, 0, 0);
  EXPECT_EQ(receive().kind, DeviceMessageKind::kValue);
  EXPECT_TRUE(closed_) << "the files come first";
}

TEST_F(DeviceServerTest, EndsAtAMessageOfAnotherSize) {
  ASSERT_EQ(::send(sockets_[0], "x", 1, 0), 1);
  leave();
  EXPECT_FALSE(closed_);
}

}  // namespace
}  // namespace ppu::hw::test
