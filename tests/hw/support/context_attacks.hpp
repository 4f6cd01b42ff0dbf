// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a client may try against another one that shares the device, and what it gets.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/hw/support/context_bench.hpp"

namespace ppu::hw::test {

struct Attack {
  std::string name, how;
  /// The attacker's commands; they are carried out.
  std::function<std::vector<CommandWords>(ContextBench&)> commands;
  /// The error of the command before the last one, which is a fence that is written.
  ppu_command_error expected;
};

inline void PrintTo(const Attack& attack, std::ostream* out) {
  *out << attack.name;
}

namespace attacks {

using spec::CommandOpcode;
using Words = std::vector<CommandWords>;

inline Attack copy(const std::string& name, const std::string& how, CommandOpcode opcode,
                   const std::function<Descriptor(const ContextBench&)>& range,
                   ppu_command_error expected) {
  return {
      name, how,
      [opcode, range](ContextBench& bench) { return Words{copy_command(opcode, range(bench))}; },
      expected};
}

/// A copy of the attacker's own whose list has one more range.
inline Attack list(const std::string& name, const std::string& how, CommandOpcode opcode,
                   const std::function<Descriptor(const ContextBench&)>& range) {
  return {name, how,
          [opcode, range](ContextBench& bench) {
            const Client& own = bench.attacker;
            bench.host.put(own.list(), range(bench));
            return Words{copy_command(opcode, {own.data(), own.device, 64, 0}, own.list(), 1)};
          },
          PPU_COMMAND_ERROR_DESCRIPTOR};
}

/// The attacker's own run with one field replaced.
inline Attack run(const std::string& name, const std::string& how,
                  const std::function<void(const ContextBench&, CommandWords&)>& change,
                  ppu_command_error expected) {
  return {name, how,
          [change](ContextBench& bench) {
            CommandWords words = ContextBench::run(bench.attacker);
            change(bench, words);
            return Words{words};
          },
          expected};
}

inline Attack single(const std::string& name, const std::string& how,
                     const std::function<CommandWords(ContextBench&)>& command,
                     ppu_command_error expected) {
  return {name, how, [command](ContextBench& bench) { return Words{command(bench)}; }, expected};
}

constexpr auto kDevice = PPU_COMMAND_ERROR_DEVICE_RANGE;
constexpr auto kHost = PPU_COMMAND_ERROR_HOST_RANGE;
constexpr auto kCapacity = PPU_COMMAND_ERROR_CAPACITY;
constexpr auto kOwner = PPU_COMMAND_ERROR_OWNER;

inline std::vector<Attack> of_copies() {
  using Bench = const ContextBench&;
  constexpr auto kIn = CommandOpcode::kCopyIn;
  constexpr auto kOut = CommandOpcode::kCopyOut;
  constexpr auto kWithin = CommandOpcode::kCopyWithin;
  const auto at = [](std::uint32_t host, std::uint32_t device, std::uint32_t bytes = 64) {
    return Descriptor{host, device, bytes, 0};
  };
  return {
      copy(
          "write-device", "copy_in to device memory of the victim", kIn,
          [at](Bench b) { return at(b.attacker.data(), b.victim.device); }, kDevice),
      copy(
          "read-device", "copy_out of device memory of the victim", kOut,
          [at](Bench b) { return at(b.attacker.data(), b.victim.device + 0x1000); }, kDevice),
      copy(
          "read-host", "copy_in from host memory of the victim", kIn,
          [at](Bench b) { return at(b.victim.data(), b.attacker.device); }, kHost),
      copy(
          "write-host", "copy_out to host memory of the victim", kOut,
          [at](Bench b) { return at(b.victim.data(), b.attacker.device); }, kHost),
      copy(
          "write-ring", "copy_out to the ring of the victim", kOut,
          [at](Bench b) { return at(b.victim.host, b.attacker.device); }, kHost),
      copy(
          "read-owner-ring", "copy_in from the ring of the owner", kIn,
          [at](Bench b) { return at(b.host.ring(), b.attacker.device); }, kHost),
      copy(
          "write-owner-ring", "copy_out to the ring of the owner", kOut,
          [at](Bench b) { return at(b.host.ring(), b.attacker.device); }, kHost),
      copy(
          "within-from", "copy_within from the victim's memory", kWithin,
          [at](Bench b) { return at(b.victim.device + 0x1000, b.attacker.device); }, kDevice),
      copy(
          "within-to", "copy_within to the victim's memory", kWithin,
          [at](Bench b) { return at(b.attacker.device, b.victim.device + 0x1000); }, kDevice),
      copy(
          "before-window", "copy_out of the beat before the window", kOut,
          [at](Bench b) { return at(b.attacker.data(), b.attacker.device - 64); }, kDevice),
      copy(
          "byte-before", "copy_out from one byte before the window on", kOut,
          [at](Bench b) { return at(b.attacker.data() + 63, b.attacker.device - 1, 2); }, kDevice),
      copy(
          "behind-window", "copy_out of the beat behind the window", kOut,
          [at](Bench b) { return at(b.attacker.data(), b.attacker.device_end()); }, kDevice),
      copy(
          "byte-behind", "copy_out up to one byte behind the window", kOut,
          [at](Bench b) { return at(b.attacker.data(), b.attacker.device_end() - 64, 65); },
          kDevice),
      copy(
          "host-before", "copy_in from the beat before the window of host memory", kIn,
          [at](Bench b) { return at(b.attacker.host - 64, b.attacker.device); }, kHost),
      copy(
          "host-byte-behind", "copy_in up to one byte behind the window of host memory", kIn,
          [at](Bench b) { return at(b.attacker.host_end() - 64, b.attacker.device, 65); }, kHost),
      copy(
          "wrap-device", "copy_in that wraps around 2^32 into the window", kIn,
          [at](Bench b) { return at(b.attacker.data(), 0xffffffc0, b.attacker.device + 128); },
          kDevice),
      copy(
          "wrap-host", "copy_out whose address in host memory wraps", kOut,
          [at](Bench b) { return at(0xffffffc0, b.attacker.device, 128); }, kHost),
      copy(
          "all-of-it", "copy_out of 4 GiB less a byte", kOut,
          [at](Bench b) { return at(b.attacker.data(), b.attacker.device, 0xffffffff); }, kDevice),
      list("list-write-device", "a range of a list in device memory of the victim", kIn,
           [at](Bench b) { return at(b.attacker.data(), b.victim.device); }),
      list("list-read-device", "a range of a list out of device memory of the victim", kOut,
           [at](Bench b) { return at(b.attacker.data(), b.victim.device + 0x1000); }),
      list("list-read-host", "a range of a list from host memory of the victim", kIn,
           [at](Bench b) { return at(b.victim.data(), b.attacker.device); }),
      list("list-write-host", "a range of a list to host memory of the victim", kOut,
           [at](Bench b) { return at(b.victim.data(), b.attacker.device); }),
      list("list-byte-behind", "a range of a list that ends one byte behind the window", kOut,
           [at](Bench b) { return at(b.attacker.data(), b.attacker.device_end() - 64, 65); }),
      single(
          "list-of-victim", "a list in host memory of the victim",
          [](ContextBench& b) {
            return copy_command(kIn, {b.attacker.data(), b.attacker.device, 64, 0}, b.victim.data(),
                                1);
          },
          kHost),
      single(
          "list-behind", "a list that ends behind the window",
          [](ContextBench& b) {
            return copy_command(kIn, {b.attacker.data(), b.attacker.device, 64, 0},
                                b.attacker.host_end() - 64, 5);
          },
          kHost),
  };
}

inline std::vector<Attack> of_programs() {
  using Bench = const ContextBench&;
  constexpr auto kLoad = CommandOpcode::kLoadProgram;
  return {
      copy(
          "load-over", "load_program over the program of the victim", kLoad,
          [](Bench b) {
            return Descriptor{b.attacker.source(), b.victim.program, 64, 0};
          },
          kCapacity),
      copy(
          "load-before", "load_program to the line before the window", kLoad,
          [](Bench b) {
            return Descriptor{b.attacker.source(), b.attacker.program - 16, 64, 0};
          },
          kCapacity),
      copy(
          "load-behind", "load_program that ends behind the window", kLoad,
          [](Bench b) {
            return Descriptor{b.attacker.source(), b.attacker.program + Client::kWords - 16, 68, 0};
          },
          kCapacity),
      copy(
          "load-from-victim", "load_program from host memory of the victim", kLoad,
          [](Bench b) {
            return Descriptor{b.victim.source(), b.attacker.program, 64, 0};
          },
          kHost),
      run(
          "run-program", "run of the victim's program",
          [](Bench b, CommandWords& w) { w[field::kEntry.word] = b.victim.program; }, kCapacity),
      run(
          "run-behind", "run of a program that ends behind the window",
          [](Bench b, CommandWords& w) {
            w[field::kEntry.word] = b.attacker.program + Client::kWords - 16;
            w[0] += 1U << field::kProgramWords.lsb;
          },
          kCapacity),
      run(
          "run-rows", "run over rows of the victim",
          [](Bench b, CommandWords& w) {
            w[field::kRowCount.word] = 1;
            w[field::kRowsAddress.word] = b.victim.device + 0x1000;
          },
          kDevice),
      run(
          "run-impulses", "run over impulses of the victim",
          [](Bench b, CommandWords& w) {
            w[field::kRowCount.word] = 1;
            w[field::kImpulsesAddress.word] = b.victim.device + 0x1000;
          },
          kDevice),
      run(
          "run-velocities", "run over velocities of the victim",
          [](Bench b, CommandWords& w) {
            w[field::kBodyCount.word] = 1;
            w[field::kVelocitiesAddress.word] = b.victim.device + 0x1000;
          },
          kDevice),
      run(
          "run-row-behind", "run over rows that end behind the window",
          [](Bench b, CommandWords& w) {
            w[field::kRowCount.word] = 2;
            w[field::kRowsAddress.word] = b.attacker.device_end() - spec::kBeatBytes;
          },
          kDevice),
      run(
          "run-body-behind", "run over velocities that end behind the window",
          [](Bench b, CommandWords& w) {
            w[field::kBodyCount.word] = 3;
            w[field::kVelocitiesAddress.word] = b.attacker.device_end() - spec::kBeatBytes;
          },
          kDevice),
      run(
          "report-victim", "a report to host memory of the victim",
          [](Bench b, CommandWords& w) { w[field::kReportAddress.word] = b.victim.report(); },
          kHost),
      run(
          "report-behind", "a report that ends behind the window",
          [](Bench b, CommandWords& w) {
            w[field::kReportAddress.word] = b.attacker.host_end() - spec::kBeatBytes;
          },
          kHost),
  };
}

inline std::vector<Attack> of_commands() {
  const auto plain = [](CommandOpcode opcode) {
    return [opcode](ContextBench& /*bench*/) { return make_command(opcode); };
  };
  return {
      single(
          "fence-victim", "a fence to host memory of the victim",
          [](ContextBench& b) { return fence_command(b.victim.fence(), 9); }, kHost),
      single(
          "fence-behind", "a fence behind the window",
          [](ContextBench& b) { return fence_command(b.attacker.host_end(), 9); }, kHost),
      single(
          "query", "the counters of the device, which tell of the others",
          [](ContextBench& b) { return query_command(b.attacker.data()); }, kOwner),
      single("reset", "the counters of the device are cleared", plain(CommandOpcode::kReset),
             kOwner),
      single(
          "scrub-victim", "a scrub of the victim",
          [](ContextBench& b) { return ContextBench::scrub_command(b.victim.id); }, kOwner),
      single(
          "scrub-closed", "a scrub of a context that nobody has described",
          [](ContextBench& /*b*/) { return ContextBench::scrub_command(3); },
          PPU_COMMAND_ERROR_SIZE),
      single("opcode", "no command", plain(static_cast<CommandOpcode>(0x77)),
             PPU_COMMAND_ERROR_OPCODE),
  };
}

inline std::vector<Attack> all() {
  std::vector<Attack> attacks = of_copies();
  for (const auto& group : {of_programs(), of_commands()})
    attacks.insert(attacks.end(), group.begin(), group.end());
  return attacks;
}

}  // namespace attacks

/// Tries it; a fence behind it comes all the same.
inline void try_attack(const Attack& attack, ContextBench& bench) {
  bench.submit(bench.attacker, [&] {
    std::vector<CommandWords> commands = attack.commands(bench);
    commands.push_back(fence_command(bench.attacker.fence(), 5));
    return commands;
  }());
  bench.finish();
  ASSERT_EQ(bench.read(bench.attacker, PPU_REGISTER_ERROR_COUNT), 1U);
  const CommandError error = bench.take_error(bench.attacker);
  EXPECT_EQ(error.reason, attack.expected);
  EXPECT_EQ(error.command, 0U);
  EXPECT_EQ(bench.host.get<std::uint64_t>(bench.attacker.fence()), 5U);
  bench.expect_idle_victim();
  bench.expect_untouched();
}

}  // namespace ppu::hw::test
