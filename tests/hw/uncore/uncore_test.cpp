// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The uncore cycle by cycle, against cycles counted by hand from docs/inside/device.md: commands,
// runs, errors, interrupts, ports.
#include "tests/hw/support/uncore_bench.hpp"

namespace ppu::hw::test {
namespace {

using spec::CommandOpcode;

CommandWords run_command(std::uint32_t reads, std::uint32_t writes, std::uint32_t wait,
                         std::uint32_t report_address, ppu_run_status status = PPU_RUN_OK) {
  CommandWords words = make_command(CommandOpcode::kRun, {{field::kProgramWords, 1},
                                                          {field::kRowCount, reads},
                                                          {field::kBodyCount, writes},
                                                          {field::kVelocitiesAddress, 0x8000},
                                                          {field::kReportAddress, report_address},
                                                          {field::kArguments, wait}});
  words[field::kArguments.word + 1] = status;
  return words;
}

TEST(Uncore, ARegisterWriteTakesOneCycle) {
  Bench bench;
  EXPECT_EQ(bench.uncore->cycle(), 2U);
  bench.finish();
  EXPECT_EQ(bench.uncore->cycle(), 2U) << "nothing to do, no time";
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_DEVICE_CYCLES), 2U);
}

TEST(Uncore, ACommandIsFetchedAndBegun) {
  Bench bench;
  bench.ring({make_command(CommandOpcode::kNop)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), Cycles{3});
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin), Cycles{kFirst});
  EXPECT_EQ(bench.uncore->cycle(), kFirst + 1);
}

TEST(Uncore, FetchRunsFourCommandsAhead) {
  Bench bench;
  const CommandWords nop = make_command(CommandOpcode::kNop);
  bench.ring({nop, nop, nop, nop, nop, nop});
  bench.finish();
  // The fifth one waits for the pop in cycle 25, visible in 26.
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), (Cycles{3, 4, 5, 6, 26, 27}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin),
            (Cycles{25, 26, 27, 28, 26 + 22, 27 + 22}));
}

TEST(Uncore, AFenceIsStampedWhenItBeginsAndInterruptsWhenItIsAcknowledged) {
  Bench bench;
  bench.ring({fence_command(16, 7, true)});
  bench.write(PPU_REGISTER_IRQ_MASK, 1);
  bench.finish();
  EXPECT_EQ(bench.host.get<std::uint64_t>(16), 7U);
  EXPECT_EQ(bench.host.get<std::uint64_t>(24), kFirst);
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostWrite), Cycles{kFirst + 1});
  EXPECT_EQ(bench.events.cycles(TraceKind::kFenceWritten), Cycles{kFirst + 12});
  EXPECT_EQ(bench.uncore->cycle(), kFirst + 13) << "the line rises in the cycle after";
  EXPECT_NE(bench.uncore->interrupts(), 0U);
}

TEST(Uncore, TheFenceBehindAFenceWaitsForTheWriter) {
  Bench bench;
  bench.ring({fence_command(16, 7), fence_command(32, 8)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin), (Cycles{kFirst, kFirst + 13}));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES), 12U);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_FENCES), 2U);
}

TEST(Uncore, ARunIsReportedAndItsEngineReleased) {
  Bench bench;
  bench.ring({run_command(2, 1, 10, 0x1000)});
  bench.finish();
  // Reads in 26 and 27, answered in 29; a write in 30, answered in 32; done in 33 + 10.
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), (Cycles{26, 27, 30}));
  Cycles beats;
  for (std::uint64_t n = 0; n < kReportBeats; ++n) beats.push_back(44 + n);
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostWrite), beats);
  EXPECT_EQ(bench.events.cycles(TraceKind::kReportWritten), Cycles{beats.back() + 11});
  EXPECT_EQ(bench.uncore->cycle(), beats.back() + 12);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_ENGINE_BUSY_CYCLES), beats.back() + 12 - 26);
}

