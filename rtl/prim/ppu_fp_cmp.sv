// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Binary32 comparison. Zeros of either sign are equal. Combinational.

module ppu_fp_cmp (
  input  logic [31:0] a_i,         ///< Binary32.
  input  logic [31:0] b_i,         ///< Binary32.
  output logic        less_o,      ///< a < b; false where unordered.
  output logic        unordered_o  ///< a or b is not a number.
);

  localparam logic [30:0] Infinity = 31'h7f800000;

  logic both_zero;

  assign both_zero = a_i[30:0] == '0 && b_i[30:0] == '0;
  assign unordered_o = a_i[30:0] > Infinity || b_i[30:0] > Infinity;

  always_comb begin
    less_o = a_i[30:0] < b_i[30:0];
    if (a_i[31]) less_o = !b_i[31] || a_i[30:0] > b_i[30:0];
    else if (b_i[31]) less_o = 1'b0;
    if (both_zero || unordered_o) less_o = 1'b0;
  end

endmodule
