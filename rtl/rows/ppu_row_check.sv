// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is wrong with the bodies and the parent of a row record, if anything.

module ppu_row_check (
  input  logic [31:0] slot_i,        ///< The row's own slot.
  input  logic [31:0] body_a_i,      ///< Body a, or ppu_spec_pkg::RowNone.
  input  logic [31:0] body_b_i,      ///< Body b, or ppu_spec_pkg::RowNone.
  input  logic [31:0] parent_i,      ///< The slot of the parent, or ppu_spec_pkg::RowNone.
  input  logic [31:0] row_count_i,   ///< Rows of the run.
  input  logic [31:0] body_count_i,  ///< Bodies of the run.
  output logic [3:0]  fault_o        ///< A ppu_spec_pkg::fault_detail_e.
);

  logic bad_a, bad_b, same, bad_parent;

  assign bad_a = body_a_i != ppu_spec_pkg::RowNone && body_a_i >= body_count_i;
  assign bad_b = body_b_i != ppu_spec_pkg::RowNone && body_b_i >= body_count_i;
  assign same = body_a_i != ppu_spec_pkg::RowNone && body_a_i == body_b_i;
  assign bad_parent = parent_i != ppu_spec_pkg::RowNone &&
                      (parent_i >= row_count_i || parent_i == slot_i);

  always_comb begin
    fault_o = 4'(ppu_spec_pkg::FaultNone);
    if (bad_a) fault_o = 4'(ppu_spec_pkg::FaultBodyA);
    else if (bad_b) fault_o = 4'(ppu_spec_pkg::FaultBodyB);
    else if (same) fault_o = 4'(ppu_spec_pkg::FaultSameBody);
    else if (bad_parent) fault_o = 4'(ppu_spec_pkg::FaultParent);
  end

endmodule
