// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which assertions failed, from what the simulation printed.
#pragma once

#include <set>
#include <string>

namespace ppu::test {

/// Names in "assertion NAME failed" messages.
inline std::set<std::string> failed_assertions(const std::string& output) {
  const std::string before = "assertion ", after = " failed";
  std::set<std::string> names;
  for (auto at = output.find(before); at != std::string::npos; at = output.find(before, at)) {
    at += before.size();
    names.insert(output.substr(at, output.find(after, at) - at));
  }
  return names;
}

}  // namespace ppu::test
