// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What every device does, timed or not: registers, ring, copies, errors, fences, interrupts, runs.
// The cycles of the timed one are tested in uncore_test.cpp.
#include <gtest/gtest.h>

#include <numeric>

#include "firmware/assembler/assembler.hpp"
#include "hw/functional/functional_device.hpp"
#include "hw/timed/timed_device.hpp"
#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kMiB = 1U << 20U;

template <class Tested>
class DeviceTest : public ::testing::Test {
 protected:
  /// The command that loads a program, which it puts into host memory.
  CommandWords load(const std::string& source, std::uint32_t entry = 0) {
    const std::vector<std::uint32_t> words = firmware::assemble("test.s", source).image.words;
    const std::uint32_t address = 0x20000 + entry * 4;
    host.put_bytes(address, words.data(), 4 * words.size());
    return copy_command(CommandOpcode::kLoadProgram,
                        {address, entry, static_cast<std::uint32_t>(4 * words.size()), 0});
  }
  static CommandWords run(std::uint32_t report_address, std::uint32_t entry = 0) {
    return make_command(CommandOpcode::kRun, {{field::kProgramWords, 16},
                                              {field::kEntry, entry},
                                              {field::kReportAddress, report_address}});
  }
  [[nodiscard]] std::uint32_t report_word(std::uint32_t address, spec::ReportWord word) const {
    return host.get<std::uint32_t>(address + 4 * static_cast<std::uint32_t>(word));
  }
  DeviceCounters query() {
    constexpr std::uint32_t kAddress = 0x30000;
    session.execute({query_command(kAddress)});
    return host.get<DeviceCounters>(kAddress);
  }
  /// Bytes 0, 1, 2, ... at `address` of host memory.
  std::vector<std::byte> put_pattern(std::uint32_t address, std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t n = 0; n < size; ++n) bytes[n] = static_cast<std::byte>(n * 7 + 1);
    host.put_bytes(address, bytes.data(), size);
    return bytes;
  }

  Config config = plain_config();
  DeviceHost host{config};
  Tested device{config, host.memory()};
  DeviceSession session{host, device};
};

using Devices = ::testing::Types<FunctionalDevice, TimedDevice>;
TYPED_TEST_SUITE(DeviceTest, Devices);

TYPED_TEST(DeviceTest, SaysWhatItIs) {
  EXPECT_EQ(this->session.read(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(this->session.read(PPU_REGISTER_SPEC_HASH), PPU_SPEC_HASH);
  const std::uint64_t high = this->session.read(PPU_REGISTER_CONFIG_HASH_HI);
  EXPECT_EQ(high << 32U | this->session.read(PPU_REGISTER_CONFIG_HASH_LO),
            config_hash(this->config));
}

TYPED_TEST(DeviceTest, ReadsBackWhatCanBeReadBack) {
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_BASE), this->host.ring());
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_ENTRIES), DeviceHost::kEntries);
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_TAIL), 0U);
  this->session.write(PPU_REGISTER_IRQ_MASK, 3);
  EXPECT_EQ(this->session.read(PPU_REGISTER_IRQ_MASK), 3U);
}

TYPED_TEST(DeviceTest, HasNothingWhereThereIsNoRegister) {
  this->session.write(0x1000, 7);
  EXPECT_EQ(this->session.read(0x1000), 0U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_CONTROL), 0U);
  EXPECT_FALSE(this->device.step());
}

TYPED_TEST(DeviceTest, HasNothingToDoBeforeTheDoorbell) {
  this->host.add(fence_command(0, 5));
  this->session.finish();
  EXPECT_EQ(this->session.read(PPU_REGISTER_STATUS), 0U);
  EXPECT_EQ(this->host.template get<std::uint64_t>(0), 0U);
}

TYPED_TEST(DeviceTest, OneDoorbellIsEnoughForManyCommands) {
  this->session.execute({fence_command(0, 5), fence_command(16, 6), fence_command(32, 7)});
  EXPECT_EQ(this->host.template get<std::uint64_t>(0), 5U);
  EXPECT_EQ(this->host.template get<std::uint64_t>(16), 6U);
  EXPECT_EQ(this->host.template get<std::uint64_t>(32), 7U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), 3U);
  EXPECT_EQ(this->query()[PPU_DEVICE_COUNTER_DOORBELLS], 2U);
}

TYPED_TEST(DeviceTest, GoesAroundTheRing) {
  for (std::uint32_t n = 0; n < 5 * DeviceHost::kEntries; n += 8) {
    for (std::uint32_t k = 0; k < 8; ++k) this->host.add(fence_command(0, n + k));
    this->session.ring();
    this->session.finish();
    EXPECT_EQ(this->host.template get<std::uint64_t>(0), n + 7);
  }
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), 5 * DeviceHost::kEntries);
}

