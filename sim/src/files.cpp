// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in and out; an output appears complete or not at all.
#include "files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli_error.hpp"

namespace ppu::sim {

std::string read_file(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    throw CliError(kExitUsage, path + ": is a directory, expected a file");
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (in) content << in.rdbuf();
  if (!in) throw CliError(kExitUsage, path + ": cannot be read: " + std::strerror(errno));
  return content.str();
}

void write_file(const std::string& path, const std::string& content) {
  const std::string temporary = path + ".tmp" + std::to_string(getpid());
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out << content;
  out.close();
  if (!out || std::rename(temporary.c_str(), path.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw CliError(kExitEnvironment, path + ": cannot be written: " + reason);
  }
}

}  // namespace ppu::sim
