// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands: every error reason, the order of the checks, and the edges of every range.
#include "hw/contract/command.hpp"

#include <gtest/gtest.h>

#include "tests/hw/support/device_host.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kMebibyte = 1U << 20U;

class CommandTest : public ::testing::Test {
 protected:
  [[nodiscard]] ppu_command_error check(const CommandWords& command) const {
    return checker_.check(command, contexts_, 0);
  }
  [[nodiscard]] ppu_command_error check_copy(CommandOpcode opcode, const Descriptor& range,
                                             std::uint32_t list_address = 0,
                                             std::uint32_t list_count = 0) const {
    return check(copy_command(opcode, range, list_address, list_count));
  }
  [[nodiscard]] ppu_command_error check_load(const Descriptor& range) const {
    return check(copy_command(CommandOpcode::kLoadProgram, range));
  }
  /// A good run with some fields replaced.
  [[nodiscard]] ppu_command_error check_run(Fields fields) const {
    CommandWords words =
        make_command(CommandOpcode::kRun,
                     {{field::kProgramWords, 8}, {field::kRowCount, 4}, {field::kBodyCount, 2}});
    for (const auto& [where, value] : fields) {
      words[where.word] &= ~(~std::uint32_t{0} >> (32U - where.width) << where.lsb);
      words[where.word] |= value << where.lsb;
    }
    return check(words);
  }

  static Config protected_config() {
    Config config = plain_config();
    config.memory_protection = 1;
    return config;
  }

  Config config_ = protected_config();
  CommandChecker checker_{config_};
  ContextTable contexts_{config_};
};

TEST_F(CommandTest, AFlipIsNoCommandOfADeviceWithoutCheckBits) {
  const CommandWords flip = make_command(CommandOpcode::kFlip);
  EXPECT_EQ(check(flip), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(CommandChecker(plain_config()).check(flip, contexts_, 0), PPU_COMMAND_ERROR_OPCODE);
}

TEST_F(CommandTest, CommandsWithoutFieldsAreValid) {
  for (const CommandOpcode opcode :
       {CommandOpcode::kNop, CommandOpcode::kBarrier, CommandOpcode::kReset})
    EXPECT_EQ(check(make_command(opcode)), PPU_COMMAND_ERROR_NONE);
}

TEST_F(CommandTest, EveryOpcodeWithoutACommandIsRejected) {
  for (std::uint32_t opcode = spec::kCommands.size(); opcode < 256; ++opcode)
    EXPECT_EQ(check(make_command(static_cast<CommandOpcode>(opcode))), PPU_COMMAND_ERROR_OPCODE);
}

TEST_F(CommandTest, EveryBitThatNoFieldNamesIsReserved) {
  for (const spec::CommandInfo& info : spec::kCommands) {
    for (std::uint32_t bit = field::kOpcode.width; bit < 32 * info.allowed.size(); ++bit) {
      CommandWords words = make_command(info.opcode);
      words[bit / 32] |= 1U << bit % 32;
      const bool allowed = (info.allowed[bit / 32] >> bit % 32 & 1U) != 0;
      EXPECT_EQ(check(words) == PPU_COMMAND_ERROR_RESERVED, !allowed)
          << info.name << " bit " << bit;
    }
  }
}

TEST_F(CommandTest, ACopyKeepsThePlaceOfABeat) {
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {67, 131, 5, 0}), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {67, 132, 5, 0}), PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {0, 0, 5, 0}, 16), PPU_COMMAND_ERROR_ALIGNMENT);
}

TEST_F(CommandTest, ACopyOfNothingIsRejected) {
  EXPECT_EQ(check_copy(CommandOpcode::kCopyOut, {0, 0, 0, 0}), PPU_COMMAND_ERROR_SIZE);
}

TEST_F(CommandTest, ACopyMayReachTheEndOfBothMemories) {
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {kMebibyte - 8, kMebibyte - 8, 8, 0}),
            PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {kMebibyte - 72, kMebibyte - 8, 9, 0}),
            PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {kMebibyte - 8, kMebibyte - 72, 9, 0}),
            PPU_COMMAND_ERROR_HOST_RANGE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {kMebibyte - 8, 56, 0xfffffff8U, 0}),
            PPU_COMMAND_ERROR_DEVICE_RANGE);
}

