// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Back ends by name.
#include "driver/session/backend.hpp"

#include <cstdlib>
#include <string>

#include "driver/base/failure.hpp"

namespace ppu::driver {

const char* backend_name(const char* name) {
  const char* const from_environment = name == nullptr ? std::getenv("PPU_BACKEND") : nullptr;
  if (from_environment != nullptr) return from_environment;
  return name == nullptr ? kBackends.front().name : name;
}

const Backend& find_backend(const char* asked) {
  const std::string name = backend_name(asked);
  if (name == kPlatform.name) return kPlatform;
  if (name.rfind(kPlatformLibrary.name, 0) == 0) return kPlatformLibrary;
  std::string known;
  for (const Backend& backend : kBackends) {
    if (name == backend.name) return backend;
    known.append(known.empty() ? "" : ", ").append(backend.name);
  }
  fail(PPU_ERROR_NOT_FOUND, "there is no back end '", name, "'",
       asked == nullptr ? " (the name comes from PPU_BACKEND)" : "", "; known: ", known,
       ", platform, platform:LIBRARY");
}

}  // namespace ppu::driver
