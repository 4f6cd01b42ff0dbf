// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Objects behind value handles: an index and the generation of the object in that place, so that a
// handle of a destroyed object is refused. A zero handle is null, because generations start at 1.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "driver/base/failure.hpp"

namespace ppu::driver {

template <class Object, class Handle>
class HandleTable {
 public:
  /// In sentences: `noun` names the objects, `owner` with what else they may be gone.
  explicit HandleTable(const char* noun, const char* owner = " or its device")
      : noun_(noun), owner_(owner) {}

  Handle insert(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    if (first_free_ == kNone) add_slot();
    const std::uint32_t index = first_free_;
    Slot& slot = slots_[index];
    first_free_ = slot.next_free;
    slot.object = std::move(object);
    return Handle{index, slot.generation};
  }

  /// The object, or a Failure saying what is wrong with the handle.
  std::shared_ptr<Object> find(Handle handle) const {
    const std::lock_guard lock(mutex_);
    return slots_[checked(handle)].object;
  }

  std::shared_ptr<Object> remove(Handle handle) {
    const std::lock_guard lock(mutex_);
    return release(checked(handle));
  }

  /// Nothing, if there is no such object any more.
  void discard(Handle handle) {
    const std::lock_guard lock(mutex_);
    if (is_alive(handle)) release(handle.index);
  }

  template <class Predicate>
  void remove_if(Predicate predicate) {
    const std::lock_guard lock(mutex_);
    for (std::uint32_t index = 0; index < slots_.size(); ++index)
      if (slots_[index].object && !slots_[index].inherited && predicate(*slots_[index].object))
        release(index);
  }

  /// The handles of those for which `predicate` holds.
  template <class Predicate>
  std::vector<Handle> handles_of(Predicate predicate) const {
    const std::lock_guard lock(mutex_);
    std::vector<Handle> found;
    for (std::uint32_t index = 0; index < slots_.size(); ++index)
      if (slots_[index].object && !slots_[index].inherited && predicate(*slots_[index].object))
        found.push_back(Handle{index, slots_[index].generation});
    return found;
  }

  /// Around a fork(): no other thread is inside.
  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }
  /// In a forked process, locked: what is there stays untouched for ever, it is the parent's.
  void disown() {
    for (Slot& slot : slots_) slot.inherited = slot.inherited || slot.object;
  }

 private:
  struct Slot {
    std::uint32_t generation = 1;
    std::uint32_t next_free = kNone;  ///< While the slot is free.
    bool inherited = false;           ///< The object belongs to the process that has forked.
    std::shared_ptr<Object> object;
  };
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The only step that can fail, and it comes first: the table stays as it was.
  void add_slot() {
    slots_.emplace_back();
    first_free_ = static_cast<std::uint32_t>(slots_.size() - 1);
  }

  bool is_alive(Handle handle) const {
    return handle.index < slots_.size() && slots_[handle.index].object &&
           slots_[handle.index].generation == handle.generation;
  }

  std::uint32_t checked(Handle handle) const {
    if (handle.generation == 0) fail(PPU_ERROR_INVALID_HANDLE, "the ", noun_, " handle is null");
    if (!is_alive(handle))
      fail(PPU_ERROR_INVALID_HANDLE, "the ", noun_, " handle {", handle.index, ", ",
           handle.generation, "} is stale: that ", noun_, owner_, " is gone");
    if (slots_[handle.index].inherited)
      fail(PPU_ERROR_INVALID_HANDLE, "the ", noun_, " handle {", handle.index, ", ",
           handle.generation, "} is of the process that has forked this one; open a device here");
    return handle.index;
  }

  std::shared_ptr<Object> release(std::uint32_t index) {
    Slot& slot = slots_[index];
    if (++slot.generation == 0) slot.generation = 1;
    slot.next_free = std::exchange(first_free_, index);
    return std::exchange(slot.object, nullptr);
  }

  const char* noun_;
  const char* owner_;
  mutable std::mutex mutex_;
  std::vector<Slot> slots_;
  std::uint32_t first_free_ = kNone;  ///< Free slots are a list through `next_free`.
};

}  // namespace ppu::driver
