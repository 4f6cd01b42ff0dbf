// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which instances of a device are RTL: those whose names a platform has given.
#pragma once

#include <algorithm>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "hw/contract/config.hpp"

namespace ppu::systemc {

class RtlChoice {
 public:
  /// `device` is the name of the device; each of `names` that of an instance in it. `[*]` is any
  /// number.
  RtlChoice(std::string device, std::vector<std::string> names)
      : device_(std::move(device)), names_(std::move(names)), used_(names_.size(), false) {}

  /// True if the instance `name`, a child of `parent`, is RTL.
  [[nodiscard]] bool takes(const sc_core::sc_object& parent, const std::string& name) {
    const std::string path = std::string(parent.name()).substr(device_.size() + 1) + "." + name;
    bool found = false;
    for (std::size_t n = 0; n < names_.size(); ++n) {
      if (!matches(names_[n], path)) continue;
      used_[n] = found = true;
    }
    return found;
  }
  /// Throws ConfigError if there was no such instance.
  void check() const {
    const auto unused = std::find(used_.begin(), used_.end(), false);
    if (unused == used_.end()) return;
    throw hw::ConfigError("no instance '" +
                              names_[static_cast<std::size_t>(unused - used_.begin())] +
                              "' that may be RTL: there are gen_engine[*].u_engine and "
                              "gen_engine[*].u_engine.u_rows.gen_pipe[*].u_pipe.u_pipe",
                          true);
  }

 private:
  static bool matches(const std::string& pattern, const std::string& path) {
    std::size_t at = 0;
    for (std::size_t n = 0; n < pattern.size(); ++n) {
      if (pattern.compare(n, 3, "[*]") == 0) {
        const std::size_t end = path.find(']', at);
        if (at >= path.size() || path[at] != '[' || end == std::string::npos) return false;
        at = end + 1;
        n += 2;
      } else if (at >= path.size() || path[at++] != pattern[n]) {
        return false;
      }
    }
    return at == path.size();
  }

  std::string device_;
  std::vector<std::string> names_;
  std::vector<bool> used_;
};

}  // namespace ppu::systemc