TEST(Uncore, RunsGoToTheLowestIdleEngine) {
  Bench bench;
  bench.ring({run_command(0, 0, 100, 0x1000), run_command(0, 0, 10, 0x2000),
              run_command(0, 0, 10, 0x3000)});
  bench.finish();
  // The second engine is done in 26 + 1 + 10; its report of 5 beats is acknowledged in 53.
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin), (Cycles{25, 26, 54}));
  EXPECT_EQ(bench.events.units(TraceKind::kReportWritten), (Cycles{1, 1, 0}));
}

TEST(Uncore, ReportsOfEnginesThatAreDoneTogetherComeInTheirOrder) {
  Bench bench;
  bench.ring({run_command(0, 0, 11, 0x1000), run_command(0, 0, 10, 0x2000)});
  bench.finish();
  EXPECT_EQ(bench.events.units(TraceKind::kReportWritten), (Cycles{0, 1}));
  const Cycles written = bench.events.cycles(TraceKind::kReportWritten);
  // The second one is begun in the cycle after and takes 5 beats and 11 cycles.
  EXPECT_EQ(written[1] - written[0], 1U + 1U + 4U + 11U);
}

TEST(Uncore, ACopyGoesOnDuringARun) {
  Bench bench;
  bench.ring({run_command(0, 0, 500, 0x1000), copy_command(CommandOpcode::kCopyIn, {0, 0, 64, 0}),
              make_command(CommandOpcode::kBarrier)});
  bench.finish();
  const Cycles begun = bench.events.cycles(TraceKind::kCommandBegin);
  EXPECT_EQ(begun[1], kFirst + 1);
  EXPECT_GT(begun[2], 500U);
}

TEST(Uncore, ARunWaitsForAProgramThatIsBeingLoaded) {
  Bench bench;
  bench.ring(
      {copy_command(CommandOpcode::kLoadProgram, {0, 0, 4, 0}), run_command(0, 0, 1, 0x1000)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandBegin), (Cycles{25, 49}));
}

TEST(Uncore, EnginesTakeTurnsOnDeviceMemory) {
  Bench bench;
  bench.ring({run_command(6, 0, 0, 0x1000), run_command(3, 0, 0, 0x2000)});
  bench.finish();
  EXPECT_EQ(bench.events.units(TraceKind::kMemoryAccept), (Cycles{0, 1, 0, 1, 0, 1, 0, 0, 0}));
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept),
            (Cycles{26, 27, 28, 29, 30, 31, 32, 33, 34}));
}

TEST(Uncore, ABeatThatIsWantedAndNotAcceptedIsAWaitCycle) {
  Bench bench({"dram_queue=1"});
  bench.ring({run_command(3, 0, 0, 0x1000)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), (Cycles{26, 28, 30}));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_MEMORY_WAIT_CYCLES), 2U);
}

TEST(Uncore, APairIsAcceptedInOneCycleAndCountsTwice) {
  Bench bench;
  bench.engines[0].pairs = true;
  bench.ring({run_command(4, 0, 0, 0x1000)});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kMemoryAccept), (Cycles{26, 26, 27, 27}));
  EXPECT_EQ(bench.events.addresses(TraceKind::kMemoryAccept), (Cycles{0, 64, 128, 192}));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_MEMORY_BEATS), 4U);
}

TEST(Uncore, APairHasOnePlaceInTheQueueOfDeviceMemory) {
  Bench bench({"dram_queue=1"});
  bench.engines[0].pairs = true;
  bench.ring({run_command(4, 0, 0, 0x1000)});
  bench.finish();
  const Cycles accepted = bench.events.cycles(TraceKind::kMemoryAccept);
  ASSERT_EQ(accepted.size(), 4U);
  EXPECT_EQ(accepted[1], accepted[0]);
  EXPECT_EQ(accepted[3], accepted[2]);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_MEMORY_WAIT_CYCLES), accepted[2] - accepted[0] - 1);
}

TEST(Uncore, FlawsOfBothBeatsOfAPairCount) {
  Bench bench({"memory_protection=1"});
  bench.engines[0].pairs = true;
  const auto flip = [](std::uint32_t address, std::uint32_t two) {
    return make_command(CommandOpcode::kFlip,
                        {{field::kFlipMemory, static_cast<std::uint32_t>(PPU_FAULT_DEVICE_MEMORY)},
                         {field::kFlipWord, address / 8},
                         {field::kFlags, two}});
  };
  bench.ring({flip(56, 0), flip(64, 0), flip(72, 1), run_command(2, 0, 0, 0x1000)});
  bench.finish();
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_MEMORY_WORDS_CORRECTED), 2U);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_REASON), PPU_COMMAND_ERROR_MEMORY);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_DETAIL), 72U / 8);
}

