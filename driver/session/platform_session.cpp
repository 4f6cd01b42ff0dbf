// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "driver/session/platform_session.hpp"

#include "driver/base/failure.hpp"

namespace ppu::driver {

PlatformSession::PlatformSession(const ppu_device_def& def, const hw::Config& config) {
  if (def.platform == nullptr)
    fail(PPU_ERROR_INVALID_ARGUMENT, "back end 'platform' needs def->platform");
  platform_ = *def.platform;
  if (platform_.write_register == nullptr || platform_.read_register == nullptr ||
      platform_.wait_interrupt == nullptr || platform_.time_ns == nullptr ||
      platform_.host_memory == nullptr)
    fail(PPU_ERROR_INVALID_ARGUMENT,
         "a callback of def->platform is null, or host_memory is; only close may be");
  const std::size_t needed = std::size_t{config.host_memory_mib} << 20U;
  if (platform_.host_memory_bytes != needed)
    fail(PPU_ERROR_INVALID_ARGUMENT, "the platform has ", platform_.host_memory_bytes,
         " bytes of host memory, the configuration ", needed);
}

PlatformSession::~PlatformSession() {
  if (platform_.close != nullptr) platform_.close(platform_.context);
}

Deadline PlatformSession::deadline(std::uint64_t timeout_ns) const {
  return Deadline(timeout_ns, [this] { return platform_.time_ns(platform_.context); });
}

bool PlatformSession::wait_interrupt(const Deadline& deadline, std::uint32_t /*context*/) {
  const std::uint64_t left =
      deadline.never() ? PPU_NO_TIMEOUT : static_cast<std::uint64_t>(deadline.left().count());
  return platform_.wait_interrupt(platform_.context, left);
}

}  // namespace ppu::driver
