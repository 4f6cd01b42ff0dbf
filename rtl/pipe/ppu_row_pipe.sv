// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row pipe: one row update (dot product, step, clamp, scaled add) in the rate or the impulse
// form, as the control word of each row says; a row every 12/Lanes cycles, in order. Bit for bit
// the arithmetic of model/include/ppu/model/row_arithmetic.hpp. A row that enters in cycle c is at
// the output in cycle c + Latency, stalled cycles not counted. A quotient residual is ready later:
// a row that leaves in cycle c raises the maximum at the end of cycle c + DivStages.
//
// JM and v of the scaled add are not carried along: the pipe asks for them by tag, Lanes elements
// at a time, in time for a synchronous memory. A request is answered in the next cycle that follows
// advance_o, and the answer stays while the pipe does not advance.

module ppu_row_pipe #(
  /// Multiply lanes of the dot product and of the scaled add: 1, 2, 3, 4, 6 or 12.
  parameter int unsigned Lanes = ppu_spec_pkg::DefaultLanes,
  /// Cycles of a multiplication, 1 to 5.
  parameter int unsigned MulStages = ppu_spec_pkg::DefaultFpMulStages,
  /// Cycles of an addition, 1 to 5.
  parameter int unsigned AddStages = ppu_spec_pkg::DefaultFpAddStages,
  /// Cycles of a division, 2 to 28.
  parameter int unsigned DivStages = ppu_spec_pkg::DefaultFpDivStages,
  /// Cycles in which the elements of a row enter.
  localparam int unsigned Beats = 12 / Lanes,
  /// Bits of a beat number.
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1,
  /// Bits of a control word.
  localparam int unsigned ControlWidth = ppu_spec_pkg::ControlWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // A row enters when valid and ready. Ready depends combinationally on out_ready_i.
  input  logic                    in_valid_i,
  output logic                    in_ready_o,
  input  logic [31:0]             in_tag_i,  ///< Comes back with requests and the result.
  input  logic [ControlWidth-1:0] in_control_i,
  input  logic [12*32-1:0]        in_jacobian_i,        ///< J, element i in word i.
  input  logic [12*32-1:0]        in_velocity_i,        ///< v.
  input  logic [31:0]             in_bias_i,            ///< b.
  input  logic [31:0]             in_inv_diagonal_i,    ///< d.
  input  logic [31:0]             in_lower_i,           ///< lo.
  input  logic [31:0]             in_upper_i,           ///< hi, or mu of a row with a parent.
  input  logic [31:0]             in_compliance_i,      ///< cfm.
  input  logic [31:0]             in_impulse_i,         ///< x.
  input  logic [31:0]             in_stored_i,          ///< xs.
  input  logic [31:0]             in_parent_impulse_i,  ///< xp.
  input  logic                    in_has_parent_i,

  // These hold while rows are in the pipe, the factor while rows are that lead.
  input  logic [31:0]             mark_threshold_i,
  input  logic [31:0]             lead_factor_i,

  // Late operands: what is asked for in a cycle with advance_o is on the port in the next cycle.
  output logic                    advance_o,  ///< The pipe moves at the end of this cycle.
  output logic                    late_jm_valid_o,      ///< Asks for JM ...
  output logic [31:0]             late_jm_tag_o,        ///< ... of this row, ...
  output logic [BeatWidth-1:0]    late_jm_beat_o,       ///< ... elements beat*Lanes and on.
  input  logic [32*Lanes-1:0]     late_jm_i,
  output logic                    late_v_valid_o,       ///< The same for v, MulStages cycles later.
  output logic [31:0]             late_v_tag_o,
  output logic [BeatWidth-1:0]    late_v_beat_o,
  input  logic [32*Lanes-1:0]     late_v_i,

  // A result leaves when valid and ready; it is stable until then.
  output logic                    out_valid_o,
  input  logic                    out_ready_i,
  output logic [31:0]             out_tag_o,
  output logic [ControlWidth-1:0] out_control_o,        ///< For its store bits.
  output logic [31:0]             out_rate_o,           ///< u; 0 in the impulse form.
  output logic [31:0]             out_target_o,         ///< t.
  output logic [31:0]             out_impulse_o,        ///< x'.
  output logic [31:0]             out_lead_o,           ///< y; x' of a row that does not lead.
  output logic [31:0]             out_delta_o,          ///< dx.
  output logic [12*32-1:0]        out_velocity_o,       ///< v'.
  output logic [31:0]             out_residual_o,       ///< Contribution to the residual maximum;
                                                        ///< 0 for a quotient.
  output logic                    out_mark_a_o,         ///< Set the next tag of body a.
  output logic                    out_mark_b_o,
  output logic                    out_skipped_o,        ///< The skip rule held the row.
  output logic                    out_fault_o,          ///< The result must not be written.

  // Of the rows that have left.
  input  logic                    clear_max_residual_i,
  output logic [31:0]             max_residual_o,
  output logic                    dividing_o,           ///< The quotient of one is to come.
  output logic                    fault_valid_o,        ///< Sticky until reset.
  output logic [31:0]             fault_tag_o           ///< The first one, or all ones.
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
  // Flow: one enable for the whole pipe; valid_q[t] is a row that entered t cycles ago.
  // ---------------------------------------------------------------------------------------------
  logic             en, accept, busy;
  logic [Latency:1] valid_q;

  assign out_valid_o = valid_q[Latency];
  assign en = !out_valid_o || out_ready_i;
  assign advance_o = en;
  assign in_ready_o = en && !busy;
  assign accept = in_valid_i && in_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (en) valid_q <= {valid_q[Latency-1:1], accept};
  end

  logic                 unused_in_active, unused_in_data;
  logic [BeatWidth-1:0] unused_in_beat;

  ppu_beats #(.Beats(Beats), .Width(1)) u_in_beats (
    .clk_i, .rst_ni, .en_i(en), .start_i(accept), .data_i(1'b0),
    .active_o(unused_in_active), .busy_o(busy), .beat_o(unused_in_beat), .data_o(unused_in_data));

  // ---------------------------------------------------------------------------------------------
  // Entry: what the parent's impulse decides; the constant term; the bounds.
  // ---------------------------------------------------------------------------------------------
  logic        form, cone, parent_pushes, skipped, unused_parent_unordered;
  logic [31:0] bias_early, bias_dot, lower_early, upper_early;

  assign form = in_control_i[ppu_spec_pkg::FormLsb] == ppu_spec_pkg::FormImpulse;
  assign cone = in_control_i[ppu_spec_pkg::BoundsLsb] == ppu_spec_pkg::BoundsCone &&
                in_has_parent_i;
  assign skipped = in_control_i[ppu_spec_pkg::SkipLsb] == ppu_spec_pkg::SkipOn &&
                   in_has_parent_i && !parent_pushes;

  ppu_fp_cmp u_parent (
    .a_i('0), .b_i(in_parent_impulse_i),
    .less_o(parent_pushes), .unordered_o(unused_parent_unordered));
  ppu_bias #(.MulStages(MulStages), .AddStages(AddStages)) u_bias (
    .clk_i, .en_i(en), .impulse_form_i(form),
    .soft_i(in_control_i[ppu_spec_pkg::BiasLsb] == ppu_spec_pkg::BiasSoft), .bias_i(in_bias_i),
    .compliance_i(in_compliance_i), .impulse_i(in_impulse_i), .bias_o(bias_early));
  ppu_delay #(.Width(32), .Depth(AddStages + Beats - 1)) u_bias_dot (
    .clk_i, .en_i(en), .data_i(bias_early), .data_o(bias_dot));
  ppu_bounds #(.MulStages(MulStages)) u_bounds (
    .clk_i, .en_i(en), .cone_i(cone), .parent_pushes_i(parent_pushes), .lower_i(in_lower_i),
    .upper_i(in_upper_i), .parent_impulse_i(in_parent_impulse_i), .lower_o(lower_early),
    .upper_o(upper_early));

  // ---------------------------------------------------------------------------------------------
  // Dot product.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] q1, q2, rate_dot;

  ppu_dot #(.Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages)) u_dot (
    .clk_i, .en_i(en), .start_i(accept), .impulse_form_i(form), .jacobian_i(in_jacobian_i),
    .velocity_i(in_velocity_i), .bias_i(bias_dot), .q1_o(q1), .q2_o(q2), .rate_o(rate_dot));

  // ---------------------------------------------------------------------------------------------
  // Tag and control follow the row.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned MetaWidth = ControlWidth + 1;
  logic [MetaWidth-1:0]    meta_step, meta_axpy, meta_out;
  logic [ControlWidth-1:0] control_step, control_axpy;
  logic                    skipped_step, skipped_axpy;
  logic [31:0]             tag_jm, tag_v;

  ppu_delay #(.Width(MetaWidth), .Depth(StepAt)) u_meta_step (
    .clk_i, .en_i(en), .data_i({skipped, in_control_i}), .data_o(meta_step));
  ppu_delay #(.Width(MetaWidth), .Depth(AxpyAt - StepAt)) u_meta_axpy (
    .clk_i, .en_i(en), .data_i(meta_step), .data_o(meta_axpy));
  ppu_delay #(.Width(MetaWidth), .Depth(Latency - AxpyAt)) u_meta_out (
    .clk_i, .en_i(en), .data_i(meta_axpy), .data_o(meta_out));
  ppu_delay #(.Width(32), .Depth(AxpyAt - 1)) u_tag_jm (
    .clk_i, .en_i(en), .data_i(in_tag_i), .data_o(tag_jm));
  ppu_delay #(.Width(32), .Depth(MulStages)) u_tag_v (
    .clk_i, .en_i(en), .data_i(tag_jm), .data_o(tag_v));
  ppu_delay #(.Width(32), .Depth(Latency - AxpyAt - MulStages + 1)) u_tag_out (
    .clk_i, .en_i(en), .data_i(tag_v), .data_o(out_tag_o));

  assign {skipped_step, control_step} = meta_step;
  assign {skipped_axpy, control_axpy} = meta_axpy;
  assign {out_skipped_o, out_control_o} = meta_out;

  // ---------------------------------------------------------------------------------------------
  // Step, clamp, and the lead from the impulse as soon as it is clamped.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] bias_step, d_step, x_step, lower_step, upper_step;
  logic [31:0] rate, target, impulse, early, delta, lower, upper, residual;
  logic [31:0] stored, lead_early, lead;
  logic        fault_step, violates, leads;

  ppu_delay #(.Width(32), .Depth(AddStages)) u_bias_step (
    .clk_i, .en_i(en), .data_i(bias_dot), .data_o(bias_step));
  ppu_delay #(.Width(64), .Depth(StepAt)) u_row_step (
    .clk_i, .en_i(en), .data_i({in_inv_diagonal_i, in_impulse_i}), .data_o({d_step, x_step}));
  ppu_delay #(.Width(64), .Depth(StepAt - MulStages)) u_bounds_step (
    .clk_i, .en_i(en), .data_i({lower_early, upper_early}), .data_o({lower_step, upper_step}));
  ppu_step #(.MulStages(MulStages), .AddStages(AddStages)) u_step (
    .clk_i, .en_i(en),
    .impulse_form_i(control_step[ppu_spec_pkg::FormLsb] == ppu_spec_pkg::FormImpulse),
    .step_i(control_step[ppu_spec_pkg::StepLsb] == ppu_spec_pkg::StepOn),
    .skipped_i(skipped_step),
    .clamp_i(control_step[ppu_spec_pkg::ClampLsb +: ppu_spec_pkg::ClampWidth]),
    .q1_i(q1), .q2_i(q2), .bias_i(bias_step), .inv_diagonal_i(d_step), .impulse_i(x_step),
    .lower_i(lower_step), .upper_i(upper_step), .rate_i(rate_dot),
    .early_o(early), .rate_o(rate), .target_o(target), .impulse_o(impulse), .delta_o(delta),
    .lower_o(lower), .upper_o(upper), .fault_o(fault_step));
  ppu_residual u_residual (
    .resid_i(control_axpy[ppu_spec_pkg::ResidLsb +: ppu_spec_pkg::ResidWidth]),
    .rate_form_i(control_axpy[ppu_spec_pkg::FormLsb] == ppu_spec_pkg::FormRate),
    .skipped_i(skipped_axpy), .rate_i(rate), .impulse_i(impulse), .lower_i(lower),
    .upper_i(upper), .delta_i(delta), .threshold_i(mark_threshold_i), .residual_o(residual),
    .violates_o(violates));
  ppu_delay #(.Width(32), .Depth(StepAt + MulStages + 2 * AddStages + 1)) u_stored (
    .clk_i, .en_i(en), .data_i(in_stored_i), .data_o(stored));
  ppu_lead #(.MulStages(MulStages), .AddStages(AddStages)) u_lead (
    .clk_i, .en_i(en), .value_i(early), .before_i(stored), .factor_i(lead_factor_i),
    .lead_o(lead_early));
  ppu_delay #(.Width(32), .Depth(Beats - 1)) u_lead_out (
    .clk_i, .en_i(en), .data_i(lead_early), .data_o(lead));

  assign leads = out_control_o[ppu_spec_pkg::LeadLsb] == ppu_spec_pkg::LeadOn && !out_skipped_o &&
                 out_control_o[ppu_spec_pkg::FormLsb] == ppu_spec_pkg::FormRate;
  assign out_lead_o = leads ? lead : out_impulse_o;

  // ---------------------------------------------------------------------------------------------
  // Scaled add on late operands.
  // ---------------------------------------------------------------------------------------------
  logic velocity_nonfinite, fault_before, add_out, moves_a, moves_b, violates_out;
  logic unused_jm_busy, unused_v_busy;

  ppu_beats #(.Beats(Beats), .Width(32)) u_jm_beats (
    .clk_i, .rst_ni, .en_i(en), .start_i(valid_q[AxpyAt-1]), .data_i(tag_jm),
    .active_o(late_jm_valid_o), .busy_o(unused_jm_busy), .beat_o(late_jm_beat_o),
    .data_o(late_jm_tag_o));
  ppu_beats #(.Beats(Beats), .Width(32)) u_v_beats (
    .clk_i, .rst_ni, .en_i(en), .start_i(valid_q[AxpyAt+MulStages-1]), .data_i(tag_v),
    .active_o(late_v_valid_o), .busy_o(unused_v_busy), .beat_o(late_v_beat_o),
    .data_o(late_v_tag_o));
  ppu_axpy #(.Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages)) u_axpy (
    .clk_i, .rst_ni, .en_i(en), .start_i(valid_q[AxpyAt]),
    .add_i(control_axpy[ppu_spec_pkg::AxpyLsb] == ppu_spec_pkg::AxpyOn && !skipped_axpy),
    .delta_i(delta), .jm_i(late_jm_i), .velocity_i(late_v_i), .threshold_i(mark_threshold_i),
    .velocity_o(out_velocity_o), .nonfinite_o(velocity_nonfinite), .moves_a_o(moves_a),
    .moves_b_o(moves_b));
  ppu_delay #(.Width(5 * 32 + 2), .Depth(Latency - AxpyAt)) u_out (
    .clk_i, .en_i(en), .data_i({fault_step, violates, rate, target, impulse, delta, residual}),
    .data_o({fault_before, violates_out, out_rate_o, out_target_o, out_impulse_o, out_delta_o,
             out_residual_o}));

  assign add_out = out_control_o[ppu_spec_pkg::AxpyLsb] == ppu_spec_pkg::AxpyOn && !out_skipped_o;
  assign out_fault_o = fault_before || (add_out && velocity_nonfinite);

  // ---------------------------------------------------------------------------------------------
  // What a row says of itself when it leaves.
  // ---------------------------------------------------------------------------------------------
  logic        leave, marks, quotient_out;
  logic [31:0] d_out, quotient;

  assign leave = out_valid_o && out_ready_i;
  assign marks = out_control_o[ppu_spec_pkg::MarkLsb] == ppu_spec_pkg::MarkOn && !out_skipped_o &&
                 !out_fault_o;
  assign out_mark_a_o = marks && (violates_out || moves_a);
  assign out_mark_b_o = marks && (violates_out || moves_b);
  assign quotient_out = out_control_o[ppu_spec_pkg::ResidLsb +: ppu_spec_pkg::ResidWidth] ==
                        ppu_spec_pkg::ResidQuotient;

  ppu_delay #(.Width(32), .Depth(Latency - StepAt)) u_d_out (
    .clk_i, .en_i(en), .data_i(d_step), .data_o(d_out));
  ppu_quotient #(.Stages(DivStages)) u_quotient (
    .clk_i, .rst_ni, .enter_i(leave && quotient_out), .fault_i(out_fault_o),
    .delta_i(out_delta_o), .inv_diagonal_i(d_out), .quotient_o(quotient), .dividing_o);
  ppu_row_status u_status (
    .clk_i, .rst_ni, .leave_i(leave), .tag_i(out_tag_o), .residual_i(out_residual_o),
    .fault_i(out_fault_o), .quotient_i(quotient), .clear_max_residual_i, .max_residual_o,
    .fault_valid_o, .fault_tag_o);

