// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The quotient residual |dx|/d, behind the row pipe: every row that asks for it is in the divider
// for Stages cycles, whatever its numbers are, and then shows its quotient for one. The divider
// stands still while it is empty.

`include "ppu_assert.svh"

module ppu_quotient #(
  parameter int unsigned Stages = 14  ///< Cycles of a division, 2 to 29.
) (
  input  logic        clk_i,           ///< Clock; its rising edge counts.
  input  logic        rst_ni,          ///< Low: no row is in the divider.
  input  logic        enter_i,         ///< A row that asks for its quotient leaves the row pipe.
  input  logic        fault_i,         ///< With enter_i: its quotient does not count.
  input  logic [31:0] delta_i,         ///< The step dx, binary32.
  input  logic [31:0] inv_diagonal_i,  ///< The number d, binary32.
  output logic [31:0] quotient_o,      ///< Infinite where d is 0 or too small; 0 where dx is 0, and
                                       ///< in cycles without a quotient.
  output logic        dividing_o  ///< A row is in the divider.
);

  logic [Stages:1] valid_q;
  logic            en, counts;
  logic [31:0]     quotient;
  logic            unused_sign;

  assign en = enter_i || dividing_o;

  // Many ask whether rows are in the divider: the answer comes from a register.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      dividing_o <= 1'b0;
    end else begin
      valid_q <= {valid_q[Stages-1:1], enter_i};
      dividing_o <= enter_i || valid_q[Stages-1:1] != '0;
    end
  end

  ppu_fp_div #(.Stages(Stages)) u_div (
    .clk_i, .en_i(en), .a_i(delta_i), .b_i(inv_diagonal_i), .quotient_o(quotient));
  ppu_delay #(.Width(1), .Depth(Stages)) u_counts (
    .clk_i, .data_i(!fault_i && delta_i[30:0] != '0), .data_o(counts));

  assign quotient_o = valid_q[Stages] && counts ? {1'b0, quotient[30:0]} : '0;
  assign unused_sign = quotient[31];

  `PPU_ASSERT(AQuotientIsANumber, quotient_o <= 32'h7f800000)

endmodule