TEST(Uncore, AFullLinkQueueHoldsRequestsBack) {
  Bench bench({"link_queue=1"});
  const CommandWords nop = make_command(CommandOpcode::kNop);
  bench.ring({nop, nop, nop});
  bench.finish();
  EXPECT_EQ(bench.events.cycles(TraceKind::kHostRead), (Cycles{3, 24, 45}));
}

TEST(Uncore, ErrorsOfACycleComeInTheirOrder) {
  Bench bench;
  const CommandWords bad = make_command(static_cast<CommandOpcode>(0x77));
  bench.ring({run_command(0, 0, 5, 0x1000, PPU_RUN_ROW_FAULT)});
  // Begun in 25, done in 31, report begun in 31: beats in 32 to 36, acknowledged in 47.
  bench.run_until(24);
  bench.ring({bad});  // Written in 24, fetched in 25, there in 46, rejected in 47.
  bench.finish();
  ASSERT_EQ(bench.events.cycles(TraceKind::kCommandReject),
            bench.events.cycles(TraceKind::kReportWritten));
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_REASON), PPU_COMMAND_ERROR_RUN_FAILED);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_DETAIL), PPU_RUN_ROW_FAULT);
  bench.write(PPU_REGISTER_ERROR_POP, 1);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_REASON), PPU_COMMAND_ERROR_OPCODE);
}

TEST(Uncore, AnInterruptRaisedInTheCycleOfItsClearingIsUp) {
  Bench bench;
  bench.write(PPU_REGISTER_IRQ_MASK, 1);
  bench.ring({fence_command(0, 1, true)});  // Written in 3: all is one cycle later.
  bench.run_until(kFirst + 1 + 12);
  EXPECT_EQ(bench.uncore->interrupts(), 0U);
  bench.write(PPU_REGISTER_IRQ_STATUS, 1);
  EXPECT_NE(bench.uncore->interrupts(), 0U);
}

TEST(Uncore, APopMakesRoomForAnErrorOfItsCycle) {
  Bench bench;
  const CommandWords bad = make_command(static_cast<CommandOpcode>(0x77));
  bench.ring({bad, bad, bad, bad, bad, bad, bad, bad});
  bench.finish();
  ASSERT_EQ(bench.read(PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  const std::uint64_t doorbell = bench.uncore->cycle();
  bench.ring({bad});
  bench.run_until(doorbell + 23);
  bench.write(PPU_REGISTER_ERROR_POP, 1);
  EXPECT_EQ(bench.events.cycles(TraceKind::kCommandReject).back(), doorbell + 23);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  EXPECT_EQ(bench.read(PPU_REGISTER_ERROR_LOST), 0U);
}

TEST(Uncore, AQueryWritesEachBeatAsOfItsCycle) {
  Bench bench;
  bench.ring({query_command(0x1000)});
  bench.finish();
  const auto counters = bench.host.get<DeviceCounters>(0x1000);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_DEVICE_CYCLES], kFirst + 1);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_COMMANDS], 1U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_HOST_READ_BEATS], 1U);
  EXPECT_EQ(counters[PPU_DEVICE_COUNTER_HOST_WRITE_BEATS], 1U) << "the beat before";
}

TEST(Uncore, ResetClearsTheCountersButNotTheTime) {
  Bench bench;
  bench.ring({make_command(CommandOpcode::kReset), fence_command(0, 1)});
  bench.finish();
  EXPECT_EQ(bench.host.get<std::uint64_t>(8), kFirst + 1);
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_DEVICE_CYCLES), bench.uncore->cycle() - (kFirst + 1));
  EXPECT_EQ(bench.counter(PPU_DEVICE_COUNTER_DOORBELLS), 0U);
}

