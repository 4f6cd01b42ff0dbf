// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Opening a back end.
#include "session.hpp"

#include <cstring>

#include "failure.hpp"
#include "local_session.hpp"
#include "ppu/hw/functional_engine.hpp"
#include "ppu/hw/protocol.hpp"
#include "process_session.hpp"

namespace ppu::driver {
namespace {

template <std::size_t kSize>
void copy_text(char (&target)[kSize], const char* text, const char* what) {
  if (std::strlen(text) >= kSize)
    fail(PPU_ERROR_INVALID_ARGUMENT, what, " is longer than ", kSize - 1, " characters");
  std::memcpy(target, text, std::strlen(text) + 1);
}

hw::OpenRequest open_request(const ppu_device_def& def, const Backend& backend,
                             const hw::Config& config) {
  hw::OpenRequest request;
  request.config = config;
  copy_text(request.backend, backend.name, "the back end's name");
  if (def.wave_path != nullptr) copy_text(request.wave_path, def.wave_path, "wave_path");
  request.wave_first_cycle = def.wave_first_cycle;
  request.wave_last_cycle = def.wave_last_cycle;
  return request;
}

}  // namespace

std::unique_ptr<Session> open_session(const ppu_device_def& def, const Backend& backend,
                                      const hw::Config& config) {
  if (def.wave_path != nullptr && !backend.waves)
    fail(PPU_ERROR_INVALID_ARGUMENT, "wave_path is set, but back end '", backend.name,
         "' has no RTL whose waves could be written");
  if (backend.process)
    return std::make_unique<ProcessSession>(find_device_executable(),
                                            open_request(def, backend, config));
  return std::make_unique<LocalSession>(config, [&config](hw::DeviceMemory memory) {
    return std::make_unique<hw::FunctionalEngine>(config, memory);
  });
}

}  // namespace ppu::driver
