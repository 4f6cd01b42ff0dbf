// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// How flags lie: ppu_flags writes, and ppu_flag_read reads, a column of a row.

package ppu_flags_pkg;

  // Bits of a place that are its column; the rest is its row.
  localparam int unsigned ColumnBits = 6;

endpackage