TEST_F(CommandTest, AListLiesInHostMemory) {
  const Descriptor range{0, 0, 4, 0};
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, range, kMebibyte - 64, 4), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, range, kMebibyte - 64, 5),
            PPU_COMMAND_ERROR_HOST_RANGE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, range, kMebibyte, 0), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, range, kMebibyte + 64, 0),
            PPU_COMMAND_ERROR_HOST_RANGE);
  // A count whose size does not fit 32 bits.
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, range, 0, 0x10000000U),
            PPU_COMMAND_ERROR_HOST_RANGE);
}

TEST_F(CommandTest, ACopyWithinDeviceMemoryDoesNotOverlap) {
  const auto within = [this](std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    return check_copy(CommandOpcode::kCopyWithin, {from, to, bytes, 0});
  };
  EXPECT_EQ(within(0, 128, 128), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(within(0, 128, 129), PPU_COMMAND_ERROR_OVERLAP);
  EXPECT_EQ(within(128, 0, 129), PPU_COMMAND_ERROR_OVERLAP);
  EXPECT_EQ(within(64, 64, 1), PPU_COMMAND_ERROR_OVERLAP);
  EXPECT_EQ(within(kMebibyte - 64, 0, 65), PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(within(0, kMebibyte - 64, 65), PPU_COMMAND_ERROR_DEVICE_RANGE);
}

TEST_F(CommandTest, AProgramFitsInstructionMemory) {
  const std::uint32_t words = config_.instruction_memory_words;
  EXPECT_EQ(check_load({0, words - 16, 64, 0}), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_load({0, words - 16, 68, 0}), PPU_COMMAND_ERROR_CAPACITY);
  EXPECT_EQ(check_load({0, 8, 4, 0}), PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check_load({16, 0, 4, 0}), PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check_load({0, 0, 0, 0}), PPU_COMMAND_ERROR_SIZE);
  EXPECT_EQ(check_load({0, 0, 6, 0}), PPU_COMMAND_ERROR_SIZE);
  EXPECT_EQ(check_load({kMebibyte - 64, 0, 68, 0}), PPU_COMMAND_ERROR_HOST_RANGE);
}

TEST_F(CommandTest, ARunIsCheckedFieldByField) {
  EXPECT_EQ(check_run({}), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_run({{field::kEntry, 8}}), PPU_COMMAND_ERROR_ALIGNMENT);
  for (const spec::CommandField& address : {field::kRowsAddress, field::kImpulsesAddress,
                                            field::kVelocitiesAddress, field::kReportAddress})
    EXPECT_EQ(check_run({{address, 32}}), PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check_run({{field::kProgramWords, 0}}), PPU_COMMAND_ERROR_SIZE);
  EXPECT_EQ(check_run({{field::kEntry, config_.instruction_memory_words}}),
            PPU_COMMAND_ERROR_CAPACITY);
  EXPECT_EQ(check_run({{field::kRowCount, config_.impulse_memory_rows + 1}}),
            PPU_COMMAND_ERROR_CAPACITY);
  EXPECT_EQ(check_run({{field::kBodyCount, config_.body_memory_bodies + 1}}),
            PPU_COMMAND_ERROR_CAPACITY);
  EXPECT_EQ(
      check_run({{field::kRowCount, 4}, {field::kRowsAddress, kMebibyte - 4 * PPU_ROW_BYTES}}),
      PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(
      check_run({{field::kRowCount, 5}, {field::kRowsAddress, kMebibyte - 4 * PPU_ROW_BYTES}}),
      PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_run({{field::kRowCount, 17}, {field::kImpulsesAddress, kMebibyte - 64}}),
            PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_run({{field::kBodyCount, 3}, {field::kVelocitiesAddress, kMebibyte - 64}}),
            PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_run({{field::kReportAddress, kMebibyte - 256}}), PPU_COMMAND_ERROR_HOST_RANGE);
}

TEST_F(CommandTest, ReducedRowsTakeABeatEachAndOneForEveryFour) {
  const auto check_reduced = [this](std::uint32_t rows, std::uint32_t beats) {
    return check_run({{field::kFlags, spec::kFlagReduced},
                      {field::kRowCount, rows},
                      {field::kRowsAddress, kMebibyte - 64 * beats}});
  };
  EXPECT_EQ(check_reduced(0, 0), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_reduced(1, 2), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_reduced(1, 1), PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_reduced(4, 5), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_reduced(4, 4), PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_reduced(5, 7), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check_reduced(5, 6), PPU_COMMAND_ERROR_DEVICE_RANGE);
}

TEST_F(CommandTest, FencesAndQueriesLieInHostMemory) {
  EXPECT_EQ(check(fence_command(kMebibyte - 16, 1)), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check(fence_command(kMebibyte, 1)), PPU_COMMAND_ERROR_HOST_RANGE);
  EXPECT_EQ(check(fence_command(8, 1)), PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check(query_command(kMebibyte - 192)), PPU_COMMAND_ERROR_NONE);
  EXPECT_EQ(check(query_command(kMebibyte - 128)), PPU_COMMAND_ERROR_HOST_RANGE);
  EXPECT_EQ(check(query_command(16)), PPU_COMMAND_ERROR_ALIGNMENT);
}

TEST_F(CommandTest, TheFirstErrorOfTheListIsReported) {
  // Misaligned, empty and out of both memories at once.
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {3 * kMebibyte, 2 * kMebibyte + 1, 0, 0}),
            PPU_COMMAND_ERROR_ALIGNMENT);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {3 * kMebibyte, 2 * kMebibyte, 0, 0}),
            PPU_COMMAND_ERROR_SIZE);
  EXPECT_EQ(
      check_copy(CommandOpcode::kCopyIn, {3 * kMebibyte, 2 * kMebibyte, 1, 0}, 2 * kMebibyte, 1),
      PPU_COMMAND_ERROR_DEVICE_RANGE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {3 * kMebibyte, 0, 1, 0}),
            PPU_COMMAND_ERROR_HOST_RANGE);
  EXPECT_EQ(check_copy(CommandOpcode::kCopyIn, {0, 0, 0, 0}, 32, 1), PPU_COMMAND_ERROR_ALIGNMENT);
}

