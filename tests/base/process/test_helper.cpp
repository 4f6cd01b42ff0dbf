// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A helper process that does what its last argument says: writes the numbers of its open
// descriptors into the first that it was given ("descriptors"), ends with status 7 ("exit"), aborts
// ("abort"), "stalls", "stops" itself, or stops itself after it has bound itself to its host and
// said so ("bound").
#include <dirent.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/process/child_process.hpp"

namespace {

/// "0 1 2 ...", without that of the folder itself.
std::string open_descriptors() {
  DIR* const folder = opendir("/proc/self/fd");
  std::set<int> numbers;
  while (const dirent* entry = readdir(folder)) {
    if (entry->d_name[0] != '.') numbers.insert(std::atoi(entry->d_name));
  }
  numbers.erase(dirfd(folder));
  closedir(folder);
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : " ") + std::to_string(number);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argv[argc - 1];
  if (mode == "exit") return 7;
  if (mode == "abort") std::abort();
  if (mode == "bound") {
    const bool told =
        ppu::process::end_with_host(std::atoi(argv[2])) && write(std::atoi(argv[1]), "b", 1) == 1;
    if (!told) return EXIT_FAILURE;
  }
  if (mode == "stops" || mode == "bound") raise(SIGSTOP);
  if (mode == "stalls" || mode == "stops" || mode == "bound") {
    while (true) pause();
  }
  const std::string text = open_descriptors();
  const bool written =
      write(std::atoi(argv[1]), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return written ? EXIT_SUCCESS : EXIT_FAILURE;
}
