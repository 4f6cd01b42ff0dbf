// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The one registry of handles, and what is looked up in it together.
#include "driver/api/registry.hpp"

#include <pthread.h>

namespace ppu::driver {

Registry& registry() {
  static Registry* const instance = [] {
    // A forked process has the parent's handles, but neither its devices nor its threads.
    pthread_atfork([] { registry().for_each_table([](auto& table) { table.lock(); }); },
                   [] { registry().for_each_table([](auto& table) { table.unlock(); }); },
                   [] {
                     registry().for_each_table([](auto& table) {
                       table.disown();
                       table.unlock();
                     });
                   });
    return new Registry;
  }();
  return *instance;
}

RunObjects objects_of(const ppu_run_def& def) {
  const auto& buffers = registry().buffers;
  return {registry().programs.find(def.program), buffers.find(def.rows), buffers.find(def.impulses),
          buffers.find(def.velocities)};
}

}  // namespace ppu::driver
