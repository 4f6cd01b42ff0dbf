// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Check bits of a word: an extended Hamming code. One flipped bit of data and check bits is
// corrected, two are found. A word that cannot be corrected reads as 0.
//
// Data bit i has a position, the i-th number that is no power of two: 3, 5, 6, 7, 9 and so on.
// Check bit j is the parity of the data bits whose position has bit j. The last check bit is the
// parity of everything else.

module ppu_secded #(
  /// Bits of data, 1 to 120.
  parameter int unsigned Width = 32,
  /// Check bits: 2^(Checks - 1) positions are enough for all data and check bits but the last.
  localparam int unsigned Checks = $clog2(Width + $clog2(Width + $clog2(Width) + 1) + 1) + 1
) (
  input  logic [Width-1:0]  data_i,       ///< A word that is written.
  output logic [Checks-1:0] checks_o,     ///< The check bits of data_i.
  input  logic [Width-1:0]  read_i,       ///< A word that was read.
  input  logic [Checks-1:0] checks_i,     ///< The check bits that were read with read_i.
  output logic [Width-1:0]  read_o,       ///< The word as it was written, or 0.
  output logic              corrected_o,  ///< One bit had flipped.
  output logic              bad_o         ///< More had: the word is lost.
);

  localparam int unsigned Syndrome = Checks - 1;
  localparam int unsigned Last = Width + Syndrome;  // the largest position

  function automatic logic [Syndrome-1:0] position(input int unsigned bit_of_data);
    int unsigned place;

    place = bit_of_data + 1;
    for (int unsigned j = 0; j < Syndrome; j++) if ((32'd1 << j) <= place) place = place + 1;
    position = Syndrome'(place);
  endfunction

  function automatic logic [Width*Syndrome-1:0] positions();
    positions = '0;
    for (int unsigned at = 0; at < Width; at++)
      positions[at*Syndrome +: Syndrome] = position(at);
  endfunction

  /// The data bits that check bit j is the parity of.
  function automatic logic [Width-1:0] covered(input int unsigned j);
    covered = '0;
    for (int unsigned at = 0; at < Width; at++) covered[at] = 1'(position(at) >> j);
  endfunction

  logic [Syndrome-1:0] written, syndrome;
  logic [Width-1:0]    flips;
  logic                odd;

  for (genvar j = 0; j < Syndrome; j++) begin : gen_check
    localparam logic [Width-1:0] Covered = covered(j);

    assign written[j] = ^(data_i & Covered);
    assign syndrome[j] = ^(read_i & Covered) ^ checks_i[j];
  end

  localparam logic [Width*Syndrome-1:0] Positions = positions();

  always_comb begin
    flips = '0;
    if (odd)
      for (int i = 0; i < Width; i++)
        flips[i] = syndrome == Positions[i*Syndrome +: Syndrome];
  end

  assign checks_o = {^{data_i, written}, written};
  assign odd = ^{read_i, checks_i};
  assign bad_o = odd ? 32'(syndrome) > Last : syndrome != '0;
  assign corrected_o = odd && !bad_o;

  assign read_o = bad_o ? '0 : read_i ^ flips;

endmodule
