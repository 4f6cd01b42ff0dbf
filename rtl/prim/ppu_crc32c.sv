// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// CRC32C (Castagnoli) of a sequence of beats, byte 0 of each first: the remainder before and behind
// a beat. The first remainder is all ones; the CRC is the complement of the last.

module ppu_crc32c #(
  parameter int unsigned Width = 512  ///< Bits of a beat.
) (
  input  logic             valid_i,      ///< There is a beat; else the remainder stays.
  input  logic [Width-1:0] data_i,       ///< The beat.
  input  logic [31:0]      remainder_i,  ///< Before it.
  output logic [31:0]      remainder_o   ///< Behind it, combinational.
);

  // The highest power of the polynomial in bit 0.
  localparam logic [31:0] Polynomial = 32'h82f63b78;

  always_comb begin
    remainder_o = remainder_i;
    if (valid_i) begin
      for (int i = 0; i < Width; i++)
        remainder_o = {1'b0, remainder_o[31:1]} ^
                      (remainder_o[0] != data_i[i] ? Polynomial : '0);
    end
  end

endmodule
