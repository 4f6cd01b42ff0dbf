// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Starting and ending device processes.
#include "driver/session/child_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "driver/base/failure.hpp"
#include "driver/base/file_descriptor.hpp"

extern char** environ;

namespace ppu::driver {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDeviceName = "ppu-device";

/// Folder of the file this code was loaded from, or nothing if that is not known.
fs::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&find_device_executable), &info) == 0) return {};
  // A name without a folder is the program's, as it was typed: the shell found it on the PATH.
  const bool bare = std::strchr(info.dli_fname, '/') == nullptr;
  std::error_code error;
  return fs::canonical(bare ? "/proc/self/exe" : info.dli_fname, error).parent_path();
}

/// Descriptors that the child process finds under fixed numbers.
constexpr int kSocketFd = 3;
constexpr int kMemoryFd = 4;

/// A copy of `fd` above the numbers the child uses.
FileDescriptor move_up(int fd) {
  FileDescriptor copy(fcntl(fd, F_DUPFD_CLOEXEC, kMemoryFd + 1));
  if (copy.get() < 0) fail(PPU_ERROR_SYSTEM, "cannot copy a descriptor: ", strerror(errno));
  return copy;
}

class SpawnSettings {
 public:
  SpawnSettings(int socket_fd, int memory_fd) {
    check(posix_spawn_file_actions_init(&actions));
    check(posix_spawnattr_init(&attributes));
    check(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    check(posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO));
    check(posix_spawn_file_actions_adddup2(&actions, socket_fd, kSocketFd));
    check(posix_spawn_file_actions_adddup2(&actions, memory_fd, kMemoryFd));
    check(posix_spawn_file_actions_addclosefrom_np(&actions, kMemoryFd + 1));
    // The host may block or ignore signals; the device starts with none blocked.
    sigset_t none;
    sigemptyset(&none);
    check(posix_spawnattr_setsigmask(&attributes, &none));
    check(posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK));
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

 private:
  static void check(int error) {
    if (error != 0) fail(PPU_ERROR_SYSTEM, "cannot prepare a device process: ", strerror(error));
  }
};

}  // namespace

std::string find_device_executable() {
  if (const char* named = std::getenv("PPU_DEVICE")) return named;
  const fs::path folder = library_folder();
  if (folder.empty())
    fail(PPU_ERROR_SYSTEM, "cannot tell where the driver was loaded from; set PPU_DEVICE to the ",
         "path of ", kDeviceName);
  std::string tried;
  for (const char* relative : {".", "../bin", PPU_DEVICE_FOLDER}) {
    const fs::path path = (folder / relative / kDeviceName).lexically_normal();
    if (access(path.c_str(), X_OK) == 0) return path;
    tried += (tried.empty() ? "" : ", ") + path.string();
  }
  fail(PPU_ERROR_SYSTEM, "there is no device executable: found none of ", tried,
       "; set PPU_DEVICE to the path of ", kDeviceName);
}

ChildProcess::ChildProcess(const std::string& path, int socket_fd, int memory_fd) {
  const FileDescriptor socket = move_up(socket_fd);
  const FileDescriptor memory = move_up(memory_fd);
  const SpawnSettings settings(socket.get(), memory.get());
  std::string name = path;
  std::string socket_text = std::to_string(kSocketFd);
  std::string memory_text = std::to_string(kMemoryFd);
  const std::array<char*, 4> arguments = {name.data(), socket_text.data(), memory_text.data(),
                                          nullptr};
  const int error = posix_spawn(&pid_, path.c_str(), &settings.actions, &settings.attributes,
                                arguments.data(), environ);
  if (error != 0)
    fail(PPU_ERROR_SYSTEM, "cannot start the device process '", path, "': ", strerror(error),
         std::getenv("PPU_DEVICE") != nullptr ? " (the path comes from PPU_DEVICE)" : "");
}

ChildProcess::~ChildProcess() {
  end(std::chrono::milliseconds(0));
}

bool ChildProcess::reap(int options) {
  if (reaped_) return true;
  pid_t result = 0;
  do {
    result = waitpid(pid_, &status_, options);
  } while (result < 0 && errno == EINTR);
  status_known_ = result == pid_;
  // Where the host ignores SIGCHLD the kernel reaps and the status is lost.
  reaped_ = result != 0;
  return reaped_;
}

std::string ChildProcess::end(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point limit = Clock::now() + patience;
  while (!reap(WNOHANG) && Clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (!reaped_) {
    kill(pid_, SIGKILL);
    reap(0);
  }
  if (!status_known_) return "ended";
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    return "was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  return "exited with status " + std::to_string(WEXITSTATUS(status_));
}

std::optional<int> ChildProcess::exit_status() const {
  if (!status_known_ || !WIFEXITED(status_)) return std::nullopt;
  return WEXITSTATUS(status_);
}

}  // namespace ppu::driver
