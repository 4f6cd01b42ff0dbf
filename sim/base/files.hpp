// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in, and files that do not stay.
#pragma once

#include <string>

#include "base/files/file_descriptor.hpp"

namespace ppu::sim {

/// Throws CliError (usage) if there is no such file; `expected` ends its sentence.
void check_exists(const std::string& path, const std::string& expected = "");

/// Throws CliError (usage) if the file cannot be read.
std::string read_file(const std::string& path);

/// An empty file without a name, for this process and those that it starts: nothing is left of it
/// however they end. Throws std::system_error if it cannot be made.
class TemporaryFile {
 public:
  TemporaryFile();
  /// By which it can be opened.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  files::FileDescriptor file_;
  std::string path_;
};

}  // namespace ppu::sim
