// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Contribution of a row to the residual maximum, never negative: how far u is from the boxing
// condition (|u| inside the bounds, max(0, -u) at lo, max(0, u) at hi, 0 where lo = hi) or |dx|;
// and whether its rate marks both bodies (US 7,079,145, Example 8). Combinational.

module ppu_residual (
  input  logic [1:0]  resid_i,      ///< One of ppu_spec_pkg::Resid*.
  input  logic        rate_form_i,  ///< Rate form, else impulse form.
  input  logic        skipped_i,    ///< The skip rule holds the row: it contributes 0.
  input  logic [31:0] rate_i,       ///< The rate u.
  input  logic [31:0] impulse_i,    ///< The new impulse x'.
  input  logic [31:0] lower_i,      ///< The lower bound lo; all numbers are binary32.
  input  logic [31:0] upper_i,      ///< The upper bound hi.
  input  logic [31:0] delta_i,      ///< The step dx.
  input  logic [31:0] threshold_i,  ///< >= 0, for the marks.
  output logic [31:0] residual_o,   ///< >= 0.
  output logic        violates_o    ///< u leaves the bound, or inside is above the threshold.
);

  logic above_lower, below_upper, lower_unordered, upper_unordered;
  logic at_lower, at_upper, negative, positive;
  logic fast, equality;
  logic unused_negative, unused_positive, unused_fast;
  logic unused_sign;

  ppu_fp_cmp u_lower (
    .a_i(lower_i), .b_i(impulse_i), .less_o(above_lower), .unordered_o(lower_unordered));
  ppu_fp_cmp u_upper (
    .a_i(impulse_i), .b_i(upper_i), .less_o(below_upper), .unordered_o(upper_unordered));
  ppu_fp_cmp u_negative (
    .a_i(rate_i), .b_i('0), .less_o(negative), .unordered_o(unused_negative));
  ppu_fp_cmp u_positive (
    .a_i('0), .b_i(rate_i), .less_o(positive), .unordered_o(unused_positive));
  ppu_fp_cmp u_fast (
    .a_i(threshold_i), .b_i({1'b0, rate_i[30:0]}), .less_o(fast), .unordered_o(unused_fast));

  assign at_lower = !above_lower && !lower_unordered;
  assign at_upper = !below_upper && !upper_unordered;
  assign equality = lower_i == upper_i || (lower_i[30:0] == '0 && upper_i[30:0] == '0);
  assign violates_o = !equality && ((at_lower && negative) || (at_upper && positive) ||
                                    (above_lower && below_upper && fast));
  assign unused_sign = delta_i[31];

  always_comb begin
    residual_o = '0;
    if (resid_i == ppu_spec_pkg::ResidDelta) residual_o = {1'b0, delta_i[30:0]};
    if (resid_i == ppu_spec_pkg::ResidBoxed && rate_form_i) begin
      residual_o = {1'b0, rate_i[30:0]};
      if ((at_lower && !negative) || (at_upper && !positive)) residual_o = '0;
    end
    if (skipped_i) residual_o = '0;
  end

endmodule
