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
  input  logic                   enters_near_i,  ///< The row whose bodies are looked up will be the
                                                 ///< next one, else the one behind that.
  input  logic [2*BodyBits-1:0]  near_bodies_i,  ///< Bodies of the next row of the queue.
  input  logic                   far_valid_i,    ///< There is a row behind the next one.
  input  logic [2*BodyBits-1:0]  far_bodies_i,   ///< Bodies of the row behind the next one.
  input  logic                   advance_i,      ///< The next row leaves the queue: the one behind
                                                 ///< it moves up.
  input  logic                   take_i,         ///< What was found for the next row is taken.
  output logic [1:0]             lanes_o,        ///< The lane of the body on the last row, of what
                                                 ///< was taken.
  output logic [2*EndsWidth-1:0] ends_o,         ///< A ppu_engine_pkg::ends_t of each lane, of what
                                                 ///< was taken.

  // The row in stage 1.
  input  logic [1:0]             has_i,     ///< There is a live row in stage 1 that has a body on
                                            ///< this lane.
  input  logic [2*BodyBits-1:0]  bodies_i,  ///< Bodies of the row in stage 1.
  input  logic [2*EndsWidth-1:0] ends_i,    ///< A ppu_engine_pkg::ends_t of each lane: what is
                                            ///< known of that body when the row in stage 1 has been
                                            ///< linked.
  input  logic                   write_i    ///< The row in stage 1 leaves it: ends_i is written.
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
  logic [Bodies-1:0]      lane_q;
  logic [2*KeptWidth-1:0] written;  // a kept_t each, by lane, as those below

  always_comb begin
    for (int i = 0; i < 2; i++) begin
      ends = ends_i[i*EndsWidth +: EndsWidth];
      written[i*KeptWidth +: KeptWidth] = {
        ends.first_free, ends.first_b, ends.first_alone, RowBits'(ends.first), ends.mark,
        RowBits'(ends.last)};
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

    assign body = far_valid_i ? far_bodies_i[i*BodyBits +: BodyBits]
                              : near_bodies_i[i*BodyBits +: BodyBits];
    ppu_flag_read #(.Flags(Bodies)) u_lane_read (
      .flags_i(lane_q), .at_i(body), .flag_o(lane));
    assign found[i*FoundWidth +: FoundWidth] = {lane, read[lane*KeptWidth +: KeptWidth]};
  end

  // ---------------------------------------------------------------------------------------------
  // What was found, by lane: for the next row, the one behind it, and what was taken.
  // ---------------------------------------------------------------------------------------------
  logic                    fresh_near_q, fresh_far_q;  // looked up in the cycle before
  logic [2*FoundWidth-1:0] near, far, near_q, far_q, taken_q;

  // What is known of a body when the row in stage 1 has been linked. Until it leaves, this is done
  // anew in each cycle: the last one counts.
  function automatic logic [FoundWidth-1:0] follow(input logic [BodyBits-1:0] of_body,
                                                   input logic [FoundWidth-1:0] known);
    follow = known;
    for (int i = 0; i < 2; i++)
      if (has_i[i] && bodies_i[i*BodyBits +: BodyBits] == of_body)
        follow = {1'(i), written[i*KeptWidth +: KeptWidth]};
  endfunction

  always_comb begin
    near = fresh_near_q ? found : near_q;
    far = fresh_far_q ? found : far_q;
    for (int i = 0; i < 2; i++) begin
      near[i*FoundWidth +: FoundWidth] =
        follow(near_bodies_i[i*BodyBits +: BodyBits], near[i*FoundWidth +: FoundWidth]);
      far[i*FoundWidth +: FoundWidth] =
        follow(far_bodies_i[i*BodyBits +: BodyBits], far[i*FoundWidth +: FoundWidth]);
    end
  end

  always_ff @(posedge clk_i) begin
    fresh_near_q <= read_i && enters_near_i;
    fresh_far_q <= read_i && !enters_near_i;
    near_q <= advance_i ? far : near;
    far_q <= far;
    if (take_i) taken_q <= near;
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

  `PPU_ASSERT(ARowIsLookedUpBehindThoseInTheQueue, !(read_i && far_valid_i))

endmodule
