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

DeviceRegisters::DeviceRegisters(const Config& config) : config_hash_(config_hash(config)) {
}

std::uint32_t DeviceRegisters::read(std::uint32_t offset, const DeviceView& view) const {
  switch (offset) {
    case PPU_REGISTER_MAGIC:
      return PPU_MAGIC;
    case PPU_REGISTER_SPEC_HASH:
      return PPU_SPEC_HASH;
    case PPU_REGISTER_CONFIG_HASH_LO:
      return static_cast<std::uint32_t>(config_hash_);
    case PPU_REGISTER_CONFIG_HASH_HI:
      return static_cast<std::uint32_t>(config_hash_ >> 32U);
    case PPU_REGISTER_STATUS:
      return (view.busy ? 1U : 0U) | (interrupt() ? 2U : 0U);
    case PPU_REGISTER_RING_BASE:
      return ring_base_;
    case PPU_REGISTER_RING_ENTRIES:
      return ring_entries_;
    case PPU_REGISTER_RING_TAIL:
      return ring_tail_;
    case PPU_REGISTER_RING_HEAD:
      return view.ring_head;
    case PPU_REGISTER_IRQ_STATUS:
      return irq_status_;
    case PPU_REGISTER_IRQ_MASK:
      return irq_mask_;
    case PPU_REGISTER_ERROR_COUNT:
      return errors_.size();
    case PPU_REGISTER_ERROR_COMMAND:
      return errors_.front().command;
    case PPU_REGISTER_ERROR_REASON:
      return errors_.front().reason;
    case PPU_REGISTER_ERROR_DETAIL:
      return errors_.front().detail;
    case PPU_REGISTER_ERROR_LOST:
      return errors_.lost();
    case PPU_REGISTER_PROGRESS:
      return view.progress;
    case PPU_REGISTER_LOCKSTEP_ROWS:
      return view.lockstep_rows;
    default:
      return 0;
  }
}

DeviceRegisters::Request DeviceRegisters::write(std::uint32_t offset, std::uint32_t value) {
  constexpr std::uint32_t kCancel = 1;
  constexpr std::uint32_t kInterrupts = kFenceInterrupt | kErrorInterrupt;
  switch (offset) {
    case PPU_REGISTER_CONTROL:
      return value == kCancel ? Request::kCancel : Request::kNone;
    case PPU_REGISTER_RING_BASE:
      ring_base_ = beat_address(value);
      break;
    case PPU_REGISTER_RING_ENTRIES:
      ring_entries_ = value;
      break;
    case PPU_REGISTER_RING_TAIL:
      ring_tail_ = value;
      return Request::kDoorbell;
    case PPU_REGISTER_IRQ_STATUS:
      irq_status_ &= ~value;
      break;
    case PPU_REGISTER_IRQ_MASK:
      irq_mask_ = value & kInterrupts;
      break;
    case PPU_REGISTER_ERROR_POP:
      errors_.pop();
      break;
    default:
      break;
  }
  return Request::kNone;
}

void DeviceRegisters::push_error(const CommandError& error) {
  if (errors_.push(error)) raise(kErrorInterrupt);
}

std::uint32_t DeviceRegisters::command_address(std::uint32_t number) const {
  return ring_base_ + (number & (ring_entries_ - 1)) * spec::kCommandBytes;
}

}  // namespace ppu::hw
