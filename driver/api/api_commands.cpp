// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: command lists.
#include <algorithm>
#include <utility>

#include "driver/api/registry.hpp"
#include "driver/device/recording.hpp"

namespace ppu::driver {
namespace {

/// A list that may be changed now.
Used<CommandList> open_list(ppu_commands commands) {
  auto list = use(registry().lists, commands);
  if (list->batch->under_way()) list->device->poll();
  if (list->batch->under_way())
    fail(PPU_ERROR_BUSY, "the command list is under way; wait for its fence first");
  return list;
}

Part part_of(const CommandList& list, ppu_buffer buffer, std::size_t offset_bytes,
             std::size_t size_bytes) {
  return part_of(*list.device, *registry().buffers.find(buffer), offset_bytes, size_bytes);
}

/// What is known of the submission before is forgotten.
void drop_fence(CommandList& list) {
  registry().fences.discard(std::exchange(list.fence, ppu_fence{}));
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_result ppu_commands_create(ppu_device device, ppu_commands* commands) {
  return guarded([&] {
    require(commands, "commands");
    const auto owner = use_device(device);
    auto batch = std::make_shared<Batch>(owner->device->host_memory());
    *commands = registry().lists.insert(
        std::make_shared<CommandList>(CommandList{owner->device, std::move(batch), {}}));
  });
}

ppu_result ppu_commands_destroy(ppu_commands commands) {
  return guarded([&] {
    const auto list = use(registry().lists, commands);
    drop_fence(*list);
    registry().lists.remove(commands);
  });
}

ppu_result ppu_commands_reset(ppu_commands commands) {
  return guarded([&] {
    const auto list = open_list(commands);
    drop_fence(*list);
    list->batch->clear();
  });
}

ppu_result ppu_commands_copy_in(ppu_commands commands, ppu_buffer buffer, size_t offset_bytes,
                                const void* data, size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    const Part part = part_of(*list, buffer, offset_bytes, size_bytes);
    record_copy_in(*list->batch, part, data);
  });
}

ppu_result ppu_commands_copy_out(ppu_commands commands, ppu_buffer buffer, size_t offset_bytes,
                                 void* data, size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    const Part part = part_of(*list, buffer, offset_bytes, size_bytes);
    record_copy_out(*list->batch, part, data);
  });
}

ppu_result ppu_commands_copy_within(ppu_commands commands, ppu_buffer from,
                                    size_t from_offset_bytes, ppu_buffer to, size_t to_offset_bytes,
                                    size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    const Part source = part_of(*list, from, from_offset_bytes, size_bytes);
    record_copy_within(*list->batch, source, part_of(*list, to, to_offset_bytes, size_bytes));
  });
}

ppu_result ppu_commands_run(ppu_commands commands, const ppu_run_def* def, uint32_t* run) {
  return guarded([&] {
    require_def(def, "ppu_default_run_def");
    const auto list = open_list(commands);
    const std::uint32_t number = record_run(*list->batch, *list->device, *def, objects_of(*def));
    if (run != nullptr) *run = number;
  });
}

ppu_result ppu_commands_barrier(ppu_commands commands) {
  return guarded(
      [&] { open_list(commands)->batch->add(plain_command(ppu::spec::CommandOpcode::kBarrier)); });
}

ppu_result ppu_commands_query(ppu_commands commands, uint32_t* query) {
  return guarded([&] {
    const std::uint32_t number = open_list(commands)->batch->add_query();
    if (query != nullptr) *query = number;
  });
}

ppu_result ppu_commands_raw(ppu_commands commands, const uint32_t words[16]) {
  return guarded([&] {
    require(words, "words");
    Command command;
    std::copy_n(words, command.size(), command.begin());
    open_list(commands)->batch->add(command);
  });
}

ppu_result ppu_commands_submit(ppu_commands commands, ppu_fence* fence) {
  return guarded([&] {
    require(fence, "fence");
    const auto list = open_list(commands);
    drop_fence(*list);
    list->fence = registry().fences.insert(
        std::make_shared<Fence>(Fence{list->device, list->batch, false, false}));
    try {
      list->device->submit(list->batch);
    } catch (...) {
      drop_fence(*list);
      throw;
    }
    *fence = list->fence;
  });
}

}  // extern "C"
