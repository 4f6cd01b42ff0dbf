// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every RTL file, in reading order, relative to this folder.
ppu_spec_pkg.sv
prim/ppu_delay.sv
prim/ppu_fifo.sv
prim/ppu_ram.sv
prim/ppu_lzc.sv
prim/ppu_fp_round.sv
prim/ppu_fp_add.sv
prim/ppu_fp_mul.sv
prim/ppu_fp_cmp.sv
prim/ppu_beats.sv
prim/ppu_gather.sv
ppu_bias.sv
ppu_bounds.sv
ppu_clamp.sv
ppu_dot.sv
ppu_step.sv
ppu_residual.sv
ppu_axpy.sv
ppu_row_status.sv
ppu_row_pipe_checks.sv
ppu_row_pipe.sv
