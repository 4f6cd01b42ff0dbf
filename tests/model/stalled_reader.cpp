// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A reader of problem files that does what PPU_STALLED_READER says instead of reading: "stalls"
// before it says anything, "stops" itself, "greets" and then stalls, is "silent" and ends, or tells
// the descriptors that it was given as a refusal ("descriptors").
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>

#include "model/problem/problem_reader.hpp"

namespace {

namespace reader = ppu::model::reader;

void put(int file, const void* data, std::size_t size) {
  if (write(file, data, size) != static_cast<ssize_t>(size)) _exit(EXIT_FAILURE);
}

[[noreturn]] void stall() {
  while (true) pause();
}

/// "0 1 2 ...", without that of the folder itself.
std::string open_descriptors() {
  DIR* const folder = opendir("/proc/self/fd");
  std::set<int> numbers;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') numbers.insert(std::atoi(entry->d_name));
  }
  numbers.erase(dirfd(folder));
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

}  // namespace

int main(int, char** argv) {
  const std::string mode = std::getenv("PPU_STALLED_READER");
  const int result = std::atoi(argv[2]);
  if (mode == "silent") return 7;
  if (mode == "stalls") stall();
  if (mode == "stops") raise(SIGSTOP);
  put(result, reader::kGreeting.data(), reader::kGreeting.size());
  if (mode == "greets") stall();
  const std::string text = reader::kRefused + open_descriptors();
  put(result, text.data(), text.size());
  return 0;
}
