// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The dot product of a row, Lanes multiplications per cycle, then a tree of additions that both
// arithmetic forms share: 13 adders, or 5 where the products come one by one. With p = J*v:
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
  // Operands of this beat, and the form: from the ports, then from what start_i put aside.
  // ---------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] jacobian, velocity;
  logic                impulse_form, last;  // the last beat of a row

  if (Last == 0) begin : gen_one_beat
    logic unused_start;
    assign unused_start = ^{rst_ni, start_i};
    assign jacobian = jacobian_i;
    assign velocity = velocity_i;
    assign impulse_form = impulse_form_i;
    assign last = 1'b1;
  end else begin : gen_beats
    localparam int unsigned HeldBits = 12 * 32 - BeatBits;
    logic [HeldBits-1:0] jacobian_q, velocity_q;
    logic                impulse_form_q;
    logic [3:0]          left_d, left_q;  // beats of the row that are to come
    logic                more_q;          // some are to come; many bits choose by it
    assign left_d = start_i ? 4'(Last) : left_q != '0 ? left_q - 4'd1 : '0;
    assign jacobian = more_q ? jacobian_q[BeatBits-1:0] : jacobian_i[BeatBits-1:0];
    assign velocity = more_q ? velocity_q[BeatBits-1:0] : velocity_i[BeatBits-1:0];
    assign impulse_form = more_q ? impulse_form_q : impulse_form_i;
    assign last = left_q == 4'd1;
    always_ff @(posedge clk_i) begin
      impulse_form_q <= impulse_form;
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
  // Products, and the form that belongs to them.
  // ---------------------------------------------------------------------------------------------
  logic [BeatBits-1:0] product;
  logic [Lanes-1:0]    unused_product_nonfinite;
  logic                form, form3;

  for (genvar i = 0; i < Lanes; i++) begin : gen_product
    ppu_fp_mul #(.Stages(MulStages)) u_mul (
      .clk_i, .a_i(jacobian[32*i +: 32]), .b_i(velocity[32*i +: 32]),
      .product_o(product[32*i +: 32]), .nonfinite_o(unused_product_nonfinite[i]));
  end

  ppu_delay #(.Width(1), .Depth(MulStages)) u_form (
    .clk_i, .data_i(impulse_form), .data_o(form));
  ppu_delay #(.Width(1), .Depth(2 * AddStages)) u_form3 (
    .clk_i, .data_i(form), .data_o(form3));

  // ---------------------------------------------------------------------------------------------
  // Levels 1 and 2: the operands of level 3 come 2*AddStages cycles after the last products.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] first_a, first_b, second_a, second_b;

  if (Lanes == 1) begin : gen_serial
    logic last_product;
    ppu_delay #(.Width(1), .Depth(MulStages)) u_last (
      .clk_i, .data_i(last), .data_o(last_product));
    ppu_dot_serial #(.AddStages(AddStages)) u_sums (
      .clk_i, .impulse_form_i(form), .last_i(last_product), .product_i(product),
      .first_a_o(first_a), .first_b_o(first_b), .second_a_o(second_a), .second_b_o(second_b));
  end else begin : gen_parallel
    logic             unused_last;
    logic [12*32-1:0] products;
    assign unused_last = last;
    ppu_gather #(.Beats(Last + 1), .Width(BeatBits)) u_products (
      .clk_i, .data_i(product), .data_o(products));
    ppu_dot_parallel #(.AddStages(AddStages)) u_sums (
      .clk_i, .impulse_form_i(form), .products_i(products),
      .first_a_o(first_a), .first_b_o(first_b), .second_a_o(second_a), .second_b_o(second_b));
  end

  // ---------------------------------------------------------------------------------------------
  // Level 3, where the rate form adds b', and level 4.
  // ---------------------------------------------------------------------------------------------
  logic unused_q1_nonfinite, unused_q2_nonfinite, unused_rate_nonfinite;

  ppu_fp_add #(.Stages(AddStages)) u_first (
    .clk_i, .a_i(first_a), .b_i(first_b),
    .sum_o(q1_o), .nonfinite_o(unused_q1_nonfinite));
  ppu_fp_add #(.Stages(AddStages)) u_second (
    .clk_i, .a_i(second_a), .b_i(form3 ? second_b : bias_i),
    .sum_o(q2_o), .nonfinite_o(unused_q2_nonfinite));
  ppu_fp_add #(.Stages(AddStages)) u_rate (
    .clk_i, .a_i(q1_o), .b_i(q2_o),
    .sum_o(rate_o), .nonfinite_o(unused_rate_nonfinite));

endmodule
