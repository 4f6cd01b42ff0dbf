// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Output files that appear complete or not at all: written beside their place, then renamed. Two
// steps, so that a command with several outputs can prepare all of them before the first appears.
// Links are followed: the file that a link names is replaced, not the link. A device or a pipe is
// written to, not replaced. Failures are std::system_error and name the path.
#pragma once

#include <string>
#include <string_view>

namespace ppu::model {

class FileReplacement {
 public:
  /// Writes `bytes` to a temporary beside the file that `path` names, or straight to a device or
  /// pipe of that name.
  FileReplacement(const std::string& path, std::string_view bytes);
  /// Removes the temporary if it was not committed.
  ~FileReplacement();
  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// The file appears.
  void commit();

 private:
  std::string path_;       ///< As given, for messages.
  std::string target_;     ///< Links followed.
  std::string temporary_;  ///< Empty where there is none (any more).
};

/// Throws what a FileReplacement of `path` would throw for want of a folder or of permission.
void check_replaceable(const std::string& path);

}  // namespace ppu::model
