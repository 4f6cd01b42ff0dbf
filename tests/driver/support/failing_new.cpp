// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Replaces operator new and delete, also for whole programs and the libraries that they load; in a
// file of its own, so that neither is inlined without the other.
#include "tests/driver/support/failing_new.hpp"

#include <cstdlib>
#include <new>

namespace ppu::driver::test {

thread_local int allocations_left = -1;

}  // namespace ppu::driver::test

namespace {

/// Counts one, or throws.
void count_allocation() {
  int& left = ppu::driver::test::allocations_left;
  if (left == 0) throw std::bad_alloc();
  if (left > 0) --left;
}

}  // namespace

void* operator new(std::size_t size) {
  count_allocation();
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  count_allocation();
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return std::malloc(size);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
