// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The scaled add v' = v + dx*JM of a row, Lanes elements per cycle. JM and v are delayed operands:
// those of beat k are on the ports k cycles after start_i (JM) and k + MulStages cycles after it
// (v). The result is complete MulStages + AddStages + 12/Lanes - 1 cycles after start_i, with it
// the answer which bodies move by more than a threshold, seen before the addition.

module ppu_axpy #(
  parameter int unsigned Lanes = 12,     ///< Multipliers and adders: 1, 2, 3, 4, 6 or 12.
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3   ///< Cycles of an addition, 1 to 5.
) (
  input  logic                clk_i,        ///< Clock; its rising edge counts.
  input  logic                rst_ni,       ///< Low: no row has started.
  input  logic                start_i,      ///< A row starts; at least 12/Lanes cycles apart.
  input  logic                add_i,        ///< The row that starts adds; off: v' = v.
  input  logic [31:0]         delta_i,      ///< The dx of the row that starts, binary32.
  input  logic [32*Lanes-1:0] jm_i,         ///< Elements of JM, binary32: see above.
  input  logic [32*Lanes-1:0] velocity_i,   ///< Elements of v, binary32: see above.
  input  logic [31:0]         threshold_i,  ///< Binary32, >= 0; holds while rows are here.
  output logic [12*32-1:0]    velocity_o,   ///< The new velocities v', binary32.
  output logic                nonfinite_o,  ///< An element of velocity_o is infinite or NaN.
  output logic                moves_a_o,    ///< |dx*JM| > threshold in an element of body a.
  output logic                moves_b_o     ///< |dx*JM| > threshold in an element of body b.
);

  localparam int unsigned Beats = 12 / Lanes;
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;
  localparam logic [31:0] MinusZero = 32'h80000000;

  // dx holds for all beats.
  logic [31:0]          delta;
  logic                 add, add_last, add_product;
  logic                 unused_active, unused_busy;
  logic [BeatWidth-1:0] unused_beat;

  ppu_beats #(.Beats(Beats), .Width(33)) u_beats (
    .clk_i, .rst_ni, .start_i, .data_i({add_i, delta_i}),
    .active_o(unused_active), .busy_o(unused_busy), .beat_o(unused_beat),
    .data_o({add, delta}));
  ppu_delay #(.Width(1), .Depth(MulStages - 1)) u_add_last (
    .clk_i, .data_i(add), .data_o(add_last));
  ppu_delay #(.Width(1), .Depth(1)) u_add_product (
    .clk_i, .data_i(add_last), .data_o(add_product));

  logic [32*Lanes-1:0] product_d, product, sum;
  logic [Lanes-1:0]    sum_nonfinite, above, unused_product_nonfinite, unused_unordered;
  logic                nonfinite_now;  // of the beat
  logic [11:0]         moves;

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    // v + -0 is v, bit for bit. The choice is made in front of the register of the product.
    ppu_fp_mul #(.Stages(MulStages), .Registered(1'b0)) u_mul (
      .clk_i, .a_i(jm_i[32*i +: 32]), .b_i(delta),
      .product_o(product_d[32*i +: 32]), .nonfinite_o(unused_product_nonfinite[i]));
    ppu_delay #(.Width(32), .Depth(1)) u_product (
      .clk_i, .data_i(add_last ? product_d[32*i +: 32] : MinusZero),
      .data_o(product[32*i +: 32]));
    ppu_fp_cmp u_above (
      .a_i(threshold_i), .b_i({1'b0, product[32*i +: 31]}), .less_o(above[i]),
      .unordered_o(unused_unordered[i]));
    ppu_fp_add #(.Stages(AddStages)) u_add (
      .clk_i, .a_i(velocity_i[32*i +: 32]), .b_i(product[32*i +: 32]),
      .sum_o(sum[32*i +: 32]), .nonfinite_o(sum_nonfinite[i]));
  end

  ppu_gather #(.Beats(Beats), .Width(32 * Lanes)) u_velocity (
    .clk_i, .data_i(sum), .data_o(velocity_o));
  ppu_gather #(.Beats(Beats), .Width(Lanes)) u_moves (
    .clk_i, .data_i(add_product ? above : '0), .data_o(moves));
  ppu_delay #(.Width(2), .Depth(AddStages)) u_moves_out (
    .clk_i, .data_i({moves[5:0] != '0, moves[11:6] != '0}),
    .data_o({moves_a_o, moves_b_o}));

  assign nonfinite_now = sum_nonfinite != '0;

  if (Beats == 1) begin : gen_one_beat
    assign nonfinite_o = nonfinite_now;
  end else begin : gen_beats
    // Those of the beats before are known a cycle earlier.
    logic             earlier;
    logic [Beats-2:0] nonfinite;  // of the last beats

    ppu_gather #(.Beats(Beats - 1), .Width(1)) u_nonfinite (
      .clk_i, .data_i(nonfinite_now), .data_o(nonfinite));
    ppu_delay #(.Width(1), .Depth(1)) u_earlier (
      .clk_i, .data_i(nonfinite != '0), .data_o(earlier));
    assign nonfinite_o = nonfinite_now || earlier;
  end

endmodule
