// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The places of open passes in the row memory of one pipe. They are used in turn, and become free
// part by part, in their order, when all rows of a part are gone.

`include "ppu_assert.svh"

module ppu_row_places #(
  parameter int unsigned Places = 32768,  ///< Rows of this pipe.
  /// Bits of a place.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1
) (
  input  logic                  clk_i,         ///< Clock; its rising edge counts.
  input  logic                  rst_ni,        ///< Low: no row is gone.
  input  logic                  clear_i,       ///< A run begins: no row is gone.
  input  logic                  gone_i,        ///< A row that has issued is gone.
  input  logic [PlaceWidth-1:0] gone_place_i,  ///< The place of that row.
  input  logic                  over_i,        ///< A row is passed over.
  input  logic [PlaceWidth-1:0] over_place_i,  ///< The place of that row.
  output logic                  free_o         ///< A part becomes free.
);

  localparam int unsigned Parts = Places % 32 == 0 ? 32 : Places % 16 == 0 ? 16 :
                                  Places % 8 == 0 ? 8 : Places % 4 == 0 ? 4 :
                                  Places % 2 == 0 ? 2 : 1;
  localparam int unsigned PartPlaces = Places / Parts;
  localparam int unsigned PartWidth = Parts > 1 ? $clog2(Parts) : 1;
  localparam int unsigned GoneWidth = $clog2(PartPlaces + 1);

  logic [PartWidth-1:0] gone_part, over_part, oldest_q;
  logic [Parts*GoneWidth-1:0] gone_d, gone_q;  // rows that are gone, by part

  assign gone_part = PartWidth'(32'(gone_place_i) / PartPlaces);
  assign over_part = PartWidth'(32'(over_place_i) / PartPlaces);
  assign free_o = gone_q[oldest_q*GoneWidth +: GoneWidth] == GoneWidth'(PartPlaces);

  always_comb begin
    for (int i = 0; i < Parts; i++) begin
      gone_d[i*GoneWidth +: GoneWidth] = gone_q[i*GoneWidth +: GoneWidth] +
                                         GoneWidth'(gone_i && 32'(gone_part) == i) +
                                         GoneWidth'(over_i && 32'(over_part) == i);
      if (free_o && 32'(oldest_q) == i) gone_d[i*GoneWidth +: GoneWidth] = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oldest_q <= '0;
      gone_q <= '0;
    end else if (clear_i) begin
      oldest_q <= '0;
      gone_q <= '0;
    end else begin
      if (free_o) oldest_q <= PartWidth'(32'(oldest_q) + 1 == Parts ? 0 : 32'(oldest_q) + 1);
      gone_q <= gone_d;
    end
  end

  `PPU_ASSERT(NoRowIsGoneFromAPartThatBecomesFree,
              !(free_o && ((gone_i && gone_part == oldest_q) ||
                           (over_i && over_part == oldest_q))))

endmodule
