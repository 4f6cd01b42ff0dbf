// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

bool RegisterBlock::end_cycle(std::uint64_t cycle) {
  const bool written = write_.has_value();
  if (written) {
    const DeviceRegisters::Request request = registers_.write(write_->offset, write_->value);
    if (request == DeviceRegisters::Request::kDoorbell)
      counters_->add(PPU_DEVICE_COUNTER_DOORBELLS);
    if (request == DeviceRegisters::Request::kCancel)
      for (EngineLink* engine : engines_) engine->cancel(cycle);
    write_.reset();
  }
  for (auto* error : {&run_failed_, &bad_descriptor_, &rejection_, &word_lost_}) {
    if (*error) registers_.push_error(**error);
    error->reset();
  }
  if (fence_) registers_.raise(DeviceRegisters::kFenceInterrupt);
  fence_ = false;
  if (clear_) counters_->clear();
  clear_ = false;
  return written;
}

void RegisterBlock::reset() {
  registers_ = DeviceRegisters(config_);
  progress_ = {};
  write_.reset();
  for (auto* error : {&run_failed_, &bad_descriptor_, &rejection_, &word_lost_}) error->reset();
  fence_ = clear_ = false;
}

}  // namespace ppu::hw
