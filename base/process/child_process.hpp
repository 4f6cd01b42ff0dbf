// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The PPU's helper executables, and one running process of such a kind: started with a few
// descriptors and no other, waited for with a limit, reaped by its owner. It is started by exec,
// never by fork alone: a forked child of a process with threads may find any lock taken for ever.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_descriptor.hpp"
#include "base/process/keeper_thread.hpp"

namespace ppu::process {

using files::FileDescriptor;

/// An executable that comes with the PPU.
struct Helper {
  const char* name;      ///< Of the file.
  const char* variable;  ///< Of the environment, which may hold the path of another file.
  const char* what;      ///< In messages: "device process".
};

/// Path of the helper: what the environment says, else where the build tree or the installation
/// puts it relative to the library or program that this code is in. Throws std::runtime_error.
std::string find_helper(const Helper& helper);

/// For a helper, at its begin: however the process that started it ends, this one ends with it,
/// also while it is stopped. False if that process has ended already.
bool end_with_host(pid_t host);

class ChildProcess {
 public:
  /// Starts `path`, a `helper`. Its arguments are the numbers under which it finds `descriptors`,
  /// the number of this process for end_with_host(), then `arguments`; its standard output goes to
  /// standard error. Throws std::runtime_error.
  ChildProcess(const Helper& helper, const std::string& path, const std::vector<int>& descriptors,
               const std::vector<std::string>& arguments = {});
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Waits for the process to end; false if it has not after `patience`. Time in which this process
  /// itself is stopped does not count.
  bool wait(std::chrono::milliseconds patience);
  /// Waits for the process to end by itself, kills it at the end of the patience, and says how it
  /// ended: "exited with status 3", "was ended by signal 9 (Killed)".
  std::string end(std::chrono::milliseconds patience);
  /// Of a process that has ended by itself, as far as it is known.
  [[nodiscard]] std::optional<int> exit_status() const;

 private:
  bool reap(int options);
  void kill() const;

  KeeperThread keeper_;  ///< Has started the process.
  pid_t pid_ = -1;
  FileDescriptor handle_;  ///< Of the process, readable when it ends; none on old kernels.
  bool reaped_ = false;
  int status_ = 0;
  bool status_known_ = false;
};

}  // namespace ppu::process
