// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A thread that does one thing and then stays until its owner ends it. To the kernel a process ends
// with the thread that has started it, and the caller's thread may end long before its process.
#pragma once

#include <signal.h>

#include <future>
#include <thread>
#include <type_traits>
#include <utility>

namespace ppu::process {

class KeeperThread {
 public:
  KeeperThread() = default;
  ~KeeperThread() {
    over_.set_value();
    if (thread_.joinable()) thread_.join();
  }
  KeeperThread(const KeeperThread&) = delete;
  KeeperThread& operator=(const KeeperThread&) = delete;

  /// What `work` returns, called by the thread. To be called once.
  template <class Work>
  std::invoke_result_t<Work> run(Work work) {
    std::packaged_task<std::invoke_result_t<Work>()> task(std::move(work));
    auto result = task.get_future();
    // Signals are for the other threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([task = std::move(task), over = over_.get_future()]() mutable {
      task();
      over.wait();
    });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return result.get();
  }

 private:
  std::promise<void> over_;
  std::thread thread_;
};

}  // namespace ppu::process
