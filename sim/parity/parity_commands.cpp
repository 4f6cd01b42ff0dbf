// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Parity workloads: command lists that move bytes, wait, interrupt, or are malformed.
#include "sim/parity/parity_job.hpp"
#include "sim/parity/parity_workloads.hpp"

namespace ppu::sim {
namespace {

namespace field = spec::command_field;
using spec::CommandOpcode;

constexpr std::uint32_t kBeat = spec::kBeatBytes;

Measurement odd_copies(const Bench& bench) {
  constexpr std::size_t kBytes = 4096;
  const Buffer buffer(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 2);
  std::vector<std::uint8_t> back(kBytes);
  ListJob job(bench);
  job.commands().copy_in(buffer, bytes.data(), kBytes);
  // Heads and tails at every place of a beat, sizes from a byte to some beats.
  for (std::size_t i = 0; i < kBeat; ++i) {
    const std::size_t offset = i * 63 % (kBytes - 300);
    const std::size_t size = 1 + i * i % 257;
    job.commands().copy_in(buffer, bytes.data() + i, size, offset);
    if (i % 4 == 0) job.commands().copy_out(buffer, back.data(), size, offset);
  }
  return job.finish({{&buffer, kBytes}});
}

Measurement copies_within(const Bench& bench) {
  constexpr std::size_t kBytes = 20000;
  const Buffer from(bench.device, kBytes);
  const Buffer to(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 3);
  ListJob job(bench);
  job.commands().copy_in(from, bytes.data(), kBytes);
  job.commands().copy_in(to, bytes.data() + 1, kBytes - 1);
  job.commands().copy_within(from, 0, to, 0, 9000);
  job.commands().copy_within(from, 13, to, 13 + 10 * kBeat, 1);
  job.commands().copy_within(from, 63, to, 63 + 20 * kBeat, 2);
  job.commands().copy_within(to, 5, to, 5 + 200 * kBeat, 777);
  return job.finish({{&to, kBytes}});
}

/// A list of `count` descriptors for ranges of `all`, odd ones, at the same places of both
/// memories.
std::vector<std::uint32_t> descriptors(std::uint32_t count, std::uint32_t host,
                                       std::uint32_t device) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t place = i * 4 * kBeat + i * 7 % kBeat;
    words.insert(words.end(), {host + place, device + place, 1 + i * 37 % 200, 0});
  }
  return words;
}

/// Scatter-gather lists. They must lie in host memory, where the device itself puts them.
Measurement scatter_gather(const Bench& bench) {
  constexpr std::uint32_t kCount = 21;
  constexpr std::uint32_t kBytes = 8192;
  const Buffer all(bench.device, bench.device.info().device_memory_bytes);  // At address 0.
  const std::uint32_t list = host_scratch(bench);
  const std::uint32_t data = list + 4096;
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 4);
  const std::vector<std::uint32_t> words = descriptors(kCount, data, 2 * kBytes);
  const auto list_bytes = static_cast<std::uint32_t>(words.size() * sizeof(std::uint32_t));
  const auto with_list = [list](CommandOpcode opcode, std::uint32_t host, std::uint32_t device,
                                std::uint32_t size, std::uint32_t count) {
    RawCommand command = raw_copy(opcode, host, device, size);
    set_field(&command, field::kListAddress, list);
    set_field(&command, field::kListCount, count);
    return command;
  };
  ListJob job(bench);
  job.commands().copy_in(all, bytes.data(), kBytes);
  job.commands().copy_in(all, words.data(), list_bytes, kBytes);
  job.commands().raw(raw_copy(CommandOpcode::kCopyOut, data, 0, kBytes));
  job.commands().raw(raw_copy(CommandOpcode::kCopyOut, list, kBytes, list_bytes));
  for (const std::uint32_t count : {kCount, 1U, 4U, 5U, 0U})
    job.commands().raw(with_list(CommandOpcode::kCopyIn, data + 3, 5 * kBytes + 3, 100, count));
  job.commands().raw(with_list(CommandOpcode::kCopyOut, data + 5, 5 * kBytes + 5, 70, kCount));
  job.commands().raw(raw_copy(CommandOpcode::kCopyIn, data, 6 * kBytes, kBytes));
  return job.finish({{&all, 7 * kBytes}});
}

