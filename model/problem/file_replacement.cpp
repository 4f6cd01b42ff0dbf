// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Output files that appear complete or not at all.
#include "model/problem/file_replacement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ppu::model {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path + ": cannot be written");
}

/// True for a device or a pipe; a folder is refused.
bool is_stream(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) fail(path, error.value());
  if (fs::is_directory(status)) fail(path, EISDIR);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Where a link leads, also to a file that is not there yet. is_stream() has refused endless links.
fs::path followed(const std::string& path) {
  fs::path target = path;
  while (fs::is_symlink(fs::symlink_status(target))) {
    target = target.parent_path() / fs::read_symlink(target);
  }
  return target;
}

/// A name beside `path` that no other writer uses.
std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return path + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
}

/// 0 or the error. `mode` is "wbxe" for a new file, "wbe" for a device or a pipe; "e": no other
/// process gets it.
int write_all(const std::string& path, const char* mode, std::string_view bytes) {
  std::FILE* stream = std::fopen(path.c_str(), mode);
  if (stream == nullptr) return errno;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stream) == bytes.size();
  const int error = errno;
  const bool closed = std::fclose(stream) == 0;
  if (!written) return error;
  return closed ? 0 : errno;
}

}  // namespace

FileReplacement::FileReplacement(const std::string& path, std::string_view bytes) : path_(path) {
  if (is_stream(path)) {
    if (const int error = write_all(path, "wbe", bytes)) fail(path, error);
    return;
  }
  target_ = followed(path).string();
  const std::string temporary = temporary_name(target_);
  int error = write_all(temporary, "wbxe", bytes);
  // A file that is replaced keeps its permissions.
  struct stat old {};
  if (error == 0 && stat(target_.c_str(), &old) == 0 &&
      chmod(temporary.c_str(), old.st_mode & 07777U) != 0) {
    error = errno;
  }
  if (error != 0) {
    if (error != EEXIST) std::remove(temporary.c_str());
    fail(path, error);
  }
  temporary_ = temporary;
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})) {
}

FileReplacement::~FileReplacement() {
  if (!temporary_.empty()) std::remove(temporary_.c_str());
}

void FileReplacement::commit() {
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, errno);
  temporary_.clear();
}

void check_replaceable(const std::string& path) {
  if (is_stream(path)) {
    if (access(path.c_str(), W_OK) != 0) fail(path, errno);
    return;
  }
  const fs::path folder = followed(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0) fail(path, errno);
}

}  // namespace ppu::model
