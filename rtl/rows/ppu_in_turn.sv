// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which of some things have their turn: they come in a circle from any of them on, and each waits
// until all before it go. Combinational.

module ppu_in_turn #(
  parameter int unsigned Things = 2,  ///< 1, 2, 4, 8 or 16.
  /// Bits of the number of a thing.
  localparam int unsigned NumberWidth = Things > 1 ? $clog2(Things) : 1
) (
  input  logic [NumberWidth-1:0] first_i,  ///< The thing that comes first.
  input  logic [Things-1:0]      go_i,     ///< The thing goes if it has its turn.
  output logic [Things-1:0]      turn_o,   ///< All things before it go.
  output logic                   all_o     ///< All things go.
);

  logic [Things-1:0] wrapped;  // things with lower numbers than the first one
  logic [Things-1:0] earlier;  // bit r: thing r comes before thing q

  assign wrapped = ~({Things{1'b1}} << first_i);
  assign all_o = &go_i;

  always_comb begin
    earlier = '0;
    for (int q = 0; q < Things; q++) begin
      for (int r = 0; r < Things; r++) begin
        if (r < q) earlier[r] = !wrapped[r] || wrapped[q];
        if (r == q) earlier[r] = 1'b0;
        if (r > q) earlier[r] = wrapped[q] && !wrapped[r];
      end
      turn_o[q] = &(go_i | ~earlier);
    end
  end

endmodule
