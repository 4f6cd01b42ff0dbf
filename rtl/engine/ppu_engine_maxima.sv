// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The residual maxima of all pipes: the current one, when they start from 0, and whether rows that
// count in the other one are under way. A row is under way until its quotient would have left the
// divider.

`include "ppu_assert.svh"

module ppu_engine_maxima #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned UnderWay = 48  ///< Cycles for which a row is under way.
) (
  input  logic                         clk_i,        ///< Clock; its rising edge counts.
  input  logic                         rst_ni,       ///< Low: no row is under way.
  input  logic                         clear_i,      ///< A run begins.
  input  logic                         maximum_i,    ///< The current one.
  input  ppu_engine_pkg::execution_t   execution_i,  ///< What executes.
  input  ppu_engine_pkg::passes_t      passes_i,     ///< How passes are getting on.
  input  logic [Pipes-1:0]             issue_i,      ///< A row of this pipe issues.
  input  logic [Pipes-1:0]             maxima_i,     ///< The maximum in which its row counts.
  input  logic [Pipes*32-1:0]          residuals_i,  ///< The current maximum of each pipe,
                                                     ///< binary32, >= 0.
  input  logic [31:0]                  operand_i,    ///< What `bmax` compares with, binary32.
  output logic [1:0]                   clear_o,      ///< Maxima that start from 0.
  output logic                         settled_o,    ///< No row that counts in the other maximum is
                                                     ///< pending or under way.
  output logic                         exceeds_o,    ///< The current maximum is above the operand
                                                     ///< of `bmax`.
  output logic [31:0]                  max_o         ///< The current maximum, binary32, >= 0.
);

  localparam int unsigned UnderWayWidth = $clog2(UnderWay);

  logic [UnderWayWidth-1:0] others_q;  // cycles for which rows of the other maximum are under way
  logic [Pipes-1:0]         others;    // such a row issues
  logic [Pipes-1:0]         largest;
  logic                     unused_fields;

  assign unused_fields = ^{execution_i, passes_i};
  assign clear_o = {clear_i || (maximum_i ? execution_i.rdmax : execution_i.change),
                    clear_i || (maximum_i ? execution_i.change : execution_i.rdmax)};
  assign others = issue_i & (maxima_i ^ {Pipes{maximum_i}});
  assign settled_o = others_q == '0 && !(passes_i.pending && passes_i.maximum != maximum_i);

  // When a `bmax` branches, rows of the current maximum become those of the other one.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) others_q <= '0;
    else if (clear_i) others_q <= '0;
    else if (others != '0 || execution_i.change) others_q <= UnderWayWidth'(UnderWay - 1);
    else if (others_q != '0) others_q <= others_q - UnderWayWidth'(1);
  end

  // Bits of non-negative numbers are in the order of the numbers. All pipes are compared at once;
  // of equal ones the first is the largest.
  always_comb begin
    largest = '1;
    exceeds_o = 1'b0;
    max_o = '0;
    for (int p = 0; p < Pipes; p++) begin
      for (int q = 0; q < p; q++)
        if (residuals_i[p*32 +: 32] > residuals_i[q*32 +: 32]) largest[q] = 1'b0;
        else largest[p] = 1'b0;
      if (operand_i < residuals_i[p*32 +: 32]) exceeds_o = 1'b1;
    end
    for (int p = 0; p < Pipes; p++)
      if (largest[p]) max_o = max_o | residuals_i[p*32 +: 32];
  end

  `PPU_ASSERT(AMaximumIsLeftWhenTheOtherOneIsSettled, !execution_i.change || settled_o)

endmodule
