// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What must hold at the ports of the row pipe, whatever is inside: rows leave complete and in
// order, requests for JM and v name the right rows, quotients take their time. Assertions only.

`include "ppu_assert.svh"

module ppu_row_pipe_checks #(
  parameter int unsigned Beats = 1,      ///< Cycles in which the elements of a row enter.
  parameter int unsigned Latency = 31,   ///< Cycles from entry to exit; at most 127.
  parameter int unsigned DivStages = 14  ///< Cycles of a division, 2 to 29.
) (
  input logic                        clk_i,             ///< Clock; its rising edge counts.
  input logic                        rst_ni,            ///< Low: nothing is checked.
  input logic                        accept_i,          ///< A row enters.
  input logic [31:0]                 in_tag_i,          ///< The tag of the row that enters.
  input ppu_spec_pkg::control_t      in_control_i,      ///< The control word of the row that
                                                        ///< enters.
  input logic [31:0]                 mark_threshold_i,  ///< The port of the pipe.
  input logic [31:0]                 lead_factor_i,     ///< The port of the pipe.
  input logic [Latency:1]            valid_i,           ///< Bit t: a row that entered t cycles ago.
  input logic                        axpy_jm_valid_i,   ///< Elements of JM are asked for.
  input ppu_pipe_pkg::axpy_request_t axpy_jm_i,         ///< The row and the elements of JM.
  input logic                        axpy_v_valid_i,    ///< Elements of v are asked for.
  input ppu_pipe_pkg::axpy_request_t axpy_v_i,          ///< The row and the elements of v.
  input logic                        out_valid_i,       ///< A row leaves.
  input logic [31:0]                 out_tag_i,         ///< The tag of the row that leaves.
  input ppu_spec_pkg::control_t      out_control_i,     ///< The control word of the row that
                                                        ///< leaves.
  input ppu_pipe_pkg::row_result_t   out_i,             ///< What the row that leaves comes to.
  input logic                        dividing_i         ///< The port of the pipe.
);

  localparam logic [3:0] LastBeat = 4'(Beats - 1);

  // ---------------------------------------------------------------------------------------------
  // Rows in flight: their tags in order of entry, and who has got how far.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] tags_q [0:127];
  logic [6:0]  entered_q, jm_q, v_q, left_q, in_flight;

  assign in_flight = entered_q - left_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      entered_q <= '0;
      jm_q <= '0;
      v_q <= '0;
      left_q <= '0;
    end else begin
      entered_q <= entered_q + 7'(accept_i);
      jm_q <= jm_q + 7'(axpy_jm_valid_i && axpy_jm_i.beat == LastBeat);
      v_q <= v_q + 7'(axpy_v_valid_i && axpy_v_i.beat == LastBeat);
      left_q <= left_q + 7'(out_valid_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept_i) tags_q[entered_q] <= in_tag_i;
  end

  `PPU_ASSERT(NoRowIsLostOrMadeUp, 32'(in_flight) == $countones(valid_i))
  `PPU_ASSERT(AxpyJmRequestNamesTheNextRow, !axpy_jm_valid_i || axpy_jm_i.tag == tags_q[jm_q])
  `PPU_ASSERT(AxpyVRequestNamesTheNextRow, !axpy_v_valid_i || axpy_v_i.tag == tags_q[v_q])
  `PPU_ASSERT(AxpyBeatsAreBelowBeats, axpy_jm_i.beat <= LastBeat && axpy_v_i.beat <= LastBeat)
  `PPU_ASSERT(ResultCarriesTheOldestTag, !out_valid_i || out_tag_i == tags_q[left_q])

  // ---------------------------------------------------------------------------------------------
  // Values.
  // ---------------------------------------------------------------------------------------------
  logic mark, quotient, extrapolates_in, extrapolates_out, has_lead, unused_fields;

  assign mark = out_control_i.mark == ppu_spec_pkg::MarkOn;
  assign quotient = out_control_i.resid == ppu_spec_pkg::ResidQuotient;
  assign extrapolates_in = in_control_i.lead == ppu_spec_pkg::LeadOn;
  assign extrapolates_out = out_control_i.lead == ppu_spec_pkg::LeadOn;
  assign has_lead =
    extrapolates_out && !out_i.skipped && out_control_i.form == ppu_spec_pkg::FormRate;
  assign unused_fields = ^{in_control_i, out_control_i, out_i};

  `PPU_ASSERT(ControlWordIsLegal, !accept_i || in_control_i.clamp <= ppu_spec_pkg::ClampMed)
  `PPU_ASSERT(SkippedRowsDoNotFault, !(out_valid_i && out_i.skipped && out_i.fault))
  `PPU_ASSERT(ResidualWithoutFaultIsFiniteAndNotNegative,
              !out_valid_i || out_i.fault || out_i.residual < 32'h7f800000)
  `PPU_ASSERT(ImpulseWithoutFaultIsFinite,
              !out_valid_i || out_i.fault || out_i.skipped || out_i.impulse[30:23] != '1)
  `PPU_ASSERT(ResidualOfAQuotientComesLater,
              !out_valid_i || !quotient || out_i.residual == '0)
  `PPU_ASSERT(MarksComeFromRowsThatMarkAndAreWritten,
              !out_valid_i || !(out_i.mark_a || out_i.mark_b) ||
              (mark && !out_i.skipped && !out_i.fault))
  `PPU_ASSERT(LeadOfARowThatDoesNotExtrapolateIsItsImpulse,
              !out_valid_i || has_lead || out_i.lead == out_i.impulse)

  // ---------------------------------------------------------------------------------------------
  // What a cycle must leave as it was.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] mark_threshold_q, lead_factor_q;
  logic [6:0]  extrapolating_q;  // rows in flight that extrapolate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) extrapolating_q <= '0;
    else
      extrapolating_q <= extrapolating_q + 7'(accept_i && extrapolates_in) -
                         7'(out_valid_i && extrapolates_out);
  end

  always_ff @(posedge clk_i) begin
    mark_threshold_q <= mark_threshold_i;
    lead_factor_q <= lead_factor_i;
  end

  `PPU_ASSERT(MarkThresholdHoldsWhileRowsAreInThePipe,
              in_flight == '0 || mark_threshold_i == mark_threshold_q)
  `PPU_ASSERT(LeadFactorHoldsWhileRowsThatExtrapolateAreInThePipe,
              extrapolating_q == '0 || lead_factor_i == lead_factor_q)

  // ---------------------------------------------------------------------------------------------
  // A row with a quotient is dividing for DivStages cycles after it has left.
  // ---------------------------------------------------------------------------------------------
  localparam logic [4:0] Over = 5'(DivStages);

  logic [4:0] divided_q;  // cycles since the last such row left, Over at most

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) divided_q <= Over;
    else if (out_valid_i && quotient) divided_q <= '0;
    else if (divided_q != Over) divided_q <= divided_q + 5'd1;
  end

  `PPU_ASSERT(DividingLastsAsLongAsADivision, dividing_i == (divided_q != Over))

endmodule
