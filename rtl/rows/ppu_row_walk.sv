// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Walks the beats of row records, pass by pass. A row has two beats. In the reduced form the first
// one holds the tails of a whole block, so that only the first row of a pass and the first one of
// each block have it. Two beats of a row that lie one behind the other may be one step.

`include "ppu_assert.svh"

module ppu_row_walk #(
  /// Bits of a number of rows.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth
) (
  input  logic                  clk_i,         ///< Clock; its rising edge counts.
  input  logic                  rst_ni,        ///< Low: no passes.
  input  logic                  clear_i,       ///< A run begins: no passes.
  input  logic                  reduced_i,     ///< The rows of the run are in the reduced form.
  input  logic                  pairs_i,       ///< Beats go two at a time where they can.
  input  logic                  pass_valid_i,  ///< A pass; there is room for two.
  input  ppu_engine_pkg::pass_t pass_i,        ///< The rows of the pass.
  input  logic                  step_i,        ///< To the next beat, behind a pair.
  output logic                  valid_o,       ///< There are beats left.
  output logic [CountWidth-1:0] slot_o,        ///< Slot of the row.
  output logic                  begun_o,       ///< The row's first beat, of two, is behind.
  output logic                  last_o,        ///< The beat, or pair, is the last one of its row.
  output logic                  pair_o,        ///< The beat and the one behind it go together.
  output logic [25:0]           beat_o         ///< The number of the beat, from the first row's
                                               ///< first one on; of a pair, that of the first.
);

  localparam int unsigned BlockRows = ppu_spec_pkg::ReducedBlockRows;
  localparam int unsigned BlockBits = $clog2(BlockRows);  // a power of two

  logic                  begun_q, inner_q, in_block;  // inner: not the first row of its pass
  logic                  unused_another, unused_pass;
  logic [25:0]           begin_beat, first_beat, beat_q, step;  // begin: of the pass that comes
  logic [CountWidth-1:0] block;  // of the first row of that pass
  ppu_engine_pkg::pass_t pass;

  assign slot_o = pass.first;
  assign unused_pass = ^pass;

  assign in_block = slot_o[BlockBits-1:0] != '0;
  assign begun_o = begun_q;
  assign pair_o = pairs_i && !begun_q && !(reduced_i && in_block);
  assign last_o = begun_q || pair_o || (reduced_i && inner_q && in_block);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      inner_q <= 1'b0;
    end else if (clear_i) begin
      begun_q <= 1'b0;
      inner_q <= 1'b0;
    end else if (step_i) begin
      begun_q <= !last_o;
      if (last_o) inner_q <= pass.count != CountWidth'(1);
    end
  end

  ppu_pass_queue #(.PayloadWidth(26)) u_passes (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_valid_i), .pass_i, .payload_i(begin_beat),
    .take_i(step_i && last_o), .skip_i('0), .valid_o, .another_o(unused_another), .pass_o(pass),
    .payload_o(first_beat));

  // A pass begins with the first beat of its row; in the reduced form with the tails of the block,
  // behind which the heads of its rows lie. Then its beats follow each other, but for the heads
  // before that of the first row.
  assign block = pass_i.first >> BlockBits;
  assign begin_beat =
    reduced_i ? 26'({block, BlockBits'(0)}) + 26'(block) : 26'({pass_i.first, 1'b0});
  assign beat_o = inner_q || begun_q ? beat_q : first_beat;
  assign step =
    reduced_i && !last_o ? 26'(slot_o[BlockBits-1:0]) + 26'd1 : pair_o ? 26'd2 : 26'd1;

  always_ff @(posedge clk_i) begin
    if (step_i) beat_q <= beat_o + step;
  end

  `PPU_ASSERT(RowsHaveNoBeatBehindTheLast, !step_i || valid_o)

endmodule
