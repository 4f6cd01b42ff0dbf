// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The RTL around the engines: what commands do to memory, registers and the interrupt line. After
// each test everything that can be seen, cycle by cycle, must be as in the timed device; after runs
// that fail, everything but the cycles.
#include <algorithm>
#include <array>
#include <set>

#include "base/bits/crc32c.hpp"
#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kMiB = 1U << 20U;

class RtlTop : public ::testing::Test {
 protected:
  RtlTop() = default;
  explicit RtlTop(const Config& other) : config(other) {}

  void TearDown() override {
    if (cycles_are_specified)
      twins.expect_equal();
    else
      twins.expect_equal_state({0});
  }

  /// Bytes that differ from their neighbours at `address` of host memory.
  std::vector<std::byte> put_pattern(std::uint32_t address, std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t n = 0; n < size; ++n) bytes[n] = static_cast<std::byte>(n * 7 + 1);
    twins.put_bytes(address, bytes.data(), size);
    return bytes;
  }
  /// The command that loads a program, which it puts into host memory.
  CommandWords load(const std::string& source, std::uint32_t entry = 0) {
    const std::vector<std::uint32_t> words = firmware::assemble("test.s", source).image.words;
    const std::uint32_t address = 0x20000 + entry * 4;
    twins.put_bytes(address, words.data(), 4 * words.size());
    return copy_command(CommandOpcode::kLoadProgram,
                        {address, entry, static_cast<std::uint32_t>(4 * words.size()), 0});
  }
  static CommandWords run(std::uint32_t report_address, std::uint32_t entry = 0) {
    return make_command(CommandOpcode::kRun, {{field::kProgramWords, 16},
                                              {field::kEntry, entry},
                                              {field::kReportAddress, report_address}});
  }
  /// The same of this many rows in the reduced form.
  static CommandWords reduced_run(std::uint32_t rows) {
    CommandWords words = run(0x1000);
    words[field::kFlags.word] |= spec::kFlagReduced << field::kFlags.lsb;
    words[field::kRowCount.word] = rows;
    return words;
  }
  std::uint32_t report_word(std::uint32_t address, spec::ReportWord word) {
    return twins.rtl_host.get<std::uint32_t>(address + 4 * static_cast<std::uint32_t>(word));
  }
  DeviceCounters query() {
    constexpr std::uint32_t kAddress = 0x30000;
    twins.execute({query_command(kAddress)});
    return twins.rtl_host.get<DeviceCounters>(kAddress);
  }
  std::uint32_t read(std::uint32_t offset) { return twins.rtl_session.read(offset); }

  Config config = plain_config();
  Twins twins{config};
  bool cycles_are_specified = true;  ///< Else there is one fence, at address 0.
  DeviceHost& host = twins.rtl_host;
};

TEST_F(RtlTop, SaysWhatItIs) {
  EXPECT_EQ(read(PPU_REGISTER_MAGIC), PPU_MAGIC);
  EXPECT_EQ(read(PPU_REGISTER_SPEC_HASH), PPU_SPEC_HASH);
  const std::uint64_t high = read(PPU_REGISTER_CONFIG_HASH_HI);
  EXPECT_EQ(high << 32U | read(PPU_REGISTER_CONFIG_HASH_LO), config_hash(config));
  EXPECT_EQ(read(PPU_REGISTER_LOCKSTEP_ROWS), 0U);
}

TEST_F(RtlTop, CopiesAreExactToTheByte) {
  // What lies behind the bytes differs from what is where they go.
  const std::vector<std::byte> behind(4096, std::byte{0x5a}), around(8192, std::byte{0xc3});
  for (const std::uint32_t bytes : {1U, 15U, 64U, 65U, 1000U, 3000U}) {
    for (const std::uint32_t offset : {0U, 1U, 63U}) {
      twins.put_bytes(0, behind.data(), behind.size());
      twins.put_bytes(0x8000, around.data(), around.size());
      const std::vector<std::byte> pattern = put_pattern(offset, bytes);
      std::vector<std::byte> expected = host.bytes(0x8000, 8192);
      twins.execute(
          {copy_command(CommandOpcode::kCopyIn, {offset, 0x400 + offset, bytes, 0}),
           copy_command(CommandOpcode::kCopyWithin, {0x400 + offset, 0x1800 + offset, bytes, 0}),
           copy_command(CommandOpcode::kCopyOut, {0x8040 + offset, 0x1800 + offset, bytes, 0})});
      std::copy(pattern.begin(), pattern.end(), expected.begin() + 0x40 + offset);
      EXPECT_EQ(host.bytes(0x8000, 8192), expected) << bytes << " bytes at " << offset;
    }
  }
}

