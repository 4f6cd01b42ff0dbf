// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: single runs and fences.
#include <algorithm>
#include <string>
#include <utility>

#include "driver/api/registry.hpp"
#include "driver/device/command.hpp"
#include "driver/device/outcome.hpp"
#include "driver/device/recording.hpp"

namespace ppu::driver {
namespace {

ppu_fence submit_single(const std::shared_ptr<Device>& device, const ppu_run_def& def) {
  registry().fences.remove_if([&](const Fence& fence) {
    return fence.device == device && fence.of_single_run && fence.waited;
  });
  const auto batch = std::make_shared<Batch>(device->host_memory());
  record_run(*batch, *device, def, objects_of(def));
  device->submit(batch);
  return registry().fences.insert(std::make_shared<Fence>(Fence{device, batch, true, false}));
}

/// What was submitted with this fence, which must have ended.
const Batch& ended_batch(const Fence& fence) {
  fence.device->poll();
  if (fence.batch->under_way())
    fail(PPU_ERROR_BUSY, "submission ", fence.batch->number(), " is under way; wait for its fence");
  return *fence.batch;
}

void require_number(const char* what, std::uint32_t number, const char* of, std::uint32_t count) {
  if (number >= count)
    fail(PPU_ERROR_INVALID_ARGUMENT, what, " is ", number, ", the submission has ", count, " ", of);
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
    *fence = submit_single(use_device(device)->device, *def);
  });
}

ppu_result ppu_fence_wait(ppu_fence fence, uint64_t timeout_ns) {
  return guarded([&] {
    const auto found = use(registry().fences, fence);
    Batch& batch = *found->batch;
    if (!found->device->wait(batch, timeout_ns))
      fail(PPU_ERROR_TIMEOUT, "submission ", batch.number(), " did not end within ",
           static_cast<double>(timeout_ns) * 1e-9, " s and goes on: ", batch.commands_text());
    found->waited = true;
    check_outcome(batch);
    batch.deliver();
  });
}

ppu_result ppu_fence_report(ppu_fence fence, uint32_t run, ppu_run_report* report) {
  return guarded([&] {
    require(report, "report");
    const auto found = use(registry().fences, fence);
    const Batch& batch = ended_batch(*found);
    require_number("run", run, "runs", batch.runs());
    *report = public_report(batch.report(run));
  });
}

ppu_result ppu_fence_counters(ppu_fence fence, uint32_t query,
                              uint64_t counters[PPU_DEVICE_COUNTER_COUNT]) {
  return guarded([&] {
    require(counters, "counters");
    const auto found = use(registry().fences, fence);
    const Batch& batch = ended_batch(*found);
    require_number("query", query, "queries", batch.queries());
    const ppu::hw::DeviceCounters values = batch.counters(query);
    std::copy(values.begin(), values.end(), counters);
  });
}

ppu_result ppu_fence_cancel(ppu_fence fence) {
  return guarded([&] {
    const auto found = use(registry().fences, fence);
    found->device->cancel(*found->batch);
  });
}

}  // extern "C"
