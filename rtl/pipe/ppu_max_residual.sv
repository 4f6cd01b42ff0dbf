// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The residual maxima of the rows that have left a row pipe, quotients included. There are two:
// while rows of a sweep still leave, those of the next one count in the other maximum.

`include "ppu_assert.svh"

module ppu_max_residual (
  input  logic        clk_i,               ///< Clock; its rising edge counts.
  input  logic        rst_ni,              ///< Low: the maxima are 0.
  input  logic        valid_i,             ///< A row leaves whose residual counts.
  input  logic        maximum_i,           ///< In which maximum it counts.
  input  logic [31:0] residual_i,          ///< Of this row, binary32, >= 0.
  input  logic        quotient_maximum_i,  ///< In which maximum the quotient counts.
  input  logic [31:0] quotient_i,  ///< Of a row that has left before, binary32, >= 0; or 0.
  input  logic [1:0]  clear_i,     ///< Start this maximum again from 0, with what comes now.
  input  logic        show_i,      ///< The maximum that is shown.
  output logic [31:0] max_o        ///< Binary32, >= 0; infinite at most.
);

  logic [2*32-1:0] max_d, max_q;

  assign max_o = max_q[32*show_i +: 32];

  logic quotient_larger, takes_residual, takes_quotient;

  // Bits of non-negative numbers are in the order of the numbers. All are compared at once: whether
  // the residual counts is known late, as is what is cleared.
  always_comb begin
    quotient_larger = quotient_i > residual_i;
    for (int i = 0; i < 2; i++) begin
      takes_residual = valid_i && maximum_i == 1'(i) &&
                       (clear_i[i] || residual_i > max_q[32*i +: 32]);
      takes_quotient = quotient_maximum_i == 1'(i) &&
                       (clear_i[i] || quotient_i > max_q[32*i +: 32]);
      max_d[32*i +: 32] = clear_i[i] ? '0 : max_q[32*i +: 32];
      if (takes_residual) max_d[32*i +: 32] = residual_i;
      if (takes_quotient && !(takes_residual && !quotient_larger))
        max_d[32*i +: 32] = quotient_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) max_q <= '0;
    else max_q <= max_d;
  end

  `PPU_ASSERT(MaxResidualIsANumberAndNotNegative, max_q[31:0] <= 32'h7f800000 &&
                                                  max_q[63:32] <= 32'h7f800000)

endmodule