TEST_F(RtlTop, CarriesOutAListOfDescriptors) {
  constexpr std::uint32_t kList = 0x10000;
  const std::vector<std::byte> pattern = put_pattern(0, 11 * 100);
  const auto piece = [](std::uint32_t n) {
    return Descriptor{n * 100, 0x4000 - n * 0x200 + n * 100 % 64, 100, 0};
  };
  const auto back = [&](std::uint32_t n) {
    return Descriptor{0x8000 + n * 100, piece(n).device_address, 100, 0};
  };
  for (std::uint32_t n = 1; n < 11; ++n) {
    twins.put(kList + (n - 1) * 16, piece(n));
    twins.put(kList + 0x100 + (n - 1) * 16, back(n));
  }
  twins.execute({copy_command(CommandOpcode::kCopyIn, piece(0), kList, 10),
                 copy_command(CommandOpcode::kCopyOut, back(0), kList + 0x100, 10)});
  EXPECT_EQ(host.bytes(0x8000, 1100), pattern);
  const DeviceCounters counters = query();
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_DESCRIPTORS], 22U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_IN], 1100U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_OUT], 1100U);
}

TEST_F(RtlTop, StopsAtEachKindOfMalformedDescriptor) {
  constexpr std::uint32_t kList = 0x10000;
  const Descriptor bad[] = {{0, 1, 8, 0},    {0, 0, 0, 0},   {0, kMiB - 64, 65, 0},
                            {kMiB, 0, 1, 0}, {0, 64, 64, 1}, {0xffffffc0, 0xffffffc0, 64, 0}};
  for (std::uint32_t index = 0; index < std::size(bad); ++index) {
    for (std::uint32_t n = 0; n < 7; ++n) twins.put(kList + n * 16, Descriptor{0, 0, 8, 0});
    twins.put(kList + index * 16, bad[index]);
    const std::uint32_t number = host.tail();
    twins.execute({copy_command(CommandOpcode::kCopyIn, {0, 0, 8, 0}, kList, 7)});
    const CommandError error = twins.take_error();
    EXPECT_EQ(error.command, number);
    EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_DESCRIPTOR);
    EXPECT_EQ(error.detail, index);
  }
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
}

// A descriptor that is malformed and a command that is: first the one, from a cycle on the other.
TEST_F(RtlTop, ErrorsOfOneCycleHaveAnOrder) {
  constexpr std::uint32_t kList = 0x10000, kNoRegister = 0xfc;
  twins.put(kList, Descriptor{0, 1, 8, 0});
  std::set<ppu_command_error> first;
  for (std::uint32_t cycles = 0; cycles < 90; ++cycles) {
    for (DeviceHost* its : {&twins.rtl_host, &twins.model_host})
      its->add(copy_command(CommandOpcode::kCopyIn, {0, 0, 8, 0}, kList, 1));
    twins.write(PPU_REGISTER_RING_TAIL, host.tail());
    for (std::uint32_t n = 0; n < cycles; ++n) twins.write(kNoRegister, 0);
    twins.execute({make_command(CommandOpcode::kFence, {{field::kHostAddress, 4}})});
    ASSERT_EQ(read(PPU_REGISTER_ERROR_REASON), twins.model_session.read(PPU_REGISTER_ERROR_REASON))
        << cycles << " cycles";
    first.insert(twins.take_error().reason);
    twins.take_error();
    EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  }
  EXPECT_EQ(first, (std::set{PPU_COMMAND_ERROR_DESCRIPTOR, PPU_COMMAND_ERROR_ALIGNMENT}));
}