TEST_F(CommandTest, DescriptorsPassTheChecksOfACopy) {
  EXPECT_TRUE(CommandChecker::is_valid({0, 64, 9, 0}, CommandOpcode::kCopyOut, contexts_[0]));
  EXPECT_FALSE(CommandChecker::is_valid({0, 64, 9, 1}, CommandOpcode::kCopyOut, contexts_[0]));
  EXPECT_FALSE(CommandChecker::is_valid({0, 65, 9, 0}, CommandOpcode::kCopyOut, contexts_[0]));
  EXPECT_FALSE(CommandChecker::is_valid({0, 64, 0, 0}, CommandOpcode::kCopyOut, contexts_[0]));
  EXPECT_FALSE(
      CommandChecker::is_valid({kMebibyte, 64, 9, 0}, CommandOpcode::kCopyOut, contexts_[0]));
  EXPECT_FALSE(
      CommandChecker::is_valid({0, kMebibyte, 9, 0}, CommandOpcode::kCopyOut, contexts_[0]));
}

TEST_F(CommandTest, ARunIsDecoded) {
  const RunCommand run =
      decode_run(make_command(CommandOpcode::kRun, {{field::kProgramWords, 9},
                                                    {field::kEntry, 16},
                                                    {field::kRowCount, 3},
                                                    {field::kFlags, spec::kFlagStream},
                                                    {field::kArguments, 7}}),
                 5);
  EXPECT_EQ(run.command, 5U);
  EXPECT_EQ(run.program_words, 9U);
  EXPECT_EQ(run.entry, 16U);
  EXPECT_EQ(run.row_count, 3U);
  EXPECT_TRUE(run.stream);
  EXPECT_FALSE(run.reduced);
  EXPECT_EQ(run.arguments[0], 7U);
  EXPECT_TRUE(
      decode_run(make_command(CommandOpcode::kRun, {{field::kFlags, spec::kFlagReduced}}), 0)
          .reduced);
}

}  // namespace
}  // namespace ppu::hw::test
