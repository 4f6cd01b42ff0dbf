// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Decoding and checking of commands. Each check returns at the first error, in the order of the
// list of errors in the specification.
#include "hw/contract/command.hpp"

#include <algorithm>

#include "hw/contract/host_records.hpp"
#include "hw/contract/row_records.hpp"

namespace ppu::hw {
namespace {

namespace field = spec::command_field;
using spec::CommandOpcode;

/// `load_program` writes whole lines of so many words.
constexpr std::uint32_t kWordsPerLine = spec::kBeatBytes / sizeof(std::uint32_t);

constexpr bool is_aligned(std::uint32_t address, std::uint32_t alignment) {
  return address % alignment == 0;
}

}  // namespace

Descriptor first_descriptor(const CommandWords& words) {
  return {get_field(words, field::kHostAddress), get_field(words, field::kDeviceAddress),
          get_field(words, field::kBytes), 0};
}

RunCommand decode_run(const CommandWords& words, std::uint32_t number) {
  RunCommand run;
  run.command = number;
  run.entry = get_field(words, field::kEntry);
  run.program_words = get_field(words, field::kProgramWords);
  run.row_count = get_field(words, field::kRowCount);
  run.body_count = get_field(words, field::kBodyCount);
  run.rows_address = get_field(words, field::kRowsAddress);
  run.impulses_address = get_field(words, field::kImpulsesAddress);
  run.velocities_address = get_field(words, field::kVelocitiesAddress);
  run.stream = has_flag(words, spec::kFlagStream);
  run.reduced = has_flag(words, spec::kFlagReduced);
  run.chained = has_flag(words, spec::kFlagChained);
  run.early = has_flag(words, spec::kFlagEarly);
  std::copy_n(words.begin() + field::kArguments.word, run.arguments.size(), run.arguments.begin());
  return run;
}

CommandWords encode_run(const RunCommand& run) {
  CommandWords words{};
  const auto put = [&words](const spec::CommandField& where, std::uint32_t value) {
    words[where.word] |= value << where.lsb;
  };
  put(field::kOpcode, static_cast<std::uint32_t>(CommandOpcode::kRun));
  put(field::kFlags,
      (run.stream ? spec::kFlagStream : 0U) | (run.reduced ? spec::kFlagReduced : 0U) |
          (run.chained ? spec::kFlagChained : 0U) | (run.early ? spec::kFlagEarly : 0U));
  put(field::kEntry, run.entry);
  put(field::kProgramWords, run.program_words);
  put(field::kRowCount, run.row_count);
  put(field::kBodyCount, run.body_count);
  put(field::kRowsAddress, run.rows_address);
  put(field::kImpulsesAddress, run.impulses_address);
  put(field::kVelocitiesAddress, run.velocities_address);
  std::copy(run.arguments.begin(), run.arguments.end(), words.begin() + field::kArguments.word);
  return words;
}

MemoryFlip decode_flip(const CommandWords& words) {
  // A number that no memory has flips nothing.
  ppu_fault_detail memory = PPU_FAULT_NONE;
  for (const spec::FaultDetailInfo& known : spec::kFaultDetails)
    if (static_cast<std::uint32_t>(known.value) == get_field(words, field::kFlipMemory))
      memory = known.value;
  return {memory, get_field(words, field::kFlipWord), has_flag(words, spec::kFlagTwo)};
}

CommandChecker::CommandChecker(const Config& config)
    : config_(config),
      host_bytes_(std::uint64_t{config.host_memory_mib} << 20U),
      device_bytes_(std::uint64_t{config.device_memory_mib} << 20U) {
}

ppu_command_error CommandChecker::check(const CommandWords& words) const {
  const CommandOpcode opcode = opcode_of(words);
  const auto* const known =
      std::find_if(spec::kCommands.begin(), spec::kCommands.end(),
                   [opcode](const spec::CommandInfo& info) { return info.opcode == opcode; });
  if (known == spec::kCommands.end()) return PPU_COMMAND_ERROR_OPCODE;
  if (opcode == CommandOpcode::kFlip && config_.memory_protection == 0)
    return PPU_COMMAND_ERROR_OPCODE;
  for (std::size_t n = 0; n < words.size(); ++n)
    if ((words[n] & ~known->allowed[n]) != 0) return PPU_COMMAND_ERROR_RESERVED;
  switch (opcode) {
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return check_copy(words);
    case CommandOpcode::kLoadProgram:
      return check_load(words);
    case CommandOpcode::kRun:
      return check_run(words);
    case CommandOpcode::kFence:
      return check_write(words, spec::kFenceBytes, spec::kFenceBytes);
    case CommandOpcode::kQuery:
      return check_write(words, spec::kBeatBytes, sizeof(DeviceCounters));
    case CommandOpcode::kNop:
    case CommandOpcode::kBarrier:
    case CommandOpcode::kReset:
    case CommandOpcode::kFlip:
      break;
  }
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_copy(const CommandWords& words) const {
  const std::uint32_t list_address = get_field(words, field::kListAddress);
  const std::uint64_t list_bytes =
      std::uint64_t{get_field(words, field::kListCount)} * spec::kDescriptorBytes;
  if (!is_aligned(list_address, spec::kBeatBytes)) return PPU_COMMAND_ERROR_ALIGNMENT;
  const ppu_command_error error = check_range(first_descriptor(words), opcode_of(words));
  if (error != PPU_COMMAND_ERROR_NONE) return error;
  return in_host(list_address, list_bytes) ? PPU_COMMAND_ERROR_NONE : PPU_COMMAND_ERROR_HOST_RANGE;
}

ppu_command_error CommandChecker::check_range(const Descriptor& range, CommandOpcode opcode) const {
  const std::uint64_t first = range.host_address;
  const std::uint64_t second = range.device_address;
  const bool within = opcode == CommandOpcode::kCopyWithin;
  if (!is_aligned(range.host_address ^ range.device_address, spec::kBeatBytes))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (range.bytes == 0) return PPU_COMMAND_ERROR_SIZE;
  if (!in_device(second, range.bytes) || (within && !in_device(first, range.bytes)))
    return PPU_COMMAND_ERROR_DEVICE_RANGE;
  if (!within && !in_host(first, range.bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  if (within && first < second + range.bytes && second < first + range.bytes)
    return PPU_COMMAND_ERROR_OVERLAP;
  return PPU_COMMAND_ERROR_NONE;
}

bool CommandChecker::is_valid(const Descriptor& descriptor, CommandOpcode opcode) const {
  return descriptor.zero == 0 && check_range(descriptor, opcode) == PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_load(const CommandWords& words) const {
  const Descriptor load = first_descriptor(words);
  if (!is_aligned(load.host_address, spec::kBeatBytes) ||
      !is_aligned(load.device_address, kWordsPerLine))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (load.bytes == 0 || load.bytes % sizeof(std::uint32_t) != 0) return PPU_COMMAND_ERROR_SIZE;
  if (load.device_address + std::uint64_t{load.bytes} / sizeof(std::uint32_t) >
      config_.instruction_memory_words)
    return PPU_COMMAND_ERROR_CAPACITY;
  if (!in_host(load.host_address, load.bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_run(const CommandWords& words) const {
  const RunCommand run = decode_run(words, 0);
  const std::uint32_t report_address = get_field(words, field::kReportAddress);
  const std::uint32_t addresses =
      run.rows_address | run.impulses_address | run.velocities_address | report_address;
  if (!is_aligned(addresses, spec::kBeatBytes) || !is_aligned(run.entry, kWordsPerLine))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (run.program_words == 0) return PPU_COMMAND_ERROR_SIZE;
  if (std::uint64_t{run.entry} + run.program_words > config_.instruction_memory_words ||
      run.row_count > config_.impulse_memory_rows || run.body_count > config_.body_memory_bodies)
    return PPU_COMMAND_ERROR_CAPACITY;
  if (!in_device(run.rows_address, RowRecords::bytes(run.reduced, 0, run.row_count)) ||
      !in_device(run.impulses_address, std::uint64_t{run.row_count} * spec::kImpulseBytes) ||
      !in_device(run.velocities_address, std::uint64_t{run.body_count} * spec::kVelocityBytes))
    return PPU_COMMAND_ERROR_DEVICE_RANGE;
  if (!in_host(report_address, kReportBytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_write(const CommandWords& words, std::uint32_t alignment,
                                              std::uint32_t bytes) const {
  const std::uint32_t address = get_field(words, field::kHostAddress);
  if (!is_aligned(address, alignment)) return PPU_COMMAND_ERROR_ALIGNMENT;
  if (!in_host(address, bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

}  // namespace ppu::hw
