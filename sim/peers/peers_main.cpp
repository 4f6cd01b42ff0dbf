// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu-peers: solves by libraries of others what `ppu` hands it, see peer_process.hpp.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "base/process/child_process.hpp"
#include "sim/peers/peers.hpp"

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitNotHere = 3;

bool read_all(int file, std::vector<double>& numbers) {
  struct stat status {};
  if (fstat(file, &status) != 0) return false;
  numbers.resize(static_cast<std::size_t>(status.st_size) / sizeof(double));
  char* next = reinterpret_cast<char*>(numbers.data());
  std::size_t left = numbers.size() * sizeof(double);
  for (off_t place = 0; left > 0;) {
    const ssize_t count = pread(file, next, left, place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    place += count;
    left -= static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(int file, const std::vector<double>& numbers) {
  const char* next = reinterpret_cast<const char*>(numbers.data());
  for (std::size_t left = numbers.size() * sizeof(double); left > 0;) {
    const ssize_t count = write(file, next, left);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    next += count;
    left -= static_cast<std::size_t>(count);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("ppu-peers is started by `ppu`; run `ppu distance --help` instead\n", stderr);
    return kExitUsage;
  }
  setpgid(0, 0);
  if (!ppu::process::end_with_host(std::atoi(argv[3]))) return EXIT_FAILURE;
  const ppu::sim::Peer* peer = ppu::sim::find_peer(argv[4]);
  if (peer == nullptr) return kExitNotHere;
  std::vector<double> numbers;
  if (!read_all(std::atoi(argv[1]), numbers)) return EXIT_FAILURE;
  try {
    if (!write_all(std::atoi(argv[2]), numbers.empty() ? numbers : peer->answer(numbers)))
      return EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ppu-peers: %s: %s\n", argv[4], error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