/// A command of every reason to be rejected, in the order of spec::kCommandErrors.
std::vector<RawCommand> malformed(const Bench& bench) {
  const std::uint32_t host = host_scratch(bench);
  const auto device_end = static_cast<std::uint32_t>(bench.device.info().device_memory_bytes);
  RawCommand unknown{};
  set_field(&unknown, field::kOpcode, 0xee);
  RawCommand reserved = raw_command(CommandOpcode::kBarrier);
  reserved.back() = 1;
  RawCommand large_run = raw_command(CommandOpcode::kRun);
  set_field(&large_run, field::kProgramWords, 1);
  set_field(&large_run, field::kRowCount, bench.device.info().impulse_memory_rows + 1);
  RawCommand list = raw_copy(CommandOpcode::kCopyIn, host, 0, kBeat);
  set_field(&list, field::kListAddress, host + kBeat);
  set_field(&list, field::kListCount, 2);
  return {unknown,
          reserved,
          raw_copy(CommandOpcode::kCopyIn, host + 1, 2, kBeat),
          raw_copy(CommandOpcode::kCopyIn, host, 0, 0),
          large_run,
          raw_copy(CommandOpcode::kCopyIn, host, device_end - kBeat, 2 * kBeat),
          raw_copy(CommandOpcode::kCopyOut, 0xffffffc0, 0, 2 * kBeat),
          raw_copy(CommandOpcode::kCopyWithin, 0, kBeat, 2 * kBeat),
          list};
}

/// Good commands between them go on as if they were not there. One of them reads descriptors from
/// a copy of the first rows, whose words are none.
Measurement malformed_commands(const Bench& bench) {
  constexpr std::uint32_t kBytes = 1000;
  const Program program = Program::load(bench.device, "boxed");
  const RunMemory memory(bench.device, make_islands({2, 5, 9, 10}));
  const Buffer buffer(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 5);
  ListJob job(bench);
  memory.upload(job.commands());
  // The rows were allocated first, from address 0 on.
  job.commands().raw(raw_copy(CommandOpcode::kCopyOut, host_scratch(bench), 0, 4 * kBeat));
  for (const RawCommand& command : malformed(bench)) {
    job.commands().raw(command);
    job.commands().copy_in(buffer, bytes.data(), kBytes);
    job.commands().raw(raw_command(CommandOpcode::kNop));
  }
  job.commands().barrier();
  job.run(memory.run(program, 2));
  job.commands().raw(malformed(bench).front());
  std::vector<Extent> results = memory.results();
  results.push_back({&buffer, kBytes});
  return job.finish(results);
}

/// Fences with and without interrupts, alone and behind copies. Their records, with the cycles, are
/// part of the state.
Measurement fence_storm(const Bench& bench) {
  constexpr std::uint32_t kFences = 120;
  constexpr std::uint32_t kBytes = 500;
  constexpr std::uint32_t kRecords = 1024;
  const Buffer all(bench.device, bench.device.info().device_memory_bytes);  // At address 0.
  const std::uint32_t host = host_scratch(bench);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 6);
  ListJob job(bench);
  for (std::uint32_t i = 0; i < kFences; ++i) {
    job.commands().raw(raw_fence(host + i * spec::kFenceBytes, 0x100000000U + i, i % 3 != 0));
    if (i % 4 == 1) job.commands().copy_in(all, bytes.data(), 1 + i * 4);
  }
  job.commands().raw(raw_copy(CommandOpcode::kCopyIn, host, kRecords, kFences * spec::kFenceBytes));
  return job.finish({{&all, kRecords + kFences * spec::kFenceBytes}});
}

Measurement nops_and_barriers(const Bench& bench) {
  ListJob job(bench);
  for (int i = 0; i < 300; ++i) {
    if (i % 3 == 0) job.commands().barrier();
    job.commands().raw(raw_command(CommandOpcode::kNop));
    if (i % 50 == 0) job.commands().query();
  }
  return job.finish({});
}

/// Counters that start again in the middle of a list.
Measurement reset_command(const Bench& bench) {
  constexpr std::size_t kBytes = 900;
  const Buffer buffer(bench.device, kBytes);
  const std::vector<std::uint8_t> bytes = pattern(kBytes, 7);
  ListJob job(bench);
  job.commands().copy_in(buffer, bytes.data(), kBytes);
  job.reset_counters();
  job.commands().copy_in(buffer, bytes.data(), 100, 17);
  return job.finish({{&buffer, kBytes}});
}

}  // namespace

std::vector<Workload> command_workloads() {
  return {
      {"odd-copies", "copies with odd heads and tails", true, odd_copies},
      {"odd-copies-pci", "the same over conventional PCI", false, odd_copies, "+pci"},
      {"copies-within", "copies within device memory", true, copies_within},
      {"copies-within-back-pressure",
       "the same, memory refuses at random",
       false,
       copies_within,
       "",
       {"dram_stall_percent=30"}},
      {"scatter-gather", "copies with lists of odd descriptors", true, scatter_gather},
      {"malformed-commands", "every kind of malformed command between good ones", true,
       malformed_commands},
      {"fence-storm", "fences with interrupts, between copies", false, fence_storm},
      {"nops-and-barriers", "commands that do nothing, as fast as they are fetched", true,
       nops_and_barriers},
      {"reset", "counters reset in the middle", false, reset_command},
  };
}

}  // namespace ppu::sim
