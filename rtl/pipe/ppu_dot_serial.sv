// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Levels 1 and 2 of the tree of a dot product whose twelve products come one per cycle: the sums of
// a level take turns in one adder. With product k, level 1 starts p(k-1) + p(k); AddStages cycles
// later, level 2 starts a sum that ends in p(k). Of these, level 3 takes
//   rate     (p0+p1)+(p2+p3)  (p6+p7)+(p8+p9)  (p4+p5)+(p10+p11)            k = 3, 9, 11
//   impulse  (p0+p1)+p2  (p3+p4)+p5  (p6+p7)+p8  (p9+p10)+p11               k = 2, 5, 8, 11
// Its operands are there 2*AddStages cycles after p11.

module ppu_dot_serial #(
  parameter int unsigned AddStages = 3  ///< Cycles of an addition, 1 to 5.
) (
  input  logic        clk_i,           ///< Clock; its rising edge counts.
  input  logic        impulse_form_i,  ///< The product is of a row in the impulse form.
  input  logic        last_i,          ///< The product is p11.
  input  logic [31:0] product_i,       ///< A product p of the row, binary32.
  output logic [31:0] first_a_o,       ///< Of the first addition of level 3.
  output logic [31:0] first_b_o,       ///< What it adds.
  output logic [31:0] second_a_o,      ///< Of the second addition of level 3.
  output logic [31:0] second_b_o       ///< What it adds, in the impulse form.
);

  // The form and the last beat follow the products through the levels.
  logic form2, form3, last2;

  ppu_delay #(.Width(2), .Depth(AddStages)) u_beat2 (
    .clk_i, .data_i({impulse_form_i, last_i}), .data_o({form2, last2}));
  ppu_delay #(.Width(1), .Depth(AddStages)) u_form3 (
    .clk_i, .data_i(form2), .data_o(form3));

  // ---------------------------------------------------------------------------------------------
  // Level 1: a product and the one before it.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] earlier, waiting, sum1;
  logic        unused_sum1_nonfinite;

  ppu_delay #(.Width(32), .Depth(1)) u_earlier (
    .clk_i, .data_i(product_i), .data_o(earlier));
  ppu_delay #(.Width(32), .Depth(AddStages)) u_waiting (
    .clk_i, .data_i(product_i), .data_o(waiting));
  ppu_fp_add #(.Stages(AddStages)) u_level1 (
    .clk_i, .a_i(earlier), .b_i(product_i),
    .sum_o(sum1), .nonfinite_o(unused_sum1_nonfinite));

  // ---------------------------------------------------------------------------------------------
  // Level 2: a sum of one, two or, in the last beat, six cycles before, and what came now.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] sum1_before1, sum1_before2, sum1_before6, a2, sum2;
  logic        unused_sum2_nonfinite;

  ppu_delay #(.Width(32), .Depth(1)) u_sum1_before1 (
    .clk_i, .data_i(sum1), .data_o(sum1_before1));
  ppu_delay #(.Width(32), .Depth(1)) u_sum1_before2 (
    .clk_i, .data_i(sum1_before1), .data_o(sum1_before2));
  ppu_delay #(.Width(32), .Depth(4)) u_sum1_before6 (
    .clk_i, .data_i(sum1_before2), .data_o(sum1_before6));

  assign a2 = form2 ? sum1_before1 : last2 ? sum1_before6 : sum1_before2;

  ppu_fp_add #(.Stages(AddStages)) u_level2 (
    .clk_i, .a_i(a2), .b_i(form2 ? waiting : sum1),
    .sum_o(sum2), .nonfinite_o(unused_sum2_nonfinite));

  // ---------------------------------------------------------------------------------------------
  // Level 3.   rate: s3+s9  s11+b'
  //         impulse: s2+s5  s8+s11
  // ---------------------------------------------------------------------------------------------
  logic [12*32-1:0] s;  // when s11 comes, the sums of level 2 by product k
  logic             unused_s;

  ppu_gather #(.Beats(12), .Width(32)) u_sums (
    .clk_i, .data_i(sum2), .data_o(s));

  assign first_a_o = form3 ? s[32*2 +: 32] : s[32*3 +: 32];
  assign first_b_o = form3 ? s[32*5 +: 32] : s[32*9 +: 32];
  assign second_a_o = form3 ? s[32*8 +: 32] : s[32*11 +: 32];
  assign second_b_o = s[32*11 +: 32];
  assign unused_s = ^s;

endmodule
