// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Attacks that are more than a command: on registers, on time, and on what a context leaves behind.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/hw/support/context_bench.hpp"

namespace ppu::hw::test {

struct Scenario {
  std::string name, how;
  std::function<void(ContextBench&)> act;
};

inline void PrintTo(const Scenario& scenario, std::ostream* out) {
  *out << scenario.name;
}

namespace scenarios {

using spec::CommandOpcode;

inline const char* const kEndless = "again: j again\n";

/// The fence of a client has been written with this value.
inline bool fenced(const ContextBench& bench, const Client& client, std::uint64_t value) {
  return bench.host.get<std::uint64_t>(client.fence()) == value;
}

inline void expect_quota(ContextBench& bench, std::uint32_t command, std::uint32_t detail) {
  const CommandError error = bench.take_error(bench.attacker);
  EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_QUOTA);
  EXPECT_EQ(error.command, command);
  EXPECT_EQ(error.detail, detail);
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_COUNT), 0U);
}

// ---------------------------------------------------------------------------------- registers

inline void write_owner_registers(ContextBench& bench) {
  const Client& own = bench.attacker;
  bench.owner.write(PPU_REGISTER_CONTEXT, bench.victim.id);
  for (std::uint32_t offset = PPU_REGISTER_CONTEXT; offset <= PPU_REGISTER_QUOTA; offset += 4) {
    bench.write(own, offset, 0);
    EXPECT_EQ(bench.read(own, offset), 0U) << "register " << offset;
  }
  for (const std::uint32_t offset : {PPU_REGISTER_RING_BASE, PPU_REGISTER_RING_ENTRIES}) {
    bench.write(own, offset, 64);
    EXPECT_EQ(bench.read(own, offset), 0U) << "register " << offset;
  }
  EXPECT_EQ(bench.owner.read(PPU_REGISTER_DEVICE_FIRST), bench.victim.device);
  EXPECT_EQ(bench.owner.read(PPU_REGISTER_CONTEXT_STATE), 1U);
}

inline void cancel_others(ContextBench& bench) {
  bench.submit(bench.victim, {ContextBench::run(bench.victim)});
  bench.write(bench.attacker, PPU_REGISTER_CONTROL, 1);
  bench.finish();
  EXPECT_EQ(bench.status(bench.victim), PPU_RUN_OK);
}

inline void flood_errors(ContextBench& bench) {
  std::vector<CommandWords> commands(spec::kErrorQueueEntries + 4,
                                     make_command(static_cast<CommandOpcode>(0x77)));
  bench.execute(bench.attacker, commands);
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_COUNT), spec::kErrorQueueEntries);
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_LOST), 4U);
}

inline void take_errors_of_others(ContextBench& bench) {
  bench.execute(bench.victim, {make_command(static_cast<CommandOpcode>(0x77))});
  bench.write(bench.attacker, PPU_REGISTER_ERROR_POP, 1);
  bench.write(bench.attacker, PPU_REGISTER_IRQ_STATUS, 3);
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_COUNT), 0U);
  EXPECT_EQ(bench.read(bench.victim, PPU_REGISTER_ERROR_COUNT), 1U);
  EXPECT_EQ(bench.read(bench.victim, PPU_REGISTER_IRQ_STATUS), 2U);
  EXPECT_EQ(bench.device.interrupts(), 1U << bench.victim.id);
  bench.take_error(bench.victim);
  bench.write(bench.victim, PPU_REGISTER_IRQ_STATUS, 3);
  EXPECT_EQ(bench.device.interrupts(), 0U);
}

inline void ring_far_ahead(ContextBench& bench) {
  // What lies in the ring is carried out again and again, and stays in the windows.
  const std::uint32_t tail = bench.attacker.tail + 1000;
  bench.write(bench.attacker, PPU_REGISTER_RING_TAIL, tail);
  bench.execute(bench.victim, {fence_command(bench.victim.fence(), 1)});
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_RING_HEAD), tail);
  EXPECT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_COUNT), 0U);
}

inline void ring_while_closed(ContextBench& bench) {
  Client third{3, 0x30000, 0x50000, 384};
  bench.add(third, fence_command(bench.attacker.fence(), 9));
  bench.ring(third);
  bench.finish();
  EXPECT_EQ(bench.read(third, PPU_REGISTER_RING_TAIL), 0U);
  EXPECT_FALSE(fenced(bench, bench.attacker, 9));
}

// --------------------------------------------------------------------------------------- time

inline void never_end(ContextBench& bench) {
  Client& own = bench.attacker;
  bench.submit(own,
               {bench.load(own, kEndless), ContextBench::run(own), fence_command(own.fence(), 5)});
  bench.submit(bench.victim, {ContextBench::run(bench.victim)});
  bench.finish();
  EXPECT_EQ(bench.status(own), PPU_RUN_CANCELLED);
  expect_quota(bench, 1, PPU_RUN_CANCELLED);
  EXPECT_TRUE(fenced(bench, own, 5));
}

