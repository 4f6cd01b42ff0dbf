// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/device_registers.hpp"

#include "hw/contract/host_records.hpp"

namespace ppu::hw {

static_assert(spec::kCommandBytes == spec::kBeatBytes);

bool ErrorQueue::push(const CommandError& error) {
  if (size_ == entries_.size()) {
    ++lost_;
    return false;
  }
  entries_[(first_ + size_++) % entries_.size()] = error;
  return true;
}

void ErrorQueue::pop() {
  if (size_ == 0) return;
  --size_;
  first_ = (first_ + 1) % static_cast<std::uint32_t>(entries_.size());
}

CommandError ErrorQueue::front() const {
  return size_ > 0 ? entries_[first_] : CommandError{0, PPU_COMMAND_ERROR_NONE, 0};
}

DeviceRegisters::DeviceRegisters(const Config& config)
    : config_hash_(config_hash(config)), contexts_(config) {
}

std::uint32_t DeviceRegisters::read(std::uint32_t offset, const DeviceView& view) const {
  const ContextId id = offset / spec::kContextPageBytes;
  offset %= spec::kContextPageBytes;
  if (id >= spec::kContexts) return 0;
  switch (offset) {
    case PPU_REGISTER_MAGIC:
      return PPU_MAGIC;
    case PPU_REGISTER_SPEC_HASH:
      return PPU_SPEC_HASH;
    case PPU_REGISTER_CONFIG_HASH_LO:
      return static_cast<std::uint32_t>(config_hash_);
    case PPU_REGISTER_CONFIG_HASH_HI:
      return static_cast<std::uint32_t>(config_hash_ >> 32U);
    case PPU_REGISTER_LOCKSTEP_ROWS:
      return id == 0 ? view.lockstep_rows : 0;
    default:
      return read_page(id, offset, view);
  }
}

std::uint32_t DeviceRegisters::read_page(ContextId id, std::uint32_t offset,
                                         const DeviceView& view) const {
  const Page& page = pages_[id];
  const bool busy = id == 0 ? view.busy : view.heads[id] != page.tail;
  switch (offset) {
    case PPU_REGISTER_STATUS:
      return (busy ? 1U : 0U) | (page.interrupt() ? 2U : 0U);
    case PPU_REGISTER_RING_TAIL:
      return page.tail;
    case PPU_REGISTER_RING_HEAD:
      return view.heads[id];
    case PPU_REGISTER_IRQ_STATUS:
      return page.irq_status;
    case PPU_REGISTER_IRQ_MASK:
      return page.irq_mask;
    case PPU_REGISTER_ERROR_COUNT:
      return page.errors.size();
    case PPU_REGISTER_ERROR_COMMAND:
      return page.errors.front().command;
    case PPU_REGISTER_ERROR_REASON:
      return page.errors.front().reason;
    case PPU_REGISTER_ERROR_DETAIL:
      return page.errors.front().detail;
    case PPU_REGISTER_ERROR_LOST:
      return page.errors.lost();
    case PPU_REGISTER_PROGRESS:
      return view.progress[id];
    default:
      return id == 0 ? contexts_.read(offset) : 0;
  }
}

DeviceRegisters::Request DeviceRegisters::write(std::uint32_t offset, std::uint32_t value) {
  const ContextId id = offset / spec::kContextPageBytes;
  offset %= spec::kContextPageBytes;
  if (id >= spec::kContexts) return {};
  const Request request = write_page(id, offset, value);
  if (request.action != Action::kNone || id != 0) return request;
  const ContextId described = contexts_.described();
  switch (contexts_.write(offset, value)) {
    case ContextTable::Change::kNone:
      return {};
    case ContextTable::Change::kOpened:
      return {Action::kOpen, described};
    case ContextTable::Change::kClosed:
      pages_[described] = {};
      return {Action::kClose, described};
  }
  return {};
}

DeviceRegisters::Request DeviceRegisters::write_page(ContextId id, std::uint32_t offset,
                                                     std::uint32_t value) {
  constexpr std::uint32_t kCancel = 1;
  constexpr std::uint32_t kInterrupts = kFenceInterrupt | kErrorInterrupt;
  Page& page = pages_[id];
  if (offset == PPU_REGISTER_CONTROL && value == kCancel) return {Action::kCancel, id};
  const bool open = contexts_[id].open;
  if (offset == PPU_REGISTER_RING_TAIL) {
    if (open) page.tail = value;
    return {Action::kDoorbell, id};
  }
  if (!open) return {};
  if (offset == PPU_REGISTER_IRQ_STATUS) page.irq_status &= ~value;
  if (offset == PPU_REGISTER_IRQ_MASK) page.irq_mask = value & kInterrupts;
  if (offset == PPU_REGISTER_ERROR_POP) page.errors.pop();
  return {};
}

void DeviceRegisters::raise(ContextId id, std::uint32_t interrupts) {
  if (contexts_[id].open) pages_[id].irq_status |= interrupts;
}

void DeviceRegisters::push_error(ContextId id, const CommandError& error) {
  if (contexts_[id].open && pages_[id].errors.push(error)) raise(id, kErrorInterrupt);
}

std::uint32_t DeviceRegisters::interrupts() const {
  std::uint32_t lines = 0;
  for (ContextId id = 0; id < spec::kContexts; ++id)
    if (pages_[id].interrupt()) lines |= 1U << id;
  return lines;
}

}  // namespace ppu::hw
