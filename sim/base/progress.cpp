// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A progress line on stderr for work that takes longer than a second.
#include "sim/base/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace ppu::sim {

Progress::Progress(std::string what) : what_(std::move(what)), thread_([this] { run(); }) {
}

Progress::~Progress() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    finished_ = true;
  }
  finished_changed_.notify_one();
  thread_.join();
}

void Progress::run() {
  using namespace std::chrono_literals;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  const auto interval = terminal ? 500ms : 5000ms;
  bool drawn = false;
  std::unique_lock<std::mutex> lock(mutex_);
  auto pause = std::chrono::milliseconds(1000ms);
  while (!finished_changed_.wait_for(lock, pause, [this] { return finished_; })) {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    std::fprintf(stderr, "%sppu: %s ... %lld s%s", terminal ? "\r" : "", what_.c_str(),
                 static_cast<long long>(seconds.count()), terminal ? "" : "\n");
    drawn = true;
    pause = interval;
  }
  if (terminal && drawn) std::fprintf(stderr, "\r\033[K");
}

}  // namespace ppu::sim
