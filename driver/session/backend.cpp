// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Back ends by name.
#include "driver/session/backend.hpp"

#include <cstdlib>
#include <string>

#include "driver/base/failure.hpp"

namespace ppu::driver {

const Backend& find_backend(const char* name) {
  const char* const from_environment = name == nullptr ? std::getenv("PPU_BACKEND") : nullptr;
  if (from_environment != nullptr) name = from_environment;
  if (name == nullptr) return kBackends.front();
  std::string known;
  for (const Backend& backend : kBackends) {
    if (std::string(name) == backend.name) return backend;
    known.append(known.empty() ? "" : ", ").append(backend.name);
  }
  fail(PPU_ERROR_NOT_FOUND, "there is no back end '", name, "'",
       from_environment != nullptr ? " (the name comes from PPU_BACKEND)" : "", "; known: ", known);
}

}  // namespace ppu::driver
