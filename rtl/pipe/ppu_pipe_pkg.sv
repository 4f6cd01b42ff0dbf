// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What goes into the row pipe and comes out of it. Numbers are binary32; words lie in the order of
// their indices, the first in the low bits.

package ppu_pipe_pkg;

  // The numbers of a row that enters.
  typedef struct packed {
    logic              has_parent;
    logic [31:0]       parent_impulse;  // xp
    logic [31:0]       stored;          // xs, the impulse that is stored: x of a row without a lead
    logic [31:0]       impulse;         // x
    logic [31:0]       compliance;      // cfm
    logic [31:0]       upper;           // hi, or mu of a row with a parent
    logic [31:0]       lower;           // lo
    logic [31:0]       inv_diagonal;    // d
    logic [31:0]       bias;            // b
    logic [11:0][31:0] velocity;        // v of body a, then of body b
    logic [11:0][31:0] jacobian;        // J
  } row_operands_t;

  // Asks for the elements beat*Lanes and on of a row.
  typedef struct packed {
    logic [3:0]  beat;
    logic [31:0] tag;
  } axpy_request_t;

  // What a row comes to. Of a row that faults nothing may be written.
  typedef struct packed {
    logic              fault;
    logic              velocity_nonfinite;  // an element of v' is infinite or not a number
    logic              skipped;             // the skip rule held the row
    logic              mark_b;              // set the next tag of body b
    logic              mark_a;              // set the next tag of body a
    logic [31:0]       residual;            // >= 0, to the residual maximum; 0 for a quotient
    logic [31:0]       delta;               // dx
    logic [31:0]       lead;                // y; x' of a row that does not extrapolate
    logic [31:0]       impulse;             // x'
    logic [31:0]       target;              // t
    logic [31:0]       rate;                // u; 0 in the impulse form
    logic [11:0][31:0] velocity;            // v'
  } row_result_t;

endpackage
