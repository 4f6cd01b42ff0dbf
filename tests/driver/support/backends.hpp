// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The back ends that were built, for parametrised tests, and devices opened on them.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "ppu/ppu.hpp"

namespace ppu::driver::test {

inline std::vector<std::string> backends() {
  std::vector<std::string> names;
  std::istringstream list(PPU_TEST_BACKENDS);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

/// Of a back end, as part of the name of a test: "platform" for "platform:LIBRARY".
inline std::string name_of(const std::string& backend) {
  return backend.substr(0, backend.find(':'));
}

/// What a device says that it is: "platform:" without the library.
inline std::string kind_of(const std::string& backend) {
  const std::size_t colon = backend.find(':');
  return colon == std::string::npos ? backend : backend.substr(0, colon + 1);
}

/// Those with a device process.
inline std::vector<std::string> process_backends() {
  std::vector<std::string> names = backends();
  names.erase(std::remove(names.begin(), names.end(), "functional"), names.end());
  return names;
}

/// The one with cycles of single rows that takes any configuration, where devices were built.
inline std::vector<std::string> systemc_backend() {
  std::vector<std::string> names = process_backends();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return name != "systemc"; }),
              names.end());
  return names;
}

/// Those whose device is not on a platform of somebody else, which tells no events and no rows.
inline std::vector<std::string> own_backends() {
  std::vector<std::string> names = process_backends();
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) { return name_of(name) == "platform"; }),
              names.end());
  return names;
}

/// Those with RTL in them.
inline std::vector<std::string> rtl_backends() {
  std::vector<std::string> names = own_backends();
  names.erase(std::remove(names.begin(), names.end(), "systemc"), names.end());
  return names;
}

inline Device open(const std::string& backend, const char* config = "default",
                   const std::vector<const char*>& overrides = {}) {
  ppu_device_def def = ppu_default_device_def();
  def.backend = backend.c_str();
  def.config = config;
  def.overrides = overrides.data();
  def.override_count = overrides.size();
  return Device(def);
}

}  // namespace ppu::driver::test
