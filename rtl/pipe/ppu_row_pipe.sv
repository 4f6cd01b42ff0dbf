// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row pipe: one row update (dot product, step, clamp, scaled add) in the rate or the impulse
// form, as the control word of each row says; a row every 12/Lanes cycles, in order. Bit for bit
// the arithmetic of model/arithmetic/row_arithmetic.hpp. A row that enters in cycle c is at
// the output in cycle c + Latency, for that cycle only. A quotient residual is ready later: a row
// that leaves in cycle c raises the maximum at the end of cycle c + DivStages.
//
// JM and v of the scaled add are not carried along: the pipe asks for them by tag, Lanes elements
// at a time, in time for a synchronous memory. A request is answered in the next cycle.

module ppu_row_pipe #(
  /// Multiply lanes of the dot product and of the scaled add: 1, 2, 3, 4, 6 or 12.
  parameter int unsigned Lanes = ppu_spec_pkg::DefaultLanes,
  /// Cycles of a multiplication, 1 to 5.
  parameter int unsigned MulStages = ppu_spec_pkg::DefaultFpMulStages,
  /// Cycles of an addition, 1 to 5.
  parameter int unsigned AddStages = ppu_spec_pkg::DefaultFpAddStages,
  /// Cycles of a division, 2 to 29.
  parameter int unsigned DivStages = ppu_spec_pkg::DefaultFpDivStages,
  /// Cycles in which the elements of a row enter.
  localparam int unsigned Beats = 12 / Lanes
) (
  input  logic                        clk_i,   ///< Clock; its rising edge counts.
  input  logic                        rst_ni,  ///< Low: no row is in the pipe, the maximum is 0.

  input  logic                        in_valid_i,    ///< There is a row; it enters if the pipe is
                                                     ///< ready.
  output logic                        in_ready_o,    ///< No other row is still entering.
  input  logic [31:0]                 in_tag_i,      ///< Comes back with requests and the result.
  input  logic                        in_maximum_i,  ///< In which residual maximum it counts.
  input  ppu_spec_pkg::control_t      in_control_i,  ///< How the row is updated.
  input  ppu_pipe_pkg::row_operands_t in_row_i,      ///< The numbers of the row.

  input  logic [31:0]                 mark_threshold_i,  ///< >= 0; holds while there are rows.
  input  logic [31:0]                 lead_factor_i,     ///< Holds while there are rows that
                                                         ///< extrapolate.

  output logic                        axpy_jm_valid_o,   ///< Asks for elements of JM of a row.
  output ppu_pipe_pkg::axpy_request_t axpy_jm_o,         ///< The row and the elements of JM.
  input  logic [32*Lanes-1:0]         axpy_jm_i,         ///< The elements of JM that were asked for
                                                         ///< a cycle ago.
  output logic                        axpy_v_valid_o,    ///< Asks for elements of v, MulStages
                                                         ///< cycles after elements of JM.
  output ppu_pipe_pkg::axpy_request_t axpy_v_o,          ///< The row and the elements of v.
  input  logic [32*Lanes-1:0]         axpy_v_i,          ///< The elements of v that were asked for
                                                         ///< a cycle ago.

  output logic                        out_valid_o,    ///< A row leaves.
  output logic [31:0]                 out_tag_o,      ///< The tag with which the row came.
  output ppu_spec_pkg::control_t      out_control_o,  ///< The control word with which the row came.
  output ppu_pipe_pkg::row_result_t   out_o,          ///< What the row comes to.

  input  logic [1:0]                  clear_max_residual_i,  ///< Start this maximum from 0, with
                                                             ///< what comes now.
  input  logic                        show_maximum_i,        ///< The maximum that is shown.
  output logic [31:0]                 max_residual_o,        ///< The largest residual of rows that
                                                             ///< have left and count in it, >= 0.
  output logic                        dividing_o             ///< A quotient of a row that has left
                                                             ///< is still to come.
);

  if (Lanes < 1 || Lanes > 12 || 12 % Lanes != 0) begin : gen_bad_lanes
    $error("ppu_row_pipe: Lanes must be 1, 2, 3, 4, 6 or 12");
  end

  // ---------------------------------------------------------------------------------------------
  // Moments, in cycles after a row enters.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned StepAt = MulStages + 3 * AddStages + Beats - 1;  // q1, q2; u comes later
  localparam int unsigned AxpyAt = StepAt + MulStages + 3 * AddStages + 1;
  localparam int unsigned Latency = AxpyAt + MulStages + AddStages + Beats - 1;

  if (Latency != ppu_spec_pkg::PipeEndMul * MulStages + ppu_spec_pkg::PipeEndAdd * AddStages +
                 ppu_spec_pkg::PipeEndCycles + 2 * (Beats - 1)) begin : gen_bad_latency
    $error("ppu_row_pipe: the latency is not the one of the specification");
  end

  // ---------------------------------------------------------------------------------------------
  // Flow: valid_q[t] is a row that entered t cycles ago.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;

  logic             accept, busy;
  logic [Latency:1] valid_q;

  assign out_valid_o = valid_q[Latency];
  assign in_ready_o = !busy;
  assign accept = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Latency-1:1], accept};
  end

  logic                 unused_in_active, unused_in_data;
  logic [BeatWidth-1:0] unused_in_beat;

  ppu_beats #(.Beats(Beats), .Width(1)) u_in_beats (
    .clk_i, .rst_ni, .start_i(accept), .data_i(1'b0), .active_o(unused_in_active), .busy_o(busy),
    .beat_o(unused_in_beat), .data_o(unused_in_data));

  // ---------------------------------------------------------------------------------------------
  // Entry: what the parent's impulse decides; the constant term; the bounds.
  // ---------------------------------------------------------------------------------------------
  logic        form, cone, parent_pushes, skipped, unused_parent_unordered;
  logic [31:0] bias_early, bias_dot, lower_early, upper_early;

  assign form = in_control_i.form == ppu_spec_pkg::FormImpulse;
  assign cone = in_control_i.bounds == ppu_spec_pkg::BoundsCone && in_row_i.has_parent;
  assign skipped =
    in_control_i.skip == ppu_spec_pkg::SkipOn && in_row_i.has_parent && !parent_pushes;

  ppu_fp_cmp u_parent (
    .a_i('0), .b_i(in_row_i.parent_impulse),
    .less_o(parent_pushes), .unordered_o(unused_parent_unordered));
  ppu_bias #(.MulStages(MulStages), .AddStages(AddStages)) u_bias (
    .clk_i, .impulse_form_i(form), .soft_i(in_control_i.bias == ppu_spec_pkg::BiasSoft),
    .bias_i(in_row_i.bias), .compliance_i(in_row_i.compliance), .impulse_i(in_row_i.impulse),
    .bias_o(bias_early));
  ppu_delay #(.Width(32), .Depth(AddStages + Beats - 2)) u_bias_dot (
    .clk_i, .data_i(bias_early), .data_o(bias_dot));
  ppu_bounds #(.MulStages(MulStages)) u_bounds (
    .clk_i, .cone_i(cone), .parent_pushes_i(parent_pushes), .lower_i(in_row_i.lower),
    .upper_i(in_row_i.upper), .parent_impulse_i(in_row_i.parent_impulse), .lower_o(lower_early),
    .upper_o(upper_early));

  // ---------------------------------------------------------------------------------------------
  // Dot product.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] q1, q2, rate_dot;

  ppu_dot #(.Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages)) u_dot (
    .clk_i, .rst_ni, .start_i(accept), .impulse_form_i(form),
    .jacobian_i(in_row_i.jacobian), .velocity_i(in_row_i.velocity), .bias_i(bias_dot),
    .q1_o(q1), .q2_o(q2), .rate_o(rate_dot));

  // ---------------------------------------------------------------------------------------------
  // Control word, skip and tag follow the row.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned ControlWidth = ppu_spec_pkg::ControlWidth;

  ppu_spec_pkg::control_t control_step, control_axpy;
  logic                   skipped_step, skipped_axpy, skipped_out;
  logic [31:0]            tag_jm, tag_v;

  ppu_delay #(.Width(ControlWidth), .Depth(StepAt)) u_control_step (
    .clk_i, .data_i(in_control_i), .data_o(control_step));
  ppu_delay #(.Width(ControlWidth), .Depth(AxpyAt - StepAt)) u_control_axpy (
    .clk_i, .data_i(control_step), .data_o(control_axpy));
  ppu_delay #(.Width(ControlWidth), .Depth(Latency - AxpyAt)) u_control_out (
    .clk_i, .data_i(control_axpy), .data_o(out_control_o));
  ppu_delay #(.Width(1), .Depth(StepAt)) u_skipped_step (
    .clk_i, .data_i(skipped), .data_o(skipped_step));
  ppu_delay #(.Width(1), .Depth(AxpyAt - StepAt)) u_skipped_axpy (
    .clk_i, .data_i(skipped_step), .data_o(skipped_axpy));
  ppu_delay #(.Width(1), .Depth(Latency - AxpyAt)) u_skipped_out (
    .clk_i, .data_i(skipped_axpy), .data_o(skipped_out));
  ppu_delay #(.Width(32), .Depth(AxpyAt - 2)) u_tag_jm (
    .clk_i, .data_i(in_tag_i), .data_o(tag_jm));
  ppu_delay #(.Width(32), .Depth(MulStages)) u_tag_v (
    .clk_i, .data_i(tag_jm), .data_o(tag_v));
  ppu_delay #(.Width(32), .Depth(Latency - AxpyAt - MulStages + 2)) u_tag_out (
    .clk_i, .data_i(tag_v), .data_o(out_tag_o));

  // ---------------------------------------------------------------------------------------------
  // Step, clamp, and the lead from the impulse as soon as it is clamped.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] bias_step, d_step, x_step, lower_step, upper_step;
  logic [31:0] rate, target, impulse, early, delta, lower, upper, residual;
  logic [31:0] stored, lead_early, lead;
  logic [31:0] rate_out, target_out, impulse_out, lead_out, delta_out, residual_out;
  logic        fault_step, violates, extrapolates;

  ppu_delay #(.Width(32), .Depth(AddStages)) u_bias_step (
    .clk_i, .data_i(bias_dot), .data_o(bias_step));
  ppu_delay #(.Width(64), .Depth(StepAt)) u_row_step (
    .clk_i, .data_i({in_row_i.inv_diagonal, in_row_i.impulse}), .data_o({d_step, x_step}));
  ppu_delay #(.Width(64), .Depth(StepAt - MulStages - 1)) u_bounds_step (
    .clk_i, .data_i({lower_early, upper_early}), .data_o({lower_step, upper_step}));
  ppu_step #(.MulStages(MulStages), .AddStages(AddStages)) u_step (
    .clk_i, .impulse_form_i(control_step.form == ppu_spec_pkg::FormImpulse),
    .step_i(control_step.step == ppu_spec_pkg::StepOn), .skipped_i(skipped_step),
    .clamp_i(control_step.clamp), .q1_i(q1), .q2_i(q2), .bias_i(bias_step),
    .inv_diagonal_i(d_step), .impulse_i(x_step), .lower_i(lower_step), .upper_i(upper_step),
    .rate_i(rate_dot), .early_o(early), .rate_o(rate), .target_o(target), .impulse_o(impulse),
    .delta_o(delta), .lower_o(lower), .upper_o(upper), .fault_o(fault_step));
  ppu_residual u_residual (
    .resid_i(control_axpy.resid), .rate_form_i(control_axpy.form == ppu_spec_pkg::FormRate),
    .skipped_i(skipped_axpy), .rate_i(rate), .impulse_i(impulse), .lower_i(lower),
    .upper_i(upper), .delta_i(delta), .threshold_i(mark_threshold_i), .residual_o(residual),
    .violates_o(violates));
  ppu_delay #(.Width(32), .Depth(StepAt + MulStages + 2 * AddStages + 1)) u_stored (
    .clk_i, .data_i(in_row_i.stored), .data_o(stored));
  ppu_lead #(.MulStages(MulStages), .AddStages(AddStages)) u_lead (
    .clk_i, .value_i(early), .before_i(stored), .factor_i(lead_factor_i), .lead_o(lead_early));
  ppu_delay #(.Width(32), .Depth(Beats - 1)) u_lead_out (
    .clk_i, .data_i(lead_early), .data_o(lead));

  assign extrapolates = out_control_o.lead == ppu_spec_pkg::LeadOn && !skipped_out &&
                 out_control_o.form == ppu_spec_pkg::FormRate;
  assign lead_out = extrapolates ? lead : impulse_out;

  // ---------------------------------------------------------------------------------------------
  // Scaled add, on delayed operands: a register takes them from the memory.
  // ---------------------------------------------------------------------------------------------
  logic                 fault_before, fault_out, adds, velocity_nonfinite, moves_a, moves_b;
  logic                 violates_out;
  logic                 unused_jm_busy, unused_v_busy;
  logic [BeatWidth-1:0] jm_beat, v_beat;
  logic [12*32-1:0]     velocity_out;

  ppu_beats #(.Beats(Beats), .Width(32)) u_jm_beats (
    .clk_i, .rst_ni, .start_i(valid_q[AxpyAt-2]), .data_i(tag_jm), .active_o(axpy_jm_valid_o),
    .busy_o(unused_jm_busy), .beat_o(jm_beat), .data_o(axpy_jm_o.tag));
  ppu_beats #(.Beats(Beats), .Width(32)) u_v_beats (
    .clk_i, .rst_ni, .start_i(valid_q[AxpyAt+MulStages-2]), .data_i(tag_v),
    .active_o(axpy_v_valid_o), .busy_o(unused_v_busy), .beat_o(v_beat), .data_o(axpy_v_o.tag));
  assign axpy_jm_o.beat = 4'(jm_beat);
  assign axpy_v_o.beat = 4'(v_beat);

  logic [32*Lanes-1:0] jm, v;

  ppu_delay #(.Width(2 * 32 * Lanes), .Depth(1)) u_operands (
    .clk_i, .data_i({axpy_v_i, axpy_jm_i}), .data_o({v, jm}));

  ppu_axpy #(.Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages)) u_axpy (
    .clk_i, .rst_ni, .start_i(valid_q[AxpyAt]),
    .add_i(control_axpy.axpy == ppu_spec_pkg::AxpyOn && !skipped_axpy), .delta_i(delta),
    .jm_i(jm), .velocity_i(v), .threshold_i(mark_threshold_i),
    .velocity_o(velocity_out), .nonfinite_o(velocity_nonfinite), .moves_a_o(moves_a),
    .moves_b_o(moves_b));
  ppu_delay #(.Width(5 * 32 + 2), .Depth(Latency - AxpyAt)) u_out (
    .clk_i, .data_i({fault_step, violates, rate, target, impulse, delta, residual}),
    .data_o({fault_before, violates_out, rate_out, target_out, impulse_out, delta_out,
             residual_out}));

  assign adds = out_control_o.axpy == ppu_spec_pkg::AxpyOn && !skipped_out;
  assign fault_out = fault_before || (adds && velocity_nonfinite);

  // ---------------------------------------------------------------------------------------------
  // What a row says of itself when it leaves.
  // ---------------------------------------------------------------------------------------------
  logic        marks, asks_quotient;
  logic [31:0] d_out, quotient;

  assign marks = out_control_o.mark == ppu_spec_pkg::MarkOn && !skipped_out && !fault_out;
  assign asks_quotient = out_valid_o && out_control_o.resid == ppu_spec_pkg::ResidQuotient;

  always_comb begin
    out_o = '0;
    out_o.fault = fault_out;
    out_o.velocity_nonfinite = velocity_nonfinite;
    out_o.skipped = skipped_out;
    out_o.mark_b = marks && (violates_out || moves_b);
    out_o.mark_a = marks && (violates_out || moves_a);
    out_o.residual = residual_out;
    out_o.delta = delta_out;
    out_o.lead = lead_out;
    out_o.impulse = impulse_out;
    out_o.target = target_out;
    out_o.rate = rate_out;
    out_o.velocity = velocity_out;
  end

  ppu_delay #(.Width(32), .Depth(Latency - StepAt)) u_d_out (
    .clk_i, .data_i(d_step), .data_o(d_out));
  ppu_quotient #(.Stages(DivStages)) u_quotient (
    .clk_i, .rst_ni, .enter_i(asks_quotient), .fault_i(fault_out), .delta_i(delta_out),
    .inv_diagonal_i(d_out), .quotient_o(quotient), .dividing_o);

  // ---------------------------------------------------------------------------------------------
  // Residual maxima.
  // ---------------------------------------------------------------------------------------------
  logic maximum_out, maximum_quotient;

  ppu_delay #(.Width(1), .Depth(Latency)) u_maximum_out (
    .clk_i, .data_i(in_maximum_i), .data_o(maximum_out));
  ppu_delay #(.Width(1), .Depth(DivStages)) u_maximum_quotient (
    .clk_i, .data_i(maximum_out), .data_o(maximum_quotient));
  ppu_max_residual u_max_residual (
    .clk_i, .rst_ni, .valid_i(out_valid_o && !fault_out), .maximum_i(maximum_out),
    .residual_i(residual_out), .quotient_maximum_i(maximum_quotient), .quotient_i(quotient),
    .clear_i(clear_max_residual_i), .show_i(show_maximum_i), .max_o(max_residual_o));

`ifdef VERILATOR
  ppu_row_pipe_checks #(.Beats(Beats), .Latency(Latency), .DivStages(DivStages)) u_checks (
    .clk_i, .rst_ni, .accept_i(accept), .in_tag_i, .in_control_i, .mark_threshold_i,
    .lead_factor_i, .valid_i(valid_q), .axpy_jm_valid_i(axpy_jm_valid_o), .axpy_jm_i(axpy_jm_o),
    .axpy_v_valid_i(axpy_v_valid_o), .axpy_v_i(axpy_v_o), .out_valid_i(out_valid_o),
    .out_tag_i(out_tag_o), .out_control_i(out_control_o), .out_i(out_o),
    .dividing_i(dividing_o));
`endif

endmodule
