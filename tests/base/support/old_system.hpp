// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Systems that lack what newer ones have: in this program, open() and syscall() go through here.
#pragma once

namespace ppu::tests {

/// While it lives, no file system has files without a name: O_TMPFILE is refused.
class WithoutNamelessFiles {
 public:
  WithoutNamelessFiles();
  ~WithoutNamelessFiles();
  WithoutNamelessFiles(const WithoutNamelessFiles&) = delete;
  WithoutNamelessFiles& operator=(const WithoutNamelessFiles&) = delete;
};

/// While it lives, the kernel gives no handles of processes: pidfd_open() is refused.
class WithoutProcessHandles {
 public:
  WithoutProcessHandles();
  ~WithoutProcessHandles();
  WithoutProcessHandles(const WithoutProcessHandles&) = delete;
  WithoutProcessHandles& operator=(const WithoutProcessHandles&) = delete;
};

}  // namespace ppu::tests
