// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in, and files that do not stay.
#include "sim/base/files.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sim/base/cli_error.hpp"

namespace ppu::sim {

void check_exists(const std::string& path, const std::string& expected) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw CliError(kExitUsage, path + ": no such file" + expected);
}

std::string read_file(const std::string& path) {
  check_exists(path);
  if (std::filesystem::is_directory(path)) {
    throw CliError(kExitUsage, path + ": is a directory, expected a file");
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream content;
  if (in) content << in.rdbuf();
  if (!in) throw CliError(kExitUsage, path + ": cannot be read: " + std::strerror(errno));
  return content.str();
}

TemporaryFile::TemporaryFile()
    : path_((std::filesystem::temp_directory_path() / "ppu-XXXXXX").string()) {
  const int file = mkstemp(path_.data());
  if (file < 0) throw std::system_error(errno, std::generic_category(), path_);
  close(file);
}

TemporaryFile::~TemporaryFile() {
  if (!kept_) unlink(path_.c_str());
}

}  // namespace ppu::sim
