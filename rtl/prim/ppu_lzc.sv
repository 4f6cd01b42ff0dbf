// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Leading zeros of a 32-bit word; 31 where the word is zero. Combinational.

module ppu_lzc (
  input  logic [31:0] data_i,  ///< The word.
  output logic [4:0]  zeros_o  ///< Leading zeros of the word, 0 to 31.
);

  // Halve the word five times, keeping the half that holds the first one.
  logic [15:0] half16;
  logic [7:0]  half8;
  logic [3:0]  half4;
  logic        zero16, zero8, zero4, zero2, zero1;
  logic        unused_last;

  assign zero16 = data_i[31:16] == '0;
  assign half16 = zero16 ? data_i[15:0] : data_i[31:16];
  assign zero8 = half16[15:8] == '0;
  assign half8 = zero8 ? half16[7:0] : half16[15:8];
  assign zero4 = half8[7:4] == '0;
  assign half4 = zero4 ? half8[3:0] : half8[7:4];
  assign zero2 = half4[3:2] == '0;
  assign zero1 = zero2 ? !half4[1] : !half4[3];
  assign zeros_o = {zero16, zero8, zero4, zero2, zero1};
  assign unused_last = half4[0];

endmodule
