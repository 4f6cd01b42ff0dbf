// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: command lists.
#include <algorithm>

#include "driver/device/recording.hpp"
#include "driver/device/registry.hpp"

namespace ppu::driver {
namespace {

/// A list that may be changed now.
std::shared_ptr<CommandList> open_list(ppu_commands commands) {
  const auto list = registry().lists.find(commands);
  if (list->batch->under_way()) list->device->poll();
  if (list->batch->under_way())
    fail(PPU_ERROR_BUSY, "the command list is under way; wait for its fence first");
  return list;
}

/// What is known of earlier submissions of the list is forgotten.
void drop_fences(const std::shared_ptr<Batch>& batch) {
  registry().fences.remove_if([&](const Fence& fence) { return fence.batch == batch; });
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_result ppu_commands_create(ppu_device device, ppu_commands* commands) {
  return guarded([&] {
    require(commands, "commands");
    const auto owner = registry().devices.find(device);
    auto batch = std::make_shared<Batch>(owner->host_memory());
    *commands = registry().lists.insert(
        std::make_shared<CommandList>(CommandList{owner, std::move(batch)}));
  });
}

ppu_result ppu_commands_destroy(ppu_commands commands) {
  return guarded([&] { drop_fences(registry().lists.remove(commands)->batch); });
}

ppu_result ppu_commands_reset(ppu_commands commands) {
  return guarded([&] {
    const auto list = open_list(commands);
    drop_fences(list->batch);
    list->batch->clear();
  });
}

ppu_result ppu_commands_copy_in(ppu_commands commands, ppu_buffer buffer, size_t offset_bytes,
                                const void* data, size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    const Part part = part_of(*list->device, buffer, offset_bytes, size_bytes);
    record_copy_in(*list->batch, part, data);
  });
}

ppu_result ppu_commands_copy_out(ppu_commands commands, ppu_buffer buffer, size_t offset_bytes,
                                 void* data, size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    const Part part = part_of(*list->device, buffer, offset_bytes, size_bytes);
    record_copy_out(*list->batch, part, data);
  });
}

ppu_result ppu_commands_copy_within(ppu_commands commands, ppu_buffer from,
                                    size_t from_offset_bytes, ppu_buffer to, size_t to_offset_bytes,
                                    size_t size_bytes) {
  return guarded([&] {
    const auto list = open_list(commands);
    record_copy_within(*list->batch, part_of(*list->device, from, from_offset_bytes, size_bytes),
                       part_of(*list->device, to, to_offset_bytes, size_bytes));
  });
}

ppu_result ppu_commands_run(ppu_commands commands, const ppu_run_def* def, uint32_t* run) {
  return guarded([&] {
    require_def(def, "ppu_default_run_def");
    const auto list = open_list(commands);
    const std::uint32_t number = record_run(*list->batch, *list->device, *def);
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
    drop_fences(list->batch);
    const ppu_fence handle = registry().fences.insert(
        std::make_shared<Fence>(Fence{list->device, list->batch, false, false}));
    try {
      list->device->submit(list->batch);
    } catch (...) {
      drop_fences(list->batch);
      throw;
    }
    *fence = handle;
  });
}

}  // extern "C"
