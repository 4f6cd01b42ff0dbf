// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An error of each of the four kinds in one cycle, on the RTL device and on the timed device: a run
// that failed, a malformed descriptor, a malformed command and a lost word of device memory.
#include <algorithm>
#include <array>
#include <vector>

#include "firmware/assembler/assembler.hpp"
#include "tests/rtl/device/twins.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

constexpr std::uint32_t kKinds = 4;
/// In the order in which the queue takes them.
constexpr std::array<ppu_command_error, kKinds> kReasons = {
    PPU_COMMAND_ERROR_RUN_FAILED, PPU_COMMAND_ERROR_DESCRIPTOR, PPU_COMMAND_ERROR_OPCODE,
    PPU_COMMAND_ERROR_MEMORY};

/// In host memory.
constexpr std::uint32_t kReports = 0x1000;
constexpr std::uint32_t kReportBytes = 0x400;
constexpr std::uint32_t kList = 0x2000;
constexpr std::uint32_t kProgram = 0x3000;
/// In device memory: velocities, and the word of the last ones that is lost.
constexpr std::uint32_t kVelocities = 0x800;
constexpr std::uint32_t kBodies = 40;
constexpr std::uint32_t kLost = (kVelocities + (kBodies - 2) * spec::kVelocityBytes) / 8;

CommandWords malformed() {
  return make_command(static_cast<CommandOpcode>(0x77));
}

CommandWords run(std::uint32_t engine, std::uint32_t words, std::uint32_t bodies) {
  return make_command(CommandOpcode::kRun,
                      {{field::kProgramWords, words},
                       {field::kBodyCount, bodies},
                       {field::kVelocitiesAddress, kVelocities},
                       {field::kReportAddress, kReports + engine * kReportBytes}});
}

/// A command, the reason of the error that comes of it, and the cycle of its doorbell.
struct Bell {
  CommandWords command;
  ppu_command_error reason;
  std::uint32_t cycle;
};

/// The later ones take less time to their error: a long run without its `halt`, a list of copies,
/// a run that loads the lost word, a malformed command.
std::array<Bell, kKinds> bells_every(std::uint32_t cycles) {
  return {Bell{run(0, 3, 0), PPU_COMMAND_ERROR_RUN_FAILED, 0},
          Bell{copy_command(CommandOpcode::kCopyIn, {0x4000, 0x4000, 64, 0}, kList, 2),
               PPU_COMMAND_ERROR_DESCRIPTOR, cycles},
          Bell{run(1, 4, kBodies), PPU_COMMAND_ERROR_MEMORY, 2 * cycles},
          Bell{malformed(), PPU_COMMAND_ERROR_OPCODE, 3 * cycles}};
}

Bell& find_bell(std::array<Bell, kKinds>& bells, ppu_command_error reason) {
  return *std::find_if(bells.begin(), bells.end(),
                       [reason](const Bell& bell) { return bell.reason == reason; });
}

/// A register that is not there: writing it lets a cycle pass.
constexpr std::uint32_t kNoRegister = 0xfc;

/// RTL and model with programs, a lost word and errors of before.
class RtlTopErrors : public ::testing::Test {
 protected:
  static std::unique_ptr<Twins> prepare(std::uint32_t errors) {
    auto twins = std::make_unique<Twins>(plain_config({}, "protected"));
    const std::vector<std::uint32_t> words =
        firmware::assemble("test.s", "li t0, 40\nagain: addi t1, t1, 1\nbne t0, t1, again\nhalt\n")
            .image.words;
    const auto bytes = static_cast<std::uint32_t>(4 * words.size());
    twins->put_bytes(kProgram, words.data(), bytes);
    // The malformed one is not the first: two answers of the host in one cycle there are not.
    twins->put(kList, Descriptor{0x4000, 0x4000, 64, 0});
    twins->put(kList + spec::kDescriptorBytes, Descriptor{0, 0, 0, 0});
    CommandWords flip =
        make_command(CommandOpcode::kFlip,
                     {{field::kFlipMemory, PPU_FAULT_DEVICE_MEMORY}, {field::kFlipWord, kLost}});
    flip[field::kFlags.word] |= spec::kFlagTwo << field::kFlags.lsb;
    std::vector<CommandWords> commands = {
        copy_command(CommandOpcode::kLoadProgram, {kProgram, 0, bytes, 0}), flip};
    commands.resize(commands.size() + errors, malformed());
    twins->execute(commands);
    return twins;
  }

