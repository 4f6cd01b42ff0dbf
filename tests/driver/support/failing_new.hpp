// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// operator new of the test binary that fails on demand.
#pragma once

namespace ppu::driver::test {

/// Allocations of this thread that still succeed; negative: all.
extern thread_local int allocations_left;

/// Allocations of this thread while `work` runs.
template <class Work>
int allocations_of(Work work) {
  constexpr int kMany = 1 << 30;
  allocations_left = kMany;
  work();
  const int left = allocations_left;
  allocations_left = -1;
  return kMany - left;
}

}  // namespace ppu::driver::test
