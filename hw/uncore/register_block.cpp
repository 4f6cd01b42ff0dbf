// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/uncore/register_block.hpp"

namespace ppu::hw {

bool RegisterBlock::end_cycle(std::uint64_t cycle) {
  const bool written = write_.has_value();
  std::optional<ContextId> opened;
  if (written) opened = carry_out_write(cycle);
  write_.reset();
  if (scrubbed_) registers_.contexts().end_scrub(*scrubbed_);
  scrubbed_.reset();
  // What has happened in the cycle is not the session's that begins.
  for (auto* error : {&run_failed_, &bad_descriptor_, &rejection_}) {
    if (*error && (*error)->id != opened) registers_.push_error((*error)->id, (*error)->error);
    error->reset();
  }
  for (ContextId id = 0; word_lost_ && id < spec::kContexts; ++id)
    if (id != opened)
      registers_.push_error(
          id, {word_lost_->heads[id] - 1, PPU_COMMAND_ERROR_MEMORY, word_lost_->word});
  word_lost_.reset();
  if (fence_ && fence_ != opened) registers_.raise(*fence_, DeviceRegisters::kFenceInterrupt);
  fence_.reset();
  if (clear_) counters_->clear();
  clear_ = false;
  return written;
}

std::optional<ContextId> RegisterBlock::carry_out_write(std::uint64_t cycle) {
  using Action = DeviceRegisters::Action;
  const DeviceRegisters::Request request = registers_.write(write_->offset, write_->value);
  if (request.action == Action::kDoorbell) counters_->add(PPU_DEVICE_COUNTER_DOORBELLS);
  if (request.action == Action::kCancel || request.action == Action::kClose)
    for (EngineLink* engine : engines_) engine->cancel(cycle, request.context);
  if (request.action == Action::kClose) progress_[request.context] = {};
  if (request.action == Action::kOpen) return request.context;
  return std::nullopt;
}

void RegisterBlock::reset() {
  registers_ = DeviceRegisters(config_);
  progress_ = {};
  write_.reset();
  for (auto* error : {&run_failed_, &bad_descriptor_, &rejection_}) error->reset();
  word_lost_.reset();
  fence_.reset();
  scrubbed_.reset();
  clear_ = false;
}

}  // namespace ppu::hw
