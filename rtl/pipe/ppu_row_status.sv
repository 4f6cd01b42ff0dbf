// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the row pipe remembers of the rows that have left it: the residual maximum, quotients
// included, and the first fault.

module ppu_row_status (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        leave_i,               ///< A row leaves in this cycle.
  input  logic [31:0] tag_i,
  input  logic [31:0] residual_i,            ///< >= 0; a faulting row's does not count.
  input  logic        fault_i,
  input  logic [31:0] quotient_i,            ///< >= 0; of a row that has left before, or 0.
  input  logic        clear_max_residual_i,  ///< Start again from 0, with what comes now.
  output logic [31:0] max_residual_o,
  output logic        fault_valid_o,         ///< Sticky until reset.
  output logic [31:0] fault_tag_o            ///< Tag of the first faulting row.
);

  logic [31:0] max_residual_d;

  // Bits of non-negative numbers are in the order of the numbers.
  always_comb begin
    max_residual_d = clear_max_residual_i ? '0 : max_residual_o;
    if (leave_i && !fault_i && residual_i > max_residual_d) max_residual_d = residual_i;
    if (quotient_i > max_residual_d) max_residual_d = quotient_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      max_residual_o <= '0;
      fault_valid_o <= 1'b0;
      fault_tag_o <= ppu_spec_pkg::RowNone;
    end else begin
      max_residual_o <= max_residual_d;
      if (leave_i && fault_i && !fault_valid_o) begin
        fault_valid_o <= 1'b1;
        fault_tag_o <= tag_i;
      end
    end
  end

endmodule