TEST(Uncore, ACancelReachesTheEnginesThatRun) {
  Bench bench;
  bench.ring({run_command(0, 0, 1000, 0x1000)});
  bench.run_until(100);
  bench.write(PPU_REGISTER_CONTROL, 1);
  EXPECT_EQ(bench.engines[0].cancelled_in, 100U);
  EXPECT_EQ(bench.engines[1].cancelled_in, kNever);
}

TEST(Uncore, ASignalIsShownFromItsCycleOn) {
  Bench bench;
  bench.ring({run_command(0, 0, 500, 0x1000), run_command(0, 0, 600, 0x2000)});
  bench.engines[0].port.signals = {{100, 1}, {110, 2}, {120, 3}};
  bench.engines[1].port.signals = {{105, 7}, {120, 8}, {130, 9}};
  const std::pair<std::uint64_t, std::uint32_t> shown[] = {
      {99, 0}, {100, 1}, {104, 1}, {105, 7}, {109, 7}, {110, 2}, {119, 2}, {120, 8}, {130, 9}};
  for (const auto& [cycle, value] : shown) {
    bench.run_until(cycle);
    EXPECT_EQ(bench.read(PPU_REGISTER_PROGRESS), value) << "in cycle " << cycle;
  }
  bench.finish();
  EXPECT_EQ(bench.read(PPU_REGISTER_PROGRESS), 9U) << "the engines are released";
}

/// Commands of every kind, on a slow half-duplex link and a memory that stalls.
Bench mixed_bench() {
  return Bench({"link_full_duplex=0", "link_mb_per_s=133", "link_queue=3", "dram_queue=2",
                "dram_stall_percent=40", "dram_refresh_interval_ns=700", "dram_refresh_ns=90",
                "dram_activate_ns=25", "dram_precharge_ns=15", "dram_page_bytes=128",
                "dma_buffer_beats=16"});
}

void mixed_job(Bench& bench, std::uint64_t stretch) {
  for (std::uint32_t n = 0; n < 6; ++n)
    bench.host.put(0x1000 + 16 * n, Descriptor{64 * n, 64 * n, 100, 0});
  bench.ring({run_command(40, 3, 50, 0x2000), copy_command(CommandOpcode::kCopyIn, {0, 0, 900, 0}),
              run_command(7, 30, 5, 0x3000), run_command(9, 0, 900, 0x4000)});
  bench.finish(stretch);
  bench.ring({copy_command(CommandOpcode::kCopyOut, {0x5000, 0, 500, 0}, 0x1000, 6),
              copy_command(CommandOpcode::kCopyWithin, {0, 0x8000, 3000, 0}),
              copy_command(CommandOpcode::kLoadProgram, {0, 0, 200, 0}),
              make_command(static_cast<CommandOpcode>(0x77)), fence_command(0, 1)});
  bench.finish(stretch);
}

TEST(Uncore, SkippedCyclesCountLikeSteppedOnes) {
  Bench skipping = mixed_bench();
  Bench stepping = mixed_bench();
  mixed_job(skipping, 1'000'000);
  mixed_job(stepping, 1);
  EXPECT_EQ(skipping.uncore->cycle(), stepping.uncore->cycle());
  EXPECT_EQ(skipping.uncore->counters(), stepping.uncore->counters());
  ASSERT_EQ(skipping.events.all.size(), stepping.events.all.size());
  for (std::size_t n = 0; n < skipping.events.all.size(); ++n) {
    EXPECT_EQ(skipping.events.all[n].cycle, stepping.events.all[n].cycle) << n;
    EXPECT_EQ(skipping.events.all[n].kind, stepping.events.all[n].kind) << n;
  }
  EXPECT_GT(skipping.counter(PPU_DEVICE_COUNTER_MEMORY_WAIT_CYCLES), 0U);
  EXPECT_GT(skipping.counter(PPU_DEVICE_COUNTER_COMMAND_WAIT_CYCLES), 0U);
}

TEST(Uncore, AHangIsAnErrorOfTheSimulation) {
  Bench bench;
  bench.ring({run_command(0, 0, 1, 0x1000)});
  bench.run_until(26);
  bench.engines[0].port.awaited = 1;  // A response that nobody asked for.
  EXPECT_THROW(bench.finish(), std::logic_error);
}

}  // namespace
}  // namespace ppu::hw::test
