// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Where the sources are.
#include "sim/commands/source_tree.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace ppu::sim {

std::string named_source_tree() {
  if (const char* named = std::getenv("PPU_SOURCE")) return named;
  namespace fs = std::filesystem;
  const fs::path build = fs::canonical("/proc/self/exe").parent_path().parent_path();
  std::ifstream cache(build / "CMakeCache.txt");
  const std::string key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (std::string line; std::getline(cache, line);)
    if (line.rfind(key, 0) == 0) return line.substr(key.size());
  return {};
}

bool is_source_tree(const std::string& folder) {
  return std::filesystem::exists(std::filesystem::path(folder) / "rtl/ppu.f");
}

}  // namespace ppu::sim
