// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Last step of the binary32 units: rounds a normalised magnitude to nearest even and packs it.
// Combinational.

module ppu_fp_round (
  input  logic        sign_i,      ///< The result is negative.
  input  logic [8:0]  exp_i,       ///< Biased exponent; 0 for a subnormal; >= 255 overflows.
  input  logic [26:0] mantissa_i,  ///< Hidden bit, 23 fraction bits, guard, two for the rest.
  input  logic        nan_i,       ///< The result is not a number, whatever the rest says.
  input  logic        inf_i,       ///< The result is infinite.
  output logic [31:0] result_o     ///< Binary32.
);

  localparam logic [31:0] CanonicalNan = 32'h7fc00000;
  localparam logic [30:0] Infinity = 31'h7f800000;

  logic        up;
  logic [30:0] down, rounded;
  logic        unused_hidden;

  // A carry out of the fraction raises the exponent by itself, also from subnormal to normal and
  // from the largest number to infinity.
  assign up = mantissa_i[2] && (mantissa_i[3] || mantissa_i[1:0] != '0);
  assign down = {exp_i[7:0], mantissa_i[25:3]};
  assign rounded = up ? down + 31'd1 : down;
  assign unused_hidden = mantissa_i[26];

  always_comb begin
    result_o = {sign_i, rounded};
    if (inf_i || exp_i >= 9'd255) result_o = {sign_i, Infinity};
    if (nan_i) result_o = CanonicalNan;
  end

endmodule
