// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: every floating-point unit at every stage count, side by side on the same operands.

module ppu_fp_bench (
  input  logic             clk_i,
  input  logic [31:0]      a_i,
  input  logic [31:0]      b_i,
  output logic [5*32-1:0]  sum_o,                ///< Word s - 1: s stages.
  output logic [5*32-1:0]  product_o,            ///< Word s - 1: s stages.
  output logic [4:0]       sum_nonfinite_o,
  output logic [4:0]       product_nonfinite_o,
  output logic             less_o,               ///< Of the operands as they are now.
  output logic             unordered_o
);

  for (genvar i = 0; i < 5; i++) begin : gen_stages
    ppu_fp_add #(.Stages(i + 1)) u_add (
      .clk_i, .a_i, .b_i,
      .sum_o(sum_o[32*i +: 32]), .nonfinite_o(sum_nonfinite_o[i]));
    ppu_fp_mul #(.Stages(i + 1)) u_mul (
      .clk_i, .a_i, .b_i,
      .product_o(product_o[32*i +: 32]), .nonfinite_o(product_nonfinite_o[i]));
  end

  ppu_fp_cmp u_cmp (.a_i, .b_i, .less_o, .unordered_o);

endmodule
