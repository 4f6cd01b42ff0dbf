// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Commands that the device rejects, each between two copies of a list.
#include "tests/driver/faults/fault_bench.hpp"

namespace ppu::driver::test {
namespace {

using Opcode = spec::CommandOpcode;
using Fields = std::function<std::vector<std::uint32_t>(const FaultBench&)>;

/// Command 1 of the list has `fields` from its word 1 on.
FaultCase rejected(const std::string& name, const std::string& how, std::uint32_t opcode,
                   const Fields& fields, const std::string& sentence) {
  FaultCase made;
  made.name = name;
  made.how = how;
  made.expected = PPU_ERROR_COMMAND;
  made.sentence = "command 1 of the list, " + sentence;
  made.provoke = [opcode, fields](FaultBench& bench) {
    return bench.raw({FaultBench::words(opcode, fields(bench))});
  };
  return made;
}

FaultCase rejected(const std::string& name, const std::string& how, Opcode opcode,
                   const Fields& fields, const std::string& sentence) {
  return rejected(name, how, static_cast<std::uint32_t>(opcode), fields, sentence);
}

Fields always(std::vector<std::uint32_t> fields) {
  return [fields](const FaultBench&) { return fields; };
}
/// The last beat of host or device memory is within, the next one is not.
Fields at_host_end(std::vector<std::uint32_t> fields) {
  return [fields](const FaultBench& bench) {
    std::vector<std::uint32_t> made = fields;
    made[0] = bench.host_bytes() - 64;
    return made;
  };
}
Fields at_device_end(std::vector<std::uint32_t> fields, std::size_t word) {
  return [fields, word](const FaultBench& bench) {
    std::vector<std::uint32_t> made = fields;
    made[word - 1] = bench.device_bytes() - 64;
    return made;
  };
}

/// entry, rows, bodies, addresses of rows, impulses, velocities, of the report.
Fields run_with(std::size_t word, std::uint32_t value) {
  return [word, value](const FaultBench&) {
    std::vector<std::uint32_t> fields{0, 1, 1, 0, 1024, 2048, 1U << 18U};
    fields[word - 1] = value;
    return fields;
  };
}

constexpr std::uint32_t kRunOfTwoWords = static_cast<std::uint32_t>(Opcode::kRun) | 2U << 16U;
constexpr std::uint32_t kLast = 0xffffffc0;  // The last beat of 32 bits of address.

std::vector<FaultCase> copy_faults() {
  return {
      rejected("copy-in-apart", "copy_in: places of the beats differ", Opcode::kCopyIn,
               always({0, 4, 64}), "copy_in, was rejected: alignment: "),
      rejected("copy-in-nothing", "copy_in: no bytes", Opcode::kCopyIn, always({0, 0, 0}),
               "copy_in, was rejected: size: "),
      rejected("copy-in-host-end", "copy_in: goes beyond host memory", Opcode::kCopyIn,
               at_host_end({0, 0, 65}), "copy_in, was rejected: host_range: "),
      rejected("copy-in-device-end", "copy_in: goes beyond device memory", Opcode::kCopyIn,
               at_device_end({0, 0, 65}, 2), "copy_in, was rejected: device_range: "),
      rejected("copy-in-host-wrap", "copy_in: the host's address wraps", Opcode::kCopyIn,
               always({kLast, 0, 128}), "copy_in, was rejected: host_range: "),
      rejected("copy-in-device-wrap", "copy_in: the device's address wraps", Opcode::kCopyIn,
               always({0, kLast, 128}), "copy_in, was rejected: device_range: "),
      rejected("copy-in-all-bytes", "copy_in: 4 GiB less one byte", Opcode::kCopyIn,
               always({0, 0, 0xffffffff}), "copy_in, was rejected: device_range: "),
      rejected("copy-out-apart", "copy_out: places of the beats differ", Opcode::kCopyOut,
               always({1, 0, 8}), "copy_out, was rejected: alignment: "),
      rejected("copy-out-nothing", "copy_out: no bytes", Opcode::kCopyOut, always({0, 0, 0}),
               "copy_out, was rejected: size: "),
      rejected("copy-out-host-end", "copy_out: goes beyond host memory", Opcode::kCopyOut,
               at_host_end({0, 0, 65}), "copy_out, was rejected: host_range: "),
      rejected("copy-out-device-end", "copy_out: goes beyond device memory", Opcode::kCopyOut,
               at_device_end({0, 0, 65}, 2), "copy_out, was rejected: device_range: "),
      rejected("copy-within-overlap", "copy_within: source and target overlap", Opcode::kCopyWithin,
               always({0, 64, 65}), "copy_within, was rejected: overlap: "),
      rejected("copy-within-source", "copy_within: the source goes beyond device memory",
               Opcode::kCopyWithin, at_device_end({0, 0, 65}, 1),
               "copy_within, was rejected: device_range: "),
      rejected("copy-within-target", "copy_within: the target goes beyond device memory",
               Opcode::kCopyWithin, at_device_end({0, 0, 65}, 2),
               "copy_within, was rejected: device_range: "),
      rejected("list-apart", "copy_in: its list begins within a beat", Opcode::kCopyIn,
               always({0, 0, 64, 16, 1}), "copy_in, was rejected: alignment: "),
      rejected("list-host-end", "copy_in: its list goes beyond host memory", Opcode::kCopyIn,
               always({0, 0, 64, kLast, 8}), "copy_in, was rejected: host_range: "),
      rejected("list-too-long", "copy_in: a list of 2^32 - 1 ranges", Opcode::kCopyIn,
               always({0, 0, 64, 0, 0xffffffff}), "copy_in, was rejected: host_range: "),
  };
}

std::vector<FaultCase> load_and_run_faults() {
  return {
      rejected("load-capacity", "load_program: beyond instruction memory", Opcode::kLoadProgram,
               always({0, 0x10000, 64}), "load_program, was rejected: capacity: "),
      rejected("load-too-long", "load_program: more than instruction memory has",
               Opcode::kLoadProgram, always({0, 0, 0x100000}),
               "load_program, was rejected: capacity: "),
      rejected("load-line", "load_program: not to the begin of a line", Opcode::kLoadProgram,
               always({0, 8, 64}), "load_program, was rejected: alignment: "),
      rejected("load-host-line", "load_program: not from the begin of a beat", Opcode::kLoadProgram,
               always({4, 0, 64}), "load_program, was rejected: alignment: "),
      rejected("load-part-of-word", "load_program: 6 bytes", Opcode::kLoadProgram,
               always({0, 0, 6}), "load_program, was rejected: size: "),
      rejected("load-host-end", "load_program: from beyond host memory", Opcode::kLoadProgram,
               always({kLast, 0, 128}), "load_program, was rejected: host_range: "),
      rejected("load-checksum", "load_program: another checksum than its words have",
               static_cast<std::uint32_t>(Opcode::kLoadProgram) | spec::kFlagChecked << 8U,
               always({0, 512, 64, 0, 0, 0x12345678}), "load_program, was rejected: checksum: "),
      rejected("run-entry-line", "run: the program is not at the begin of a line", kRunOfTwoWords,
               run_with(1, 8), "run, was rejected: alignment: "),
      rejected("run-entry-end", "run: the program is beyond instruction memory", kRunOfTwoWords,
               run_with(1, 0x10000), "run, was rejected: capacity: "),
      rejected("run-rows-many", "run: more rows than the engine has room for", kRunOfTwoWords,
               run_with(2, 0x7fffffff), "run, was rejected: capacity: "),
      rejected("run-bodies-many", "run: more bodies than the engine has room for", kRunOfTwoWords,
               run_with(3, 0x7fffffff), "run, was rejected: capacity: "),
      rejected("run-rows-apart", "run: rows are not at the begin of a beat", kRunOfTwoWords,
               run_with(4, 32), "run, was rejected: alignment: "),
      rejected("run-rows-end", "run: rows go beyond device memory", kRunOfTwoWords,
               run_with(4, kLast), "run, was rejected: device_range: "),
      rejected("run-impulses-end", "run: impulses go beyond device memory", kRunOfTwoWords,
               run_with(5, kLast), "run, was rejected: device_range: "),
      rejected("run-velocities-end", "run: velocities go beyond device memory", kRunOfTwoWords,
               run_with(6, kLast), "run, was rejected: device_range: "),
      rejected("run-report-apart", "run: the report is not at the begin of a beat", kRunOfTwoWords,
               run_with(7, 8), "run, was rejected: alignment: "),
      rejected("run-report-end", "run: the report goes beyond host memory", kRunOfTwoWords,
               run_with(7, kLast), "run, was rejected: host_range: "),
      rejected("fence-apart", "fence: not to a multiple of 16 bytes", Opcode::kFence, always({8}),
               "fence, was rejected: alignment: "),
      rejected("fence-end", "fence: beyond host memory", Opcode::kFence, always({0xfffffff0}),
               "fence, was rejected: host_range: "),
      rejected("query-apart", "query: not to the begin of a beat", Opcode::kQuery, always({16}),
               "query, was rejected: alignment: "),
      rejected("query-end", "query: beyond host memory", Opcode::kQuery, always({kLast}),
               "query, was rejected: host_range: "),
  };
}

}  // namespace

FaultGroup command_faults() {
  std::vector<FaultCase> cases{
      rejected("opcode-77", "an unknown command, 0x77", 0x77, always({}),
               "an unknown command, was rejected: opcode: "),
      rejected("opcode-ff", "an unknown command, 0xff", 0xff, always({}),
               "an unknown command, was rejected: opcode: "),
      rejected("nop-word", "nop: a word that it has no use for", Opcode::kNop, always({1}),
               "nop, was rejected: reserved: "),
      rejected("barrier-word", "barrier: a word that it has no use for", Opcode::kBarrier,
               always({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}),
               "barrier, was rejected: reserved: "),
      rejected("reset-word", "reset: a word that it has no use for", Opcode::kReset, always({0, 1}),
               "reset, was rejected: reserved: "),
      rejected("copy-flag", "copy_in: a flag that there is not",
               static_cast<std::uint32_t>(Opcode::kCopyIn) | 0x80U << 8U, always({0, 0, 64}),
               "copy_in, was rejected: reserved: "),
      rejected("flip-unprotected", "flip: the device has no check bits", Opcode::kFlip,
               always({0, 0}), "flip, was rejected: "),
  };
  for (const auto& more : {copy_faults(), load_and_run_faults()})
    cases.insert(cases.end(), more.begin(), more.end());
  FaultCase many;
  many.name = "errors-overflow";
  many.how = "200 unknown commands, more errors than the device keeps";
  many.expected = PPU_ERROR_COMMAND;
  many.sentence = "command 1 of the list, an unknown command, was rejected: opcode: ";
  many.provoke = [](FaultBench& bench) {
    return bench.raw(std::vector<CommandWords>(200, FaultBench::words(0x77, {})));
  };
  cases.push_back(many);
  many.name = "errors-reset";
  many.how = "an unknown command with a reset behind it";
  many.provoke = [](FaultBench& bench) {
    return bench.raw({FaultBench::words(0x77, {}),
                      FaultBench::words(static_cast<std::uint32_t>(Opcode::kReset), {})});
  };
  cases.push_back(many);
  return {"Commands", cases};
}

}  // namespace ppu::driver::test
