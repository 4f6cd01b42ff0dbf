// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Processes of tests: those that another one has started, and their ends.
#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ppu::driver::test {

/// Processes whose parent is `parent`; with `name`, those whose executable begins with it.
inline std::vector<pid_t> children_of(pid_t parent, const std::string& name = "") {
  std::vector<pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string line;
    std::getline(std::ifstream(entry.path() / "stat"), line);
    // "pid (name) state ppid ..."; the name may hold anything.
    const std::size_t begin = line.find(" ("), end = line.rfind(") ");
    if (end == std::string::npos || std::atoi(line.c_str() + end + 4) != parent) continue;
    if (line.compare(begin + 2, name.size(), name) == 0) found.push_back(std::stoi(number));
  }
  return found;
}

/// Waits until `host` has a device process, which is the answer.
inline pid_t wait_for_device(pid_t host) {
  while (true) {
    const std::vector<pid_t> devices = children_of(host, "ppu-device");
    if (!devices.empty()) return devices.front();
    usleep(2000);
  }
}

/// Readable when the process has ended, which may have been reaped by then.
inline int handle_of(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0U));
}
inline void wait_for_end(int handle) {
  if (handle < 0) return;
  pollfd end{handle, POLLIN, 0};
  poll(&end, 1, -1);
  close(handle);
}

}  // namespace ppu::driver::test
