// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/contexts.hpp"

#include "hw/contract/host_records.hpp"

namespace ppu::hw {
namespace {

/// Words of a line of instruction memory, and those that the registers of a program window name.
constexpr std::uint32_t kLineWords = spec::kBeatBytes / sizeof(std::uint32_t);
constexpr std::uint32_t kProgramWords = 0x20000;

std::uint32_t whole_lines(std::uint32_t words) {
  return words % kProgramWords / kLineWords * kLineWords;
}

bool describes(std::uint32_t offset) {
  switch (offset) {
    case PPU_REGISTER_RING_BASE:
    case PPU_REGISTER_RING_ENTRIES:
    case PPU_REGISTER_DEVICE_FIRST:
    case PPU_REGISTER_DEVICE_END:
    case PPU_REGISTER_HOST_FIRST:
    case PPU_REGISTER_HOST_END:
    case PPU_REGISTER_PROGRAM_FIRST:
    case PPU_REGISTER_PROGRAM_END:
    case PPU_REGISTER_QUOTA:
      return true;
    default:
      return false;
  }
}

}  // namespace

ContextTable::ContextTable(const Config& config) {
  Context& owner = contexts_[0];
  owner.open = owner.clean = true;
  owner.device.end = std::uint64_t{config.device_memory_mib} << 20U;
  owner.host.end = std::uint64_t{config.host_memory_mib} << 20U;
  owner.program.end = config.instruction_memory_words;
}

std::uint32_t ContextTable::read(std::uint32_t offset) const {
  const Context& context = contexts_[described_];
  switch (offset) {
    case PPU_REGISTER_CONTEXT:
      return described_;
    case PPU_REGISTER_CONTEXT_STATE:
      return (context.open ? 1U : 0U) | (context.clean ? 2U : 0U);
    case PPU_REGISTER_RING_BASE:
      return context.ring_base;
    case PPU_REGISTER_RING_ENTRIES:
      return context.ring_entries;
    case PPU_REGISTER_DEVICE_FIRST:
      return static_cast<std::uint32_t>(context.device.first);
    case PPU_REGISTER_DEVICE_END:
      return static_cast<std::uint32_t>(context.device.end);
    case PPU_REGISTER_HOST_FIRST:
      return static_cast<std::uint32_t>(context.host.first);
    case PPU_REGISTER_HOST_END:
      return static_cast<std::uint32_t>(context.host.end);
    case PPU_REGISTER_PROGRAM_FIRST:
      return static_cast<std::uint32_t>(context.program.first);
    case PPU_REGISTER_PROGRAM_END:
      return static_cast<std::uint32_t>(context.program.end);
    case PPU_REGISTER_QUOTA:
      return context.quota;
    default:
      return 0;
  }
}

ContextTable::Change ContextTable::write(std::uint32_t offset, std::uint32_t value) {
  Context& context = contexts_[described_];
  if (offset == PPU_REGISTER_CONTEXT) described_ = value % spec::kContexts;
  if (offset == PPU_REGISTER_CONTEXT_STATE) return set_state(context, (value & 1U) != 0);
  if (!describes(offset)) return Change::kNone;
  const bool owner = described_ == 0;
  // The owner's windows are the memories, and it has no quota.
  if (owner && offset != PPU_REGISTER_RING_BASE && offset != PPU_REGISTER_RING_ENTRIES)
    return Change::kNone;
  if (!owner && context.open) return Change::kNone;
  describe(context, offset, value);
  if (!owner) context.clean = context.scrubbing = false;
  ++revision_;
  return Change::kNone;
}

ContextTable::Change ContextTable::set_state(Context& context, bool open) {
  if (described_ == 0 || open == context.open || (open && !context.clean)) {
    // Opening it twice is no new session, but has to be asked for by who has scrubbed it.
    return Change::kNone;
  }
  context.open = open;
  context.clean = context.scrubbing = false;
  if (!open) ++context.session;
  ++revision_;
  return open ? Change::kOpened : Change::kClosed;
}

void ContextTable::describe(Context& context, std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case PPU_REGISTER_RING_BASE:
      context.ring_base = beat_address(value);
      break;
    case PPU_REGISTER_RING_ENTRIES:
      context.ring_entries = value;
      break;
    case PPU_REGISTER_DEVICE_FIRST:
      context.device.first = beat_address(value);
      break;
    case PPU_REGISTER_DEVICE_END:
      context.device.end = beat_address(value);
      break;
    case PPU_REGISTER_HOST_FIRST:
      context.host.first = beat_address(value);
      break;
    case PPU_REGISTER_HOST_END:
      context.host.end = beat_address(value);
      break;
    case PPU_REGISTER_PROGRAM_FIRST:
      context.program.first = whole_lines(value);
      break;
    case PPU_REGISTER_PROGRAM_END:
      context.program.end = whole_lines(value);
      break;
    default:
      context.quota = value;
      break;
  }
}

}  // namespace ppu::hw