TEST_F(RtlTop, TellsAProgramWithAFlippedBit) {
  std::array<std::uint32_t, 48> words{};
  for (std::uint32_t n = 0; n < words.size(); ++n) words[n] = 0x9e3779b9U * n;
  const std::uint32_t good = crc32c(words.data(), sizeof words);
  const CommandWords load = checked_load({0x2000, 16, 33 * 4, 0}, good);
  twins.put(0x2000, words);
  twins.execute({load});
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  for (std::uint32_t bit = 0; bit < 32 * words.size(); bit += 37) {
    std::array<std::uint32_t, 48> flipped = words;
    flipped[bit / 32] ^= 1U << bit % 32;
    twins.put(0x2000, flipped);
    const std::uint32_t number = host.tail();
    twins.execute({load});
    const CommandError error = twins.take_error();
    EXPECT_EQ(error.command, number) << "bit " << bit;
    EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_CHECKSUM) << "bit " << bit;
    EXPECT_EQ(error.detail, crc32c(flipped.data(), sizeof flipped)) << "bit " << bit;
  }
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
}

/// With check bits.
class RtlTopProtected : public RtlTop {
 protected:
  RtlTopProtected() : RtlTop(plain_config({}, "protected")) {}
};

TEST_F(RtlTopProtected, CorrectsOrTellsAWordOfDeviceMemoryWithFlippedBits) {
  static constexpr std::uint32_t kDevice = 0x400, kWord = (kDevice + 72) / 8, kBytes = 512;
  const auto flip = [](bool two) {
    CommandWords words =
        make_command(CommandOpcode::kFlip,
                     {{field::kFlipMemory, PPU_FAULT_DEVICE_MEMORY}, {field::kFlipWord, kWord}});
    words[field::kFlags.word] |= (two ? spec::kFlagTwo : 0U) << field::kFlags.lsb;
    return words;
  };
  const auto copy_in = [](std::uint32_t offset, std::uint32_t bytes) {
    return copy_command(CommandOpcode::kCopyIn, {offset, kDevice + offset, bytes, 0});
  };
  const CommandWords copy_out = copy_command(CommandOpcode::kCopyOut, {0x8000, kDevice, kBytes, 0});
  const CommandWords within =
      copy_command(CommandOpcode::kCopyWithin, {kDevice, 0x4000, kBytes, 0});
  const auto corrected = [this] { return query()[PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED]; };
  const auto expect_lost = [this] {
    const CommandError error = twins.take_error();
    EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_MEMORY);
    EXPECT_EQ(error.detail, kWord);
    EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  };
  const std::vector<std::byte> pattern = put_pattern(0, kBytes);
  twins.execute({copy_in(0, kBytes), flip(false), copy_out, within});
  EXPECT_EQ(host.bytes(0x8000, kBytes), pattern);
  EXPECT_EQ(corrected(), 2U);
  // The rest of a word that is written in part is corrected.
  twins.execute({copy_in(76, 4)});
  EXPECT_EQ(corrected(), 3U);
  twins.execute({copy_out});
  EXPECT_EQ(corrected(), 3U);
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);

  for (const CommandWords& reader : {copy_out, within}) {
    twins.execute({flip(true), reader});
    expect_lost();
    twins.execute({copy_in(0, 76), reader});
    expect_lost();
  }
  twins.execute({copy_in(72, 8), copy_out, within});
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  EXPECT_EQ(corrected(), 3U);
}