  static std::uint32_t errors(DeviceSession& session) {
    return session.read(PPU_REGISTER_ERROR_COUNT) + session.read(PPU_REGISTER_ERROR_LOST);
  }
  /// Rings for every command. The cycles in which errors come; in `pop` the oldest one is taken.
  static std::vector<std::uint32_t> ring(DeviceHost& host, DeviceSession& session,
                                         const std::array<Bell, kKinds>& bells,
                                         std::uint32_t pop = ~0U) {
    std::vector<std::uint32_t> cycles;
    std::uint32_t known = errors(session);
    for (std::uint32_t cycle = 0; cycle < bells.back().cycle + 500; ++cycle) {
      const auto bell = std::find_if(bells.begin(), bells.end(),
                                     [cycle](const Bell& one) { return one.cycle == cycle; });
      if (bell != bells.end()) {
        host.add(bell->command);
        session.ring();
      } else {
        session.write(cycle == pop ? std::uint32_t{PPU_REGISTER_ERROR_POP} : kNoRegister, 1);
      }
      if (cycle == pop) --known;
      for (; known < errors(session); ++known) cycles.push_back(cycle);
    }
    session.finish();
    return cycles;
  }
  /// Doorbells so that all errors come in one cycle: first they come one after another, then in
  /// nearly the same cycle, where they are in each other's way.
  static std::array<Bell, kKinds> bells_for_one_cycle() {
    constexpr int kRounds = 5;
    std::array<Bell, kKinds> bells = bells_every(500);
    for (int round = 0; round < kRounds; ++round) {
      const auto twins = prepare(0);
      const std::vector<std::uint32_t> cycles =
          ring(twins->model_host, twins->model_session, bells);
      EXPECT_EQ(cycles, ring(twins->rtl_host, twins->rtl_session, bells));
      EXPECT_EQ(cycles.size(), kKinds);
      if (cycles.front() == cycles.back()) return bells;
      for (const std::uint32_t cycle : cycles) {
        const std::uint32_t early = cycles.back() - cycle;
        find_bell(bells, twins->take_error().reason).cycle +=
            round == 0 ? early : std::min(early, 1U);
      }
      const std::uint32_t first = bells.front().cycle;
      for (Bell& bell : bells) bell.cycle -= first;
    }
    ADD_FAILURE() << "they do not come in one cycle";
    return bells;
  }
};

TEST_F(RtlTopErrors, OfFourKindsInOneCycleAreTakenInTheirOrder) {
  const std::array<Bell, kKinds> bells = bells_for_one_cycle();
  for (std::uint32_t before = 0; before <= spec::kErrorQueueEntries; ++before) {
    SCOPED_TRACE(std::to_string(before) + " errors before them");
    const auto twins = prepare(before);
    const std::vector<std::uint32_t> cycles = ring(twins->rtl_host, twins->rtl_session, bells);
    EXPECT_EQ(cycles, std::vector<std::uint32_t>(kKinds, cycles.at(0)));
    EXPECT_EQ(ring(twins->model_host, twins->model_session, bells), cycles);
    const std::uint32_t places = spec::kErrorQueueEntries - before;
    const std::uint32_t taken = std::min(kKinds, places);
    EXPECT_EQ(twins->rtl_session.read(PPU_REGISTER_ERROR_COUNT), before + taken);
    EXPECT_EQ(twins->rtl_session.read(PPU_REGISTER_ERROR_LOST), kKinds - taken);
    twins->expect_equal();
    for (std::uint32_t n = 0; n < before; ++n) twins->take_error();
    for (std::uint32_t n = 0; n < taken; ++n) EXPECT_EQ(twins->take_error().reason, kReasons.at(n));
  }
}

// The one that is taken by the host in the same cycle makes room for one of them.
TEST_F(RtlTopErrors, FindThePlaceOfTheOneThatIsTakenInTheSameCycle) {
  const std::array<Bell, kKinds> bells = bells_for_one_cycle();
  auto twins = prepare(spec::kErrorQueueEntries);
  const std::uint32_t cycle = ring(twins->rtl_host, twins->rtl_session, bells).at(0);
  twins = prepare(spec::kErrorQueueEntries);
  EXPECT_EQ(ring(twins->rtl_host, twins->rtl_session, bells, cycle).size(), kKinds);
  EXPECT_EQ(ring(twins->model_host, twins->model_session, bells, cycle).size(), kKinds);
  EXPECT_EQ(twins->rtl_session.read(PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  EXPECT_EQ(twins->rtl_session.read(PPU_REGISTER_ERROR_LOST), kKinds - 1);
  twins->expect_equal();
  for (std::uint32_t n = 1; n < spec::kErrorQueueEntries; ++n) twins->take_error();
  EXPECT_EQ(twins->take_error().reason, kReasons[0]);
}

}  // namespace
}  // namespace ppu::hw::test
