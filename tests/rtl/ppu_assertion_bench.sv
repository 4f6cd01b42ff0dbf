// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: every module with assertions, its ports free, so that a test can break each promise.

module ppu_assertion_bench #(
  localparam int unsigned Beats = 3,
  localparam int unsigned Latency = 4,
  localparam int unsigned DivStages = 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,

  // ppu_row_pipe_checks
  input  logic             accept_i,
  input  logic [31:0]      in_tag_i,
  input  logic [ppu_spec_pkg::ControlWidth-1:0] in_control_i,
  input  logic [31:0]      mark_threshold_i,
  input  logic [31:0]      lead_factor_i,
  input  logic [Latency:1] valid_i,
  input  logic             late_jm_valid_i,
  input  logic [31:0]      late_jm_tag_i,
  input  logic [3:0]       late_jm_beat_i,
  input  logic             late_v_valid_i,
  input  logic [31:0]      late_v_tag_i,
  input  logic [3:0]       late_v_beat_i,
  input  logic             out_valid_i,
  input  logic             out_ready_i,
  input  logic [31:0]      out_tag_i,
  input  logic [ppu_spec_pkg::ControlWidth-1:0] out_control_i,
  input  logic [31:0]      out_impulse_i,
  input  logic [31:0]      out_lead_i,
  input  logic [12*32-1:0] out_velocity_i,
  input  logic [31:0]      out_residual_i,
  input  logic             out_mark_a_i,
  input  logic             out_mark_b_i,
  input  logic             out_skipped_i,
  input  logic             out_fault_i,
  input  logic [31:0]      max_residual_i,
  input  logic             dividing_i,
  input  logic             fault_valid_i,
  input  logic [31:0]      fault_tag_i,

  // ppu_beats
  input  logic             start_i,
  input  logic [31:0]      data_i,
  output logic             active_o,
  output logic             busy_o,
  output logic [1:0]       beat_o,
  output logic [31:0]      data_o
);

  ppu_row_pipe_checks #(.Beats(Beats), .Latency(Latency), .DivStages(DivStages)) u_checks (
    .clk_i, .rst_ni, .en_i, .accept_i, .in_tag_i, .in_control_i, .mark_threshold_i,
    .lead_factor_i, .valid_i, .late_jm_valid_i, .late_jm_tag_i, .late_jm_beat_i, .late_v_valid_i,
    .late_v_tag_i, .late_v_beat_i, .out_valid_i, .out_ready_i, .out_tag_i, .out_control_i,
    .out_impulse_i, .out_lead_i, .out_velocity_i, .out_residual_i, .out_mark_a_i, .out_mark_b_i,
    .out_skipped_i, .out_fault_i, .max_residual_i, .dividing_i, .fault_valid_i, .fault_tag_i);

  ppu_beats #(.Beats(Beats), .Width(32)) u_beats (
    .clk_i, .rst_ni, .en_i, .start_i, .data_i, .active_o, .busy_o, .beat_o, .data_o);

endmodule