TYPED_TEST(DeviceTest, AFenceHasAValueOf64Bits) {
  CommandWords fence = fence_command(64, 0x89abcdef);
  fence[field::kValueHi.word] = 0x01234567;
  this->session.execute({fence});
  EXPECT_EQ(this->host.template get<std::uint64_t>(64), 0x0123456789abcdefU);
}

TYPED_TEST(DeviceTest, AFenceChangesNothingElse) {
  const std::vector<std::byte> before = this->put_pattern(0, 128);
  this->session.execute({fence_command(80, 1)});
  std::vector<std::byte> after = this->host.bytes(0, 128);
  std::copy_n(before.begin() + 80, 16, after.begin() + 80);
  EXPECT_EQ(after, before);
}

TYPED_TEST(DeviceTest, CopiesAreExactToTheByte) {
  for (const std::uint32_t bytes : {1U, 63U, 64U, 65U, 1000U}) {
    for (const std::uint32_t offset : {0U, 1U, 63U}) {
      const std::vector<std::byte> pattern = this->put_pattern(offset, bytes);
      const std::vector<std::byte> before = this->host.bytes(0x8000, 2048);
      this->session.execute(
          {copy_command(CommandOpcode::kCopyIn, {offset, 0x400 + offset, bytes, 0}),
           copy_command(CommandOpcode::kCopyOut, {0x8040 + offset, 0x400 + offset, bytes, 0})});
      std::vector<std::byte> expected = before;
      std::copy(pattern.begin(), pattern.end(), expected.begin() + 0x40 + offset);
      EXPECT_EQ(this->host.bytes(0x8000, 2048), expected) << bytes << " bytes at " << offset;
    }
  }
}

TYPED_TEST(DeviceTest, CopiesWithinDeviceMemory) {
  const std::vector<std::byte> pattern = this->put_pattern(3, 200);
  this->session.execute({copy_command(CommandOpcode::kCopyIn, {3, 3, 200, 0}),
                         copy_command(CommandOpcode::kCopyWithin, {3, 0x1003, 200, 0}),
                         copy_command(CommandOpcode::kCopyOut, {0x4003, 0x1003, 200, 0})});
  EXPECT_EQ(this->host.bytes(0x4003, 200), pattern);
}

TYPED_TEST(DeviceTest, CarriesOutAListOfDescriptors) {
  constexpr std::uint32_t kList = 0x10000;
  std::vector<std::byte> pattern = this->put_pattern(0, 7 * 100);
  // Seven pieces change places: the first is in the command.
  const auto piece = [](std::uint32_t n) {
    return Descriptor{n * 100, 0x2000 - n * 0x200 + n * 100 % 64, 100, 0};
  };
  const auto back = [&](std::uint32_t n) {
    return Descriptor{0x8000 + n * 100, piece(n).device_address, 100, 0};
  };
  for (std::uint32_t n = 1; n < 7; ++n) {
    this->host.put(kList + (n - 1) * 16, piece(n));
    this->host.put(kList + 0x100 + (n - 1) * 16, back(n));
  }
  this->session.execute({copy_command(CommandOpcode::kCopyIn, piece(0), kList, 6),
                         copy_command(CommandOpcode::kCopyOut, back(0), kList + 0x100, 6)});
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 0U);
  EXPECT_EQ(this->host.bytes(0x8000, 700), pattern);
  const DeviceCounters counters = this->query();
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_DESCRIPTORS], 14U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_IN], 700U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_OUT], 700U);
}

TYPED_TEST(DeviceTest, StopsAtAMalformedDescriptor) {
  constexpr std::uint32_t kList = 0x10000;
  this->put_pattern(0, 64);
  this->host.put(kList, Descriptor{0, 64, 8, 0});
  this->host.put(kList + 16, Descriptor{0, 128, 0, 0});
  this->host.put(kList + 32, Descriptor{0, 192, 8, 0});
  this->session.execute({make_command(CommandOpcode::kNop),
                         copy_command(CommandOpcode::kCopyIn, {0, 0, 8, 0}, kList, 3),
                         copy_command(CommandOpcode::kCopyOut, {0x8000, 0, 256, 0})});
  ASSERT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 1U);
  const CommandError error = this->session.take_error();
  EXPECT_EQ(error.command, 1U);
  EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_DESCRIPTOR);
  EXPECT_EQ(error.detail, 1U);
  EXPECT_EQ(this->host.bytes(0x8000 + 64, 8), this->host.bytes(0, 8));
  EXPECT_EQ(this->host.bytes(0x8000 + 192, 8), std::vector<std::byte>(8));
}

