// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The row that ends the run, the lowest slot of several: one that leaves its pipe with a fault, or
// a bad one that is next, or else the first bad one that was loaded.

module ppu_row_end #(
  parameter int unsigned Pipes = 1,
  /// Bits of the structures of a pipe.
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input  logic [Pipes-1:0]              fault_i,   ///< A row leaves with a fault.
  input  logic [Pipes*LeavingWidth-1:0] leave_i,   ///< A ppu_engine_pkg::leaving_t of each pipe.
  input  logic [Pipes-1:0]              next_i,    ///< The next row of all is that of this pipe,
                                                   ///< and bad.
  input  logic [Pipes*HeadWidth-1:0]    heads_i,   ///< A ppu_engine_pkg::head_t of each pipe.
  input  logic [Pipes*RowWidth-1:0]     rows_i,    ///< A ppu_engine_pkg::issue_row_t of each pipe.
  input  ppu_engine_pkg::bad_row_t      loaded_i,  ///< The first bad row that was loaded.
  output logic [31:0]                   slot_o,    ///< Slot of the row that ends the run.
  output logic [4:0]                    detail_o,  ///< What is wrong with that row, a
                                                   ///< ppu_spec_pkg::fault_detail_e.
  output logic [31:0]                   word_o     ///< The word of the memory that it names.
);

  ppu_engine_pkg::leaving_t   leaving;
  ppu_engine_pkg::head_t      head;
  ppu_engine_pkg::issue_row_t row;
  logic                       unused_fields;

  assign unused_fields = ^{leaving, head, row, loaded_i};

  always_comb begin
    head = '0;
    row = '0;
    leaving = '0;
    slot_o = 32'(loaded_i.slot);
    detail_o = 5'(loaded_i.detail);
    word_o = '0;
    for (int p = 0; p < Pipes; p++) begin
      head = heads_i[p*HeadWidth +: HeadWidth];
      row = rows_i[p*RowWidth +: RowWidth];
      if (next_i[p]) begin
        slot_o = 32'(row.slot);
        detail_o = head.fault;
        word_o = 32'(row.slot);
      end
    end
    if (fault_i != '0) slot_o = '1;
    for (int p = 0; p < Pipes; p++) begin
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      if (fault_i[p] && (Pipes == 1 || 32'(leaving.slot) < slot_o)) begin
        slot_o = 32'(leaving.slot);
        detail_o = leaving.detail;
        word_o = 32'(leaving.word);
      end
    end
  end

endmodule
