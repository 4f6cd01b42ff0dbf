// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Binary32 divider: IEEE-754 round to nearest even, full subnormals, canonical NaN 0x7fc00000.
// 29 steps (count zeros, normalise, one bit of the quotient in each of 26, round) cut into Stages
// pipeline stages. Restoring: a bit is 1 if the divisor can be taken away from the remainder.

module ppu_fp_div #(
  /// Clock cycles from operands to quotient, 2 to 29; the output is registered.
  parameter int unsigned Stages = ppu_spec_pkg::DefaultFpDivStages
) (
  input  logic        clk_i,      ///< Clock; its rising edge counts.
  input  logic        en_i,       ///< All stages move on; a new pair enters every enabled cycle.
  input  logic [31:0] a_i,        ///< Binary32.
  input  logic [31:0] b_i,        ///< Binary32.
  output logic [31:0] quotient_o  ///< a/b.
);

  localparam int unsigned Bits = 26;  // hidden bit, 23 fraction bits, guard, one more
  localparam int unsigned Steps = Bits + 3;

  if (Stages < 2 || Stages > Steps) begin : gen_bad_stages
    $error("ppu_fp_div: Stages must be 2 to 29");
  end

  // ---------------------------------------------------------------------------------------------
  // Count: the leading zeros of both mantissas, and how far the exponents, as they come, leave the
  // quotient below the least normal one.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned CountedWidth = 2 * 24 + 2 * 5 + 10 + 4;

  logic [23:0]             man_a_d, man_b_d;
  logic [4:0]              zeros_a_d, zeros_b_d;
  logic [7:0]              exp_a, exp_b;
  logic signed [9:0]       below_d;
  logic                    a_max, b_max, a_zero, b_zero;
  logic                    vanishes_d, sign_d, nan_d, inf_d;
  logic [CountedWidth-1:0] counted_d, counted;

  // A subnormal has the exponent 1 and no hidden bit.
  assign man_a_d = {a_i[30:23] != '0, a_i[22:0]};
  assign man_b_d = {b_i[30:23] != '0, b_i[22:0]};
  assign exp_a = man_a_d[23] ? a_i[30:23] : 8'd1;
  assign exp_b = man_b_d[23] ? b_i[30:23] : 8'd1;
  assign below_d = signed'({2'b0, exp_b}) - signed'({2'b0, exp_a}) - 10'sd126;

  ppu_lzc u_zeros_a (.data_i({man_a_d, 8'b0}), .zeros_o(zeros_a_d));
  ppu_lzc u_zeros_b (.data_i({man_b_d, 8'b0}), .zeros_o(zeros_b_d));

  always_comb begin
    a_max = a_i[30:23] == '1;
    b_max = b_i[30:23] == '1;
    a_zero = a_i[30:0] == '0;
    b_zero = b_i[30:0] == '0;
    vanishes_d = a_zero || b_max;
    sign_d = a_i[31] ^ b_i[31];
    inf_d = a_max || b_zero;
    nan_d = (a_max && (a_i[22:0] != '0 || b_max)) || (b_max && b_i[22:0] != '0) ||
            (a_zero && b_zero);
  end

  assign counted_d = {man_a_d, man_b_d, zeros_a_d, zeros_b_d, below_d, vanishes_d, sign_d, nan_d,
                      inf_d};

  // Cuts lie evenly between the steps; this is step 0.
  if (Stages / Steps > 0) begin : gen_counted_cut
    always_ff @(posedge clk_i) begin
      if (en_i) counted <= counted_d;
    end
  end else begin : gen_counted_wire
    assign counted = counted_d;
  end

  // ---------------------------------------------------------------------------------------------
  // Normalise: both mantissas get their top bit. The exponent is that of a quotient from 1 to 2.
  // Where the quotient is subnormal, the first `held` bits wait, with a bit of 0 each: the
  // quotient comes out shifted into the subnormals, and the remainder still tells of what is lost.
  // ---------------------------------------------------------------------------------------------
  localparam logic signed [9:0] MaxHeld = 10'(Bits);

  logic [23:0]       man_a, man_b, dividend, divisor_d;
  logic [4:0]        zeros_a, zeros_b;
  logic signed [5:0] zeros_more;
  logic signed [9:0] below, deficit;
  logic              vanishes;
  logic [2:0]        flags;
  logic [4:0]        held_d;
  logic [8:0]        exp_d;

  assign {man_a, man_b, zeros_a, zeros_b, below, vanishes, flags} = counted;
  assign zeros_more = signed'({1'b0, zeros_a}) - signed'({1'b0, zeros_b});
  assign deficit = below + 10'(zeros_more);

  always_comb begin
    dividend = vanishes ? '0 : man_a << zeros_a;
    divisor_d = man_b << zeros_b;
    held_d = '0;
    exp_d = 9'd1 - deficit[8:0];
    if (deficit > 0) begin
      held_d = deficit > MaxHeld ? MaxHeld[4:0] : deficit[4:0];
      exp_d = 9'd1;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The quotient, its top bit first, and the remainder, which is less than twice the divisor.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RestWidth = 24 + 5 + 9 + 3;  // divisor, held, exponent, sign, nan, inf
  localparam int unsigned StateWidth = 25 + Bits + RestWidth;

  for (genvar i = 0; i <= Bits; i++) begin : gen_step
    logic [StateWidth-1:0] state_d, state;

    if (i == 0) begin : gen_normalised
      assign state_d = {1'b0, dividend, Bits'(0), divisor_d, held_d, exp_d, flags};
    end else begin : gen_bit
      logic [24:0]     remainder, next_remainder;
      logic [Bits-1:0] quotient, next_quotient;
      logic [23:0]     divisor;
      logic [4:0]      held;
      logic [11:0]     rest;
      logic            less, unused_top;
      logic [23:0]     difference;

      assign {remainder, quotient, divisor, held, rest} = gen_step[i-1].state;
      assign {less, unused_top, difference} = {1'b0, remainder} - {2'b0, divisor};

      always_comb begin
        next_remainder = remainder;
        next_quotient = quotient;
        next_quotient[Bits-i] = held < 5'(i) && !less;
        if (held < 5'(i)) next_remainder = {less ? remainder[23:0] : difference, 1'b0};
      end

      assign state_d = {next_remainder, next_quotient, divisor, held, rest};
    end

    if ((i + 2) * Stages / Steps > (i + 1) * Stages / Steps) begin : gen_cut
      always_ff @(posedge clk_i) begin
        if (en_i) state <= state_d;
      end
    end else begin : gen_wire
      assign state = state_d;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Round and pack; a quotient below 1 moves up where the exponent allows.
  // ---------------------------------------------------------------------------------------------
  logic [24:0]     remainder;
  logic [Bits-1:0] quotient;
  logic [8:0]      exponent, last_exponent;
  logic            sign, nan, inf;
  logic [26:0]     mantissa;
  logic [31:0]     result_d;
  logic [28:0]     unused_rest;

  assign {remainder, quotient, unused_rest, exponent, sign, nan, inf} = gen_step[Bits].state;

  always_comb begin
    mantissa = {quotient, remainder != '0};
    last_exponent = exponent;
    if (!mantissa[26] && exponent > 9'd1) begin
      mantissa = {mantissa[25:0], mantissa[0]};
      last_exponent = exponent - 9'd1;
    end
    if (!mantissa[26]) last_exponent = '0;
  end

  ppu_fp_round u_round (
    .sign_i(sign), .exp_i(last_exponent), .mantissa_i(mantissa), .nan_i(nan), .inf_i(inf),
    .result_o(result_d));

  always_ff @(posedge clk_i) begin
    if (en_i) quotient_o <= result_d;
  end

endmodule
