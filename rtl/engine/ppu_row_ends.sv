// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The first and the last row of each body so far, for the linker. They are looked up when a row
// enters its queue of two; what was found follows what the row in stage 1 writes, until the row
// that asked is there itself. Table i is written by rows that have a body on lane i; which table
// was written last is known of each body.

`include "ppu_assert.svh"

module ppu_row_ends #(
  parameter int unsigned Bodies = 4096,  ///< Bodies that fit on chip.
  parameter int unsigned Rows = 32768,   ///< Rows that fit on chip.
  /// Bits of the number of a body, of an ends_t.
  localparam int unsigned BodyBits = $clog2(Bodies),
  localparam int unsigned EndsWidth = ppu_engine_pkg::EndsWidth
) (
  input  logic                   clk_i,    ///< Clock; its rising edge counts.
  input  logic                   rst_ni,   ///< Low: promises are not checked.
  input  logic                   clear_i,  ///< A run begins.

  // Bodies by lane: that of lane a is in the low bits.
  input  logic                   read_i,         ///< Bodies are looked up: of a row that enters the
                                                 ///< queue, or one that is closed.
  input  logic [2*BodyBits-1:0]  read_bodies_i,  ///< The bodies that are looked up.
  input  logic                   next_i,         ///< The row whose bodies are looked up will be the
                                                 ///< next one, else the one behind that.
  input  logic                   behind_i,       ///< There is a row behind the next one.
  input  logic [2*BodyBits-1:0]  next_bodies_i,  ///< Bodies of the next row of the queue.
  input  logic [2*BodyBits-1:0]  behind_bodies_i,  ///< Bodies of the row behind it.
  input  logic                   leave_i,        ///< What is behind the next row moves up.
  input  logic                   take_i,         ///< What was found for the next row is taken.
  output logic [1:0]             lanes_o,        ///< The lane of the body on the last row, of what
                                                 ///< was taken.
  output logic [2*EndsWidth-1:0] ends_o,         ///< A ppu_engine_pkg::ends_t each.

  // The row in stage 1.
  input  logic [1:0]             has_i,          ///< There is one that has a body on this lane.
  input  logic [2*BodyBits-1:0]  bodies_i,       ///< Bodies of the row in stage 1.
  input  logic [2*EndsWidth-1:0] ends_i,         ///< What it makes of their rows.
  input  logic                   write_i         ///< The row has been linked: its ends are written.
);

  localparam int unsigned RowBits = $clog2(Rows);

  // As many bits as this engine needs.
  typedef struct packed {
    logic               first_free;
    logic               first_b;
    logic               first_alone;
    logic [RowBits-1:0] first;
    logic               mark;
    logic [RowBits-1:0] last;
  } kept_t;

  localparam int unsigned KeptWidth = 4 + 2 * RowBits;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned FoundWidth = 1 + KeptWidth;  // a lane, and a kept_t

  ppu_engine_pkg::ends_t  ends;
  kept_t                  kept;
  logic [Bodies-1:0]      lane_q;
  logic [2*KeptWidth-1:0] written;  // by lane, as those below

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      ends = ends_i[i*EndsWidth +: EndsWidth];
      kept.first_free = ends.first_free;
      kept.first_b = ends.first_b;
      kept.first_alone = ends.first_alone;
      kept.first = RowBits'(ends.first);
      kept.mark = ends.mark;
      kept.last = RowBits'(ends.last);
      written[i*KeptWidth +: KeptWidth] = kept;
    end
  end

  logic unused_ends;
  assign unused_ends = ^ends;

  // ---------------------------------------------------------------------------------------------
  // The tables, and which of them was written last.
  // ---------------------------------------------------------------------------------------------
  logic [1:0]              write;
  logic [2*FoundWidth-1:0] found;  // for the bodies that were looked up last

  assign write = has_i & {2{write_i}};

  ppu_flags #(.Flags(Bodies), .Clears(1), .Sets(1)) u_lane (
    .clk_i, .clear_all_i(clear_i), .set_all_i(1'b0), .clear_i(write[0]),
    .clear_at_i(bodies_i[0 +: BodyBits]), .set_i(write[1]),
    .set_at_i(bodies_i[BodyBits +: BodyBits]), .flags_o(lane_q));

  for (genvar i = 0; i < 2; i++) begin : gen_lane
    logic [2*KeptWidth-1:0] read;  // by table
    logic [BodyBits-1:0]    body;
    logic                   lane;

    for (genvar j = 0; j < 2; j++) begin : gen_table
      ppu_ram #(.PartWidth(KeptWidth), .Words(Bodies), .Bypass(1'b1)) u_words (
        .clk_i, .rst_ni, .write_i(write[j]),
        .write_address_i(bodies_i[j*BodyBits +: BodyBits]),
        .write_data_i(written[j*KeptWidth +: KeptWidth]), .read_i,
        .read_address_i(read_bodies_i[i*BodyBits +: BodyBits]),
        .read_data_o(read[j*KeptWidth +: KeptWidth]));
    end

    assign body = behind_i ? behind_bodies_i[i*BodyBits +: BodyBits]
                           : next_bodies_i[i*BodyBits +: BodyBits];
    ppu_flag_read #(.Flags(Bodies)) u_lane_read (
      .flags_i(lane_q), .at_i(body), .flag_o(lane));
    assign found[i*FoundWidth +: FoundWidth] = {lane, read[lane*KeptWidth +: KeptWidth]};
  end

  // ---------------------------------------------------------------------------------------------
  // What was found, by lane: for the next row, the one behind it, and what was taken.
  // ---------------------------------------------------------------------------------------------
  logic                    fresh_next_q, fresh_behind_q;  // looked up in the cycle before
  logic [2*FoundWidth-1:0] next, behind, next_q, behind_q, taken_q;

  // What is known of a body when the row in stage 1 has been linked.
  function automatic logic [FoundWidth-1:0] follow(input logic [BodyBits-1:0] of_body,
                                                   input logic [FoundWidth-1:0] known);
    follow = known;
    for (int i = 0; i < 2; i++)
      if (has_i[i] && bodies_i[i*BodyBits +: BodyBits] == of_body)
        follow = {1'(i), written[i*KeptWidth +: KeptWidth]};
  endfunction

  always_comb begin
    next = fresh_next_q ? found : next_q;
    behind = fresh_behind_q ? found : behind_q;
    for (int i = 0; i < 2; i++) begin
      next[i*FoundWidth +: FoundWidth] =
        follow(next_bodies_i[i*BodyBits +: BodyBits], next[i*FoundWidth +: FoundWidth]);
      behind[i*FoundWidth +: FoundWidth] =
        follow(behind_bodies_i[i*BodyBits +: BodyBits], behind[i*FoundWidth +: FoundWidth]);
    end
  end

  always_ff @(posedge clk_i) begin
    fresh_next_q <= read_i && next_i;
    fresh_behind_q <= read_i && !next_i;
    next_q <= leave_i ? behind : next;
    behind_q <= behind;
    if (take_i) taken_q <= next;
  end

  kept_t                 shown;
  ppu_engine_pkg::ends_t one_ends;

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      {lanes_o[i], shown} = taken_q[i*FoundWidth +: FoundWidth];
      one_ends.first_free = shown.first_free;
      one_ends.first_b = shown.first_b;
      one_ends.first_alone = shown.first_alone;
      one_ends.first = SlotWidth'(shown.first);
      one_ends.mark = shown.mark;
      one_ends.last = SlotWidth'(shown.last);
      ends_o[i*EndsWidth +: EndsWidth] = one_ends;
    end
  end

  `PPU_ASSERT(ARowIsLookedUpBehindThoseInTheQueue, !(read_i && behind_i))

endmodule