`ifdef VERILATOR
  ppu_row_pipe_checks #(.Beats(Beats), .Latency(Latency), .DivStages(DivStages)) u_checks (
    .clk_i, .rst_ni, .en_i(en), .accept_i(accept), .in_tag_i, .in_control_i,
    .mark_threshold_i, .lead_factor_i, .valid_i(valid_q),
    .late_jm_valid_i(late_jm_valid_o), .late_jm_tag_i(late_jm_tag_o),
    .late_jm_beat_i(4'(late_jm_beat_o)), .late_v_valid_i(late_v_valid_o),
    .late_v_tag_i(late_v_tag_o), .late_v_beat_i(4'(late_v_beat_o)), .out_valid_i(out_valid_o),
    .out_ready_i, .out_tag_i(out_tag_o), .out_control_i(out_control_o),
    .out_impulse_i(out_impulse_o), .out_lead_i(out_lead_o), .out_velocity_i(out_velocity_o),
    .out_residual_i(out_residual_o), .out_mark_a_i(out_mark_a_o), .out_mark_b_i(out_mark_b_o),
    .out_skipped_i(out_skipped_o), .out_fault_i(out_fault_o), .max_residual_i(max_residual_o),
    .dividing_i(dividing_o), .fault_valid_i(fault_valid_o), .fault_tag_i(fault_tag_o));
`endif

endmodule