TEST_F(RtlTop, RejectsEveryMalformedCommandWithNumberAndReason) {
  struct Rejected {
    CommandWords command;
    ppu_command_error reason;
  };
  const auto changed = [](CommandWords words, std::size_t word, std::uint32_t value) {
    words[word] = value;
    return words;
  };
  const CommandWords good_run = run(0);
  const CommandWords copy = copy_command(CommandOpcode::kCopyIn, {0, 0, 1, 0});
  const CommandWords load = copy_command(CommandOpcode::kLoadProgram, {0, 0, 64, 0});
  const Rejected rejected[] = {
      {make_command(static_cast<CommandOpcode>(0x0a)), PPU_COMMAND_ERROR_OPCODE},
      {make_command(static_cast<CommandOpcode>(0xff)), PPU_COMMAND_ERROR_OPCODE},
      {changed(make_command(CommandOpcode::kNop), 15, 1U << 31U), PPU_COMMAND_ERROR_RESERVED},
      {changed(make_command(CommandOpcode::kNop), 0, 0x100), PPU_COMMAND_ERROR_RESERVED},
      {changed(good_run, 0, 0x00101005), PPU_COMMAND_ERROR_RESERVED},
      {changed(copy, 2, 63), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(copy, 4, 32), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(load, 1, 4), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(load, 2, 8), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(good_run, 1, 8), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(good_run, 4, 4), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(good_run, 5, 4), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(good_run, 6, 4), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(good_run, 7, 4), PPU_COMMAND_ERROR_ALIGNMENT},
      {fence_command(8, 1), PPU_COMMAND_ERROR_ALIGNMENT},
      {query_command(16), PPU_COMMAND_ERROR_ALIGNMENT},
      {changed(copy, 3, 0), PPU_COMMAND_ERROR_SIZE},
      {changed(load, 3, 0), PPU_COMMAND_ERROR_SIZE},
      {changed(load, 3, 6), PPU_COMMAND_ERROR_SIZE},
      {changed(good_run, 0, 5), PPU_COMMAND_ERROR_SIZE},
      {changed(load, 2, config.instruction_memory_words), PPU_COMMAND_ERROR_CAPACITY},
      {changed(load, 2, 0xfffffff0), PPU_COMMAND_ERROR_CAPACITY},
      {changed(good_run, 1, config.instruction_memory_words), PPU_COMMAND_ERROR_CAPACITY},
      {changed(good_run, 2, config.impulse_memory_rows + 1), PPU_COMMAND_ERROR_CAPACITY},
      {changed(good_run, 3, config.body_memory_bodies + 1), PPU_COMMAND_ERROR_CAPACITY},
      {changed(copy, 2, kMiB), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(copy_command(CommandOpcode::kCopyWithin, {0, 64, 1, 0}), 1, kMiB),
       PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(changed(good_run, 2, 1), 4, kMiB - 64), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(reduced_run(5), 4, kMiB - 6 * 64), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(changed(good_run, 2, 17), 5, kMiB - 64), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(changed(good_run, 3, 3), 6, kMiB - 64), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(good_run, 6, kMiB + 64), PPU_COMMAND_ERROR_DEVICE_RANGE},
      {changed(copy, 1, kMiB), PPU_COMMAND_ERROR_HOST_RANGE},
      {changed(changed(copy, 4, kMiB - 64), 5, 5), PPU_COMMAND_ERROR_HOST_RANGE},
      {changed(copy, 5, 0xffffffff), PPU_COMMAND_ERROR_HOST_RANGE},
      {changed(load, 1, kMiB), PPU_COMMAND_ERROR_HOST_RANGE},
      {changed(good_run, 7, kMiB - 256), PPU_COMMAND_ERROR_HOST_RANGE},
      {fence_command(kMiB, 1), PPU_COMMAND_ERROR_HOST_RANGE},
      {query_command(kMiB - 128), PPU_COMMAND_ERROR_HOST_RANGE},
      {copy_command(CommandOpcode::kCopyWithin, {0, 64, 65, 0}), PPU_COMMAND_ERROR_OVERLAP},
      {copy_command(CommandOpcode::kCopyWithin, {64, 0, 65, 0}), PPU_COMMAND_ERROR_OVERLAP},
  };
  std::uint64_t value = 0;
  for (const Rejected& one : rejected) {
    const std::uint32_t number = host.tail();
    twins.execute({one.command, fence_command(0, static_cast<std::uint32_t>(++value))});
    const CommandError error = twins.take_error();
    EXPECT_EQ(error.command, number);
    EXPECT_EQ(error.reason, one.reason) << "command " << number / 2 << " of the list";
    EXPECT_EQ(error.detail, 0U);
    EXPECT_EQ(host.get<std::uint64_t>(0), value) << "the fence after it is carried out";
  }
  EXPECT_EQ(query()[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], std::size(rejected));
}

TEST_F(RtlTop, TakesWhatJustFits) {
  twins.execute(
      {copy_command(CommandOpcode::kCopyIn, {0, kMiB - 64, 64, 0}),
       copy_command(CommandOpcode::kCopyIn, {0, 0, 1, 0}, kMiB, 0),
       copy_command(CommandOpcode::kCopyWithin, {0, 64, 64, 0}),
       copy_command(CommandOpcode::kLoadProgram, {0, config.instruction_memory_words - 16, 64, 0}),
       query_command(0x8000)});
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  EXPECT_EQ(host.get<DeviceCounters>(0x8000)[PPU_DEVICE_COUNTER_DESCRIPTORS], 4U);
}

