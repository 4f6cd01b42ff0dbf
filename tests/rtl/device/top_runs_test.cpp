// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole jobs on the RTL device and on the timed device: copies, programs and runs that overlap, on
// memories and links of every kind. Everything that can be seen must be equal, cycle by cycle.
#include <random>

#include "tests/hw/support/test_job.hpp"
#include "tests/rtl/device/run_commands.hpp"
#include "tests/rtl/device/setting.hpp"
#include "tests/rtl/device/twins.hpp"
#include "tests/rtl/support/test_options.hpp"

namespace ppu::hw::test {
namespace {

using ppu::test::options;

using spec::CommandOpcode;

constexpr std::uint32_t kProgram = 0x1000;
constexpr std::uint32_t kReports = 0x8000;
constexpr std::uint32_t kState = 0x40000;
constexpr std::uint32_t kStateBytes = 0x4000;

class RtlTopRuns : public ::testing::TestWithParam<Setting> {};

TEST_P(RtlTopRuns, OverlappingJobsAreEqualToTheCycle) {
  const Config config = config_of(GetParam());
  Twins twins(config);
  Job job(random_rows(60, 40, 7), 40, program("pgs"));
  ASSERT_LE(job.memory().size_bytes, kStateBytes);
  twins.put_bytes(kState, job.memory().data, job.memory().size_bytes);
  twins.put_bytes(kProgram, job.words.data(), 4 * job.words.size());
  twins.write(PPU_REGISTER_IRQ_MASK, 3);
  const auto range = [](std::uint32_t host, std::uint32_t device, std::uint32_t bytes) {
    return Descriptor{host, device, bytes, 0};
  };
  const auto program_bytes = static_cast<std::uint32_t>(4 * job.words.size());
  twins.execute({copy_command(CommandOpcode::kCopyIn, range(kState, 0, kStateBytes)),
                 copy_command(CommandOpcode::kLoadProgram, range(kProgram, 0, program_bytes)),
                 copy_command(CommandOpcode::kCopyWithin, range(0, kStateBytes, kStateBytes)),
                 copy_command(CommandOpcode::kCopyWithin, range(0, 2 * kStateBytes, kStateBytes)),
                 fence_command(0, 1)});
  // Three runs while copies go on in both directions.
  twins.execute({run_command(job.command, kReports),
                 run_command(streamed(job.command, true), kReports + 0x400, kStateBytes),
                 copy_command(CommandOpcode::kCopyIn, range(kState + 1, 4 * kStateBytes + 1, 9000)),
                 copy_command(CommandOpcode::kCopyOut, range(0xa0003, 5 * kStateBytes + 3, 7001)),
                 run_command(job.command, kReports + 0x800, 2 * kStateBytes),
                 make_command(static_cast<CommandOpcode>(0x77)), query_command(0x4000),
                 fence_command(16, 2, true)});
  twins.execute({copy_command(CommandOpcode::kCopyOut, range(kState, 0, 3 * kStateBytes)),
                 fence_command(32, 3)});
  for (const std::uint32_t report : {kReports, kReports + 0x400, kReports + 0x800})
    EXPECT_EQ(twins.rtl_host.get<std::uint32_t>(report), PPU_RUN_OK);
  EXPECT_EQ(twins.take_error().reason, PPU_COMMAND_ERROR_OPCODE);
  EXPECT_TRUE(twins.rtl->interrupt());
  twins.expect_equal();
}

/// Runs that come to their `halt`, whatever the commands beside them do to lower memory. Each has
/// an area of its own: what runs at the same time find in memory that both write is not specified.
class HaltingRuns {
 public:
  /// Copies end below this address of device memory, programs before this word.
  static constexpr std::uint32_t kUpper = 0x80000;
  static constexpr std::uint32_t kRowsEntry = 512;
  static constexpr std::uint32_t kAreas = DeviceHost::kEntries;
  static constexpr std::uint32_t kAreaBytes = 0xc00;

  explicit HaltingRuns(Twins& twins)
      : rows_(random_rows(16, 10, 5), 10, program("pgs")),
        nothing_({}, 0, "signal a0\nwait\nhalt\n") {
    load(twins, rows_.words, kRowsEntry);
    load(twins, nothing_.words, kNothingEntry);
    twins.put_bytes(kState, rows_.memory().data, rows_.memory().size_bytes);
    for (std::uint32_t area = 0; area < kAreas; ++area)
      twins.execute({copy_command(CommandOpcode::kCopyIn,
                                  {kState, kUpper + area * kAreaBytes, kAreaBytes, 0})});
  }

  /// Of the rows, or of no pass: then some impulses and velocities go in and out.
  template <class Random>
  [[nodiscard]] CommandWords command(std::uint32_t area, Random random) const {
    RunCommand run = rows_.command;
    run.entry = kRowsEntry;
    if (random() % 2 == 0) {
      run.program_words = nothing_.command.program_words;
      run.row_count = random() % (run.row_count + 1);
      run.body_count = random() % (run.body_count + 1);
      run.entry = kNothingEntry;
    }
    run.stream = run.entry == kNothingEntry || random() % 2 == 0;
    return run_command(run, kReports + area * 0x400, kUpper + area * kAreaBytes);
  }

