// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Finding, starting and ending helper processes.
#include "base/process/child_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "base/text/sentence.hpp"

extern char** environ;

namespace ppu::process {
namespace {

namespace fs = std::filesystem;

/// Throws an error whose sentence is the parts one after another.
template <class... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  throw std::runtime_error(text::sentence_of(parts...));
}

/// Folder of the file this code was loaded from, or nothing if that is not known.
fs::path library_folder() {
  Dl_info info{};
  link_map* loaded = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(&find_helper), &info, reinterpret_cast<void**>(&loaded),
              RTLD_DL_LINKMAP) == 0)
    return {};
  // That of the program itself has no name in the map. What dladdr() says is as it was typed, on
  // the PATH or in another folder than today's, and may by now be the name of another file.
  const bool is_program = loaded->l_name[0] == '\0';
  std::error_code error;
  return fs::canonical(is_program ? "/proc/self/exe" : info.dli_fname, error).parent_path();
}

/// The child finds its descriptors under numbers from here on.
constexpr int kFirstFd = 3;

/// Copies of `descriptors` above the numbers that the child uses.
std::vector<FileDescriptor> move_up(const std::vector<int>& descriptors) {
  std::vector<FileDescriptor> copies;
  for (const int fd : descriptors) {
    copies.emplace_back(
        fcntl(fd, F_DUPFD_CLOEXEC, kFirstFd + static_cast<int>(descriptors.size())));
    if (copies.back().get() < 0) fail("cannot copy a descriptor: ", strerror(errno));
  }
  return copies;
}

class SpawnSettings {
 public:
  explicit SpawnSettings(const std::vector<FileDescriptor>& descriptors) {
    check(posix_spawn_file_actions_init(&actions));
    check(posix_spawnattr_init(&attributes));
    check(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
    if (fcntl(STDERR_FILENO, F_GETFD) < 0)
      check(posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0));
    check(posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO));
    int number = kFirstFd;
    for (const FileDescriptor& descriptor : descriptors)
      check(posix_spawn_file_actions_adddup2(&actions, descriptor.get(), number++));
    check(posix_spawn_file_actions_addclosefrom_np(&actions, number));
    // The host may block signals; the child starts with none blocked. What the host ignores, as
    // under nohup, the child ignores, too.
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
    if (error != 0) fail("cannot prepare a process: ", strerror(error));
  }
};

}  // namespace

std::string find_helper(const Helper& helper) {
  if (const char* named = std::getenv(helper.variable)) return named;
  const fs::path folder = library_folder();
  if (folder.empty())
    fail("cannot tell where this program was loaded from; set ", helper.variable,
         " to the path of ", helper.name);
  std::vector<std::string> tried;
  for (const char* relative : {".", "../bin", PPU_HELPER_FOLDERS}) {
    const fs::path path = (folder / relative / helper.name).lexically_normal();
    if (std::find(tried.begin(), tried.end(), path) != tried.end()) continue;
    if (access(path.c_str(), X_OK) == 0) return path;
    tried.push_back(path);
  }
  std::string names;
  for (const std::string& path : tried) names += (names.empty() ? "" : ", ") + path;
  fail("there is no executable ", helper.name, ": found none of ", names, "; set ", helper.variable,
       " to the path of ", helper.name);
}

bool end_with_host(pid_t host) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return getppid() == host;
}

ChildProcess::ChildProcess(const Helper& helper, const std::string& path,
                           const std::vector<int>& descriptors,
                           const std::vector<std::string>& arguments) {
  const std::vector<FileDescriptor> copies = move_up(descriptors);
  const SpawnSettings settings(copies);
  std::vector<std::string> words = {path};
  for (std::size_t i = 0; i < copies.size(); ++i)
    words.push_back(std::to_string(kFirstFd + static_cast<int>(i)));
  words.push_back(std::to_string(getpid()));
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int error = keeper_.run([&] {
    return posix_spawn(&pid_, path.c_str(), &settings.actions, &settings.attributes, argv.data(),
                       environ);
  });
  if (error != 0)
    fail("cannot start the ", helper.what, " '", path, "': ", strerror(error),
         std::getenv(helper.variable) != nullptr
             ? " (the path comes from " + std::string(helper.variable) + ")"
             : "");
  handle_ = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0U)));
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

bool ChildProcess::wait(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  // Without a handle, poll() only sleeps.
  const std::chrono::milliseconds slice(handle_.get() < 0 ? 1 : 100);
  Clock::duration left = patience;
  while (!reap(WNOHANG)) {
    if (left <= Clock::duration::zero()) return false;
    const Clock::time_point before = Clock::now();
    pollfd end{handle_.get(), POLLIN, 0};
    poll(&end, 1, static_cast<int>(slice.count()));
    left -= std::min<Clock::duration>(Clock::now() - before, slice);
  }
  return true;
}

void ChildProcess::kill() const {
  // A number may have become another process where the host ignores SIGCHLD; a handle cannot.
  if (handle_.get() < 0) {
    ::kill(pid_, SIGKILL);
  } else {
    syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0U);
  }
}

std::string ChildProcess::end(std::chrono::milliseconds patience) {
  if (!wait(patience)) {
    kill();
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

}  // namespace ppu::process
