// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Reads one of many flags: its row first, then its column in it, as ppu_flags keeps them.

module ppu_flag_read #(
  parameter int unsigned Flags = 64,  ///< Flags, a multiple of 64.
  /// Bits of a place.
  localparam int unsigned Width = $clog2(Flags)
) (
  input  logic [Flags-1:0] flags_i,  ///< All flags.
  input  logic [Width-1:0] at_i,     ///< The number of the flag that is read.
  output logic             flag_o    ///< The flag, in this cycle.
);

  localparam int unsigned ColumnBits = ppu_flags_pkg::ColumnBits;
  localparam int unsigned Columns = 2 ** ColumnBits;
  localparam int unsigned Rows = Flags / Columns;

  logic [Columns-1:0] row;

  always_comb begin
    row = '0;
    for (int r = 0; r < Rows; r++)
      if (32'(at_i) >> ColumnBits == r) row = row | flags_i[r*Columns +: Columns];
  end

  assign flag_o = row[at_i[ColumnBits-1:0]];

endmodule
