// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules of an engine share: what a pass knows of its kernel, what a row waits for, the
// size of reduced rows.

package ppu_engine_pkg;

  // A kernel: the floating-point operations of a row, more of a row with compliance and more of one
  // with a parent (65,535 words of at most 63 operations), then its control word.
  localparam int unsigned FlopsWidth = 22;
  localparam int unsigned KernelFlopsLsb = 0;
  localparam int unsigned KernelFlopsCfmLsb = 22;
  localparam int unsigned KernelFlopsParentLsb = 44;
  localparam int unsigned KernelControlLsb = 66;

  // What the next row to issue waits for, a bit each: the lowest one that is set, or else a bank.
  localparam int unsigned WaitSearch = 0;
  localparam int unsigned WaitFetch = 1;
  localparam int unsigned WaitLanes = 2;
  localparam int unsigned WaitBody = 3;
  localparam int unsigned WaitParent = 4;
  localparam int unsigned WaitWidth = 5;

  // Beats of rows in the reduced form: a head each, and the tails of every block.
  function automatic logic [32:0] reduced_beats(input logic [31:0] rows);
    reduced_beats = 33'(rows) + (33'(rows) + 33'(ppu_spec_pkg::ReducedBlockRows - 1)) /
                                33'(ppu_spec_pkg::ReducedBlockRows);
  endfunction

endpackage
