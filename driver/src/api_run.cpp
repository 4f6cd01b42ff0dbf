// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: runs and fences.
#include <algorithm>
#include <utility>
#include <vector>

#include "registry.hpp"
#include "run.hpp"

namespace ppu::driver {

namespace {

/// Range of a run's buffer that must hold `size_bytes`.
Range range_of(const Device& device, ppu_buffer handle, const char* name,
               std::uint64_t size_bytes) {
  const auto buffer = registry().buffers.find(handle);
  if (buffer->device.get() != &device)
    fail(PPU_ERROR_INVALID_HANDLE, "buffer '", name, "' was made on another device");
  if (buffer->range.size_bytes < size_bytes)
    fail(PPU_ERROR_INVALID_ARGUMENT, "buffer '", name, "' has ", buffer->range.size_bytes,
         " bytes, the run needs ", size_bytes);
  return buffer->range;
}

ppu_fence submit(const std::shared_ptr<Device>& device, const ppu_run_def& def) {
  const std::uint64_t rows = def.row_count;
  hw::RunCommand command;
  const auto program = registry().programs.find(def.program);
  set_program(command, *device, *program);
  const Range row_range = range_of(*device, def.rows, "rows", rows * sizeof(ppu_row));
  const Range impulses = range_of(*device, def.impulses, "impulses", rows * sizeof(float));
  const Range velocities = range_of(*device, def.velocities, "velocities",
                                    std::uint64_t{def.body_count} * 6 * sizeof(float));
  std::vector<Range> used{program->range, row_range, impulses, velocities};
  command.rows_address = row_range.address;
  command.impulses_address = impulses.address;
  command.velocities_address = velocities.address;
  if (def.profile.generation != 0) {
    device->require_timed("def->profile");
    used.push_back(range_of(*device, def.profile, "profile", rows * sizeof(ppu_row_profile)));
    command.profile_address = used.back().address;
  }
  command.row_count = def.row_count;
  command.body_count = def.body_count;
  std::copy(std::begin(def.arguments), std::end(def.arguments), command.arguments.begin());

  const std::uint64_t number = device->submit(command, std::move(used));
  registry().fences.remove_if([&](const Fence& fence) { return fence.device == device; });
  return registry().fences.insert(std::make_shared<Fence>(Fence{device, number}));
}

[[noreturn]] void fail_run(const hw::RunReport& ended) {
  const ppu_result result = result_of(ended.status);
  if (ended.fault_row == PPU_NONE) throw Failure(result, sentence_of(ended));
  fail(result, "slot ", ended.fault_row, ": ", sentence_of(ended));
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_run_def ppu_default_run_def(void) {
  ppu_run_def def{};
  def.cookie = kCookie;
  return def;
}

ppu_result ppu_submit(ppu_device device, const ppu_run_def* def, ppu_fence* fence) {
  return guarded([&] {
    require_def(def, "ppu_default_run_def");
    require(fence, "fence");
    *fence = submit(registry().devices.find(device), *def);
  });
}

ppu_result ppu_fence_wait(ppu_fence fence, uint64_t timeout_ns, ppu_run_report* report) {
  return guarded([&] {
    const auto found = registry().fences.find(fence);
    const auto ended = found->device->wait(found->run_number, timeout_ns);
    if (!ended) fail_timeout(found->run_number, timeout_ns, "goes on");
    if (report != nullptr) *report = public_report(*ended);
    if (ended->status != PPU_RUN_OK) fail_run(*ended);
  });
}

ppu_result ppu_fence_cancel(ppu_fence fence) {
  return guarded([&] {
    const auto found = registry().fences.find(fence);
    found->device->cancel(found->run_number);
  });
}

}  // extern "C"
