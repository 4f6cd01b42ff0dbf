// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Puts the words of Beats consecutive cycles side by side, the first in the low bits.
// Complete in the cycle of the last word.

module ppu_gather #(
  parameter int unsigned Beats = 1,  ///< Words to put together, 1 or more.
  parameter int unsigned Width = 1   ///< Bits of a word.
) (
  input  logic                   clk_i,   ///< Clock; its rising edge counts.
  input  logic [Width-1:0]       data_i,  ///< A word.
  output logic [Beats*Width-1:0] data_o   ///< The last Beats words.
);

  if (Beats == 1) begin : gen_wire
    logic unused_clocking;
    assign unused_clocking = clk_i;
    assign data_o = data_i;
  end else begin : gen_registers
    logic [(Beats-1)*Width-1:0] data_q;
    assign data_o = {data_i, data_q};
    always_ff @(posedge clk_i) data_q <= data_o[Beats*Width-1:Width];
  end

endmodule
