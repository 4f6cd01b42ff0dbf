// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The linker makes __wrap_NAME of what is called by NAME, and NAME itself of __real_NAME.
#include "tests/base/support/old_system.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdarg>

namespace ppu::tests {
namespace {

bool has_nameless_files = true;
bool has_process_handles = true;

}  // namespace

WithoutNamelessFiles::WithoutNamelessFiles() {
  has_nameless_files = false;
}
WithoutNamelessFiles::~WithoutNamelessFiles() {
  has_nameless_files = true;
}
WithoutProcessHandles::WithoutProcessHandles() {
  has_process_handles = false;
}
WithoutProcessHandles::~WithoutProcessHandles() {
  has_process_handles = true;
}

extern "C" {

int __real_open(const char* path, int flags, ...);
long __real_syscall(long number, ...);
int __wrap_open(const char* path, int flags, ...);
long __wrap_syscall(long number, ...);

int __wrap_open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const bool is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = (flags & O_CREAT) != 0 || is_nameless ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (is_nameless && !has_nameless_files) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return __real_open(path, flags, mode);
}

long __wrap_syscall(long number, ...) {
  va_list more;
  va_start(more, number);
  long values[4];
  for (long& value : values) value = va_arg(more, long);
  va_end(more);
  if (number == SYS_pidfd_open && !has_process_handles) {
    errno = ENOSYS;
    return -1;
  }
  return __real_syscall(number, values[0], values[1], values[2], values[3]);
}

}  // extern "C"

}  // namespace ppu::tests
