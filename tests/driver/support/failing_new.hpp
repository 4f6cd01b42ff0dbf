// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// operator new of the test binary that fails on demand.
#pragma once

namespace ppu::driver::test {

/// Allocations of this thread that still succeed; negative: all.
extern thread_local int allocations_left;

}  // namespace ppu::driver::test
