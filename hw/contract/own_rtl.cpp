// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "hw/contract/own_rtl.hpp"

#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "hw/contract/fnv.hpp"
#include "ppu_spec.hpp"

namespace ppu::hw {
namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// "fp_mul_stages" -> "FpMulStages".
std::string parameter_name(std::string_view key) {
  std::string name;
  bool begins = true;
  for (const char letter : key) {
    if (letter != '_')
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter))) : letter;
    begins = letter == '_';
  }
  return name;
}

}  // namespace

std::string own_rtl_cache() {
  if (const std::string named = from_environment("PPU_RTL_CACHE"); !named.empty()) return named;
  if (const std::string cache = from_environment("XDG_CACHE_HOME"); !cache.empty())
    return cache + "/ppu/rtl";
  const std::string home = from_environment("HOME");
  return home.empty() ? "" : home + "/.cache/ppu/rtl";
}

std::string own_rtl_parameters(const Config& config) {
  std::string text;
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    if (key.shape)
      text +=
          "  Own" + parameter_name(key.name) + " = " + std::to_string(config.*key.member) + ";\n";
  return text;
}

std::string own_rtl_folder(const Config& config) {
  const std::string cache = own_rtl_cache();
  if (cache.empty()) return {};
  const std::string shape = own_rtl_parameters(config);
  const std::uint64_t spec_hash = PPU_SPEC_HASH;
  Fnv1a hash;
  hash.add(shape.data(), shape.size());
  hash.add(&spec_hash, sizeof spec_hash);
  std::array<char, 17> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(hash.value()));
  return cache + "/" + digits.data();
}

std::string own_rtl_device(const Config& config) {
  const std::string folder = own_rtl_folder(config);
  return folder.empty() ? "" : folder + "/ppu-device";
}

}  // namespace ppu::hw