TYPED_TEST(DeviceTest, EveryRejectionNamesItsCommandAndReason) {
  CommandWords reserved = make_command(CommandOpcode::kNop);
  reserved[15] = 1;
  this->session.execute({make_command(static_cast<CommandOpcode>(0x77)), reserved,
                         copy_command(CommandOpcode::kCopyIn, {0, 1, 1, 0}),
                         copy_command(CommandOpcode::kCopyIn, {0, 0, 0, 0}),
                         copy_command(CommandOpcode::kLoadProgram, {0, 65520, 64, 0}),
                         copy_command(CommandOpcode::kCopyIn, {0, kMiB, 1, 0}),
                         copy_command(CommandOpcode::kCopyIn, {kMiB, 0, 1, 0}),
                         copy_command(CommandOpcode::kCopyWithin, {0, 0, 1, 0}),
                         fence_command(0, 9)});
  for (std::uint32_t n = 0; n < 8; ++n) {
    const CommandError error = this->session.take_error();
    EXPECT_EQ(error.command, n);
    EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_OPCODE + static_cast<int>(n));
    EXPECT_EQ(error.detail, 0U);
  }
  EXPECT_EQ(this->host.template get<std::uint64_t>(0), 9U) << "the fence after them is carried out";
  EXPECT_EQ(this->query()[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 8U);
}

TYPED_TEST(DeviceTest, AFullErrorQueueCountsWhatItLoses) {
  for (std::uint32_t n = 0; n < spec::kErrorQueueEntries + 3; ++n)
    this->host.add(make_command(static_cast<CommandOpcode>(0x77)));
  this->session.ring();
  this->session.finish();
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_LOST), 3U);
  for (std::uint32_t n = 0; n < spec::kErrorQueueEntries; ++n)
    EXPECT_EQ(this->session.take_error().command, n) << "the oldest ones are kept";
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 0U);
  this->session.write(PPU_REGISTER_ERROR_POP, 1);
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 0U) << "an empty queue stays empty";
}

TYPED_TEST(DeviceTest, ResetClearsCountersAndLeavesErrors) {
  this->session.execute({make_command(static_cast<CommandOpcode>(0x77)),
                         make_command(CommandOpcode::kReset), make_command(CommandOpcode::kNop)});
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 1U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), 3U);
  const DeviceCounters counters = this->query();
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS], 2U) << "the nop and the query";
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 0U);
}

TYPED_TEST(DeviceTest, OnlyAFenceThatAsksRaisesTheInterrupt) {
  this->session.write(PPU_REGISTER_IRQ_MASK, 1);
  this->session.execute({fence_command(0, 1, false)});
  EXPECT_FALSE(this->device.interrupt());
  this->session.execute({fence_command(0, 2, true)});
  EXPECT_TRUE(this->device.interrupt());
  EXPECT_EQ(this->session.read(PPU_REGISTER_STATUS), 2U);
}

TYPED_TEST(DeviceTest, TheInterruptLineFollowsStatusAndMask) {
  this->session.execute({fence_command(0, 1, true)});
  EXPECT_EQ(this->session.read(PPU_REGISTER_IRQ_STATUS), 1U);
  EXPECT_FALSE(this->device.interrupt()) << "masked";
  this->session.write(PPU_REGISTER_IRQ_MASK, 1);
  EXPECT_TRUE(this->device.interrupt());
  this->session.write(PPU_REGISTER_IRQ_STATUS, 2);
  EXPECT_TRUE(this->device.interrupt()) << "another bit was cleared";
  this->session.write(PPU_REGISTER_IRQ_STATUS, 1);
  EXPECT_FALSE(this->device.interrupt());
}

TYPED_TEST(DeviceTest, AnErrorRaisesItsInterrupt) {
  this->session.write(PPU_REGISTER_IRQ_MASK, 2);
  this->session.execute({make_command(static_cast<CommandOpcode>(0x77))});
  EXPECT_TRUE(this->device.interrupt());
  EXPECT_EQ(this->session.read(PPU_REGISTER_IRQ_STATUS), 2U);
}

TYPED_TEST(DeviceTest, RunsAProgramAndReports) {
  constexpr std::uint32_t kReport = 0x1000;
  this->session.execute({make_command(CommandOpcode::kNop),
                         this->load("li t0, 42\nsignal t0\nhalt\n"), this->run(kReport),
                         fence_command(0, 1)});
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kStatus), PPU_RUN_OK);
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kFaultRow), PPU_NONE);
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kProgress), 42U);
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kCommand), 2U);
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kEngine), 0U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_PROGRESS), 42U);
  EXPECT_EQ(this->host.template get<Counters>(kReport +
                                              spec::kReportHeaderBytes)[PPU_COUNTER_INSTRUCTIONS],
            3U);
}

