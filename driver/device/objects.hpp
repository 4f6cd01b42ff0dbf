// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is made on an open device.
#pragma once

#include <memory>

#include "driver/device/batch.hpp"
#include "driver/device/device.hpp"

namespace ppu::driver {

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
  bool cones = false;           ///< with `cone`,
  bool filters = false;         ///< with `tagged`.
  bool takes_budget = false;    ///< It has a `budget`.
  bool takes_classes = false;   ///< It has a `rows` from where the second class begins.
  bool reads_residual = false;  ///< It has an `rdmax` or `bmax`, which look at all rows of a run.
};

struct CommandList {
  std::shared_ptr<Device> device;
  std::shared_ptr<Batch> batch;
  ppu_fence fence;  ///< Of its last submission; null if there is none.
};

struct Fence {
  std::shared_ptr<Device> device;
  std::shared_ptr<Batch> batch;
  bool of_single_run = false;  ///< Made by ppu_submit(), which keeps no list.
  bool waited = false;         ///< A wait has seen the end.
};

}  // namespace ppu::driver
