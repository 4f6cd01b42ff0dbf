// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The step and the clamp of a row; both arithmetic forms take the same time and share the
// multiplier and the subtraction in the middle. Moments in cycles, m = MulStages, a = AddStages:
//
//   rate form                                impulse form
//     a .. m+a      d*u                        0 .. m       q1*d
//                                              m .. m+a     e1 = b' - q1*d
//                                              a .. m+a     q2*d
//   m+a .. m+2a     t = x - d*u              m+a .. m+2a    e = e1 - q2*d
//                                           m+2a .. m+3a    t = x + e,  lo - x,  hi - x
//  m+2a .. m+2a+1   x' = clamp(t), early    m+3a .. m+3a+1  x', dx = (t, e), (lo, lo-x), (hi, hi-x)
// m+2a+1 .. m+3a+1  dx = x' - x

module ppu_step #(
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3   ///< Cycles of an addition, 1 to 5.
) (
  input  logic        clk_i,  ///< Clock; its rising edge counts.
  // At 0.
  input  logic        impulse_form_i,  ///< Impulse form, else rate form.
  input  logic        step_i,          ///< Off: x' = x, dx = 0.
  input  logic        skipped_i,       ///< The row keeps x; t and u are as if it did not.
  input  logic [1:0]  clamp_i,         ///< One of ppu_spec_pkg::Clamp*.
  input  logic [31:0] q1_i,            ///< J*v of body a, impulse form; numbers are binary32.
  input  logic [31:0] q2_i,            ///< J*v of body b, impulse form.
  input  logic [31:0] bias_i,          ///< The sum b' of bias and compliance.
  input  logic [31:0] inv_diagonal_i,  ///< The number d.
  input  logic [31:0] impulse_i,       ///< The impulse x.
  input  logic [31:0] lower_i,         ///< The lower bound lo.
  input  logic [31:0] upper_i,         ///< The upper bound hi.
  // At a.
  input  logic [31:0] rate_i,  ///< The rate u.
  // At m+2a+1.
  output logic [31:0] early_o,  ///< The new impulse x' of the rate form.
  // At m+3a+1.
  output logic [31:0] rate_o,     ///< The rate u; 0 in the impulse form.
  output logic [31:0] target_o,   ///< The target t.
  output logic [31:0] impulse_o,  ///< The new impulse x'.
  output logic [31:0] delta_o,    ///< The step dx.
  output logic [31:0] lower_o,    ///< The lower bound lo.
  output logic [31:0] upper_o,    ///< The upper bound hi.
  output logic        fault_o     ///< u, t or dx not finite, or not lo <= hi under a med clamp.
);

  localparam int unsigned M = MulStages;
  localparam int unsigned A = AddStages;

  // ---------------------------------------------------------------------------------------------
  // Control: form, step, skipped, clamp at the moments where they decide.
  // ---------------------------------------------------------------------------------------------
  logic [4:0] control_mul, control_sub, control_rate, control_impulse;
  logic [1:0] clamp_end;
  logic       skipped;

  ppu_delay #(.Width(5), .Depth(A)) u_control_mul (
    .clk_i, .data_i({impulse_form_i, step_i, skipped_i, clamp_i}), .data_o(control_mul));
  ppu_delay #(.Width(5), .Depth(M)) u_control_sub (
    .clk_i, .data_i(control_mul), .data_o(control_sub));
  ppu_delay #(.Width(5), .Depth(A)) u_control_rate (
    .clk_i, .data_i(control_sub), .data_o(control_rate));
  ppu_delay #(.Width(5), .Depth(A)) u_control_impulse (
    .clk_i, .data_i(control_rate), .data_o(control_impulse));
  ppu_delay #(.Width(3), .Depth(1)) u_control_end (
    .clk_i, .data_i(control_impulse[2:0]), .data_o({skipped, clamp_end}));

  // ---------------------------------------------------------------------------------------------
  // Row values at the moments where they are used.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] q2_mul, d_mul, bias_sub1, x_sub, x_bound, x_delta, x_impulse;
  logic [31:0] lower_rate, upper_rate, lower_impulse, upper_impulse;

  ppu_delay #(.Width(32), .Depth(A)) u_q2 (
    .clk_i, .data_i(q2_i), .data_o(q2_mul));
  ppu_delay #(.Width(32), .Depth(A)) u_d (
    .clk_i, .data_i(inv_diagonal_i), .data_o(d_mul));
  ppu_delay #(.Width(32), .Depth(M)) u_bias (
    .clk_i, .data_i(bias_i), .data_o(bias_sub1));
  ppu_delay #(.Width(32), .Depth(M + A)) u_x_sub (
    .clk_i, .data_i(impulse_i), .data_o(x_sub));
  ppu_delay #(.Width(32), .Depth(A)) u_x_bound (
    .clk_i, .data_i(x_sub), .data_o(x_bound));
  ppu_delay #(.Width(32), .Depth(1)) u_x_delta (
    .clk_i, .data_i(x_bound), .data_o(x_delta));
  ppu_delay #(.Width(32), .Depth(A - 1)) u_x_impulse (
    .clk_i, .data_i(x_delta), .data_o(x_impulse));
  ppu_delay #(.Width(64), .Depth(M + 2 * A)) u_bounds_rate (
    .clk_i, .data_i({lower_i, upper_i}), .data_o({lower_rate, upper_rate}));
  ppu_delay #(.Width(64), .Depth(A)) u_bounds_impulse (
    .clk_i, .data_i({lower_rate, upper_rate}), .data_o({lower_impulse, upper_impulse}));
  ppu_delay #(.Width(64), .Depth(1)) u_bounds_end (
    .clk_i, .data_i({lower_impulse, upper_impulse}), .data_o({lower_o, upper_o}));
  ppu_delay #(.Width(32), .Depth(M + 2 * A + 1)) u_rate (
    .clk_i, .data_i(control_mul[4] ? '0 : rate_i), .data_o(rate_o));

  // ---------------------------------------------------------------------------------------------
  // Multiplications and the two subtractions.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] product1, product2, error1, minuend, value;
  logic [4:0]  unused_nonfinite;

  ppu_fp_mul #(.Stages(M)) u_product1 (
    .clk_i, .a_i(q1_i), .b_i(inv_diagonal_i),
    .product_o(product1), .nonfinite_o(unused_nonfinite[0]));
  ppu_fp_mul #(.Stages(M)) u_product2 (
    .clk_i, .a_i(d_mul), .b_i(control_mul[4] ? q2_mul : rate_i),
    .product_o(product2), .nonfinite_o(unused_nonfinite[1]));
  ppu_fp_add #(.Stages(A)) u_error1 (
    .clk_i, .a_i(bias_sub1), .b_i({!product1[31], product1[30:0]}),
    .sum_o(error1), .nonfinite_o(unused_nonfinite[2]));

  assign minuend = control_sub[4] ? error1 : x_sub;

  ppu_fp_add #(.Stages(A)) u_value (
    .clk_i, .a_i(minuend), .b_i({!product2[31], product2[30:0]}),
    .sum_o(value), .nonfinite_o(unused_nonfinite[3]));

  logic [31:0] value_impulse;  // t of the rate form, e of the impulse form

  ppu_delay #(.Width(32), .Depth(A)) u_value_impulse (
    .clk_i, .data_i(value), .data_o(value_impulse));

  // ---------------------------------------------------------------------------------------------
  // Rate form: clamp, then the difference.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] clamped_rate, impulse_rate, delta_rate;
  logic        unused_below, unused_above;

  ppu_clamp u_clamp_rate (
    .clamp_i(control_rate[1:0]), .target_i(value), .lower_i(lower_rate), .upper_i(upper_rate),
    .below_o(unused_below), .above_o(unused_above), .impulse_o(clamped_rate));
  ppu_delay #(.Width(32), .Depth(1)) u_early (
    .clk_i, .data_i(control_rate[3] ? clamped_rate : x_bound), .data_o(early_o));
  // Its last register is that of the end, behind the choice.
  ppu_fp_add #(.Stages(A), .Registered(1'b0)) u_delta_rate (
    .clk_i, .a_i(early_o), .b_i({!x_delta[31], x_delta[30:0]}),
    .sum_o(delta_rate), .nonfinite_o(unused_nonfinite[4]));
  ppu_delay #(.Width(32), .Depth(A - 1)) u_impulse_rate (
    .clk_i, .data_i(early_o), .data_o(impulse_rate));

  // ---------------------------------------------------------------------------------------------
  // Impulse form: sum and distances to the bounds, then the clamp chooses.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] target, to_lower, to_upper, clamped_impulse, chosen;
  logic [1:0]  clamp_impulse;
  logic        below, above;
  logic [2:0]  unused_impulse_nonfinite;

  ppu_fp_add #(.Stages(A)) u_target (
    .clk_i, .a_i(x_bound), .b_i(value),
    .sum_o(target), .nonfinite_o(unused_impulse_nonfinite[0]));
  ppu_fp_add #(.Stages(A)) u_to_lower (
    .clk_i, .a_i(lower_rate), .b_i({!x_bound[31], x_bound[30:0]}),
    .sum_o(to_lower), .nonfinite_o(unused_impulse_nonfinite[1]));
  ppu_fp_add #(.Stages(A)) u_to_upper (
    .clk_i, .a_i(upper_rate), .b_i({!x_bound[31], x_bound[30:0]}),
    .sum_o(to_upper), .nonfinite_o(unused_impulse_nonfinite[2]));

  // The impulse form has the med clamp only.
  assign clamp_impulse = control_impulse[1:0] == ppu_spec_pkg::ClampMed ? ppu_spec_pkg::ClampMed
                                                                        : ppu_spec_pkg::ClampNone;

  ppu_clamp u_clamp_impulse (
    .clamp_i(clamp_impulse), .target_i(target), .lower_i(lower_impulse), .upper_i(upper_impulse),
    .below_o(below), .above_o(above), .impulse_o(clamped_impulse));

  always_comb begin
    chosen = value_impulse;
    if (below) chosen = to_lower;
    if (above) chosen = to_upper;
  end

  // ---------------------------------------------------------------------------------------------
  // The end: the form's results, or x as it was, in one register, since many lanes take dx from it.
  // ---------------------------------------------------------------------------------------------
  logic        form, step, keeps, upper_below_lower, bounds_unordered, bad_bounds;
  logic [31:0] target_d, impulse_d, delta_d;

  assign {form, step} = control_impulse[4:3];
  assign keeps = !step || control_impulse[2];

  always_comb begin
    target_d = step ? value_impulse : x_impulse;
    if (form) target_d = target;
    impulse_d = form ? clamped_impulse : impulse_rate;
    delta_d = form ? chosen : delta_rate;
    if (keeps) begin
      impulse_d = x_impulse;
      delta_d = '0;
    end
  end

  ppu_delay #(.Width(96), .Depth(1)) u_end (
    .clk_i, .data_i({target_d, impulse_d, delta_d}), .data_o({target_o, impulse_o, delta_o}));

  ppu_fp_cmp u_bounds (
    .a_i(upper_o), .b_i(lower_o), .less_o(upper_below_lower), .unordered_o(bounds_unordered));

  assign bad_bounds = clamp_end == ppu_spec_pkg::ClampMed &&
                      (upper_below_lower || bounds_unordered);
  assign fault_o = !skipped && (bad_bounds || rate_o[30:23] == '1 || target_o[30:23] == '1 ||
                                delta_o[30:23] == '1);

endmodule
