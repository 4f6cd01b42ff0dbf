// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Starts ppu-peers, with the numbers and the answer in files of memory.
#include "sim/peers/peer_process.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "base/process/child_process.hpp"
#include "sim/base/cli_error.hpp"
#include "sim/base/text.hpp"

namespace ppu::sim {
namespace {

constexpr process::Helper kPeers{"ppu-peers", "PPU_PEERS", "process of other solvers"};
constexpr std::chrono::hours kPatience(1);

files::FileDescriptor memory_file(const std::vector<double>& numbers) {
  files::FileDescriptor file(memfd_create("ppu-peers", MFD_CLOEXEC));
  const char* next = reinterpret_cast<const char*>(numbers.data());
  std::size_t left = numbers.size() * sizeof(double);
  while (file.get() >= 0 && left > 0) {
    const ssize_t count = write(file.get(), next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    next += count;
    left -= static_cast<std::size_t>(count);
  }
  if (file.get() < 0 || left > 0)
    throw std::system_error(errno, std::generic_category(), "no memory for the numbers of a peer");
  return file;
}

std::vector<double> numbers_of(const files::FileDescriptor& file) {
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || status.st_size < 0) return {};
  std::vector<double> numbers(static_cast<std::size_t>(status.st_size) / sizeof(double));
  char* next = reinterpret_cast<char*>(numbers.data());
  std::size_t left = numbers.size() * sizeof(double);
  off_t place = 0;
  while (left > 0) {
    const ssize_t count = pread(file.get(), next, left, place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    next += count;
    place += count;
    left -= static_cast<std::size_t>(count);
  }
  return numbers;
}

}  // namespace

std::vector<double> ask_peer(const std::string& peer, const std::vector<double>& numbers) {
  const files::FileDescriptor given = memory_file(numbers);
  const files::FileDescriptor answer = memory_file({});
  process::ChildProcess child(kPeers, process::find_helper(kPeers), {given.get(), answer.get()},
                              {peer});
  child.wait(kPatience);
  const std::string ending = child.end(std::chrono::milliseconds(0));
  if (child.exit_status() == kExitEnvironment)
    throw CliError(kExitEnvironment, "peer " + peer +
                                         ": not in this build, expected its Debian package of " +
                                         "cmake/packages.txt when the build was configured");
  if (child.exit_status() != EXIT_SUCCESS)
    throw CliError(kExitEnvironment, "peer " + peer + ": its process " + ending);
  return numbers_of(answer);
}

bool has_peer(const std::string& peer) {
  try {
    ask_peer(peer, {});
    return true;
  } catch (const CliError&) {
    return false;
  }
}

}  // namespace ppu::sim
