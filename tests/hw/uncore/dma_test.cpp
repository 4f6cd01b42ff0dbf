// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The DMA cycle by cycle, against cycles counted by hand from docs/inside/device.md: copies, its
// buffer, lists of descriptors, programs.
#include <algorithm>
#include <array>
#include <numeric>

#include "base/bits/crc32c.hpp"
#include "tests/hw/support/uncore_bench.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

TEST(Dma, ACopyMovesABeatPerCycle) {
  Bench bench;
  // Bytes 60 to 159 lie in three beats.
  bench.ring({copy_command(CommandOpcode::kCopyIn, {60, 60, 100, 0}),
              make_command(CommandOpcode::kBarrier)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), (Cycles{3, 4, 26, 27, 28}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), (Cycles{48, 49, 50}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kDmaPhase), (Cycles{26, 53}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin), (Cycles{kFirst, 53}));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_DMA_BUSY_CYCLES), 27U);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES), 27U);
}

TEST(Dma, ACopyOutIsAcknowledgedByTheLink) {
  Bench bench;
  bench.ring({copy_command(CommandOpcode::kCopyOut, {0, 0, 64, 0})});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), Cycles{26});
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostWrite), Cycles{29});
  EXPECT_EQ(bench.events.cycles(TraceKind::kDmaPhase), (Cycles{26, 29 + 11 + 1}));
}

TEST(Dma, ACopyMovesWhatWasThereWhenItsReadWasAccepted) {
  Bench bench;
  bench.memory.memory().data[0] = std::byte{1};
  bench.ring({copy_command(CommandOpcode::kCopyOut, {0, 0, 64, 0})});
  bench.run_until(27);  // Read in cycle 26, written in cycle 29.
  bench.memory.memory().data[0] = std::byte{2};
  bench.finish();
  EXPECT_EQ(bench.host.bytes(0, 1), std::vector<std::byte>{std::byte{1}});
}

TEST(Dma, ACopyReadsAheadUntilItsBufferIsFull) {
  Bench bench({"dma_buffer_beats=16"});
  bench.ring({copy_command(CommandOpcode::kCopyIn, {0, 0, 18 * 64, 0})});
  bench.finish();
  Cycles expected = {3};
  for (std::uint64_t cycle = 26; cycle < 42; ++cycle) expected.push_back(cycle);
  // The first write is accepted in cycle 48.
  expected.insert(expected.end(), {49, 50});
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), expected);
}

TEST(Dma, ABufferAsLongAsTheWayOverTheLinkIsNeverFull) {
  Bench bench({"dma_buffer_beats=32"});
  bench.ring({copy_command(CommandOpcode::kCopyIn, {0, 0, 100 * 64, 0})});
  bench.finish();
  const Cycles reads = bench.events.cycles(TraceKind::kHostRead);
  ASSERT_EQ(reads.size(), 101U);
  EXPECT_EQ(reads.back() - reads[1], 99U);
}

TEST(Dma, ABufferFilledByASlowMemoryTakesABeatForEachOneWritten) {
  // Memory takes a beat every other cycle, the link would bring one every cycle.
  constexpr std::size_t kBeats = 100, kBuffer = 32;
  Bench bench({"dma_buffer_beats=32", "dram_queue=1"});
  std::array<std::uint32_t, kBeats * 16> sent{};
  for (std::size_t n = 0; n < sent.size(); ++n) sent[n] = static_cast<std::uint32_t>(n) * 7 + 1;
  bench.host.put(0, sent);
  bench.ring({copy_command(CommandOpcode::kCopyIn, {0, 0, sizeof sent, 0})});
  bench.finish();
  const Cycles reads = bench.events.cycles(TraceKind::kHostRead);
  const Cycles writes = bench.events.cycles(TraceKind::kMemoryAccept);
  ASSERT_EQ(reads.size(), 1 + kBeats);
  ASSERT_EQ(writes.size(), kBeats);
  for (std::size_t n = kBuffer; n < kBeats; ++n)
    EXPECT_EQ(reads[1 + n], std::max(reads[n], writes[n - kBuffer]) + 1) << "beat " << n;
  EXPECT_EQ(reads.back(), writes[kBeats - kBuffer - 1] + 1) << "full in the end";
  EXPECT_EQ(std::memcmp(bench.memory.memory().data, sent.data(), sizeof sent), 0);
}

