// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in, and files that do not stay.
#include "sim/base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/files/regular_file.hpp"
#include "sim/base/cli_error.hpp"

namespace ppu::sim {

void check_exists(const std::string& path, const std::string& expected) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    throw CliError(kExitUsage, path + ": no such file" + expected);
}

std::string read_file(const std::string& path) {
  try {
    return files::read_regular_file(path);
  } catch (const files::FileError& error) {
    throw CliError(kExitUsage, error.what());
  }
}

TemporaryFile::TemporaryFile() {
  const std::string folder = std::filesystem::temp_directory_path().string();
  file_ = files::FileDescriptor(
      open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (file_.get() < 0) {
    // A file system without files that have no name.
    std::string name = folder + "/ppu-XXXXXX";
    file_ = files::FileDescriptor(mkostemp(name.data(), O_CLOEXEC));
    if (file_.get() < 0) throw std::system_error(errno, std::generic_category(), name);
    unlink(name.c_str());
  }
  path_ = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.get());
}

}  // namespace ppu::sim
