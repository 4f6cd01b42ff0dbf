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

bool is_for_owner(CommandOpcode opcode) {
  return opcode == CommandOpcode::kQuery || opcode == CommandOpcode::kReset ||
         opcode == CommandOpcode::kFlip || opcode == CommandOpcode::kScrub;
}

ppu_command_error check_range(const Descriptor& range, CommandOpcode opcode,
                              const Context& context) {
  const std::uint64_t first = range.host_address;
  const std::uint64_t second = range.device_address;
  const Window& device = context.device;
  const bool within = opcode == CommandOpcode::kCopyWithin;
  if (!is_aligned(range.host_address ^ range.device_address, spec::kBeatBytes))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (range.bytes == 0) return PPU_COMMAND_ERROR_SIZE;
  if (!device.contains(second, range.bytes) || (within && !device.contains(first, range.bytes)))
    return PPU_COMMAND_ERROR_DEVICE_RANGE;
  if (!within && !context.host.contains(first, range.bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  if (within && first < second + range.bytes && second < first + range.bytes)
    return PPU_COMMAND_ERROR_OVERLAP;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error check_copy(const CommandWords& words, const Context& context) {
  const std::uint32_t list_address = get_field(words, field::kListAddress);
  const std::uint64_t list_bytes =
      std::uint64_t{get_field(words, field::kListCount)} * spec::kDescriptorBytes;
  if (!is_aligned(list_address, spec::kBeatBytes)) return PPU_COMMAND_ERROR_ALIGNMENT;
  const ppu_command_error error = check_range(first_descriptor(words), opcode_of(words), context);
  if (error != PPU_COMMAND_ERROR_NONE) return error;
  return context.host.contains(list_address, list_bytes) ? PPU_COMMAND_ERROR_NONE
                                                         : PPU_COMMAND_ERROR_HOST_RANGE;
}

ppu_command_error check_load(const CommandWords& words, const Context& context) {
  const Descriptor load = first_descriptor(words);
  if (!is_aligned(load.host_address, spec::kBeatBytes) ||
      !is_aligned(load.device_address, kWordsPerLine))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (load.bytes == 0 || load.bytes % sizeof(std::uint32_t) != 0) return PPU_COMMAND_ERROR_SIZE;
  if (!context.program.contains(load.device_address, load.bytes / sizeof(std::uint32_t)))
    return PPU_COMMAND_ERROR_CAPACITY;
  if (!context.host.contains(load.host_address, load.bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error check_write(const CommandWords& words, const Context& context,
                              std::uint32_t alignment, std::uint32_t bytes) {
  const std::uint32_t address = get_field(words, field::kHostAddress);
  if (!is_aligned(address, alignment)) return PPU_COMMAND_ERROR_ALIGNMENT;
  if (!context.host.contains(address, bytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

}  // namespace

ContextId scrubbed_context(const CommandWords& words) {
  return get_field(words, field::kScrubContext);
}

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

ppu_command_error CommandChecker::check(const CommandWords& words, const ContextTable& contexts,
                                        ContextId id) const {
  const CommandOpcode opcode = opcode_of(words);
  const auto* const known =
      std::find_if(spec::kCommands.begin(), spec::kCommands.end(),
                   [opcode](const spec::CommandInfo& info) { return info.opcode == opcode; });
  if (known == spec::kCommands.end()) return PPU_COMMAND_ERROR_OPCODE;
  if (opcode == CommandOpcode::kFlip && config_.memory_protection == 0)
    return PPU_COMMAND_ERROR_OPCODE;
  for (std::size_t n = 0; n < words.size(); ++n)
    if ((words[n] & ~known->allowed[n]) != 0) return PPU_COMMAND_ERROR_RESERVED;
  const bool scrub = opcode == CommandOpcode::kScrub;
  const Context& scrubbed = contexts[scrubbed_context(words) % spec::kContexts];
  const ppu_command_error error =
      scrub ? check_windows(scrubbed) : check_fields(words, contexts[id]);
  if (error != PPU_COMMAND_ERROR_NONE) return error;
  if (id != 0 && is_for_owner(opcode)) return PPU_COMMAND_ERROR_OWNER;
  if (scrub &&
      (scrubbed_context(words) == 0 || scrubbed_context(words) >= spec::kContexts || scrubbed.open))
    return PPU_COMMAND_ERROR_CONTEXT;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_fields(const CommandWords& words,
                                               const Context& context) const {
  switch (opcode_of(words)) {
    case CommandOpcode::kCopyIn:
    case CommandOpcode::kCopyOut:
    case CommandOpcode::kCopyWithin:
      return check_copy(words, context);
    case CommandOpcode::kLoadProgram:
      return check_load(words, context);
    case CommandOpcode::kRun:
      return check_run(words, context);
    case CommandOpcode::kFence:
      return check_write(words, context, spec::kFenceBytes, spec::kFenceBytes);
    case CommandOpcode::kQuery:
      return check_write(words, context, spec::kBeatBytes, sizeof(DeviceCounters));
    case CommandOpcode::kNop:
    case CommandOpcode::kBarrier:
    case CommandOpcode::kReset:
    case CommandOpcode::kFlip:
    case CommandOpcode::kScrub:
      break;
  }
  return PPU_COMMAND_ERROR_NONE;
}

bool CommandChecker::is_valid(const Descriptor& descriptor, CommandOpcode opcode,
                              const Context& context) {
  return context.open && descriptor.zero == 0 &&
         check_range(descriptor, opcode, context) == PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_run(const CommandWords& words,
                                            const Context& context) const {
  const RunCommand run = decode_run(words, 0);
  const std::uint32_t report_address = get_field(words, field::kReportAddress);
  const std::uint32_t addresses =
      run.rows_address | run.impulses_address | run.velocities_address | report_address;
  if (!is_aligned(addresses, spec::kBeatBytes) || !is_aligned(run.entry, kWordsPerLine))
    return PPU_COMMAND_ERROR_ALIGNMENT;
  if (run.program_words == 0) return PPU_COMMAND_ERROR_SIZE;
  if (!context.program.contains(run.entry, run.program_words) ||
      run.row_count > config_.impulse_memory_rows || run.body_count > config_.body_memory_bodies)
    return PPU_COMMAND_ERROR_CAPACITY;
  const Window& device = context.device;
  if (!device.contains(run.rows_address, RowRecords::bytes(run.reduced, 0, run.row_count)) ||
      !device.contains(run.impulses_address, std::uint64_t{run.row_count} * spec::kImpulseBytes) ||
      !device.contains(run.velocities_address,
                       std::uint64_t{run.body_count} * spec::kVelocityBytes))
    return PPU_COMMAND_ERROR_DEVICE_RANGE;
  if (!context.host.contains(report_address, kReportBytes)) return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

ppu_command_error CommandChecker::check_windows(const Context& scrubbed) const {
  const auto is_empty = [](const Window& window) { return window.first >= window.end; };
  if (is_empty(scrubbed.device) || is_empty(scrubbed.host) || is_empty(scrubbed.program))
    return PPU_COMMAND_ERROR_SIZE;
  if (scrubbed.program.end > config_.instruction_memory_words) return PPU_COMMAND_ERROR_CAPACITY;
  if (scrubbed.device.end > std::uint64_t{config_.device_memory_mib} << 20U)
    return PPU_COMMAND_ERROR_DEVICE_RANGE;
  if (scrubbed.host.end > std::uint64_t{config_.host_memory_mib} << 20U)
    return PPU_COMMAND_ERROR_HOST_RANGE;
  return PPU_COMMAND_ERROR_NONE;
}

}  // namespace ppu::hw
