// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The constant term of a row: rate form b + cfm*x where the row is soft and cfm != 0, impulse form
// b - x*cfm where the row is soft, else b. Result MulStages + AddStages cycles after the operands.

module ppu_bias #(
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3   ///< Cycles of an addition, 1 to 5.
) (
  input  logic        clk_i,           ///< Clock; its rising edge counts.
  input  logic        impulse_form_i,  ///< Impulse form, else rate form.
  input  logic        soft_i,          ///< The row is soft.
  input  logic [31:0] bias_i,          ///< The bias b.
  input  logic [31:0] compliance_i,    ///< The compliance cfm.
  input  logic [31:0] impulse_i,       ///< The impulse x.
  output logic [31:0] bias_o           ///< b'; all numbers are binary32.
);

  localparam logic [31:0] MinusZero = 32'h80000000;

  logic [31:0] product, addend_d, addend, bias;
  logic        add, add_product, negate;
  logic        unused_product_nonfinite, unused_bias_nonfinite;

  assign add = soft_i && (impulse_form_i || compliance_i[30:0] != '0);

  ppu_fp_mul #(.Stages(MulStages)) u_product (
    .clk_i, .a_i(compliance_i), .b_i(impulse_i),
    .product_o(product), .nonfinite_o(unused_product_nonfinite));
  ppu_delay #(.Width(32), .Depth(MulStages + 1)) u_bias (
    .clk_i, .data_i(bias_i), .data_o(bias));
  ppu_delay #(.Width(2), .Depth(MulStages)) u_add (
    .clk_i, .data_i({add, impulse_form_i}), .data_o({add_product, negate}));

  // b + -0 is b, bit for bit. The choice takes a cycle of its own: nobody waits for b'.
  assign addend_d = add_product ? {product[31] ^ negate, product[30:0]} : MinusZero;
  ppu_delay #(.Width(32), .Depth(1)) u_addend (.clk_i, .data_i(addend_d), .data_o(addend));

  ppu_fp_add #(.Stages(AddStages)) u_sum (
    .clk_i, .a_i(bias), .b_i(addend),
    .sum_o(bias_o), .nonfinite_o(unused_bias_nonfinite));

endmodule
