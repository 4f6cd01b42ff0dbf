// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows whose operands are read: those that issue, or that issued as many cycles ago as there
// are stages behind the choice.

module ppu_row_read #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned ChoiceStages = 0,  ///< 0 or 1.
  /// Bits of a row at the issue stage.
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth
) (
  input  logic                      clk_i,     ///< Clock; its rising edge counts.
  input  logic                      rst_ni,    ///< Low: no row is read.
  input  logic [Pipes-1:0]          issue_i,   ///< A row of this pipe issues.
  input  logic [Pipes-1:0]          pass_over_i,  ///< A row of this pipe is passed over.
  input  logic [Pipes-1:0]          maxima_i,  ///< The residual maximum in which it counts.
  input  logic [Pipes*RowWidth-1:0] rows_i,    ///< A ppu_engine_pkg::issue_row_t of each pipe.
  output logic [Pipes-1:0]          read_o,    ///< The operands of a row of this pipe are read.
  output logic [Pipes-1:0]          pass_over_o,  ///< A row would be read that was passed over.
  output logic [Pipes-1:0]          maxima_o,  ///< The residual maximum in which a row that is read
                                               ///< counts.
  output logic [Pipes*RowWidth-1:0] rows_o     ///< A ppu_engine_pkg::issue_row_t of each pipe: the
                                               ///< row that is read.
);

  if (ChoiceStages == 0) begin : gen_at_once
    logic unused_reset;

    assign unused_reset = rst_ni;
    assign read_o = issue_i;
    assign pass_over_o = pass_over_i;
  end else begin : gen_later
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {read_o, pass_over_o} <= '0;
      else {read_o, pass_over_o} <= {issue_i, pass_over_i};
    end
  end

  ppu_delay #(.Width(Pipes + Pipes * RowWidth), .Depth(ChoiceStages)) u_rows (
    .clk_i, .data_i({maxima_i, rows_i}), .data_o({maxima_o, rows_o}));

endmodule
