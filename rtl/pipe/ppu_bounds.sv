// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bounds of a row: its own, or the section of the friction cone hi = mu*max(0, xp), lo = -hi for a
// row with a parent. Result MulStages + 1 cycles after the operands.

module ppu_bounds #(
  parameter int unsigned MulStages = 3  ///< Cycles of a multiplication, 1 to 5.
) (
  input  logic        clk_i,             ///< Clock; its rising edge counts.
  input  logic        cone_i,            ///< The row takes the cone's bounds.
  input  logic        parent_pushes_i,   ///< The impulse xp of the parent is positive.
  input  logic [31:0] lower_i,           ///< The lower bound lo; all numbers are binary32.
  input  logic [31:0] upper_i,           ///< The upper bound hi, or mu.
  input  logic [31:0] parent_impulse_i,  ///< The impulse xp of the parent.
  output logic [31:0] lower_o,           ///< The lower bound that holds.
  output logic [31:0] upper_o            ///< The upper bound that holds.
);

  localparam logic [31:0] One = 32'h3f800000;

  logic [31:0] factor_d, factor, upper, lower;
  logic        cone;
  logic        unused_nonfinite;

  // hi * 1 is hi, bit for bit.
  always_comb begin
    factor_d = One;
    if (cone_i) factor_d = parent_pushes_i ? parent_impulse_i : '0;
  end

  // The choice takes a cycle of its own: nobody waits for the bounds.
  ppu_delay #(.Width(64), .Depth(1)) u_factors (
    .clk_i, .data_i({upper_i, factor_d}), .data_o({upper, factor}));
  ppu_fp_mul #(.Stages(MulStages)) u_upper (
    .clk_i, .a_i(upper), .b_i(factor),
    .product_o(upper_o), .nonfinite_o(unused_nonfinite));
  ppu_delay #(.Width(33), .Depth(MulStages + 1)) u_lower (
    .clk_i, .data_i({cone_i, lower_i}), .data_o({cone, lower}));

  assign lower_o = cone ? {!upper_o[31], upper_o[30:0]} : lower;

endmodule