TEST_F(RtlTop, AFullErrorQueueCountsWhatItLoses) {
  twins.execute(std::vector<CommandWords>(spec::kErrorQueueEntries + 3,
                                          make_command(static_cast<CommandOpcode>(0x77))));
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  EXPECT_EQ(read(PPU_REGISTER_ERROR_LOST), 3U);
  for (std::uint32_t n = 0; n < spec::kErrorQueueEntries; ++n)
    EXPECT_EQ(twins.take_error().command, n);
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
  twins.write(PPU_REGISTER_ERROR_POP, 1);
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U) << "an empty queue stays empty";
  EXPECT_EQ(read(PPU_REGISTER_ERROR_LOST), 3U);
  twins.execute({make_command(CommandOpcode::kReset)});
  EXPECT_EQ(read(PPU_REGISTER_ERROR_LOST), 3U) << "a reset forgets none";
}

TEST_F(RtlTop, AFenceHasItsValueAndTheCycleOfItsBegin) {
  const std::vector<std::byte> before = put_pattern(0, 128);
  CommandWords fence = fence_command(80, 0x89abcdef);
  fence[field::kValueHi.word] = 0x01234567;
  twins.execute({fence});
  EXPECT_EQ(host.get<std::uint64_t>(80), 0x0123456789abcdefU);
  // Two register writes, the doorbell in cycle 2, the fetch in cycle 3, its answer in cycle 24.
  EXPECT_EQ(host.get<std::uint64_t>(88), 25U);
  std::vector<std::byte> after = host.bytes(0, 128);
  std::copy_n(before.begin() + 80, 16, after.begin() + 80);
  EXPECT_EQ(after, before) << "nothing else changes";
}

TEST_F(RtlTop, TheInterruptLineFollowsStatusAndMask) {
  twins.execute({fence_command(0, 1, false)});
  EXPECT_EQ(read(PPU_REGISTER_IRQ_STATUS), 0U) << "it did not ask";
  twins.execute({fence_command(0, 1, true)});
  EXPECT_EQ(read(PPU_REGISTER_IRQ_STATUS), 1U);
  EXPECT_FALSE(twins.rtl->interrupt()) << "masked";
  twins.write(PPU_REGISTER_IRQ_MASK, 1);
  EXPECT_TRUE(twins.rtl->interrupt());
  EXPECT_EQ(read(PPU_REGISTER_STATUS), 2U);
  twins.write(PPU_REGISTER_IRQ_STATUS, 2);
  EXPECT_TRUE(twins.rtl->interrupt()) << "another bit was cleared";
  twins.write(PPU_REGISTER_IRQ_STATUS, 1);
  EXPECT_FALSE(twins.rtl->interrupt());
  twins.write(PPU_REGISTER_IRQ_MASK, 2);
  twins.execute({make_command(static_cast<CommandOpcode>(0x77))});
  EXPECT_TRUE(twins.rtl->interrupt()) << "an error raises bit 1";
}

TEST_F(RtlTop, StepStopsWhenTheInterruptLineRises) {
  twins.write(PPU_REGISTER_IRQ_MASK, 1);
  host.add({fence_command(0, 1, true),
            load("li t0, 100\nagain: addi t0, t0, -1\n"
                 "bne t0, zero, again\nhalt\n"),
            run(0x1000)});
  twins.rtl_session.ring();
  EXPECT_TRUE(twins.rtl->step()) << "the run is still to come";
  EXPECT_TRUE(twins.rtl->interrupt());
  EXPECT_EQ(read(PPU_REGISTER_RING_HEAD) < 3, true);
  twins.rtl_session.finish();
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kStatus), PPU_RUN_OK);
  // The twin does the same in one go.
  twins.model_host.add(
      {fence_command(0, 1, true), host.get<CommandWords>(host.ring() + 64), run(0x1000)});
  twins.model_session.ring();
  twins.model_session.finish();
}

TEST_F(RtlTop, ABarrierHoldsBackWhatComesAfterIt) {
  put_pattern(0, 4096);
  twins.execute({copy_command(CommandOpcode::kCopyIn, {0, 0, 4096, 0}),
                 make_command(CommandOpcode::kBarrier), make_command(CommandOpcode::kNop),
                 query_command(0x8000)});
  const auto counters = host.get<DeviceCounters>(0x8000);
  EXPECT_GT(counters[PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES], 64U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_BYTES_IN], 4096U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_HOST_READ_BEATS], 64U + 4U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_MEMORY_BEATS], 64U);
}

