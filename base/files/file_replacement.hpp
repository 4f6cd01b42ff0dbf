// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Output files that appear complete or not at all: written without a name in the folder of their
// place, then put there. Two steps, so that a command with several outputs can prepare all of them
// before the first appears. However the process ends in between, nothing is left, and what was
// there before stays. Links are followed: the file that a link names is replaced, not the link. A
// device, a pipe or a file without a name is written to, not replaced. Failures are
// std::system_error and name the path.
#pragma once

#include <string>
#include <string_view>

#include "base/files/file_descriptor.hpp"

namespace ppu::files {

class FileReplacement {
 public:
  /// For the file that `path` names, to be written by way of descriptor().
  explicit FileReplacement(const std::string& path);
  /// The same with `bytes` in it; a device or a pipe has got them then.
  FileReplacement(const std::string& path, std::string_view bytes);
  ~FileReplacement();
  FileReplacement(FileReplacement&& other) noexcept;
  FileReplacement(const FileReplacement&) = delete;
  FileReplacement& operator=(const FileReplacement&) = delete;

  /// For writing, and reading where there is a file.
  [[nodiscard]] int descriptor() const { return file_.get(); }
  void write(std::string_view bytes);
  /// All bytes of another file.
  void copy_from(int descriptor);
  /// The file appears.
  void commit();

 private:
  [[noreturn]] void fail(int error) const;
  void open_beside();
  void take_over_owner_and_mode() const;
  void give_name();

  std::string path_;       ///< As given, for messages.
  std::string target_;     ///< Links followed; empty where nothing is replaced.
  std::string temporary_;  ///< Its name, where the file has got one before its place.
  FileDescriptor file_;
};

/// A name in the folder of `path` that no other writer uses; short, as that of the file may be as
/// long as names can be.
std::string name_beside(const std::string& path);

/// Throws what a FileReplacement of `path` would throw for want of a folder or of permission.
void check_replaceable(const std::string& path);

}  // namespace ppu::files