inline void never_send_rows(ContextBench& bench) {
  Client& own = bench.attacker;
  CommandWords run = ContextBench::run(own, spec::kFlagChained);
  run[field::kRowCount.word] = 1;
  run[field::kBodyCount.word] = 2;
  run[field::kImpulsesAddress.word] = own.device + 0x1000;
  run[field::kVelocitiesAddress.word] = own.device + 0x2000;
  bench.submit(own, {bench.load(own, "halt\n"), run, fence_command(own.fence(), 5)});
  bench.submit(bench.victim, {ContextBench::run(bench.victim)});
  bench.finish();
  EXPECT_EQ(bench.status(own), PPU_RUN_CANCELLED);
  expect_quota(bench, 1, PPU_RUN_CANCELLED);
  EXPECT_TRUE(fenced(bench, own, 5));
}

inline void copy_without_end(ContextBench& bench) {
  Client& own = bench.attacker;
  constexpr std::uint32_t kRanges = 64;
  for (std::uint32_t n = 0; n < kRanges; ++n)
    bench.host.put(own.list() + n * spec::kDescriptorBytes,
                   Descriptor{own.host, own.device, Client::kBytes, 0});
  bench.submit(own, {copy_command(CommandOpcode::kCopyIn, {own.host, own.device, 64, 0}, own.list(),
                                  kRanges)});
  bench.submit(bench.victim, {ContextBench::run(bench.victim)});
  bench.finish();
  const CommandError error = bench.take_error(own);
  EXPECT_EQ(error.reason, PPU_COMMAND_ERROR_QUOTA);
  EXPECT_GT(error.detail, 0U);
  EXPECT_LT(error.detail, kRanges);
}

// ------------------------------------------------------------------------- what is left behind

inline void read_what_was_left(ContextBench& bench) {
  Client next = bench.attacker;
  next.host = 0x30000;
  next.device = 0x50000;
  ContextBench& b = bench;
  const std::vector<std::byte> secret(0x1000, ContextBench::kSecret);
  // Somebody has been there before.
  Client before = next;
  before.id = 3;
  ASSERT_TRUE(b.open(before));
  b.host.put_bytes(before.data(), secret.data(), secret.size());
  b.execute(
      before,
      {copy_command(CommandOpcode::kCopyIn, {before.data(), before.device + 0x100, 0x1000, 0}),
       copy_command(CommandOpcode::kCopyIn, {before.data(), before.device_end() - 64, 64, 0}),
       b.load(before, "li t0, 5\nsignal t0\nhalt\n"), ContextBench::run(before),
       make_command(static_cast<CommandOpcode>(0x77))});
  EXPECT_EQ(b.read(before, PPU_REGISTER_PROGRESS), 5U);
  ASSERT_TRUE(b.set_open(3, false));
  // Its successor finds nothing of it: memory, program, registers.
  Client after = before;
  ASSERT_TRUE(b.open(after));
  b.write(after, PPU_REGISTER_IRQ_MASK, 0);
  for (std::uint32_t offset = PPU_REGISTER_CONTROL; offset < spec::kContextPageBytes; offset += 4)
    EXPECT_EQ(b.read(after, offset), 0U) << "register " << offset;
  b.execute(after, {copy_command(CommandOpcode::kCopyOut, {after.data(), after.device, 0x1200, 0}),
                    copy_command(CommandOpcode::kCopyOut,
                                 {after.source(), after.device_end() - 64, 64, 0}),
                    ContextBench::run(after)});
  EXPECT_EQ(b.host.bytes(after.data(), 0x1200), std::vector<std::byte>(0x1200));
  EXPECT_EQ(b.host.bytes(after.source(), 64), std::vector<std::byte>(64));
  // Zeros are the program that does nothing.
  EXPECT_EQ(b.status(after), PPU_RUN_OK);
  EXPECT_EQ(b.read(after, PPU_REGISTER_PROGRESS), 0U);
  ASSERT_TRUE(b.set_open(3, false));
}

inline void open_without_scrub(ContextBench& bench) {
  Client next{3, 0x30000, bench.victim.device, bench.victim.program};
  bench.describe(next);
  EXPECT_FALSE(bench.set_open(3, true)) << "never scrubbed";
  bench.add(next, fence_command(next.fence(), 9));
  bench.ring(next);
  bench.finish();
  EXPECT_EQ(bench.read(next, PPU_REGISTER_RING_HEAD), 0U);
}

inline void move_after_scrub(ContextBench& bench) {
  Client next{3, 0x30000, 0x50000, 384};
  bench.describe(next);
  bench.scrub(3);
  next.device = bench.victim.device;
  bench.describe(next);
  EXPECT_FALSE(bench.set_open(3, true)) << "its window has moved since";
}

