// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Spreads an event over Beats cycles: the cycle of the event is beat 0, and its word is
// held until the last beat.

`include "ppu_assert.svh"

module ppu_beats #(
  /// Beats of an event, 1 or more; events come at least this many cycles apart.
  parameter int unsigned Beats = 1,
  /// Bits of the held word.
  parameter int unsigned Width = 1,
  /// Bits of the beat number.
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1
) (
  input  logic                 clk_i,     ///< Clock; its rising edge counts.
  input  logic                 rst_ni,    ///< Low: no event is under way.
  input  logic                 start_i,   ///< An event.
  input  logic [Width-1:0]     data_i,    ///< Taken with start_i.
  output logic                 active_o,  ///< A beat is under way in this cycle.
  output logic                 busy_o,    ///< A beat that is not the first is under way: nothing
                                          ///< may start.
  output logic [BeatWidth-1:0] beat_o,    ///< The number of the beat.
  output logic [Width-1:0]     data_o     ///< The word of the event.
);

  if (Beats == 1) begin : gen_single
    logic unused_clocking;
    assign unused_clocking = clk_i ^ rst_ni;
    assign active_o = start_i;
    assign busy_o = 1'b0;
    assign beat_o = '0;
    assign data_o = data_i;
  end else begin : gen_counter
    localparam logic [BeatWidth-1:0] Last = BeatWidth'(Beats - 1);

    logic [BeatWidth-1:0] beat_d, beat_q;
    logic                 busy_q;  // beat_q is not 0; many bits choose by it
    logic [Width-1:0]     data_q;

    assign busy_o = busy_q;
    assign active_o = start_i || busy_q;
    assign beat_o = beat_q;
    assign data_o = busy_q ? data_q : data_i;
    assign beat_d = !active_o || beat_q == Last ? '0 : beat_q + BeatWidth'(1);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        beat_q <= '0;
        busy_q <= 1'b0;
      end else begin
        beat_q <= beat_d;
        busy_q <= beat_d != '0;
      end
    end

    always_ff @(posedge clk_i) data_q <= data_o;

    `PPU_ASSERT(EventsComeOnlyBetweenEvents, !(start_i && busy_o))
  end

endmodule
