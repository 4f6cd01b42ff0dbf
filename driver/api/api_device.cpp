// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// C API: devices.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "driver/api/registry.hpp"
#include "ppu/client.h"

namespace ppu::driver {
namespace {

std::vector<std::string> overrides_of(const ppu_device_def& def) {
  if (def.override_count > 0) require(def.overrides, "def->overrides");
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < def.override_count; ++i) {
    require(def.overrides[i], "def->overrides[]");
    overrides.emplace_back(def.overrides[i]);
  }
  return overrides;
}

/// Closes what a handle stands for, with everything made on it.
void close_device(ppu_device handle) {
  const Used<OpenDevice> used = use_device(handle);
  const std::shared_ptr<Device>& closed = used->device;
  // Its clients first: PPU_ERROR_BUSY if one is in a call of another thread.
  for (const ppu_device client : registry().devices.handles_of(
           [&closed](const OpenDevice& other) { return other.device->owner() == closed; }))
    close_device(client);
  registry().devices.remove(handle);
  const auto of_closed = [&closed](const auto& object) { return object.device == closed; };
  registry().fences.remove_if(of_closed);
  registry().lists.remove_if(of_closed);
  registry().programs.remove_if(of_closed);
  registry().buffers.remove_if(of_closed);
  registry().records.remove_if(of_closed);
  closed->close();
}

}  // namespace
}  // namespace ppu::driver

using namespace ppu::driver;

extern "C" {

ppu_device_def ppu_default_device_def(void) {
  ppu_device_def def{};
  def.config = "default";
  def.wave_last_cycle = UINT64_MAX;
  def.answer_timeout_ns = 60'000'000'000;
  def.cookie = kCookie;
  return def;
}

const char* ppu_backend_name(size_t index) {
  return index < kBackends.size() ? kBackends[index].name : nullptr;
}

ppu_result ppu_device_open(const ppu_device_def* def, ppu_device* device) {
  return guarded([&] {
    require_def(def, "ppu_default_device_def");
    require(device, "device");
    require(def->config, "def->config");
    const Backend& backend = find_backend(def->backend);
    const ppu::hw::Config config = ppu::hw::resolve_config(def->config, overrides_of(*def));
    auto opened = std::make_shared<Device>(backend, def->config, config, def->answer_timeout_ns,
                                           open_session(*def, backend, config));
    *device = registry().devices.insert(std::make_shared<OpenDevice>(std::move(opened)));
  });
}

ppu_result ppu_device_close(ppu_device device) {
  return guarded([&] {
    if (device.generation == 0) return;
    close_device(device);
  });
}

ppu_client_def ppu_default_client_def(void) {
  ppu_client_def def{};
  def.device_bytes = def.host_bytes = std::size_t{1} << 20U;
  def.quota_cycles = 100'000'000;
  def.cookie = kCookie;
  return def;
}

ppu_result ppu_client_open(ppu_device owner, const ppu_client_def* def, ppu_device* client) {
  return guarded([&] {
    require_def(def, "ppu_default_client_def");
    require(client, "client");
    const Used<OpenDevice> used = use_device(owner);
    *client = registry().devices.insert(
        std::make_shared<OpenDevice>(std::make_shared<Device>(used->device, *def)));
  });
}

ppu_result ppu_device_get_info(ppu_device device, ppu_device_info* info) {
  return guarded([&] {
    require(info, "info");
    *info = registry().devices.find(device)->device->info();
  });
}

ppu_result ppu_device_get_config(ppu_device device, char* text, size_t size_bytes,
                                 size_t* needed_bytes) {
  return guarded([&] {
    if (size_bytes > 0) require(text, "text");
    const std::string toml = ppu::hw::to_toml(registry().devices.find(device)->device->config());
    if (needed_bytes != nullptr) *needed_bytes = toml.size() + 1;
    if (size_bytes == 0) return;
    const std::size_t length = std::min(toml.size(), size_bytes - 1);
    std::memcpy(text, toml.data(), length);
    text[length] = '\0';
  });
}

ppu_result ppu_device_read_register(ppu_device device, uint32_t offset, uint32_t* value) {
  return guarded([&] {
    require(value, "value");
    *value = use_device(device)->device->read_register(offset);
  });
}

ppu_result ppu_device_read_counters(ppu_device device,
                                    uint64_t counters[PPU_DEVICE_COUNTER_COUNT]) {
  return guarded([&] {
    require(counters, "counters");
    const auto found = use_device(device);
    const auto batch = std::make_shared<Batch>(found->device->host_memory());
    const std::uint32_t query = batch->add_query();
    found->device->execute(batch);
    const ppu::hw::DeviceCounters values = batch->counters(query);
    std::copy(values.begin(), values.end(), counters);
  });
}

}  // extern "C"
