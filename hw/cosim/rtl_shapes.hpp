// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The shapes that RTL was built for, and the error that names them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {

/// The values of the keys that shape the RTL, in the order of the specification.
using Shape = std::vector<std::uint32_t>;

inline Shape shape_of(const Config& config) {
  Shape shape;
  for (const spec::ConfigKey& key : spec::kConfigKeys)
    if (key.shape) shape.push_back(config.*key.member);
  return shape;
}

/// A shape that was built.
struct BuiltShape {
  std::string name;
  Shape shape;
};

/// The keys in which `built` is another shape than `wanted`: "pipes 2 instead of 1".
inline std::vector<std::string> differences(const BuiltShape& built, const Shape& wanted) {
  std::vector<std::string> list;
  std::size_t i = 0;
  for (const spec::ConfigKey& key : spec::kConfigKeys) {
    if (!key.shape) continue;
    if (built.shape[i] != wanted[i])
      list.push_back(std::string(key.name) + " " + std::to_string(built.shape[i]) + " instead of " +
                     std::to_string(wanted[i]));
    ++i;
  }
  return list;
}

/// Names what was built, "RTL device" or the like, and how the nearest of it differs from what is
/// wanted.
[[noreturn]] inline void refuse_shape(const std::string& what, const std::vector<BuiltShape>& all,
                                      const Shape& wanted) {
  std::string names;
  const BuiltShape* nearest = &all.front();
  for (const BuiltShape& built : all) {
    names += (names.empty() ? "" : ", ") + built.name;
    if (differences(built, wanted).size() < differences(*nearest, wanted).size()) nearest = &built;
  }
  std::string text;
  for (const std::string& difference : differences(*nearest, wanted))
    text += (text.empty() ? "" : ", ") + difference;
  throw ConfigError("no " + what + " of this shape was built, only " + names + "; the nearest, " +
                        nearest->name + ", has " + text + "; `ppu rtl build CONFIG` builds it",
                    false);
}

}  // namespace ppu::hw