 private:
  static constexpr std::uint32_t kNothingEntry = 768;

  static void load(Twins& twins, const std::vector<std::uint32_t>& words, std::uint32_t entry) {
    const auto bytes = static_cast<std::uint32_t>(4 * words.size());
    twins.put_bytes(kProgram, words.data(), bytes);
    twins.execute({copy_command(CommandOpcode::kLoadProgram, {kProgram, entry, bytes, 0})});
  }

  Job rows_, nothing_;
};

TEST_P(RtlTopRuns, RandomCommandsHangNothingAndAreEqualToTheCycle) {
  Twins twins(config_of(GetParam()));
  std::mt19937 engine(11);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  HaltingRuns runs(twins);
  for (std::uint64_t batch = 0; batch < 10 * options().rounds; ++batch) {
    std::vector<CommandWords> commands(DeviceHost::kEntries - 1);
    std::uint32_t area = 0;
    for (CommandWords& words : commands) {
      // Mostly small numbers, so that some commands are valid.
      for (std::uint32_t& word : words) {
        const std::uint32_t bits = random();
        word = random() % 4 == 0 ? bits >> (random() % 24) : random() % 40 * 64;
      }
      for (std::size_t n = 4 + random() % 3; n < words.size(); ++n) words[n] = 0;
      words[0] = random() % 11;
      if (random() % 2 == 0) words[5] = random() % 6;
      // Copies must not write over the ring, and leave the runs what they need.
      words[1] %= twins.rtl_host.ring() / 2;
      words[2] %= HaltingRuns::kUpper - 0x2000;
      words[3] %= 0x2000;
      if (opcode_of(words) == CommandOpcode::kLoadProgram) {
        words[2] = random() % 4 * 16;
        words[3] %= 4 * HaltingRuns::kRowsEntry - 0x100;
      }
      if (opcode_of(words) == CommandOpcode::kRun) words = runs.command(area, random);
      ++area;
    }
    twins.execute(commands);
    while (twins.rtl_session.read(PPU_REGISTER_ERROR_COUNT) > 4)
      EXPECT_NE(twins.take_error().reason, PPU_COMMAND_ERROR_RUN_FAILED);
  }
  twins.execute(
      {query_command(0),
       copy_command(CommandOpcode::kCopyOut, {kState, HaltingRuns::kUpper,
                                              HaltingRuns::kAreas * HaltingRuns::kAreaBytes, 0})});
  const auto counters = twins.rtl_host.get<DeviceCounters>(0);
  EXPECT_GT(counters[PPU_DEVICE_COUNTER_DESCRIPTORS], 20U);
  EXPECT_GT(counters[PPU_DEVICE_COUNTER_COMMANDS_REJECTED], 20U);
  EXPECT_GT(counters[PPU_DEVICE_COUNTER_RUNS], 10U);
  twins.expect_equal();
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RtlTopRuns,
    ::testing::Values(
        Setting{"default", "default", {}}, Setting{"small", "small", {}},
        Setting{"wide", "wide", {}},
        Setting{"stalls", "default", {"dram_stall_percent=60", "dram_queue=3"}},
        Setting{"one_at_a_time", "small", {"dram_queue=1", "link_queue=1"}},
        // The buffer of the DMA full of beats that are under way, or that cannot be written yet.
        Setting{"long_way", "default", {"link_latency_ns=3000", "link_queue=512"}},
        Setting{"long_way_small",
                "small",
                {"link_mb_per_s=16000", "link_latency_ns=2000", "link_queue=512"}},
        Setting{"slow_memory", "default", {"dram_mega_transfers=200"}},
        Setting{"slow_memory_small",
                "small",
                {"link_mb_per_s=16000", "link_latency_ns=1", "dram_stall_percent=80"}},
        Setting{"half_duplex", "small", {"link_full_duplex=0", "link_mb_per_s=133"}},
        Setting{"fast",
                "default",
                {"link_mb_per_s=1000000", "link_latency_ns=1", "dram_bus_bits=8192",
                 "dram_controller_ns=0"}},
        Setting{"refresh", "small", {"dram_refresh_interval_ns=1000", "dram_page_bytes=64"}}),
    [](const auto& setting) { return std::string(setting.param.name); });

TEST(RtlTop, DoesNotDependOnWhatResetLeavesUnset) {
  for (const int seed : {2, 3}) {
    Twins twins(resolve_config("small", {"host_memory_mib=1", "device_memory_mib=1"}), seed);
    Job job(random_rows(60, 10, 5), 10, program("pgs"));
    twins.put_bytes(kState, job.memory().data, job.memory().size_bytes);
    twins.put_bytes(kProgram, job.words.data(), 4 * job.words.size());
    twins.execute({copy_command(CommandOpcode::kCopyIn, {kState, 0, kStateBytes, 0}),
                   copy_command(CommandOpcode::kLoadProgram,
                                {kProgram, 0, static_cast<std::uint32_t>(4 * job.words.size()), 0}),
                   run_command(job.command, kReports), query_command(0x4000)});
    EXPECT_EQ(twins.rtl_host.get<std::uint32_t>(kReports), PPU_RUN_OK);
    twins.expect_equal();
  }
}

}  // namespace
}  // namespace ppu::hw::test
