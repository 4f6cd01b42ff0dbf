// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Clients of a device: contexts that its owner describes, scrubs, opens and closes.
#include <cstring>

#include "driver/base/failure.hpp"
#include "driver/device/device.hpp"
#include "driver/device/outcome.hpp"

namespace ppu::driver {
namespace {

/// What a client gets of a memory unless it asks for a number of bytes or words.
template <class Size>
Size quarter(Size asked, Size whole) {
  return asked != 0 ? asked : whole / 4;
}

constexpr std::uint32_t kWordBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kOpen = 1;

std::uint64_t whole_beats(std::uint64_t bytes) {
  return (bytes + spec::kBeatBytes - 1) / spec::kBeatBytes * spec::kBeatBytes;
}

}  // namespace

Device::Device(const std::shared_ptr<Device>& owner, const ppu_client_def& def)
    : backend_(owner->backend_),
      config_name_(owner->config_name_),
      config_(owner->config_),
      config_hash_(owner->config_hash_),
      answer_timeout_ns_(owner->answer_timeout_ns_),
      session_(owner->session_),
      owner_(owner),
      device_bytes_(whole_beats(quarter<std::uint64_t>(def.device_bytes, owner->device_bytes_))),
      program_words_(static_cast<std::uint32_t>(
          whole_beats(std::uint64_t{kWordBytes} *
                      quarter(def.program_words, owner->program_words_)) /
          kWordBytes)),
      host_memory_(owner->host_memory_) {
  if (owner->owner_)
    fail(PPU_ERROR_INVALID_ARGUMENT, "the device is a client itself; clients are opened on the ",
         "device that ppu_device_open() has opened");
  if (&backend_ == &kPlatform || &backend_ == &kPlatformLibrary)
    fail(PPU_ERROR_INVALID_ARGUMENT, "back end '", backend_.name, "' has one interrupt line and ",
         "takes no clients");
  context_ = owner->take_context();
  page_ = context_ * spec::kContextPageBytes;
  open_client(def);
}

void Device::open_client(const ppu_client_def& def) {
  const std::uint64_t host_bytes =
      whole_beats(quarter<std::uint64_t>(def.host_bytes, owner_->host_memory_.size_bytes()));
  windows_ = {owner_->take(device_bytes_),
              Allocation(owner_->instruction_memory_, program_words_ * std::uint64_t{kWordBytes}),
              owner_->host_memory_.allocate(host_bytes)};
  std::memset(windows_.host.data(), 0, host_bytes);
  host_memory_ = HostMemory(owner_->host_memory_, windows_.host, host_bytes);
  device_memory_ =
      std::make_shared<Allocator>("device memory", device_bytes_, windows_.device.address());
  instruction_memory_ = std::make_shared<Allocator>(
      "instruction memory", program_words_ * std::uint64_t{kWordBytes}, windows_.program.address());
  ring_ = host_memory_.allocate(kRingEntries * spec::kCommandBytes);

  const std::uint32_t first_word = windows_.program.address() / kWordBytes;
  owner_->describe(
      context_,
      {{PPU_REGISTER_DEVICE_FIRST, windows_.device.address()},
       {PPU_REGISTER_DEVICE_END,
        windows_.device.address() + static_cast<std::uint32_t>(device_bytes_)},
       {PPU_REGISTER_HOST_FIRST, windows_.host.address()},
       {PPU_REGISTER_HOST_END, windows_.host.address() + static_cast<std::uint32_t>(host_bytes)},
       {PPU_REGISTER_PROGRAM_FIRST, first_word},
       {PPU_REGISTER_PROGRAM_END, first_word + program_words_},
       {PPU_REGISTER_RING_BASE, ring_.address()},
       {PPU_REGISTER_RING_ENTRIES, kRingEntries},
       {PPU_REGISTER_QUOTA, def.quota_cycles}});
  owner_->scrub(context_);
  owner_->describe(context_, {{PPU_REGISTER_CONTEXT_STATE, kOpen}});
  write_register(PPU_REGISTER_IRQ_MASK, 3);
  owner_->clients_ |= 1U << context_;
}

void Device::close_client() {
  const Turn turn = owner_->wait_for_turn();
  if (owner_->closed_) return;
  owner_->describe(context_, {{PPU_REGISTER_CONTEXT_STATE, 0}});
  owner_->scrub(context_);
  std::memset(windows_.host.data(), 0, host_memory_.size_bytes());
  under_way_.clear();
  // What is still there of it has allocators of its own.
  windows_ = {};
  owner_->clients_ &= ~(1U << context_);
}

std::uint32_t Device::take_context() {
  for (std::uint32_t context = 1; context < spec::kContexts; ++context)
    if ((clients_ >> context & 1U) == 0) return context;
  fail(PPU_ERROR_CAPACITY, "the device has ", spec::kContexts - 1,
       " clients, which is all it can have; close one first");
}

void Device::describe(std::uint32_t context,
                      const std::vector<std::pair<ppu_register, std::uint32_t>>& values) {
  write_register(PPU_REGISTER_CONTEXT, context);
  for (const auto& [offset, value] : values) write_register(offset, value);
  write_register(PPU_REGISTER_CONTEXT, 0);
}

void Device::scrub(std::uint32_t context) {
  const auto batch = std::make_shared<Batch>(host_memory_);
  batch->add(scrub_command(context));
  submit(batch);
  if (!wait(*batch, answer_timeout_ns_))
    fail(PPU_ERROR_DEVICE_LOST, "the device did not answer within ",
         static_cast<double>(answer_timeout_ns_) * 1e-9, " s; close the device", pending());
  check_outcome(*batch);
}

}  // namespace ppu::driver
