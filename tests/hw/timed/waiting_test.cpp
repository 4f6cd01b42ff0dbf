// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Requests that wait at a port of the uncore: nothing displaces, changes or withdraws them.
#include "tests/hw/support/uncore_bench.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

CommandWords waiting_run(std::uint32_t reads, std::uint32_t wait) {
  return make_command(CommandOpcode::kRun, {{field::kProgramWords, 1},
                                            {field::kRowCount, reads},
                                            {field::kReportAddress, 0x1000},
                                            {field::kArguments, wait}});
}

/// Device memory takes one request at a time, for 21 cycles.
std::vector<std::string> slow_memory() {
  return {"dram_queue=1", "dram_cas_ns=200"};
}

TEST(Waiting, AnEngineKeepsDeviceMemoryThoughItWouldBeTheTurnOfTheDma) {
  Bench bench(slow_memory());
  bench.ring({waiting_run(3, 0), copy_command(CommandOpcode::kCopyIn, {0, 0, 64, 0})});
  bench.finish();
  // The third beat waits from cycle 48 on, the beat of the DMA from 49 on.
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), (Cycles{26, 47, 68, 89}));
  EXPECT_EQ(bench.events.units(TraceKind::kMemoryAccept), (Cycles{0, 0, 0, 2}));
}

CommandWords run_with_deadline(std::uint32_t deadline) {
  CommandWords words = make_command(CommandOpcode::kRun, {{field::kProgramWords, 1},
                                                          {field::kRowCount, 6},
                                                          {field::kBodyCount, 2},
                                                          {field::kReportAddress, 0x1000}});
  words[field::kArguments.word + 2] = deadline;
  return words;
}

TEST(Waiting, AReadThatWaitsBeforeTheDeadlineOfItsEngineIsStillAccepted) {
  // Reads are accepted in every other cycle from 26 on, the next one waits from the cycle between.
  const std::pair<std::uint32_t, Cycles> cases[] = {
      {27, {26}}, {28, {26, 28}}, {29, {26, 28}}, {30, {26, 28, 30}}, {31, {26, 28, 30}}};
  for (const auto& [deadline, reads] : cases) {
    Bench bench({"dram_queue=1"});
    bench.ring({run_with_deadline(deadline)});
    bench.finish();
    // The writes are requested in the cycle after the last response.
    Cycles accepted = reads;
    accepted.insert(accepted.end(), {reads.back() + 3, reads.back() + 5});
    EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), accepted) << deadline;
    EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_MEMORY_BEATS), accepted.size());
  }
}

TEST(Waiting, ADeadlineBehindTheLastReadChangesNothing) {
  Bench bench;
  bench.ring({run_with_deadline(32)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept),
            (Cycles{26, 27, 28, 29, 30, 31, 34, 35}));
}

TEST(Waiting, AReadOfTheDmaIsNotDisplacedByItsWrite) {
  Bench bench(slow_memory());
  bench.ring({copy_command(CommandOpcode::kCopyWithin, {0, 4096, 2 * 64, 0}), waiting_run(2, 0)});
  bench.finish();
  // Its second read waits from cycle 27 on; what the first one has read is there in 48.
  EXPECT_EQ(bench.events.units(TraceKind::kMemoryAccept), (Cycles{2, 0, 2, 0, 2, 2}));
  EXPECT_EQ(bench.events.addresses(TraceKind::kMemoryAccept),
            (Cycles{0, 0, 64, 64, 4096, 4096 + 64}));
}

TEST(Waiting, AReadOfTheDmaKeepsTheLinkWhenACommandCouldBeFetched) {
  Bench bench({"link_queue=1"});
  bench.ring({copy_command(CommandOpcode::kCopyIn, {0x5000, 0, 2 * 64, 0})});
  bench.run_until(30);  // Its second read waits from cycle 27 on.
  bench.ring({make_command(CommandOpcode::kNop)});
  bench.finish();
  const std::uint32_t ring = bench.host.ring();
  EXPECT_EQ(bench.events.addresses(TraceKind::kHostRead),
            (Cycles{ring, 0x5000, 0x5040, ring + 64}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), (Cycles{3, 26, 47, 68}));
}

TEST(Waiting, AWriteOfTheDmaKeepsTheLinkWhenAReportComes) {
  Bench bench({"link_queue=1"});
  bench.ring({copy_command(CommandOpcode::kCopyOut, {0x5000, 0, 5 * 64, 0}), waiting_run(0, 8)});
  bench.finish();
  // A write is accepted every 11 cycles from 29 on, the run is done in 55.
  Cycles writes = bench.events.addresses(TraceKind::kHostWrite);
  writes.resize(5);
  EXPECT_EQ(writes, (Cycles{0x5000, 0x5040, 0x5080, 0x50c0, 0x1000}));
}

TEST(Waiting, AFetchIsOfTheRingAsItWasWhenItWasRequested) {
  Bench bench({"link_queue=1"});
  const CommandWords nop = make_command(CommandOpcode::kNop);
  bench.ring({nop, nop, nop});
  const std::uint32_t ring = bench.host.ring();
  bench.run_until(10);  // The second fetch waits from cycle 4 on.
  bench.write(PPU_REGISTER_RING_BASE, ring - 0x1000);
  bench.write(PPU_REGISTER_RING_TAIL, 1);
  bench.run_until(30);
  EXPECT_EQ(bench.events.addresses(TraceKind::kHostRead), (Cycles{ring, ring + 64}));
  bench.write(PPU_REGISTER_RING_TAIL, 3);
  bench.finish();
  EXPECT_EQ(bench.events.addresses(TraceKind::kHostRead).back(), ring - 0x1000 + 128);
}

TEST(Waiting, ABeatOfCountersIsAsOfItsFirstCycleOnThePort) {
  Bench bench({"link_queue=1"});
  bench.ring({query_command(0x1000)});
  bench.run_until(30);  // Its second beat waits from cycle 27 to 37.
  bench.ring({make_command(CommandOpcode::kNop)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), (Cycles{3, 31}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostWrite), (Cycles{26, 37, 48}));
  const auto counters = bench.host.get<DeviceCounters>(0x1000);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_HOST_READ_BEATS], 1U);
}

}  // namespace
}  // namespace ppu::hw::test
