// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every open device and what was made on it, by handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "driver/api/handle_table.hpp"
#include "driver/device/objects.hpp"
#include "driver/device/recording.hpp"
#include "driver/solve/job.hpp"
#include "driver/solve/records.hpp"
#include "driver/solve/solver.hpp"
#include "ppu/job.h"
#include "ppu/ppu.h"
#include "ppu/records.h"

namespace ppu::driver {

/// A device with what its solves share.
struct OpenDevice {
  explicit OpenDevice(std::shared_ptr<Device> opened)
      : device(std::move(opened)), solver(*device) {}

  std::shared_ptr<Device> device;
  Solver solver;
};

struct Registry {
  HandleTable<OpenDevice, ppu_device> devices{"device"};
  HandleTable<Buffer, ppu_buffer> buffers{"buffer"};
  HandleTable<Program, ppu_program> programs{"program"};
  HandleTable<CommandList, ppu_commands> lists{"command list"};
  HandleTable<Fence, ppu_fence> fences{"fence"};
  HandleTable<Job, ppu_job> jobs{"job"};
  HandleTable<Records, ppu_records> records{"records"};
};

/// The one registry; never destroyed, so that calls from static destructors stay valid.
Registry& registry();

inline std::shared_ptr<Device> find_device(ppu_device device) {
  return registry().devices.find(device)->device;
}

/// What the handles of a run's def stand for.
RunObjects objects_of(const ppu_run_def& def);

/// Cookie of every def: catches defs that did not come from their ppu_default_*_def().
inline constexpr std::uint32_t kCookie = 0x50505544;  // 'PPUD'

template <class Def>
void require_def(const Def* def, const char* maker) {
  static_assert(offsetof(Def, cookie) == 0, "nothing else of a strange def may be read");
  require(def, "def");
  if (def->cookie != kCookie)
    fail(PPU_ERROR_INVALID_ARGUMENT, "the def was not made by ", maker, "()");
}

}  // namespace ppu::driver
