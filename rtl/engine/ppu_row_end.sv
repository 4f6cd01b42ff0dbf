// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row that ends the run, the lowest slot of several: one that leaves its pipe with a fault, or
// a bad one that is next, or else the first bad one that was loaded.

module ppu_row_end #(
  parameter int unsigned Pipes = 1
) (
  input  logic [Pipes-1:0]    fault_i,  ///< Rows that leave with a fault.
  input  logic [Pipes*32-1:0] fault_slot_i,
  input  logic [Pipes*4-1:0]  fault_detail_i,
  input  logic [Pipes-1:0]    next_i,  ///< The next row is bad.
  input  logic [Pipes*32-1:0] next_slot_i,
  input  logic [Pipes*4-1:0]  next_detail_i,
  input  logic [31:0]         loaded_slot_i,
  input  logic [3:0]          loaded_detail_i,
  output logic [31:0]         slot_o,
  output logic [3:0]          detail_o  ///< ppu_spec_pkg::Fault*.
);

  always_comb begin
    slot_o = loaded_slot_i;
    detail_o = loaded_detail_i;
    for (int p = 0; p < Pipes; p++) begin
      if (next_i[p]) begin
        slot_o = next_slot_i[32*p +: 32];
        detail_o = next_detail_i[4*p +: 4];
      end
    end
    if (fault_i != '0) slot_o = '1;
    for (int p = 0; p < Pipes; p++) begin
      if (fault_i[p] && fault_slot_i[32*p +: 32] < slot_o) begin
        slot_o = fault_slot_i[32*p +: 32];
        detail_o = fault_detail_i[4*p +: 4];
      end
    end
  end

endmodule
