// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every open device and what was made on it, by handle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
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
  HandleTable<OpenDevice, ppu_device> devices{"device", ""};
  HandleTable<Buffer, ppu_buffer> buffers{"buffer"};
  HandleTable<Program, ppu_program> programs{"program"};
  HandleTable<CommandList, ppu_commands> lists{"command list"};
  HandleTable<Fence, ppu_fence> fences{"fence"};
  HandleTable<Job, ppu_job> jobs{"job", ""};
  HandleTable<Records, ppu_records> records{"records"};

  template <class Function>
  void for_each_table(Function function) {
    std::apply([&](auto*... tables) { (function(*tables), ...); },
               std::tuple(&devices, &buffers, &programs, &lists, &fences, &jobs, &records));
  }
};

/// The one registry; never destroyed, so that calls from static destructors stay valid.
Registry& registry();

/// An object of a device, used by this thread: calls of others on the device get PPU_ERROR_BUSY.
template <class Object>
class Used {
 public:
  explicit Used(std::shared_ptr<Object> object)
      : object_(std::move(object)), turn_(object_->device->use()) {}
  Object* operator->() const { return object_.get(); }
  Object& operator*() const { return *object_; }
  [[nodiscard]] const std::shared_ptr<Object>& share() const { return object_; }

 private:
  std::shared_ptr<Object> object_;
  Device::Turn turn_;
};

/// What a handle stands for, for this thread. Throws Failure.
template <class Object, class Handle>
Used<Object> use(const HandleTable<Object, Handle>& table, Handle handle) {
  return Used<Object>(table.find(handle));
}

/// The end of a handle; what is in use by a submission stays until its end.
template <class Object, class Handle>
void destroy(HandleTable<Object, Handle>& table, Handle handle) {
  const Used<Object> used = use(table, handle);
  table.remove(handle);
}

inline Used<OpenDevice> use_device(ppu_device device) {
  return use(registry().devices, device);
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
