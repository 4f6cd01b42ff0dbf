// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Output files that appear complete or not at all.
#include "base/files/file_replacement.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace ppu::files {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kNewFile = 0666;

[[noreturn]] void fail_at(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), path + ": cannot be written");
}

/// True for what is written to where it is: a device, a pipe, a file without a name. A folder is
/// refused.
bool is_stream(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) fail_at(path, error.value());
  if (fs::is_directory(status)) fail_at(path, EISDIR);
  if (!fs::exists(status)) return false;
  struct stat found {};
  return !fs::is_regular_file(status) || (stat(path.c_str(), &found) == 0 && found.st_nlink == 0);
}

/// Where a link leads, also to a file that is not there yet. is_stream() has refused endless links.
fs::path followed(const std::string& path) {
  fs::path target = path;
  while (fs::is_symlink(fs::symlink_status(target))) {
    target = target.parent_path() / fs::read_symlink(target);
  }
  return target;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

std::string name_beside(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return folder_of(path) + "/.ppu-" + std::to_string(getpid()) + "-" + std::to_string(count++);
}

FileReplacement::FileReplacement(const std::string& path) : path_(path) {
  if (is_stream(path)) {
    file_ = FileDescriptor(open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  } else {
    target_ = followed(path).string();
    open_beside();
  }
  if (file_.get() < 0) fail(errno);
}

FileReplacement::FileReplacement(const std::string& path, std::string_view bytes)
    : FileReplacement(path) {
  write(bytes);
}

FileReplacement::FileReplacement(FileReplacement&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      file_(std::move(other.file_)) {
}

FileReplacement::~FileReplacement() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void FileReplacement::fail(int error) const {
  fail_at(path_, error);
}

void FileReplacement::open_beside() {
  file_ =
      FileDescriptor(open(folder_of(target_).c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, kNewFile));
  const bool has_none = file_.get() < 0 && (errno == EOPNOTSUPP || errno == EISDIR);
  if (!has_none) return;
  // A file system without files that have no name: one that is removed at the end of this.
  const std::string name = name_beside(target_);
  file_ = FileDescriptor(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile));
  if (file_.get() >= 0) temporary_ = name;
}

void FileReplacement::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file_.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(count < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void FileReplacement::copy_from(int descriptor) {
  std::string block(std::size_t{1} << 20U, '\0');
  off_t at = 0;
  while (true) {
    const ssize_t count = pread(descriptor, block.data(), block.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    if (count == 0) return;
    write({block.data(), static_cast<std::size_t>(count)});
    at += count;
  }
}

void FileReplacement::take_over_owner_and_mode() const {
  struct stat old {};
  if (stat(target_.c_str(), &old) != 0) return;
  // Who may not give a file away becomes its owner, as of a file that is new.
  if (fchown(file_.get(), old.st_uid, old.st_gid) != 0 && errno != EPERM) fail(errno);
  if (fchmod(file_.get(), old.st_mode & 07777U) != 0) fail(errno);
}

void FileReplacement::give_name() {
  const std::string unnamed = "/proc/self/fd/" + std::to_string(file_.get());
  const std::string name = name_beside(target_);
  if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
    fail(errno);
  temporary_ = name;
}

void FileReplacement::commit() {
  if (target_.empty()) return;
  take_over_owner_and_mode();
  if (temporary_.empty()) give_name();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  target_.clear();
}

void check_replaceable(const std::string& path) {
  if (is_stream(path)) {
    if (access(path.c_str(), W_OK) != 0) fail_at(path, errno);
    return;
  }
  // With a slash, so that a file in place of the folder is none.
  const std::string folder = folder_of(followed(path).string()) + "/";
  if (access(folder.c_str(), W_OK | X_OK) != 0) fail_at(path, errno);
}

}  // namespace ppu::files
