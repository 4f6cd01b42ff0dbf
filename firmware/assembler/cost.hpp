// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a kernel costs: flops and bytes per row, counted from its operations, and its place in time
// under a device configuration.
#pragma once

#include <string>

#include "firmware/assembler/assembler.hpp"

namespace ppu::firmware {

/// Bytes of one row between the row pipe and its memories, the parent's impulse left out.
struct Bytes {
  int read = 0;
  int written = 0;
};

/// What `op` moves in a kernel with the control word `kernel`: beside a `lead` every `stimp` stores
/// the lead, too.
Bytes bytes_of(const spec::KernelOp& op, spec::ControlWord kernel);

/// Fills control, flops and bytes of a kernel from its operations.
void count_cost(Kernel& kernel);

/// Cycles [first, end) of the row pipe; equal where the operation takes no time of its own.
struct Span {
  int first = 0;
  int end = 0;
};

/// When an operation runs, counted from the row's operands at the pipe's input. With fewer than 12
/// lanes the two 12-element operations, dot product and scaled add, take one more cycle for every
/// further beat, and what follows them starts later. The divider stands behind the pipe.
Span span(const spec::KernelOp& op, const spec::Config& config);

/// Cycles between two rows that a full pipe takes: 12 elements of a row / lanes.
int initiation_interval(const spec::Config& config);

/// Cycles until the last operation of the kernel has ended.
int latency(const Kernel& kernel, const spec::Config& config);

/// One line per kernel, such as
/// "boxed: 52 flops/row (+2 with cfm, +2 with a parent), initiation interval 1, latency 31 cycles,
/// 180 bytes read (+4 with a parent) + 52 written per row".
std::string cost_report(const Assembly& assembly, const spec::Config& config);

}  // namespace ppu::firmware
