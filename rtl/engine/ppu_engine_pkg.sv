// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules of an engine share: what a pass knows of its kernel, what a row waits for, the
// size of reduced rows.

package ppu_engine_pkg;

  // As in ppu_spec_pkg; the engine compares it.
  localparam int unsigned ControlWidth = 16;

  // A sum of floating-point operations of 65,535 words of at most 63 operations.
  localparam int unsigned FlopsWidth = 22;

  // A kernel: its control word, and the floating-point operations of a row.
  typedef struct packed {
    logic [ControlWidth-1:0] control;       // ppu_spec_pkg::control_t
    logic [FlopsWidth-1:0]   flops_parent;  // more of a row with a parent
    logic [FlopsWidth-1:0]   flops_cfm;     // more of a row with compliance
    logic [FlopsWidth-1:0]   flops;         // of every row
  } kernel_t;

  localparam int unsigned KernelWidth = ControlWidth + 3 * FlopsWidth;

  // What the next row to issue waits for: the first of these that is set, or else a bank.
  typedef struct packed {
    logic search;  // for a group of rows with a live one
    logic fetch;   // for its bodies and its parent
    logic lanes;   // for its pipe to take the elements of an earlier row
    logic body;    // for a row in flight that writes one of its bodies
    logic parent;  // for a row in flight that writes its parent's impulse
  } wait_t;

  // Beats of rows in the reduced form: a head each, and the tails of every block.
  function automatic logic [32:0] reduced_beats(input logic [31:0] rows);
    reduced_beats = 33'(rows) + (33'(rows) + 33'(ppu_spec_pkg::ReducedBlockRows - 1)) /
                                33'(ppu_spec_pkg::ReducedBlockRows);
  endfunction

endpackage
