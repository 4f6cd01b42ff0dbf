// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every open device and what was made on it, by handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "driver/device/batch.hpp"
#include "driver/device/device.hpp"
#include "driver/device/handle_table.hpp"
#include "ppu/job.h"
#include "ppu/ppu.h"

namespace ppu::driver {

class Job;

struct Buffer {
  std::shared_ptr<Device> device;
  std::shared_ptr<const Allocation> memory;
};

struct Program {
  std::shared_ptr<Device> device;
  std::shared_ptr<const Allocation> memory;  ///< Of instruction memory.
  ProgramWords words;
  bool rate_form = false;       ///< It has kernels of the rate form,
  bool impulse_form = false;    ///< of the impulse form: b and cfm as Bullet scales them.
  bool reduced = false;         ///< Its scaled adds take rows in the reduced form.
  bool skips = false;           ///< It has kernels with `skip`,
  bool cones = false;           ///< with `cone`.
  bool takes_budget = false;    ///< It has a `budget`.
  bool takes_classes = false;   ///< It has a `rows` from where the second class begins.
  bool reads_residual = false;  ///< It has an `rdmax`, which looks at all rows of its run.
};

struct CommandList {
  std::shared_ptr<Device> device;
  std::shared_ptr<Batch> batch;
};

struct Fence {
  std::shared_ptr<Device> device;
  std::shared_ptr<Batch> batch;
  bool of_single_run = false;  ///< Made by ppu_submit(), which keeps no list.
  bool waited = false;         ///< A wait has seen the end.
};

struct Registry {
  HandleTable<Device, ppu_device> devices{"device"};
  HandleTable<Buffer, ppu_buffer> buffers{"buffer"};
  HandleTable<Program, ppu_program> programs{"program"};
  HandleTable<CommandList, ppu_commands> lists{"command list"};
  HandleTable<Fence, ppu_fence> fences{"fence"};
  HandleTable<Job, ppu_job> jobs{"job"};
};

/// The one registry; never destroyed, so that calls from static destructors stay valid.
Registry& registry();

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
