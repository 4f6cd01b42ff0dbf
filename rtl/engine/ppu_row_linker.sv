// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Links resident rows to the next one on each of their bodies while they are loaded, then the last
// row of each body to its first one: docs/inside/dataflow.md, Linking.

`include "ppu_assert.svh"

module ppu_row_linker #(
  parameter int unsigned Pipes = 1,      ///< 1, 2, 4, 8 or 16.
  parameter int unsigned Bodies = 4096,  ///< Bodies that fit on chip.
  parameter int unsigned Rows = 32768,   ///< Rows that fit on chip.
  /// Bits of a slot and of a number of rows, of a link.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth
) (
  input  logic                     clk_i,     ///< Clock; its rising edge counts.
  input  logic                     rst_ni,    ///< Low: nothing is linked.
  input  logic                     clear_i,   ///< A run begins: nothing is linked.
  input  logic                     begin_i,   ///< The rows of the run will be loaded.
  input  logic                     arrive_i,      ///< One more row has been loaded.
  input  ppu_engine_pkg::row_ids_t arrive_ids_i,  ///< Bodies and parent of the row that has been
                                                  ///< loaded.
  input  ppu_engine_pkg::run_t     run_i,     ///< The run; it stays.
  output logic                     done_o,    ///< The linker is idle, or in its last cycle.
  output logic                     apart_o,   ///< A row has a parent behind it or on other bodies.

  // Bodies and parents of rows.
  output logic                     read_o,  ///< Bodies and parent of a row are read.
  output logic [SlotWidth-1:0]     slot_o,  ///< The slot of the row that is read.
  input  ppu_engine_pkg::row_ids_t ids_i,   ///< Bodies and parent of the row that was read in the
                                            ///< cycle before.

  // Links of rows, by lane: that of body a, that of body b.
  output logic [1:0]               link_o,        ///< A link of this lane is written.
  output logic [2*SlotWidth-1:0]   link_slots_o,  ///< The slot of the row whose link is written.
  output logic [2*LinkWidth-1:0]   link_data_o,   ///< A ppu_engine_pkg::link_t of each lane.

  // The state of a row before its first turn.
  output logic                     init_o,        ///< The state of a row before its first turn is
                                                  ///< written.
  output logic [SlotWidth-1:0]     init_slot_o,   ///< The slot of the row whose state is written.
  output logic                     init_token_o,  ///< One of two tokens of the row is there.
  output logic                     init_seed_o    ///< The row waits for no token.
);

  localparam int unsigned BodyBits = $clog2(Bodies);
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned RowBits = Rows > 1 ? $clog2(Rows) : 1;

  // The rows of a body so far.
  typedef struct packed {
    logic                 first_alone;  // the first one has no other body
    logic [SlotWidth-1:0] first;
    logic [SlotWidth-1:0] last;
  } ends_t;

  localparam int unsigned EndsWidth = 1 + 2 * SlotWidth;

  // ---------------------------------------------------------------------------------------------
  // Rows: stage 0 in the cycle after the read, then stage 1, two cycles for a row with two links on
  // one lane.
  // ---------------------------------------------------------------------------------------------
  logic                     busy_q, valid0_q, valid1_q, second_q, stall, advance, unused_run;
  logic [CountWidth-1:0]    arrived_q, next_q;
  logic [SlotWidth-1:0]     slot0_q, slot1_q;
  ppu_engine_pkg::row_ids_t ids0, ids1_q;
  logic                     unused_ids;

  assign unused_run = ^run_i;
  assign unused_ids = ^{ids0, ids1_q, arrive_ids_i};
  assign ids0 = ids_i;
  assign advance = valid0_q && !stall;
  assign read_o = busy_q && next_q < arrived_q && next_q < CountWidth'(run_i.row_count) &&
                  !(valid0_q && stall);
  assign slot_o = SlotWidth'(next_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      next_q <= '0;
      valid0_q <= 1'b0;
      valid1_q <= 1'b0;
      second_q <= 1'b0;
    end else if (clear_i) begin
      arrived_q <= '0;
      next_q <= '0;
      valid0_q <= 1'b0;
      valid1_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      arrived_q <= arrived_q + CountWidth'(arrive_i && busy_q);
      next_q <= next_q + CountWidth'(read_o);
      valid0_q <= read_o || (valid0_q && stall);
      valid1_q <= advance || stall;
      second_q <= stall;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_o) slot0_q <= slot_o;
    if (advance) begin
      slot1_q <= slot0_q;
      ids1_q <= ids0;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The bodies, looked up in stage 0. Table i is written by rows that have a body on lane i; which
  // table was written last is known of each body.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned Part = 64;  // bodies are cleared in parts: each is an assignment

  logic [Bodies-1:0]     seen_q, lane_q;
  logic                  seen_a_q, seen_b_q, lane_a_q, lane_b_q, alone;
  logic                  close_q, close_read, close_write_q;
  logic [CountWidth-1:0] close_body_q;
  logic [BodyBits-1:0]   body_a, body_b, look_up;
  ends_t                 found_a, found_b, ends_a, ends_b;
  logic [2*EndsWidth-1:0] read_a, read_b;  // by table

  assign body_a = BodyBits'(ids0.body_a);
  assign body_b = BodyBits'(ids0.body_b);
  assign look_up = advance ? body_a : BodyBits'(close_body_q);
  assign alone = !(ids1_q.has_a && ids1_q.has_b);
  assign found_a = read_a[lane_a_q*EndsWidth +: EndsWidth];
  assign found_b = read_b[lane_b_q*EndsWidth +: EndsWidth];

  always_comb begin
    ends_a = found_a;
    ends_b = found_b;
    if (!seen_a_q) ends_a = {alone, slot1_q, slot1_q};
    if (!seen_b_q) ends_b = {alone, slot1_q, slot1_q};
    ends_a.last = slot1_q;
    ends_b.last = slot1_q;
  end

  for (genvar i = 0; i < 2; i++) begin : gen_table
    logic                write;
    logic [BodyBits-1:0] write_body;
    ends_t               write_ends;

    assign write = valid1_q && !second_q && (i == 0 ? ids1_q.has_a : ids1_q.has_b);
    assign write_body = i == 0 ? BodyBits'(ids1_q.body_a) : BodyBits'(ids1_q.body_b);
    assign write_ends = i == 0 ? ends_a : ends_b;

    ppu_ram #(.PartWidth(EndsWidth), .Words(Bodies), .Bypass(1'b1)) u_a (
      .clk_i, .rst_ni, .write_i(write), .write_address_i(write_body), .write_data_i(write_ends),
      .read_i(advance || close_read), .read_address_i(look_up),
      .read_data_o(read_a[i*EndsWidth +: EndsWidth]));
    ppu_ram #(.PartWidth(EndsWidth), .Words(Bodies), .Bypass(1'b1)) u_b (
      .clk_i, .rst_ni, .write_i(write), .write_address_i(write_body), .write_data_i(write_ends),
      .read_i(advance), .read_address_i(body_b), .read_data_o(read_b[i*EndsWidth +: EndsWidth]));
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int unsigned i = 0; i < Bodies; i += Part) seen_q[i +: Part] <= '0;
    end else if (advance) begin
      if (ids0.has_a) seen_q[body_a] <= 1'b1;
      if (ids0.has_b) seen_q[body_b] <= 1'b1;
    end
    if (advance && ids0.has_a) lane_q[body_a] <= 1'b0;
    if (advance && ids0.has_b) lane_q[body_b] <= 1'b1;
    if (advance || close_read) begin
      seen_a_q <= seen_q[look_up] && (!advance || ids0.has_a);
      lane_a_q <= lane_q[look_up];
    end
    if (advance) begin
      seen_b_q <= seen_q[body_b] && ids0.has_b;
      lane_b_q <= lane_q[body_b];
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Links to the row in stage 1: from the rows before it, or from one row before it that has both
  // bodies. Then those from the last row of each body.
  // ---------------------------------------------------------------------------------------------
  logic                  both, lane_of_both;
  ppu_engine_pkg::link_t link, no_link;

  assign both = seen_a_q && seen_b_q && found_a.last == found_b.last;
  assign lane_of_both = slot1_q[PipeBits];
  assign stall = valid1_q && !second_q && seen_a_q && seen_b_q && !both && lane_a_q == lane_b_q;
  assign no_link = '0;

  always_comb begin
    link.present = 1'b1;
    link.full = close_write_q ? found_a.first_alone : both || alone;
    link.slot = close_write_q ? found_a.first : slot1_q;
    link_o = '0;
    link_slots_o = {found_a.last, found_a.last};
    link_data_o = {link, link};
    if (valid1_q && both) begin
      link_o = '1;
      link_data_o = lane_of_both ? {link, no_link} : {no_link, link};
    end else if (valid1_q) begin
      if (!ids1_q.has_a && !ids1_q.has_b) begin
        link_o[0] = 1'b1;
        link_slots_o[0 +: SlotWidth] = slot1_q;
      end
      if (seen_a_q && !second_q) link_o[lane_a_q] = 1'b1;
      if (seen_b_q && !stall) begin
        link_o[lane_b_q] = 1'b1;
        link_slots_o[lane_b_q*SlotWidth +: SlotWidth] = found_b.last;
      end
    end else if (close_write_q) begin
      link_o[lane_a_q] = seen_a_q;
    end
  end

  assign init_o = valid1_q && !second_q;
  assign init_slot_o = slot1_q;
  assign init_token_o = (seen_a_q != seen_b_q) && !alone;
  assign init_seed_o = !seen_a_q && !seen_b_q;

  // ---------------------------------------------------------------------------------------------
  // Parents: looked up in stage 0.
  // ---------------------------------------------------------------------------------------------
  typedef struct packed {
    logic                has_b;
    logic [BodyBits-1:0] body_b;
    logic                has_a;
    logic [BodyBits-1:0] body_a;
  } bodies_t;

  localparam int unsigned BodiesBits = 2 + 2 * BodyBits;

  logic    shared, apart_q;
  bodies_t arrived, own, parent;

  assign apart_o = apart_q;
  assign arrived = {arrive_ids_i.has_b, BodyBits'(arrive_ids_i.body_b), arrive_ids_i.has_a,
                    BodyBits'(arrive_ids_i.body_a)};
  assign own = {ids1_q.has_b, BodyBits'(ids1_q.body_b), ids1_q.has_a, BodyBits'(ids1_q.body_a)};

  ppu_ram #(.PartWidth(BodiesBits), .Words(Rows)) u_parents (
    .clk_i, .rst_ni, .write_i(arrive_i && busy_q), .write_address_i(RowBits'(arrived_q)),
    .write_data_i(arrived), .read_i(advance), .read_address_i(RowBits'(ids0.parent)),
    .read_data_o(parent));

  always_comb begin
    shared = 1'b0;
    if (own.has_a && ((parent.has_a && parent.body_a == own.body_a) ||
                      (parent.has_b && parent.body_b == own.body_a))) shared = 1'b1;
    if (own.has_b && ((parent.has_a && parent.body_a == own.body_b) ||
                      (parent.has_b && parent.body_b == own.body_b))) shared = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) apart_q <= 1'b0;
    else if (clear_i) apart_q <= 1'b0;
    else if (valid1_q && ids1_q.has_parent && (ids1_q.parent > slot1_q || !shared))
      apart_q <= 1'b1;
  end

  // ---------------------------------------------------------------------------------------------
  // Closing: body x is read in cycle x after the last row left stage 1, its link written in the
  // next one.
  // ---------------------------------------------------------------------------------------------
  logic last;  // the last row leaves stage 1

  assign last = busy_q && valid1_q && !stall &&
                CountWidth'(slot1_q) + CountWidth'(1) == CountWidth'(run_i.row_count);
  assign close_read = close_q && 32'(close_body_q) < run_i.body_count;
  assign done_o = !busy_q || (close_q && 32'(close_body_q) == run_i.body_count);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_body_q <= '0;
      close_write_q <= 1'b0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_body_q <= '0;
      close_write_q <= 1'b0;
    end else begin
      if (begin_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
      if (last) close_q <= 1'b1;
      else if (done_o) close_q <= 1'b0;
      close_body_q <= close_body_q + CountWidth'(close_read);
      close_write_q <= close_read;
    end
  end

  `PPU_ASSERT(ALinkIsWrittenForOneReasonAtATime, !(valid1_q && close_write_q))

endmodule
