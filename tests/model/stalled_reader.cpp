// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A reader of problem files that does what PPU_STALLED_READER says instead of reading: "stalls"
// before it says anything, "stops" itself, "greets" and then stalls, or is "silent" and
// ends.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "model/files/problem_reader.hpp"

namespace {

namespace reader = ppu::model::reader;

void put(int file, const void* data, std::size_t size) {
  if (write(file, data, size) != static_cast<ssize_t>(size)) _exit(EXIT_FAILURE);
}

[[noreturn]] void stall() {
  while (true) pause();
}

}  // namespace

int main(int, char** argv) {
  const std::string mode = std::getenv("PPU_STALLED_READER");
  const int result = std::atoi(argv[2]);
  if (mode == "silent") return 7;
  if (mode == "stalls") stall();
  if (mode == "stops") raise(SIGSTOP);
  put(result, reader::kGreeting.data(), reader::kGreeting.size());
  stall();
}
