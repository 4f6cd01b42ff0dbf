// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whole files in, and files that do not stay.
#pragma once

#include <string>

namespace ppu::sim {

/// Throws CliError (usage) if there is no such file; `expected` ends its sentence.
void check_exists(const std::string& path, const std::string& expected = "");

/// Throws CliError (usage) if the file cannot be read.
std::string read_file(const std::string& path);

/// An empty file that lasts as long as this, unless it is kept. Throws std::system_error if it
/// cannot be made.
class TemporaryFile {
 public:
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::string path_;
  bool kept_ = false;
};

}  // namespace ppu::sim
