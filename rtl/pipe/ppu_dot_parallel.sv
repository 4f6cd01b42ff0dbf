// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Levels 1 and 2 of the tree of a dot product whose twelve products are there at once: ten adders.
// The operands of level 3 are there 2*AddStages cycles later:
//   rate     first  ((p0+p1)+(p2+p3)) + ((p6+p7)+(p8+p9))    second  ((p4+p5)+(p10+p11)) + any
//   impulse  first  ((p0+p1)+p2) + ((p3+p4)+p5)              second  ((p6+p7)+p8) + ((p9+p10)+p11)

module ppu_dot_parallel #(
  parameter int unsigned AddStages = 3  ///< Cycles of an addition, 1 to 5.
) (
  input  logic             clk_i,           ///< Clock; its rising edge counts.
  input  logic             impulse_form_i,  ///< The products are of a row in the impulse form.
  input  logic [12*32-1:0] products_i,      ///< The products p of a row, binary32.
  output logic [31:0]      first_a_o,       ///< Of the first addition of level 3.
  output logic [31:0]      first_b_o,       ///< What it adds.
  output logic [31:0]      second_a_o,      ///< Of the second addition of level 3.
  output logic [31:0]      second_b_o       ///< What it adds, in the impulse form.
);

  // The form follows the row through the tree.
  logic form1, form2, form3;

  assign form1 = impulse_form_i;
  ppu_delay #(.Width(1), .Depth(AddStages)) u_form2 (
    .clk_i, .data_i(form1), .data_o(form2));
  ppu_delay #(.Width(1), .Depth(AddStages)) u_form3 (
    .clk_i, .data_i(form2), .data_o(form3));

  // ---------------------------------------------------------------------------------------------
  // Level 1.   rate: p0+p1  p2+p3  p6+p7  p8+p9   p4+p5  p10+p11
  //         impulse: p0+p1  p3+p4  p6+p7  p9+p10                 (p2, p5, p8 and p11 wait)
  // ---------------------------------------------------------------------------------------------
  logic [12*32-1:0] p;
  logic [6*32-1:0]  a1, b1, s1;
  logic [5:0]       unused_s1_nonfinite;
  logic [4*32-1:0]  waiting;  // p2, p5, p8, p11

  assign p = products_i;

  always_comb begin
    a1 = {p[32*10 +: 32], p[32*4 +: 32], p[32*8 +: 32], p[32*6 +: 32], p[32*2 +: 32], p[31:0]};
    b1 = {p[32*11 +: 32], p[32*5 +: 32], p[32*9 +: 32], p[32*7 +: 32], p[32*3 +: 32], p[63:32]};
    if (form1) begin
      a1[32*1 +: 32] = p[32*3 +: 32];
      b1[32*1 +: 32] = p[32*4 +: 32];
      a1[32*3 +: 32] = p[32*9 +: 32];
      b1[32*3 +: 32] = p[32*10 +: 32];
    end
  end

  for (genvar i = 0; i < 6; i++) begin : gen_level1
    ppu_fp_add #(.Stages(AddStages)) u_add (
      .clk_i, .a_i(a1[32*i +: 32]), .b_i(b1[32*i +: 32]),
      .sum_o(s1[32*i +: 32]), .nonfinite_o(unused_s1_nonfinite[i]));
  end

  ppu_delay #(.Width(4 * 32), .Depth(AddStages)) u_waiting (
    .clk_i,
    .data_i({p[32*11 +: 32], p[32*8 +: 32], p[32*5 +: 32], p[32*2 +: 32]}), .data_o(waiting));

  // ---------------------------------------------------------------------------------------------
  // Level 2.   rate: s10+s11  s14+s15  s12+s13
  //         impulse: s10+p2   s11+p5   s12+p8   s13+p11
  // ---------------------------------------------------------------------------------------------
  logic [4*32-1:0] a2, b2, s2;
  logic [3:0]      unused_s2_nonfinite;

  always_comb begin
    a2 = {s1[32*3 +: 32], s1[32*2 +: 32], s1[32*4 +: 32], s1[31:0]};
    b2 = {waiting[32*3 +: 32], s1[32*3 +: 32], s1[32*5 +: 32], s1[63:32]};
    if (form2) begin
      a2[32*1 +: 32] = s1[63:32];
      b2 = waiting;
    end
  end

  for (genvar i = 0; i < 4; i++) begin : gen_level2
    ppu_fp_add #(.Stages(AddStages)) u_add (
      .clk_i, .a_i(a2[32*i +: 32]), .b_i(b2[32*i +: 32]),
      .sum_o(s2[32*i +: 32]), .nonfinite_o(unused_s2_nonfinite[i]));
  end

  // ---------------------------------------------------------------------------------------------
  // Level 3.   rate: s20+s22  s21+b'
  //         impulse: s20+s21  s22+s23
  // ---------------------------------------------------------------------------------------------
  assign first_a_o = s2[31:0];
  assign first_b_o = form3 ? s2[63:32] : s2[32*2 +: 32];
  assign second_a_o = form3 ? s2[32*2 +: 32] : s2[63:32];
  assign second_b_o = s2[32*3 +: 32];

endmodule
