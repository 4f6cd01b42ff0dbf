// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: dividers of some stage counts, side by side on the same operands.

module ppu_fp_div_bench #(
  localparam int unsigned Units = 6,
  /// Stages of unit u, in byte u.
  localparam logic [8*Units-1:0] Stages = {8'd29, 8'd28, 8'd14, 8'd9, 8'd3, 8'd2}
) (
  input  logic                clk_i,
  input  logic                en_i,
  input  logic [31:0]         a_i,
  input  logic [31:0]         b_i,
  output logic [32*Units-1:0] quotient_o,  ///< Word u: unit u.
  output logic [8*Units-1:0]  stages_o
);

  for (genvar i = 0; i < Units; i++) begin : gen_units
    ppu_fp_div #(.Stages(32'(Stages[8*i +: 8]))) u_div (
      .clk_i, .en_i, .a_i, .b_i, .quotient_o(quotient_o[32*i +: 32]));
  end

  assign stages_o = Stages;

endmodule