TYPED_TEST(DeviceTest, LoadsProgramsSideBySide) {
  this->session.execute({this->load("li t0, 1\nsignal t0\nhalt\n", 0),
                         this->load("li t0, 2\nsignal t0\nhalt\n", 32), this->run(0x1000, 32),
                         this->run(0x2000, 0)});
  EXPECT_EQ(this->report_word(0x1000, spec::ReportWord::kProgress), 2U);
  EXPECT_EQ(this->report_word(0x2000, spec::ReportWord::kProgress), 1U);
}

TYPED_TEST(DeviceTest, AFailedRunReportsAndPushesAnError) {
  constexpr std::uint32_t kReport = 0x1000;
  const CommandWords one_word = make_command(
      CommandOpcode::kRun, {{field::kProgramWords, 1}, {field::kReportAddress, kReport}});
  this->session.execute({this->load("signal zero\nhalt\n"), one_word, fence_command(0, 1)});
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kStatus), PPU_RUN_ILLEGAL_INSTRUCTION);
  const CommandError error = this->session.take_error();
  EXPECT_EQ(error.command, 1U);
  EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_RUN_FAILED);
  EXPECT_EQ(error.detail, PPU_RUN_ILLEGAL_INSTRUCTION);
  EXPECT_EQ(this->host.template get<std::uint64_t>(0), 1U);
}

TYPED_TEST(DeviceTest, AnEndlessRunCanBeCancelled) {
  constexpr std::uint32_t kReport = 0x1000;
  this->host.add({this->load("again: addi t0, t0, 1\nsignal t0\nj again\n"), this->run(kReport),
                  fence_command(0, 1)});
  this->session.ring();
  while (this->session.read(PPU_REGISTER_PROGRESS) < 1000) EXPECT_TRUE(this->device.step());
  this->session.write(PPU_REGISTER_CONTROL, 2);
  EXPECT_TRUE(this->device.step()) << "only 1 cancels";
  this->session.write(PPU_REGISTER_CONTROL, 1);
  this->session.finish();
  EXPECT_EQ(this->report_word(kReport, spec::ReportWord::kStatus), PPU_RUN_CANCELLED);
  EXPECT_EQ(this->session.take_error().detail, PPU_RUN_CANCELLED);
  EXPECT_EQ(this->host.template get<std::uint64_t>(0), 1U);
  EXPECT_GE(this->session.read(PPU_REGISTER_PROGRESS), 1000U);
}

TYPED_TEST(DeviceTest, AnswersDuringAnEndlessRun) {
  this->host.add({this->load("again: j again\n"), this->run(0x1000)});
  this->session.ring();
  while (this->session.read(PPU_REGISTER_RING_HEAD) < 2) this->device.step();
  this->host.add(fence_command(0, 1));
  this->session.ring();
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_TAIL), 3U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_STATUS), 1U);
  EXPECT_TRUE(this->device.step());
}

TYPED_TEST(DeviceTest, ACancelWithoutARunDoesNothing) {
  this->session.write(PPU_REGISTER_CONTROL, 1);
  this->session.execute({this->load("halt\n"), this->run(0x1000)});
  EXPECT_EQ(this->report_word(0x1000, spec::ReportWord::kStatus), PPU_RUN_OK);
}

TYPED_TEST(DeviceTest, ARingOutsideHostMemoryHoldsNops) {
  this->session.write(PPU_REGISTER_RING_BASE, 0xffffff00U);
  this->session.write(PPU_REGISTER_RING_TAIL, 4);
  this->session.finish();
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), 4U);
  EXPECT_EQ(this->session.read(PPU_REGISTER_ERROR_COUNT), 0U);
}

TYPED_TEST(DeviceTest, ARingWithoutEntriesHangsNothing) {
  this->session.write(PPU_REGISTER_RING_ENTRIES, 0);
  this->session.write(PPU_REGISTER_RING_TAIL, 40000);
  this->session.finish();
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), 40000U);
}

TYPED_TEST(DeviceTest, RandomCommandsHangNothing) {
  std::uint32_t state = 1;
  const auto random = [&state] {
    state = state * 1664525U + 1013904223U;
    return state >> 8U;
  };
  for (int batch = 0; batch < 50; ++batch) {
    for (std::uint32_t n = 0; n < DeviceHost::kEntries; ++n) {
      CommandWords words{};
      // Mostly small numbers, so that some commands are valid.
      for (std::uint32_t& word : words)
        word = random() % 4 == 0 ? random() << (random() % 24) : random() % 3 * 64;
      words[0] = random() % 12 | (random() % 8 == 0 ? random() << 8U : 0);
      // Runs would find endless programs.
      if (opcode_of(words) == CommandOpcode::kRun) words[0] = 0;
      this->host.add(words);
    }
    this->session.ring();
    this->session.finish();
    this->session.execute({make_command(CommandOpcode::kReset)});
  }
  EXPECT_EQ(this->session.read(PPU_REGISTER_RING_HEAD), this->host.tail());
}

}  // namespace
}  // namespace ppu::hw::test