TEST(Dma, ACopyWithinWritesBeforeItReads) {
  Bench bench;
  bench.ring({copy_command(CommandOpcode::kCopyWithin, {0, 4096, 5 * 64, 0})});
  bench.finish();
  Cycles writes;
  for (const TraceEvent& event : bench.events.all)
    if (event.kind == TraceKind::kMemoryAccept) writes.push_back(event.b);
  // Reads in 26, 27 and 28; from 29 on data is there.
  EXPECT_EQ(writes, (Cycles{0, 0, 0, 1, 1, 1, 0, 0, 1, 1}));
}

TEST(Dma, AListIsReadFourDescriptorsAtATime) {
  Bench bench;
  for (std::uint32_t n = 0; n < 5; ++n)
    bench.host.put(0x1000 + 16 * n, Descriptor{64 * n, 64 * n, 4, 0});
  bench.ring({copy_command(CommandOpcode::kCopyIn, {0, 0, 4, 0}, 0x1000, 5)});
  bench.finish();
  // A beat takes 21 cycles to come, 1 to be seen and 2 to be written: 24 after the begin of the
  // move the last acknowledgement, 25 after it the list. Its beat, where it is not held, is asked
  // for at once, held 22 cycles later, and checked in that cycle.
  Cycles phases = {26};
  for (int n = 0; n < 5; ++n) {
    phases.push_back(phases.back() + 25);
    phases.push_back(phases.back() + (n % 4 == 0 ? 23 : 1));
  }
  phases.push_back(phases.back() + 25);
  EXPECT_EQ(bench.events.cycles(TraceKind::kDmaPhase), phases);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_DESCRIPTORS), 6U);
}

TEST(Dma, AProgramIsLoadedLineByLineIntoEveryEngine) {
  Bench bench;
  for (std::uint32_t n = 0; n < 32; ++n) bench.host.put(0x100 + 4 * n, 1000 + n);
  bench.ring({copy_command(CommandOpcode::kLoadProgram, {0x100, 16, 17 * 4, 0})});
  bench.finish();
  for (const FakeEngine& engine : bench.engines)
    for (std::uint32_t n = 0; n < 32; ++n) EXPECT_EQ(engine.program[16 + n], 1000 + n);
  // Two lines: the second one is there in 48, seen and written in 49.
  EXPECT_EQ(bench.events.cycles(TraceKind::kDmaPhase), (Cycles{26, 50}));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_BYTES_IN), 17U * 4U);
}

TEST(Dma, AProgramMustHaveTheChecksumThatIsAskedFor) {
  std::array<std::uint32_t, 32> words{};
  std::iota(words.begin(), words.end(), 1000U);
  const std::uint32_t good = crc32c(words.data(), sizeof words);
  for (const std::uint32_t asked : {good, good ^ 1U, 0U}) {
    Bench bench;
    bench.host.put(0x100, words);
    bench.ring({checked_load({0x100, 16, 17 * 4, 0}, asked)});
    bench.finish();
    EXPECT_EQ(bench.events.cycles(TraceKind::kDmaPhase), (Cycles{26, 50})) << "no time for it";
    ASSERT_EQ(bench.read(PPU_REGISTER_ERROR_COUNT), asked == good ? 0U : 1U);
    if (asked == good) continue;
    EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_REASON), PPU_COMMAND_ERROR_CHECKSUM);
    EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_DETAIL), good);
  }
}

}  // namespace
}  // namespace ppu::hw::test
