// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A flag for each of many things, in registers: several are cleared and set in a cycle, or all of
// them. A place is decoded by row and column, so that what a flag costs does not grow with their
// number. Of what happens to a flag in one cycle, a later port counts more, and setting it more
// than clearing it.

module ppu_flags #(
  parameter int unsigned Flags = 64,  ///< Flags, a multiple of 64.
  parameter int unsigned Clears = 1,  ///< Flags that are cleared in a cycle, at most.
  parameter int unsigned Sets = 1,    ///< Flags that are set in a cycle, at most.
  /// Bits of a place.
  localparam int unsigned Width = $clog2(Flags)
) (
  input  logic                    clk_i,       ///< Clock; its rising edge counts.
  input  logic                    clear_all_i, ///< All are cleared, before all else.
  input  logic                    set_all_i,   ///< All are set.
  input  logic [Clears-1:0]       clear_i,     ///< A flag is cleared.
  input  logic [Clears*Width-1:0] clear_at_i,  ///< The number of a flag that is cleared.
  input  logic [Sets-1:0]         set_i,       ///< A flag is set.
  input  logic [Sets*Width-1:0]   set_at_i,    ///< The number of a flag that is set.
  output logic [Flags-1:0]        flags_o      ///< All flags; changes are there in the next cycle.
);

  localparam int unsigned ColumnBits = ppu_flags_pkg::ColumnBits;
  localparam int unsigned Columns = 2 ** ColumnBits;
  localparam int unsigned Rows = Flags / Columns;

  // One bit of those of a port each.
  logic [Clears*Rows-1:0]    clear_rows;
  logic [Clears*Columns-1:0] clear_columns;
  logic [Sets*Rows-1:0]      set_rows;
  logic [Sets*Columns-1:0]   set_columns;
  logic [Rows-1:0]           changes;  // a flag of the row does

  always_comb begin
    changes = '0;
    for (int i = 0; i < Clears; i++) begin
      clear_rows[i*Rows +: Rows] =
        Rows'(clear_i[i]) << (clear_at_i[i*Width +: Width] >> ColumnBits);
      clear_columns[i*Columns +: Columns] = Columns'(1) << clear_at_i[i*Width +: ColumnBits];
      changes = changes | clear_rows[i*Rows +: Rows];
    end
    for (int i = 0; i < Sets; i++) begin
      set_rows[i*Rows +: Rows] = Rows'(set_i[i]) << (set_at_i[i*Width +: Width] >> ColumnBits);
      set_columns[i*Columns +: Columns] = Columns'(1) << set_at_i[i*Width +: ColumnBits];
      changes = changes | set_rows[i*Rows +: Rows];
    end
  end

  function automatic logic [Columns-1:0] cleared(input int unsigned number);
    cleared = '0;
    for (int i = 0; i < Clears; i++)
      if (clear_rows[i*Rows+number]) cleared = cleared | clear_columns[i*Columns +: Columns];
  endfunction

  function automatic logic [Columns-1:0] set(input int unsigned number);
    set = '0;
    for (int i = 0; i < Sets; i++)
      if (set_rows[i*Rows+number]) set = set | set_columns[i*Columns +: Columns];
  endfunction

  logic [Flags-1:0] flags_q;

  assign flags_o = flags_q;

  always_ff @(posedge clk_i) begin
    if (clear_all_i || set_all_i) begin
      for (int r = 0; r < Rows; r++) flags_q[r*Columns +: Columns] <= {Columns{!clear_all_i}};
    end else if (clear_i != '0 || set_i != '0) begin
      for (int r = 0; r < Rows; r++)
        if (changes[r])
          flags_q[r*Columns +: Columns] <= (flags_q[r*Columns +: Columns] & ~cleared(r)) | set(r);
    end
  end

endmodule
