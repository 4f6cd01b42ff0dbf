// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Files that people hand in: programs, configurations, cases of the fuzz. Nobody waits for a pipe
// and nobody reads a device to its end, which it does not have.
#pragma once

#include <stdexcept>
#include <string>

namespace ppu::files {

/// A file that cannot be read: path, what was found, what was expected.
struct FileError : std::runtime_error {
  FileError(const std::string& sentence, bool is_missing)
      : std::runtime_error(sentence), missing(is_missing) {}
  bool missing;  ///< There is nothing of that name.
};

/// The largest file that read_regular_file() takes.
inline constexpr long kMostBytes = 64L << 20U;

/// All bytes of a regular file. Throws FileError.
std::string read_regular_file(const std::string& path);

}  // namespace ppu::files
