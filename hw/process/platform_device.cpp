// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/process/platform_device.hpp"

#include <dlfcn.h>

#include <array>
#include <systemc>

namespace ppu::hw {

PlatformDevice::PlatformDevice(const std::string& library, const Config& config, Memory host_memory)
    : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr)
    throw ConfigError("cannot load the platform: " + std::string(dlerror()), true);
  // A memory that answers with an error would be zeros and a warning: here it ends the device.
  sc_core::sc_report_handler::set_actions("/ppu/bus", sc_core::SC_THROW);
  auto* const open =
      reinterpret_cast<ppu_platform_open_function*>(dlsym(library_, "ppu_platform_open"));
  if (open == nullptr)
    throw ConfigError("'" + library + "' is no platform: it has no ppu_platform_open", true);
  std::array<char, 512> problem{};
  if (!open(to_toml(config).c_str(), host_memory.data, host_memory.size_bytes, &platform_,
            problem.data(), problem.size()))
    throw ConfigError("'" + library + "': " + problem.data(), false);
  if (platform_.write_register == nullptr || platform_.read_register == nullptr ||
      platform_.wait_interrupt == nullptr || platform_.pass_time == nullptr)
    throw ConfigError("'" + library + "': a callback of its platform is null", false);
}

PlatformDevice::~PlatformDevice() {
  if (platform_.close != nullptr) platform_.close(platform_.context);
}

bool PlatformDevice::step() {
  constexpr std::uint64_t kSliceNs = 20'000;
  constexpr std::uint32_t kBusy = 1;
  // The interrupt of a device that is idle may still be on its way.
  const bool busy = (read_register(PPU_REGISTER_STATUS) & kBusy) != 0;
  platform_.pass_time(platform_.context, kSliceNs);
  return busy;
}

}  // namespace ppu::hw
