// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A forked child sends its result through a pipe: 8 bytes of length, then the bytes.
#include "model/problem/isolation.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

namespace ppu::model {
namespace {

constexpr std::uint64_t kMaxResultBytes = std::uint64_t{1} << 30U;

void limit(int resource, rlim_t value) {
  const rlimit both{value, value};
  setrlimit(resource, &both);
}

/// Dies quietly and soon when things go wrong, whatever handlers the host has.
void prepare_child(unsigned cpu_seconds) {
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU}) {
    std::signal(signal_number, SIG_DFL);
  }
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, cpu_seconds);
#if !defined(__SANITIZE_ADDRESS__)
  constexpr rlim_t kDataBytes = rlim_t{8} << 30U;
  limit(RLIMIT_DATA, kDataBytes);
#endif
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) dup2(null, STDERR_FILENO);
}

bool send(int descriptor, const void* data, std::size_t size) {
  const char* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t count = write(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool receive(int descriptor, void* data, std::size_t size) {
  char* bytes = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t count = read(descriptor, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

[[noreturn]] void fail(const char* what, int error) {
  throw std::system_error(error, std::generic_category(),
                          std::string("reading a file in a child process: no ") + what);
}

[[noreturn]] void run_child(int descriptor, unsigned cpu_seconds,
                            const std::function<std::vector<char>()>& work) {
  prepare_child(cpu_seconds);
  const std::vector<char> result = work();
  const std::uint64_t size = result.size();
  const bool sent =
      send(descriptor, &size, sizeof size) && send(descriptor, result.data(), result.size());
  // No destructors, no exit handlers: they belong to the parent.
  _exit(sent ? 0 : 1);
}

std::vector<char> receive_result(int descriptor) {
  std::uint64_t size = 0;
  if (!receive(descriptor, &size, sizeof size) || size > kMaxResultBytes) return {};
  std::vector<char> result(static_cast<std::size_t>(size));
  if (!receive(descriptor, result.data(), result.size())) return {};
  return result;
}

}  // namespace

std::vector<char> run_isolated(unsigned cpu_seconds,
                               const std::function<std::vector<char>()>& work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe", errno);
  const pid_t child = fork();
  if (child < 0) {
    const int error = errno;
    close(ends[0]);
    close(ends[1]);
    fail("process", error);
  }
  if (child == 0) {
    close(ends[0]);
    run_child(ends[1], cpu_seconds, work);
  }
  close(ends[1]);
  std::vector<char> result = receive_result(ends[0]);
  close(ends[0]);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return result;
}

}  // namespace ppu::model
