// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: every module of a row pipe with assertions, its ports free, so that a test can break
// each promise.

module ppu_assertion_bench #(
  localparam int unsigned Beats = 3,
  localparam int unsigned Latency = 4,
  localparam int unsigned DivStages = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,

  // ppu_row_pipe_checks
  input  logic             accept_i,
  input  logic [31:0]      in_tag_i,
  input  logic [15:0]      in_control_i,
  input  logic [31:0]      mark_threshold_i,
  input  logic [31:0]      lead_factor_i,
  input  logic [Latency:1] valid_i,
  input  logic             axpy_jm_valid_i,
  input  logic [31:0]      axpy_jm_tag_i,
  input  logic             axpy_v_valid_i,
  input  logic [31:0]      axpy_v_tag_i,
  input  logic [3:0]       axpy_v_beat_i,
  input  logic             out_valid_i,
  input  logic [31:0]      out_tag_i,
  input  logic [15:0]      out_control_i,
  input  logic [31:0]      out_impulse_i,
  input  logic [31:0]      out_lead_i,
  input  logic [31:0]      out_residual_i,
  input  logic             out_mark_a_i,
  input  logic             out_skipped_i,
  input  logic             out_fault_i,
  input  logic             dividing_i,

  // ppu_max_residual
  input  logic [31:0]      quotient_i,

  // ppu_quotient
  input  logic             enter_i,
  input  logic [31:0]      inv_diagonal_i,

  // ppu_beats
  input  logic             start_i,

  // ppu_dot
  input  logic             dot_start_i
);

  ppu_pipe_pkg::axpy_request_t axpy_jm, axpy_v;
  ppu_pipe_pkg::row_result_t   out;

  always_comb begin
    axpy_jm = '0;
    axpy_jm.tag = axpy_jm_tag_i;
    axpy_v.tag = axpy_v_tag_i;
    axpy_v.beat = axpy_v_beat_i;
    out = '0;
    out.impulse = out_impulse_i;
    out.lead = out_lead_i;
    out.residual = out_residual_i;
    out.mark_a = out_mark_a_i;
    out.skipped = out_skipped_i;
    out.fault = out_fault_i;
  end

  ppu_row_pipe_checks #(.Beats(Beats), .Latency(Latency), .DivStages(DivStages)) u_checks (
    .clk_i, .rst_ni, .accept_i, .in_tag_i, .in_control_i, .mark_threshold_i, .lead_factor_i,
    .valid_i, .axpy_jm_valid_i, .axpy_jm_i(axpy_jm), .axpy_v_valid_i, .axpy_v_i(axpy_v),
    .out_valid_i, .out_tag_i, .out_control_i, .out_i(out), .dividing_i);

  /* verilator lint_off PINCONNECTEMPTY */
  ppu_max_residual u_max_residual (
    .clk_i, .rst_ni, .valid_i(1'b0), .maximum_i(1'b0), .residual_i('0),
    .quotient_maximum_i(1'b0), .quotient_i, .clear_i('0), .show_i(1'b0), .max_o());

  ppu_quotient #(.Stages(DivStages)) u_quotient (
    .clk_i, .rst_ni, .enter_i, .fault_i(1'b0), .delta_i(32'h3f800000), .inv_diagonal_i,
    .quotient_o(), .dividing_o());

  ppu_beats #(.Beats(Beats), .Width(32)) u_beats (
    .clk_i, .rst_ni, .start_i, .data_i('0), .active_o(), .busy_o(), .beat_o(), .data_o());

  ppu_dot #(.Lanes(4), .MulStages(1), .AddStages(1)) u_dot (
    .clk_i, .rst_ni, .start_i(dot_start_i), .impulse_form_i(1'b0), .jacobian_i('0),
    .velocity_i('0), .bias_i('0), .q1_o(), .q2_o(), .rate_o());
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
