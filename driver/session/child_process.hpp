// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The executable of device processes, and one running device process: started with a socket and a
// memory file, reaped by its owner.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

namespace ppu::driver {

/// Path of `ppu-device`: the environment's PPU_DEVICE if set, else where the build tree or the
/// installation puts it relative to this library. Throws Failure (PPU_ERROR_SYSTEM).
std::string find_device_executable();

class ChildProcess {
 public:
  /// Starts `path` with the two descriptors and no other; its standard output goes to standard
  /// error. Throws Failure (PPU_ERROR_SYSTEM).
  ChildProcess(const std::string& path, int socket_fd, int memory_fd);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for the process to end by itself, kills it at the end of the patience, and says how it
  /// ended: "exited with status 3", "was ended by signal 9 (Killed)".
  std::string end(std::chrono::milliseconds patience);
  /// Of a process that has ended by itself, as far as it is known.
  [[nodiscard]] std::optional<int> exit_status() const;

 private:
  bool reap(int options);

  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  bool status_known_ = false;
};

}  // namespace ppu::driver
