// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Goes on in the direction of the last change: value + factor * (value - before), a value every
// cycle. Complete MulStages + 2 * AddStages cycles after the value.

module ppu_lead #(
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3   ///< Cycles of an addition, 1 to 5.
) (
  input  logic        clk_i,     ///< Clock; its rising edge counts.
  input  logic [31:0] value_i,   ///< The value, binary32.
  input  logic [31:0] before_i,  ///< The value before the last change.
  input  logic [31:0] factor_i,  ///< Holds while values are under way.
  output logic [31:0] lead_o     ///< Where it goes on to, binary32.
);

  logic [31:0] change, step, value;
  logic [2:0]  unused_nonfinite;

  ppu_fp_add #(.Stages(AddStages)) u_change (
    .clk_i, .a_i(value_i), .b_i({!before_i[31], before_i[30:0]}),
    .sum_o(change), .nonfinite_o(unused_nonfinite[0]));
  ppu_fp_mul #(.Stages(MulStages)) u_step (
    .clk_i, .a_i(factor_i), .b_i(change),
    .product_o(step), .nonfinite_o(unused_nonfinite[1]));
  ppu_delay #(.Width(32), .Depth(AddStages + MulStages)) u_value (
    .clk_i, .data_i(value_i), .data_o(value));
  ppu_fp_add #(.Stages(AddStages)) u_lead (
    .clk_i, .a_i(value), .b_i(step),
    .sum_o(lead_o), .nonfinite_o(unused_nonfinite[2]));

endmodule
