// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The residual maximum of the rows that have left a row pipe, quotients included.

`include "ppu_assert.svh"

module ppu_max_residual (
  input  logic        clk_i,       ///< Clock; its rising edge counts.
  input  logic        rst_ni,      ///< Low: the maximum is 0.
  input  logic        valid_i,     ///< A row leaves whose residual counts.
  input  logic [31:0] residual_i,  ///< Of this row, binary32, >= 0.
  input  logic [31:0] quotient_i,  ///< Of a row that has left before, binary32, >= 0; or 0.
  input  logic        clear_i,     ///< Start again from 0, with what comes now.
  output logic [31:0] max_o        ///< Binary32, >= 0; infinite at most.
);

  logic [31:0] max_d, max_q;

  assign max_o = max_q;

  // Bits of non-negative numbers are in the order of the numbers.
  always_comb begin
    max_d = clear_i ? '0 : max_q;
    if (valid_i && residual_i > max_d) max_d = residual_i;
    if (quotient_i > max_d) max_d = quotient_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) max_q <= '0;
    else max_q <= max_d;
  end

  `PPU_ASSERT(MaxResidualIsANumberAndNotNegative, max_q <= 32'h7f800000)

endmodule
