// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Clamp of an impulse: none, max(0, t) or med(lo, t, hi). A comparison with a NaN is false.
// Combinational.

module ppu_clamp (
  input  logic [1:0]  clamp_i,   ///< One of ppu_spec_pkg::Clamp*.
  input  logic [31:0] target_i,  ///< The target t.
  input  logic [31:0] lower_i,   ///< The lower bound lo; all numbers are binary32.
  input  logic [31:0] upper_i,   ///< The upper bound hi.
  output logic        below_o,   ///< The lower bound holds.
  output logic        above_o,   ///< The upper bound holds.
  output logic [31:0] impulse_o  ///< The new impulse x'.
);

  logic [31:0] floor;
  logic        below, above;
  logic        unused_below, unused_above;

  assign floor = clamp_i == ppu_spec_pkg::ClampMax ? '0 : lower_i;

  ppu_fp_cmp u_below (
    .a_i(target_i), .b_i(floor), .less_o(below), .unordered_o(unused_below));
  ppu_fp_cmp u_above (
    .a_i(upper_i), .b_i(target_i), .less_o(above), .unordered_o(unused_above));

  assign below_o = clamp_i != ppu_spec_pkg::ClampNone && below;
  assign above_o = clamp_i == ppu_spec_pkg::ClampMed && above && !below;

  always_comb begin
    impulse_o = target_i;
    if (below_o) impulse_o = floor;
    if (above_o) impulse_o = upper_i;
  end

endmodule
