// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: single runs and fences.
#include <utility>

#include "outcome.hpp"
#include "recording.hpp"
#include "registry.hpp"

namespace ppu::driver {
namespace {

ppu_fence submit_single(const std::shared_ptr<Device>& device, const ppu_run_def& def) {
  registry().fences.remove_if([&](const Fence& fence) {
    return fence.device == device && fence.of_single_run && fence.waited;
  });
  const auto batch = std::make_shared<Batch>(device->host_memory());
  record_run(*batch, *device, def);
  device->submit(batch);
  return registry().fences.insert(std::make_shared<Fence>(Fence{device, batch, true, false}));
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
    *fence = submit_single(registry().devices.find(device), *def);
  });
}

ppu_result ppu_fence_wait(ppu_fence fence, uint64_t timeout_ns) {
  return guarded([&] {
    const auto found = registry().fences.find(fence);
    Batch& batch = *found->batch;
    if (!found->device->wait(batch, timeout_ns))
      fail(PPU_ERROR_TIMEOUT, "submission ", batch.number(), " did not end within ",
           static_cast<double>(timeout_ns) * 1e-9, " s and goes on");
    found->waited = true;
    check_outcome(batch);
    batch.deliver();
  });
}

ppu_result ppu_fence_report(ppu_fence fence, uint32_t run, ppu_run_report* report) {
  return guarded([&] {
    require(report, "report");
    const auto found = registry().fences.find(fence);
    found->device->poll();
    const Batch& batch = *found->batch;
    if (batch.under_way())
      fail(PPU_ERROR_BUSY, "submission ", batch.number(), " is under way; wait for its fence");
    if (run >= batch.runs())
      fail(PPU_ERROR_INVALID_ARGUMENT, "run is ", run, ", the submission has ", batch.runs(),
           " runs");
    *report = public_report(batch.report(run));
  });
}

ppu_result ppu_fence_cancel(ppu_fence fence) {
  return guarded([&] {
    const auto found = registry().fences.find(fence);
    found->device->cancel(*found->batch);
  });
}

}  // extern "C"