TEST_F(RtlTop, ResetClearsCountersAndNeitherErrorsNorTheTime) {
  twins.execute({make_command(static_cast<CommandOpcode>(0x77)),
                 make_command(CommandOpcode::kReset), fence_command(0, 1)});
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 1U);
  EXPECT_EQ(read(PPU_REGISTER_RING_HEAD), 3U);
  EXPECT_GT(host.get<std::uint64_t>(8), 25U) << "the device cycle";
  const DeviceCounters counters = query();
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS], 2U) << "the fence and the query";
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 0U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_FENCES], 1U);
}

TEST_F(RtlTop, RunsAProgramAndReports) {
  twins.execute({make_command(CommandOpcode::kNop), load("li t0, 42\nsignal t0\nhalt\n"),
                 run(0x1000), fence_command(0, 1)});
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kStatus), PPU_RUN_OK);
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kFaultRow), PPU_NONE);
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kProgress), 42U);
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kCommand), 2U);
  EXPECT_EQ(read(PPU_REGISTER_PROGRESS), 42U);
  const auto counters = host.get<Counters>(0x1000 + spec::kReportHeaderBytes);
  EXPECT_EQ(counters[PPU_COUNTER_INSTRUCTIONS], 3U);
}

TEST_F(RtlTop, TheLastBlockOfReducedRowsEndsBehindItsLastHead) {
  constexpr std::uint32_t kBeats = 7;  // two of tails, five heads
  constexpr std::uint32_t kAddress = kMiB - kBeats * spec::kBeatBytes;
  // Rows without bodies and parents.
  const std::vector<std::byte> rows(kBeats * spec::kBeatBytes, std::byte{0xff});
  twins.put_bytes(0x8000, rows.data(), rows.size());
  CommandWords words = reduced_run(5);
  words[field::kRowsAddress.word] = kAddress;
  twins.execute({load("halt\n"),
                 copy_command(CommandOpcode::kCopyIn,
                              {0x8000, kAddress, static_cast<std::uint32_t>(rows.size()), 0}),
                 make_command(CommandOpcode::kBarrier), words, fence_command(0, 1)});
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kStatus), PPU_RUN_OK);
  const auto counters = host.get<Counters>(0x1000 + spec::kReportHeaderBytes);
  EXPECT_EQ(counters[PPU_COUNTER_MEMORY_READ_BEATS], kBeats + 1);
}

TEST_F(RtlTop, AFailedRunReportsAndPushesAnError) {
  cycles_are_specified = false;
  CommandWords one_word = run(0x1000);
  one_word[0] = 1U << field::kProgramWords.lsb | static_cast<std::uint32_t>(CommandOpcode::kRun);
  twins.execute({load("signal zero\nhalt\n"), one_word, fence_command(0, 1)});
  EXPECT_EQ(report_word(0x1000, spec::ReportWord::kStatus), PPU_RUN_ILLEGAL_INSTRUCTION);
  const CommandError error = twins.take_error();
  EXPECT_EQ(error.command, 1U);
  EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_RUN_FAILED);
  EXPECT_EQ(error.detail, PPU_RUN_ILLEGAL_INSTRUCTION);
}

TEST_F(RtlTop, ARingOutsideHostMemoryHoldsNops) {
  twins.write(PPU_REGISTER_RING_BASE, 0xffffff00U);
  twins.write(PPU_REGISTER_RING_ENTRIES, 0);
  twins.write(PPU_REGISTER_RING_TAIL, 400);
  twins.rtl_session.finish();
  twins.model_session.finish();
  EXPECT_EQ(read(PPU_REGISTER_RING_HEAD), 400U);
  EXPECT_EQ(read(PPU_REGISTER_ERROR_COUNT), 0U);
}

TEST(RtlTopAlone, NamesWhatWasBuiltAndTheNearestIfThereIsNone) {
  Config config = plain_config();
  config.lanes = 6;
  DeviceHost host(config);
  try {
    create_rtl_device(config, host.memory());
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(
        error.what(),
        "no RTL device of this shape was built, only default, small, wide, inorder, protected; the "
        "nearest, default, has lanes 12 instead of 6; `ppu rtl build CONFIG` "
        "builds it");
  }
}

}  // namespace
}  // namespace ppu::hw::test
