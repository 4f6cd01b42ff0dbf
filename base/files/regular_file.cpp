// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "base/files/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/files/file_descriptor.hpp"

namespace ppu::files {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what, bool missing = false) {
  throw FileError(path + ": " + what, missing);
}

[[noreturn]] void fail_to_read(const std::string& path) {
  fail(path, std::string("cannot be read: ") + std::strerror(errno));
}

void check_kind(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) fail(path, "is a directory, expected a regular file");
  if (!S_ISREG(status.st_mode)) fail(path, "is a device or a pipe, expected a regular file");
  if (status.st_size > kMostBytes)
    fail(path, "has " + std::to_string(status.st_size) + " bytes, expected at most " +
                   std::to_string(kMostBytes));
}

}  // namespace

std::string read_regular_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) fail(path, "no such file", true);
    fail_to_read(path);
  }
  // Before it is opened, which a device may notice.
  check_kind(path, status);
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0 || fstat(file.get(), &status) != 0) fail_to_read(path);
  check_kind(path, status);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = read(file.get(), &bytes[size], bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_to_read(path);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace ppu::files
