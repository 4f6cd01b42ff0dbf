// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Turns the operations of a kernel into kernel words: follows the values from operation to
// operation, picks the hardware operation that computes each, and refuses what the row pipe cannot
// do.
#pragma once

#include <vector>

#include "firmware/assembler/source.hpp"

namespace ppu::firmware {

/// The hardware operations of `kernel`, in its order, without `end`. Reports everything wrong with
/// it.
std::vector<const spec::KernelOp*> build_kernel(const SourceKernel& kernel, Report& report);

}  // namespace ppu::firmware
