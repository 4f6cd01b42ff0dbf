// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Opening a back end.
#include "driver/session/session.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "driver/base/failure.hpp"
#include "driver/session/local_session.hpp"
#include "driver/session/platform_session.hpp"
#include "driver/session/process_session.hpp"
#include "hw/contract/own_rtl.hpp"
#include "hw/contract/protocol.hpp"
#include "hw/functional/functional_device.hpp"

namespace ppu::driver {
namespace {

template <std::size_t kSize>
void copy_text(char (&target)[kSize], const char* text, const char* what) {
  if (std::strlen(text) >= kSize)
    fail(PPU_ERROR_INVALID_ARGUMENT, what, " is longer than ", kSize - 1, " characters");
  std::memcpy(target, text, std::strlen(text) + 1);
}

hw::OpenRequest open_request(const ppu_device_def& def, const hw::Config& config) {
  hw::OpenRequest request;
  request.config = config;
  copy_text(request.backend, backend_name(def.backend), "the back end's name");
  if (def.wave_path != nullptr) copy_text(request.wave_path, def.wave_path, "wave_path");
  if (def.wave_scope != nullptr) copy_text(request.wave_scope, def.wave_scope, "wave_scope");
  request.wave_first_cycle = def.wave_first_cycle;
  request.wave_last_cycle = def.wave_last_cycle;
  if (def.trace_path != nullptr) copy_text(request.trace_path, def.trace_path, "trace_path");
  return request;
}

/// Refuses an option that the back end cannot follow.
void check_option(const void* option, const char* name, const Backend& backend, bool possible,
                  const char* reason) {
  if (option != nullptr && !possible)
    fail(PPU_ERROR_INVALID_ARGUMENT, name, " is set, but back end '", backend.name, "' has ",
         reason);
}

/// The executable of the device process: of RTL the one that the user has built for this shape, if
/// there is one and nobody names another.
std::string device_executable(const Backend& backend, const hw::Config& config) {
  if (backend.waves && std::getenv(kDeviceHelper.variable) == nullptr) {
    const std::string own = hw::own_rtl_device(config);
    if (!own.empty() && access(own.c_str(), X_OK) == 0) return own;
  }
  return process::find_helper(kDeviceHelper);
}

}  // namespace

std::unique_ptr<Session> open_session(const ppu_device_def& def, const Backend& backend,
                                      const hw::Config& config) {
  check_option(def.wave_path, "wave_path", backend, backend.waves,
               "no RTL whose waves could be written");
  check_option(def.wave_scope, "wave_scope", backend, backend.scopes,
               "no parts whose waves could be written alone");
  check_option(def.trace_path, "trace_path", backend, backend.timed,
               "no cycles in which something could happen");
  check_option(def.platform, "platform", backend, &backend == &kPlatform, "a device of its own");
  if (&backend == &kPlatform) return std::make_unique<PlatformSession>(def, config);
  if (backend.process)
    return std::make_unique<ProcessSession>(device_executable(backend, config),
                                            open_request(def, config), def.answer_timeout_ns);
  return std::make_unique<LocalSession>(config, [&config](hw::Memory host_memory) {
    return std::make_unique<hw::FunctionalDevice>(config, host_memory);
  });
}

}  // namespace ppu::driver
