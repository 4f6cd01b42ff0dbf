// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The module instances of an FST file, and the one that a user asks for.
#pragma once

#include <gtkwave/fstapi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::hw {

/// By their paths from the top module on, as "ppu_top.u_dma".
inline std::vector<std::string> instances_in(const std::string& path) {
  std::vector<std::string> instances;
  std::vector<std::string> open;
  void* const reader = fstReaderOpen(path.c_str());
  if (reader == nullptr) return instances;
  fstReaderIterateHierRewind(reader);
  while (const fstHier* const entry = fstReaderIterateHier(reader)) {
    if (entry->htyp == FST_HT_SCOPE) {
      // The outermost scope is the model's, above the top module.
      const bool below_top = open.size() > 1;
      open.push_back((below_top ? open.back() + "." : "") + entry->u.scope.name);
      // A scope may be there in several pieces.
      if (open.size() > 1 &&
          std::find(instances.begin(), instances.end(), open.back()) == instances.end())
        instances.push_back(open.back());
    } else if (entry->htyp == FST_HT_UPSCOPE) {
      open.pop_back();
    }
  }
  fstReaderClose(reader);
  return instances;
}

/// The path of `scope`, which may leave out the top module `top`. Throws ConfigError that lists the
/// instances where the path goes wrong.
inline std::string find_instance(const std::vector<std::string>& instances, const std::string& top,
                                 const std::string& scope) {
  const auto is_instance = [&instances](const std::string& path) {
    return std::find(instances.begin(), instances.end(), path) != instances.end();
  };
  const bool whole = scope == top || scope.rfind(top + ".", 0) == 0;
  const std::string wanted = whole ? scope : top + "." + scope;
  if (is_instance(wanted)) return wanted;
  std::string parent = wanted;
  while (parent != top && !is_instance(parent)) parent.resize(parent.rfind('.'));
  std::string below;
  for (const std::string& path : instances)
    if (path.rfind('.') == parent.size() && path.rfind(parent, 0) == 0)
      below += (below.empty() ? "" : ", ") + path.substr(parent.size() + 1);
  throw ConfigError("wave scope '" + scope + "': no such instance; " + parent +
                        (below.empty() ? " has none" : " has " + below),
                    true);
}

}  // namespace ppu::hw
