// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Binary32 adder: IEEE-754 round to nearest even, full subnormals, canonical NaN 0x7fc00000. Five
// steps (order, align, add, normalise, round) cut into Stages pipeline stages. The build define
// PPU_BREAK_ADDER drops the sticky bit: a deliberate bug that proves the checkers.

module ppu_fp_add #(
  /// Clock cycles from operands to sum, 1 to 5.
  parameter int unsigned Stages = 3,
  /// The output is registered; off: the last register is the caller's.
  parameter bit          Registered = 1'b1
) (
  input  logic        clk_i,       ///< Clock; its rising edge counts.
  input  logic [31:0] a_i,         ///< Binary32.
  input  logic [31:0] b_i,         ///< Binary32.
  output logic [31:0] sum_o,       ///< a + b of Stages cycles ago, binary32; a cycle before, if not
                                   ///< Registered.
  output logic        nonfinite_o  ///< sum_o is infinite or not a number.
);

  if (Stages < 1 || Stages > 5) begin : gen_bad_stages
    $error("ppu_fp_add: Stages must be 1 to 5");
  end

  // Depth of the cut after each step.
  localparam int unsigned OrderCut = 32'(Stages >= 5);
  localparam int unsigned AlignCut = 32'(Stages >= 3);
  localparam int unsigned AddCut = 32'(Stages >= 2);
  localparam int unsigned NormaliseCut = 32'(Stages >= 4);
  // The normalisation begins in front of the cut after the addition.
  localparam bit          Halved = Stages >= 5;

  // ---------------------------------------------------------------------------------------------
  // 1. Order by magnitude; a NaN is larger than everything, then comes infinity.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] big;
  logic [30:0] little;
  logic [7:0]  exp_a, exp_b, exp_d, distance;
  logic [8:0]  a_minus_b;
  logic [23:0] man_big_d, man_small_d;
  logic        far_d, sign_d, sub_d, nan_d, inf_d;

  always_comb begin
    big = a_i;
    little = b_i[30:0];
    if (b_i[30:0] > a_i[30:0]) begin
      big = b_i;
      little = a_i[30:0];
    end
    sign_d = big[31];
    sub_d = a_i[31] ^ b_i[31];
    // A subnormal has the exponent 1 and no hidden bit.
    man_big_d = {big[30:23] != '0, big[22:0]};
    man_small_d = {little[30:23] != '0, little[22:0]};
    // The distance of the exponents, both ways at once: it does not wait for the comparison.
    exp_a = {a_i[30:24], a_i[23] || a_i[30:23] == '0};
    exp_b = {b_i[30:24], b_i[23] || b_i[30:23] == '0};
    a_minus_b = {1'b0, exp_a} - {1'b0, exp_b};
    exp_d = a_minus_b[8] ? exp_b : exp_a;
    distance = a_minus_b[8] ? exp_b - exp_a : a_minus_b[7:0];
    far_d = distance[7:5] != '0;
    inf_d = big[30:23] == '1;
    nan_d = inf_d && (big[22:0] != '0 || (sub_d && little[30:23] == '1));
  end

  logic [23:0] man_big, man_small;
  logic [4:0]  shift;
  logic        far;
  logic [11:0] tail;  // exponent, sign, sub, nan, inf

  ppu_delay #(.Width(24), .Depth(OrderCut)) u_man_big (
    .clk_i, .data_i(man_big_d), .data_o(man_big));
  ppu_delay #(.Width(24), .Depth(OrderCut)) u_man_small (
    .clk_i, .data_i(man_small_d), .data_o(man_small));
  ppu_delay #(.Width(6), .Depth(OrderCut)) u_shift (
    .clk_i, .data_i({far_d, distance[4:0]}), .data_o({far, shift}));
  ppu_delay #(.Width(12), .Depth(OrderCut)) u_tail (
    .clk_i, .data_i({exp_d, sign_d, sub_d, nan_d, inf_d}), .data_o(tail));

  // ---------------------------------------------------------------------------------------------
  // 2. Align the smaller mantissa: 24 bits, guard, round, and a sticky bit for all that falls off,
  // gathered while it falls.
  // ---------------------------------------------------------------------------------------------
  logic [26:0] aligned_d, aligned;
  logic [23:0] man_big2;
  logic [11:0] tail2;
  logic        sticky;

  always_comb begin
    aligned_d = {man_small, 3'b0};
    sticky = 1'b0;
    for (int unsigned i = 0; i < 5; i++) begin
      if (shift[i]) begin
        sticky = sticky || (aligned_d & ((27'd1 << (1 << i)) - 27'd1)) != '0;
        aligned_d = aligned_d >> (1 << i);
      end
    end
    if (far) begin
      aligned_d = '0;
      sticky = man_small != '0;
    end
`ifdef PPU_BREAK_ADDER
    sticky = 1'b0;
`endif
    aligned_d[0] = aligned_d[0] || sticky;
  end

  ppu_delay #(.Width(27), .Depth(AlignCut)) u_aligned (
    .clk_i, .data_i(aligned_d), .data_o(aligned));
  ppu_delay #(.Width(24), .Depth(AlignCut)) u_man_big2 (
    .clk_i, .data_i(man_big), .data_o(man_big2));
  ppu_delay #(.Width(12), .Depth(AlignCut)) u_tail2 (
    .clk_i, .data_i(tail), .data_o(tail2));

  // ---------------------------------------------------------------------------------------------
  // 3. Add or subtract; never negative.
  // ---------------------------------------------------------------------------------------------
  logic [27:0] total_d, total;
  logic [26:0] least_d, least;  // the least normal sum, beside the exponent
  logic [11:0] tail3;

  assign total_d = tail2[2] ? {1'b0, man_big2, 3'b0} - {1'b0, aligned}
                            : {1'b0, man_big2, 3'b0} + {1'b0, aligned};

  assign least_d = 27'h4000000 >> (tail2[11:4] - 8'd1);

  ppu_delay #(.Width(27), .Depth(AddCut)) u_least (
    .clk_i, .data_i(least_d), .data_o(least));
  ppu_delay #(.Width(28), .Depth(AddCut)) u_total (
    .clk_i, .data_i(total_d), .data_o(total));
  ppu_delay #(.Width(12), .Depth(AddCut)) u_tail3 (
    .clk_i, .data_i(tail2), .data_o(tail3));

  // ---------------------------------------------------------------------------------------------
  // 4. Normalise: one to the right after a carry, else to the left as far as the exponent allows.
  // ---------------------------------------------------------------------------------------------
  logic [7:0]  exp3;
  logic [4:0]  left;
  logic [26:0] norm_d, norm;
  logic [8:0]  norm_exp_d, norm_exp;
  logic        normal, norm_sign_d;
  logic [4:0]  zeros;    // Halved: of the sum, with its carry
  logic [27:0] shifted;  // Halved: the sum without them
  logic        cancels;  // Halved: the sum is zero
  logic [2:0]  tail4;  // sign, nan, inf

  // The one of `least` ends the count where the exponent comes to 1; a subnormal sum is below it.
  assign exp3 = tail3[11:4];
  ppu_lzc u_lzc (.data_i({total[26:0] | least, 5'b10000}), .zeros_o(left));
  assign normal = least == '0 ? total[26:0] != '0 : total[26:0] >= least;

  always_comb begin
    if (Halved) begin
      norm_d = {shifted[27:2], shifted[1] | shifted[0]};
      norm_exp_d = shifted[27] ? 9'(exp3) + 9'd1 - 9'(zeros) : 9'd0;
    end else if (total[27]) begin
      norm_d = {total[27:2], total[1] | total[0]};
      norm_exp_d = 9'(exp3) + 9'd1;
    end else begin
      norm_d = total[26:0] << left;
      norm_exp_d = normal ? 9'(exp3) - 9'(left) : 9'd0;
    end
    // x + -x is +0.
    norm_sign_d = tail3[3] && !(tail3[2] && (Halved ? cancels : total == '0));
  end

  // Halved: the same with a first halving of the count beside the addition, so that neither side of
  // the cut is deep. The count includes the carry: all shifts are to the left, by 28'h8000000 >>
  // exponent at most.
  if (Halved) begin : gen_halved
    logic [27:0] counted_d, half_total_d, half_total;
    logic [15:0] half_d, half;
    logic        zero16_d;
    logic        unused_top;

    assign counted_d = total_d | (28'h8000000 >> tail2[11:4]);
    assign zero16_d = counted_d[27:12] == '0;
    assign half_d = zero16_d ? {counted_d[11:0], 4'b0} : counted_d[27:12];
    assign half_total_d = zero16_d ? total_d << 16 : total_d;

    ppu_delay #(.Width(1 + 16 + 28), .Depth(AddCut)) u_half (
      .clk_i, .data_i({zero16_d, half_d, half_total_d}),
      .data_o({zeros[4], half, half_total}));
    ppu_lzc u_zeros (.data_i({16'b0, half}), .zeros_o({unused_top, zeros[3:0]}));

    always_comb begin
      shifted = half_total;
      for (int unsigned i = 4; i > 0; i--) begin
        if (zeros[i-1]) shifted = shifted << (1 << (i - 1));
      end
    end
    assign cancels = half_total == '0;
  end else begin : gen_whole
    assign {zeros, shifted, cancels} = '0;
  end

  ppu_delay #(.Width(27), .Depth(NormaliseCut)) u_norm (
    .clk_i, .data_i(norm_d), .data_o(norm));
  ppu_delay #(.Width(9), .Depth(NormaliseCut)) u_norm_exp (
    .clk_i, .data_i(norm_exp_d), .data_o(norm_exp));
  ppu_delay #(.Width(3), .Depth(NormaliseCut)) u_tail4 (
    .clk_i, .data_i({norm_sign_d, tail3[1:0]}), .data_o(tail4));

  // ---------------------------------------------------------------------------------------------
  // 5. Round and pack.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] sum_d;

  ppu_fp_round u_round (
    .sign_i(tail4[2]), .exp_i(norm_exp), .mantissa_i(norm), .nan_i(tail4[1]), .inf_i(tail4[0]),
    .result_o(sum_d));
  ppu_delay #(.Width(32), .Depth(32'(Registered))) u_sum (.clk_i, .data_i(sum_d), .data_o(sum_o));

  assign nonfinite_o = sum_o[30:23] == '1;

endmodule