inline void reopen_without_scrub(ContextBench& bench) {
  Client next{3, 0x30000, 0x50000, 384};
  ASSERT_TRUE(bench.open(next));
  ASSERT_TRUE(bench.set_open(3, false));
  EXPECT_FALSE(bench.set_open(3, true)) << "it was open since it was scrubbed";
}

inline void move_while_open(ContextBench& bench) {
  Client moved = bench.attacker;
  moved.device = bench.victim.device;
  bench.describe(moved);
  bench.execute(
      bench.attacker,
      {copy_command(CommandOpcode::kCopyOut, {bench.attacker.data(), bench.victim.device, 64, 0})});
  EXPECT_EQ(bench.take_error(bench.attacker).reason, PPU_COMMAND_ERROR_DEVICE_RANGE);
}

inline void scrub_what_is_open(ContextBench& bench) {
  bench.owner.execute({ContextBench::scrub_command(bench.victim.id), ContextBench::scrub_command(0),
                       ContextBench::scrub_command(4)});
  // The owner's own windows are in order, and there is no context 4.
  for (int n = 0; n < 3; ++n) EXPECT_EQ(bench.owner.take_error().reason, PPU_COMMAND_ERROR_CONTEXT);
}

inline void window_beyond_memory(ContextBench& bench) {
  const auto refused = [&bench](const Client& client, ppu_command_error expected) {
    bench.describe(client);
    bench.scrub(3);
    EXPECT_EQ(bench.owner.take_error().reason, expected);
    EXPECT_FALSE(bench.set_open(3, true));
  };
  refused({3, 0x30000, bench.device_size() - Client::kBytes + 64, 384},
          PPU_COMMAND_ERROR_DEVICE_RANGE);
  refused({3, bench.host_size() - Client::kBytes + 64, 0x50000, 384}, PPU_COMMAND_ERROR_HOST_RANGE);
  refused({3, 0x30000, 0x50000, 1024 - Client::kWords + 16}, PPU_COMMAND_ERROR_CAPACITY);
  refused({3, 0x30000, 0xffff8000, 384}, PPU_COMMAND_ERROR_SIZE);
}

inline void close_in_the_midst(ContextBench& bench) {
  Client& own = bench.attacker;
  ASSERT_TRUE(bench.set_open(own.id, false));
  ASSERT_TRUE(bench.open(own, 0));
  bench.submit(own,
               {bench.load(own, kEndless), ContextBench::run(own), fence_command(own.fence(), 1),
                fence_command(own.fence(), 2), fence_command(own.fence(), 3)});
  while (bench.read(own, PPU_REGISTER_RING_HEAD) < 2) bench.device.step();
  ASSERT_TRUE(bench.set_open(own.id, false));
  bench.finish();
  // Its run has ended, its commands are gone; those in the device, too, when it opens again.
  EXPECT_EQ(bench.status(own), PPU_RUN_CANCELLED);
  EXPECT_EQ(bench.read(own, PPU_REGISTER_ERROR_COUNT), 0U);
  ASSERT_TRUE(bench.open(own));
  bench.finish();
  EXPECT_EQ(bench.read(own, PPU_REGISTER_RING_HEAD), 0U);
  for (const std::uint64_t value : {1, 2, 3}) EXPECT_FALSE(fenced(bench, own, value));
  bench.execute(own, {fence_command(own.fence(), 4)});
  EXPECT_TRUE(fenced(bench, own, 4));
}

}  // namespace scenarios

inline std::vector<Scenario> context_scenarios() {
  using namespace scenarios;
  return {
      {"own-page", "the owner's registers written in the client's page", write_owner_registers},
      {"cancel", "a cancel while the victim runs", cancel_others},
      {"error-flood", "more errors than a queue holds", flood_errors},
      {"error-theft", "errors and interrupts of the victim taken", take_errors_of_others},
      {"doorbell-ahead", "a doorbell for a thousand commands that are not there", ring_far_ahead},
      {"doorbell-closed", "the doorbell of a context that is closed", ring_while_closed},
      {"endless", "a program without an end", never_end},
      {"no-rows", "a chained run whose rows never come", never_send_rows},
      {"endless-copy", "a copy that would take a hundred times the quota", copy_without_end},
      {"left-behind", "windows, program and registers of a predecessor read", read_what_was_left},
      {"not-scrubbed", "a context opened over the victim's memory without a scrub",
       open_without_scrub},
      {"moved", "a window moved to the victim's memory behind its scrub", move_after_scrub},
      {"reopened", "a context opened again without a scrub", reopen_without_scrub},
      {"moved-open", "a window moved while the context is open", move_while_open},
      {"scrub-open", "scrubs of an open context, of the owner, of none", scrub_what_is_open},
      {"beyond-memory", "windows that end behind their memories", window_beyond_memory},
      {"closed-midst", "a context closed and opened again with commands under way",
       close_in_the_midst},
  };
}

}  // namespace ppu::hw::test
