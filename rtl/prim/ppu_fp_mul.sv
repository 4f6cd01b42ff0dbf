// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Binary32 multiplier: IEEE-754 round to nearest even, full subnormals, canonical NaN 0x7fc00000.
// Five steps (partial products, their sum, shift, last bit, round) cut into Stages pipeline stages.

module ppu_fp_mul #(
  /// Clock cycles from operands to product, 1 to 5.
  parameter int unsigned Stages = 3,
  /// The output is registered; off: the last register is the caller's.
  parameter bit          Registered = 1'b1
) (
  input  logic        clk_i,       ///< Clock; its rising edge counts.
  input  logic [31:0] a_i,         ///< Binary32.
  input  logic [31:0] b_i,         ///< Binary32.
  output logic [31:0] product_o,   ///< a * b of Stages cycles ago, binary32; a cycle before, if not
                                   ///< Registered.
  output logic        nonfinite_o  ///< product_o is infinite or not a number.
);

  if (Stages < 1 || Stages > 5) begin : gen_bad_stages
    $error("ppu_fp_mul: Stages must be 1 to 5");
  end

  // Depth of the cut after each step.
  localparam int unsigned PartialCut = 32'(Stages >= 3);
  localparam int unsigned SumCut = 32'(Stages >= 2);
  localparam int unsigned ShiftCut = 32'(Stages >= 4);
  localparam int unsigned AdjustCut = 32'(Stages >= 5);
  // The first step counts zeros in nibbles alone, the second those in a nibble.
  localparam bit          Coarse = Stages >= 4;

  // ---------------------------------------------------------------------------------------------
  // 1. Unpack, two 24 x 12 partial products, leading zeros of the subnormal operand. Where both are
  //    subnormal the product underflows whatever its zeros are.
  // ---------------------------------------------------------------------------------------------
  logic [23:0]        man_a, man_b;
  logic [35:0]        low_d, low, high_d, high;
  logic [4:0]         zeros_d, zeros, late_zeros;  // late: Coarse
  logic               normal;      // Coarse: all zeros can go, the product may be normal
  logic signed [9:0]  exp_d, exp;  // of the top bit of the 48-bit product
  logic               a_max, b_max, a_zero, b_zero;
  logic               sign_d, nan_d, inf_d;
  logic [2:0]         tail;        // sign, nan, inf

  always_comb begin
    // A subnormal has the exponent 1 and no hidden bit.
    man_a = {a_i[30:23] != '0, a_i[22:0]};
    man_b = {b_i[30:23] != '0, b_i[22:0]};
    low_d = 36'(man_a) * 36'(man_b[11:0]);
    high_d = 36'(man_a) * 36'(man_b[23:12]);
    exp_d = signed'({2'b0, man_a[23] ? a_i[30:23] : 8'd1}) +
            signed'({2'b0, man_b[23] ? b_i[30:23] : 8'd1}) - 10'sd126;
    sign_d = a_i[31] ^ b_i[31];
    a_max = a_i[30:23] == '1;
    b_max = b_i[30:23] == '1;
    a_zero = a_i[30:0] == '0;
    b_zero = b_i[30:0] == '0;
    inf_d = a_max || b_max;
    nan_d = (a_max && (a_i[22:0] != '0 || b_zero)) || (b_max && (b_i[22:0] != '0 || a_zero));
  end

  ppu_lzc u_lzc (.data_i({man_a[23] ? man_b : man_a, 8'b0}), .zeros_o(zeros_d));

  ppu_delay #(.Width(36), .Depth(PartialCut)) u_low (
    .clk_i, .data_i(low_d), .data_o(low));
  ppu_delay #(.Width(36), .Depth(PartialCut)) u_high (
    .clk_i, .data_i(high_d), .data_o(high));
  ppu_delay #(.Width(5), .Depth(PartialCut)) u_zeros (
    .clk_i, .data_i(zeros_d), .data_o(zeros));
  ppu_delay #(.Width(10), .Depth(PartialCut)) u_exp (
    .clk_i, .data_i(exp_d), .data_o(exp));
  ppu_delay #(.Width(3), .Depth(PartialCut)) u_tail (
    .clk_i, .data_i({sign_d, nan_d, inf_d}), .data_o(tail));

  // ---------------------------------------------------------------------------------------------
  // 2. Product, and how far to shift it: left over the zeros as far as the exponent allows, or
  //    right into the subnormals. A shift by 25 leaves it as it is.
  // ---------------------------------------------------------------------------------------------
  logic [47:0]       product_d, product;
  logic signed [9:0] room, deficit;
  logic [4:0]        left;
  logic [5:0]        shift_d, shift;
  logic [8:0]        exp2_d, exp2;
  logic [2:0]        tail2;

  always_comb begin
    product_d = {12'b0, low} + {high, 12'b0};
    room = exp - 10'sd1;
    deficit = 10'sd1 - exp;
    left = signed'({5'b0, zeros}) > room ? room[4:0] : zeros;
    shift_d = 6'd25 + 6'(left);
    exp2_d = exp[8:0] - 9'(left);
    if (room < 0) begin
      shift_d = deficit > 10'sd25 ? 6'd0 : 6'd25 - deficit[5:0];
      exp2_d = 9'd1;
    end
    normal = 1'b0;
    if (Coarse) begin  // the same numbers, none of them behind two others
      normal = signed'({5'b0, late_zeros}) < exp;
      shift_d = normal ? 6'd25 + 6'(late_zeros) : exp < -10'sd24 ? 6'd0 : 6'd24 + exp[5:0];
      exp2_d = normal ? exp[8:0] - 9'(late_zeros) : 9'd1;
    end
  end

  // The number of zero bytes in front, 0 to 2, and the byte behind them.
  function automatic logic [9:0] first_byte(input logic [23:0] mantissa);
    first_byte = {2'd2, mantissa[7:0]};
    if (mantissa[15:8] != '0) first_byte = {2'd1, mantissa[15:8]};
    if (mantissa[23:16] != '0) first_byte = {2'd0, mantissa[23:16]};
  endfunction

  // Coarse: zeros of the subnormal operand, counted on both sides of the first cut. Each operand
  // finds its first byte that is not zero before it is known which of them may be subnormal.
  if (Coarse) begin : gen_coarse
    logic [9:0] first;
    logic [6:0] nibble_d, nibble;  // zero nibbles, the nibble behind them
    logic [2:0] unused_top;

    assign first = man_a[23] ? first_byte(man_b) : first_byte(man_a);
    assign nibble_d = first[7:4] != '0 ? {first[9:8], 1'b0, first[7:4]}
                                       : {first[9:8], 1'b1, first[3:0]};
    ppu_delay #(.Width(7), .Depth(PartialCut)) u_nibble (
      .clk_i, .data_i(nibble_d), .data_o(nibble));
    ppu_lzc u_fine (.data_i({28'b0, nibble[3:0]}), .zeros_o({unused_top, late_zeros[1:0]}));
    assign late_zeros[4:2] = nibble[6:4];
  end else begin : gen_whole
    assign late_zeros = '0;
  end

  ppu_delay #(.Width(48), .Depth(SumCut)) u_product (
    .clk_i, .data_i(product_d), .data_o(product));
  ppu_delay #(.Width(6), .Depth(SumCut)) u_shift (
    .clk_i, .data_i(shift_d), .data_o(shift));
  ppu_delay #(.Width(9), .Depth(SumCut)) u_exp2 (
    .clk_i, .data_i(exp2_d), .data_o(exp2));
  ppu_delay #(.Width(3), .Depth(SumCut)) u_tail2 (
    .clk_i, .data_i(tail), .data_o(tail2));

  // ---------------------------------------------------------------------------------------------
  // 3. Shift; 26 bits and a sticky bit for all below remain.
  // ---------------------------------------------------------------------------------------------
  logic [72:0] shifted;
  logic [26:0] norm_d, norm;
  logic [8:0]  exp3;
  logic [2:0]  tail3;

  always_comb begin
    shifted = 73'(product) << shift;
    norm_d = {shifted[72:47], shifted[46:0] != '0};
  end

  ppu_delay #(.Width(27), .Depth(ShiftCut)) u_norm (
    .clk_i, .data_i(norm_d), .data_o(norm));
  ppu_delay #(.Width(9), .Depth(ShiftCut)) u_exp3 (
    .clk_i, .data_i(exp2), .data_o(exp3));
  ppu_delay #(.Width(3), .Depth(ShiftCut)) u_tail3 (
    .clk_i, .data_i(tail2), .data_o(tail3));

  // ---------------------------------------------------------------------------------------------
  // 4. The product of two normalised mantissas may still lack its top bit.
  // ---------------------------------------------------------------------------------------------
  logic [26:0] adjusted_d, adjusted;
  logic [8:0]  exp4_d, exp4;
  logic [2:0]  tail4;

  always_comb begin
    adjusted_d = norm;
    exp4_d = exp3;
    if (!norm[26] && exp3 > 9'd1) begin
      adjusted_d = {norm[25:0], norm[0]};
      exp4_d = exp3 - 9'd1;
    end
    if (!adjusted_d[26]) exp4_d = '0;
  end

  ppu_delay #(.Width(27), .Depth(AdjustCut)) u_adjusted (
    .clk_i, .data_i(adjusted_d), .data_o(adjusted));
  ppu_delay #(.Width(9), .Depth(AdjustCut)) u_exp4 (
    .clk_i, .data_i(exp4_d), .data_o(exp4));
  ppu_delay #(.Width(3), .Depth(AdjustCut)) u_tail4 (
    .clk_i, .data_i(tail3), .data_o(tail4));

  // ---------------------------------------------------------------------------------------------
  // 5. Round and pack.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] result_d;

  ppu_fp_round u_round (
    .sign_i(tail4[2]), .exp_i(exp4), .mantissa_i(adjusted), .nan_i(tail4[1]), .inf_i(tail4[0]),
    .result_o(result_d));
  ppu_delay #(.Width(32), .Depth(32'(Registered))) u_result (
    .clk_i, .data_i(result_d), .data_o(product_o));

  assign nonfinite_o = product_o[30:23] == '1;

endmodule
