// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Processor time.
#pragma once

namespace ppu::sim {

/// CPU seconds of this process so far, all threads.
double cpu_seconds();

}  // namespace ppu::sim
