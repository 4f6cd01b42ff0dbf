// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The dot product of a row, Lanes multiplications per cycle, then a tree of 13 adders that both
// arithmetic forms share. With p = J*v:
//   rate     u  = (((p0+p1)+(p2+p3)) + ((p6+p7)+(p8+p9))) + (((p4+p5)+(p10+p11)) + b')
//   impulse  q1 = ((p0+p1)+p2) + ((p3+p4)+p5);  q2 = ((p6+p7)+p8) + ((p9+p10)+p11)
// Moments in cycles after start_i, with last = 12/Lanes - 1 the last beat:
//   bias_i  MulStages + 2*AddStages + last      q1_o, q2_o  MulStages + 3*AddStages + last
//   rate_o  MulStages + 4*AddStages + last

`include "ppu_assert.svh"

module ppu_dot #(
  parameter int unsigned Lanes = 12,     ///< Multipliers: 1, 2, 3, 4, 6 or 12.
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3   ///< Cycles of an addition, 1 to 5.
) (
  input  logic              clk_i,           ///< Clock; its rising edge counts.
  input  logic              rst_ni,          ///< Low: no row has started.
  input  logic              start_i,         ///< A row starts; at least 12/Lanes cycles apart.
  input  logic              impulse_form_i,  ///< The row that starts takes the impulse form.
  input  logic [12*32-1:0]  jacobian_i,      ///< Elements of J of the row that starts, binary32.
  input  logic [12*32-1:0]  velocity_i,      ///< Elements of v of the row that starts, binary32.
  input  logic [31:0]       bias_i,          ///< b', later: see above.
  output logic [31:0]       q1_o,            ///< The sum q1, in the impulse form.
  output logic [31:0]       q2_o,            ///< The sum q2, in the impulse form.
  output logic [31:0]       rate_o           ///< The rate u, in the rate form.
);

  localparam int unsigned Last = 12 / Lanes - 1;
  localparam int unsigned BeatBits = 32 * Lanes;

  // ---------------------------------------------------------------------------------------------
  // Operands of this beat: from the ports, then from what start_i put aside.
  // ---------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] jacobian, velocity;

  if (Last == 0) begin : gen_one_beat
    logic unused_start;
    assign unused_start = ^{rst_ni, start_i};
    assign jacobian = jacobian_i;
    assign velocity = velocity_i;
  end else begin : gen_beats
    localparam int unsigned HeldBits = 12 * 32 - BeatBits;
    logic [HeldBits-1:0] jacobian_q, velocity_q;
    logic [3:0]          left_d, left_q;  // beats of the row that are to come
    logic                more_q;          // some are to come; many bits choose by it
    assign left_d = start_i ? 4'(Last) : left_q != '0 ? left_q - 4'd1 : '0;
    assign jacobian = more_q ? jacobian_q[BeatBits-1:0] : jacobian_i[BeatBits-1:0];
    assign velocity = more_q ? velocity_q[BeatBits-1:0] : velocity_i[BeatBits-1:0];
    always_ff @(posedge clk_i) begin
      jacobian_q <= start_i ? jacobian_i[12*32-1:BeatBits] : jacobian_q >> BeatBits;
      velocity_q <= start_i ? velocity_i[12*32-1:BeatBits] : velocity_q >> BeatBits;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        left_q <= '0;
        more_q <= 1'b0;
      end else begin
        left_q <= left_d;
        more_q <= left_d != '0;
      end
    end

    `PPU_ASSERT(RowsStartFarEnoughApart, !start_i || left_q == '0)
  end

  // ---------------------------------------------------------------------------------------------
  // Products; those of earlier beats wait for the last.
  // ---------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] product;
  logic [12*32-1:0]    p;
  logic [Lanes-1:0]    unused_product_nonfinite;

  for (genvar i = 0; i < Lanes; i++) begin : gen_product
    ppu_fp_mul #(.Stages(MulStages)) u_mul (
      .clk_i, .a_i(jacobian[32*i +: 32]), .b_i(velocity[32*i +: 32]),
      .product_o(product[32*i +: 32]), .nonfinite_o(unused_product_nonfinite[i]));
  end

  ppu_gather #(.Beats(Last + 1), .Width(BeatBits)) u_products (
    .clk_i, .data_i(product), .data_o(p));

  // ---------------------------------------------------------------------------------------------
  // The form follows the row through the tree.
  // ---------------------------------------------------------------------------------------------
  logic form1, form2, form3;

  ppu_delay #(.Width(1), .Depth(MulStages + Last)) u_form1 (
    .clk_i, .data_i(impulse_form_i), .data_o(form1));
  ppu_delay #(.Width(1), .Depth(AddStages)) u_form2 (
    .clk_i, .data_i(form1), .data_o(form2));
  ppu_delay #(.Width(1), .Depth(AddStages)) u_form3 (
    .clk_i, .data_i(form2), .data_o(form3));

  // ---------------------------------------------------------------------------------------------
  // Level 1.   rate: p0+p1  p2+p3  p6+p7  p8+p9   p4+p5  p10+p11
  //         impulse: p0+p1  p3+p4  p6+p7  p9+p10                 (p2, p5, p8 and p11 wait)
  // ---------------------------------------------------------------------------------------------
  logic [6*32-1:0] a1, b1, s1;
  logic [5:0]      unused_s1_nonfinite;
  logic [4*32-1:0] waiting;  // p2, p5, p8, p11

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
  logic [31:0] b3_first, a3_second, b3_second;
  logic        unused_q1_nonfinite, unused_q2_nonfinite;

  assign b3_first = form3 ? s2[63:32] : s2[32*2 +: 32];
  assign a3_second = form3 ? s2[32*2 +: 32] : s2[63:32];
  assign b3_second = form3 ? s2[32*3 +: 32] : bias_i;

  ppu_fp_add #(.Stages(AddStages)) u_first (
    .clk_i, .a_i(s2[31:0]), .b_i(b3_first),
    .sum_o(q1_o), .nonfinite_o(unused_q1_nonfinite));
  ppu_fp_add #(.Stages(AddStages)) u_second (
    .clk_i, .a_i(a3_second), .b_i(b3_second),
    .sum_o(q2_o), .nonfinite_o(unused_q2_nonfinite));

  // Level 4.
  logic unused_rate_nonfinite;

  ppu_fp_add #(.Stages(AddStages)) u_rate (
    .clk_i, .a_i(q1_o), .b_i(q2_o),
    .sum_o(rate_o), .nonfinite_o(unused_rate_nonfinite));

endmodule
