// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What must hold at the ports of the row pipe, whatever is inside: rows leave complete and in
// order, late requests name the right rows, results wait unchanged, quotients take their time.
// Assertions only.

`include "ppu_assert.svh"

module ppu_row_pipe_checks #(
  parameter int unsigned Beats = 1,      ///< Cycles in which the elements of a row enter.
  parameter int unsigned Latency = 31,   ///< Cycles from entry to exit; at most 127.
  parameter int unsigned DivStages = 14  ///< Cycles of a division, 2 to 28.
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             en_i,
  input logic             accept_i,
  input logic [31:0]      in_tag_i,
  input logic [ppu_spec_pkg::ControlWidth-1:0] in_control_i,
  input logic [31:0]      mark_threshold_i,
  input logic [31:0]      lead_factor_i,
  input logic [Latency:1] valid_i,  ///< Bit t: a row that entered t cycles ago.
  input logic             late_jm_valid_i,
  input logic [31:0]      late_jm_tag_i,
  input logic [3:0]       late_jm_beat_i,
  input logic             late_v_valid_i,
  input logic [31:0]      late_v_tag_i,
  input logic [3:0]       late_v_beat_i,
  input logic             out_valid_i,
  input logic             out_ready_i,
  input logic [31:0]      out_tag_i,
  input logic [ppu_spec_pkg::ControlWidth-1:0] out_control_i,
  input logic [31:0]      out_impulse_i,
  input logic [31:0]      out_lead_i,
  input logic [12*32-1:0] out_velocity_i,
  input logic [31:0]      out_residual_i,
  input logic             out_mark_a_i,
  input logic             out_mark_b_i,
  input logic             out_skipped_i,
  input logic             out_fault_i,
  input logic [31:0]      max_residual_i,
  input logic             dividing_i,
  input logic             fault_valid_i,
  input logic [31:0]      fault_tag_i
);

  localparam logic [3:0] LastBeat = 4'(Beats - 1);

  // ---------------------------------------------------------------------------------------------
  // Rows in flight: their tags in order of entry, and who has got how far.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] tags_q [0:127];
  logic [6:0]  entered_q, jm_q, v_q, left_q, in_flight;
  logic        leave;

  assign in_flight = entered_q - left_q;
  assign leave = out_valid_i && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entered_q <= '0;
      jm_q <= '0;
      v_q <= '0;
      left_q <= '0;
    end else begin
      entered_q <= entered_q + 7'(accept_i);
      jm_q <= jm_q + 7'(en_i && late_jm_valid_i && late_jm_beat_i == LastBeat);
      v_q <= v_q + 7'(en_i && late_v_valid_i && late_v_beat_i == LastBeat);
      left_q <= left_q + 7'(leave);
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept_i) tags_q[entered_q] <= in_tag_i;
  end

  `PPU_ASSERT(NoRowIsLostOrMadeUp, 32'(in_flight) == $countones(valid_i))
  `PPU_ASSERT(LateJmRequestNamesTheNextRow, !late_jm_valid_i || late_jm_tag_i == tags_q[jm_q])
  `PPU_ASSERT(LateVRequestNamesTheNextRow, !late_v_valid_i || late_v_tag_i == tags_q[v_q])
  `PPU_ASSERT(LateBeatsAreBelowBeats, late_jm_beat_i <= LastBeat && late_v_beat_i <= LastBeat)
  `PPU_ASSERT(ResultCarriesTheOldestTag, !out_valid_i || out_tag_i == tags_q[left_q])

  // ---------------------------------------------------------------------------------------------
  // Values.
  // ---------------------------------------------------------------------------------------------
  logic [ppu_spec_pkg::ClampWidth-1:0] clamp;
  logic                                mark, quotient, leads_in, leads_out, has_lead;
  logic                                unused_control;

  assign clamp = in_control_i[ppu_spec_pkg::ClampLsb +: ppu_spec_pkg::ClampWidth];
  assign mark = out_control_i[ppu_spec_pkg::MarkLsb] == ppu_spec_pkg::MarkOn;
  assign quotient = out_control_i[ppu_spec_pkg::ResidLsb +: ppu_spec_pkg::ResidWidth] ==
                    ppu_spec_pkg::ResidQuotient;
  assign leads_in = in_control_i[ppu_spec_pkg::LeadLsb] == ppu_spec_pkg::LeadOn;
  assign leads_out = out_control_i[ppu_spec_pkg::LeadLsb] == ppu_spec_pkg::LeadOn;
  assign has_lead = leads_out && !out_skipped_i &&
                    out_control_i[ppu_spec_pkg::FormLsb] == ppu_spec_pkg::FormRate;
  assign unused_control = ^in_control_i ^ ^out_control_i;

  `PPU_ASSERT(ControlWordIsLegal, !accept_i || clamp <= ppu_spec_pkg::ClampMed)
  `PPU_ASSERT(SkippedRowsDoNotFault, !(out_valid_i && out_skipped_i && out_fault_i))
  `PPU_ASSERT(ResidualWithoutFaultIsFiniteAndNotNegative,
              !out_valid_i || out_fault_i || out_residual_i < 32'h7f800000)
  `PPU_ASSERT(ImpulseWithoutFaultIsFinite,
              !out_valid_i || out_fault_i || out_skipped_i || out_impulse_i[30:23] != '1)
  `PPU_ASSERT(ResidualOfAQuotientComesLater,
              !out_valid_i || !quotient || out_residual_i == '0)
  `PPU_ASSERT(MarksComeFromRowsThatMarkAndAreWritten,
              !out_valid_i || !(out_mark_a_i || out_mark_b_i) ||
              (mark && !out_skipped_i && !out_fault_i))
  `PPU_ASSERT(LeadOfARowThatDoesNotLeadIsItsImpulse,
              !out_valid_i || has_lead || out_lead_i == out_impulse_i)
  `PPU_ASSERT(MaxResidualIsANumberAndNotNegative, max_residual_i <= 32'h7f800000)

  // ---------------------------------------------------------------------------------------------
  // What a cycle must leave as it was.
  // ---------------------------------------------------------------------------------------------
  logic             stalled_q, fault_valid_q;
  logic [31:0]      out_tag_q, out_impulse_q, out_lead_q, fault_tag_q;
  logic [31:0]      mark_threshold_q, lead_factor_q;
  logic [6:0]       leading_q;  // rows in flight that lead
  logic [12*32-1:0] out_velocity_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stalled_q <= 1'b0;
      fault_valid_q <= 1'b0;
      leading_q <= '0;
    end else begin
      stalled_q <= out_valid_i && !out_ready_i;
      fault_valid_q <= fault_valid_i;
      leading_q <= leading_q + 7'(accept_i && leads_in) - 7'(leave && leads_out);
    end
  end

  always_ff @(posedge clk_i) begin
    out_tag_q <= out_tag_i;
    out_impulse_q <= out_impulse_i;
    out_lead_q <= out_lead_i;
    out_velocity_q <= out_velocity_i;
    fault_tag_q <= fault_tag_i;
    mark_threshold_q <= mark_threshold_i;
    lead_factor_q <= lead_factor_i;
  end

  `PPU_ASSERT(ResultIsStableWhileStalled,
              !stalled_q || (out_valid_i && out_tag_i == out_tag_q &&
                             out_impulse_i == out_impulse_q && out_lead_i == out_lead_q &&
                             out_velocity_i == out_velocity_q))
  `PPU_ASSERT(FirstFaultIsSticky, !fault_valid_q || (fault_valid_i && fault_tag_i == fault_tag_q))
  `PPU_ASSERT(MarkThresholdHoldsWhileRowsAreInThePipe,
              in_flight == '0 || mark_threshold_i == mark_threshold_q)
  `PPU_ASSERT(LeadFactorHoldsWhileRowsThatLeadAreInThePipe,
              leading_q == '0 || lead_factor_i == lead_factor_q)

  // ---------------------------------------------------------------------------------------------
  // A row with a quotient is dividing for DivStages cycles after it has left.
  // ---------------------------------------------------------------------------------------------
  localparam logic [4:0] Over = 5'(DivStages);

  logic [4:0] divided_q;  // cycles since the last such row left, Over at most

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) divided_q <= Over;
    else if (leave && quotient) divided_q <= '0;
    else if (divided_q != Over) divided_q <= divided_q + 5'd1;
  end

  `PPU_ASSERT(DividingLastsAsLongAsADivision, dividing_i == (divided_q != Over))

endmodule
