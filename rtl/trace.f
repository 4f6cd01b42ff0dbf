// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a simulation binds into the files of ppu.f, to see what happens; no part of the hardware.
trace/ppu_engine_trace.sv
trace/ppu_top_trace.sv
trace/ppu_trace_bind.sv
