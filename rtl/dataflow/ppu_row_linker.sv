// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Links a row to the next one on each of its bodies. Resident rows are linked while they are
// loaded, then the last row of each body to its first one; rows of open passes while those before
// them issue; those of early runs while they are loaded and issue. See docs/inside/dataflow.md,
// Linking, Open passes and Early runs.

`include "ppu_assert.svh"

module ppu_row_linker #(
  parameter int unsigned Pipes = 1,      ///< 1, 2, 4, 8 or 16.
  parameter int unsigned Bodies = 4096,  ///< Bodies that fit on chip.
  parameter int unsigned Slots = 65536,  ///< Rows of the largest run.
  parameter int unsigned Rows = 32768,   ///< Rows that fit on chip.
  /// Bits of a slot and of a number of rows, of the structures.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned SentWidth = ppu_engine_pkg::SentWidth,
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth
) (
  input  logic                     clk_i,     ///< Clock; its rising edge counts.
  input  logic                     rst_ni,    ///< Low: nothing is linked.
  input  logic                     clear_i,   ///< A run begins: nothing is linked.
  input  logic                     begin_i,   ///< The rows of the run will be loaded.
  input  ppu_engine_pkg::arrival_t arrival_i,  ///< A row arrives.
  input  ppu_engine_pkg::run_t     run_i,     ///< The run; it stays.
  output logic                     apart_o,   ///< A resident row has a parent behind it or on other
                                              ///< bodies.

  // Bodies and parents of resident rows.
  output logic                     read_o,  ///< Bodies and parent of a row are read.
  output logic [SlotWidth-1:0]     slot_o,  ///< The slot of the row that is read.
  input  ppu_engine_pkg::row_ids_t ids_i,   ///< Bodies and parent of the row that was read in the
                                            ///< cycle before.

  // Rows of early runs.
  input  logic                     start_i,    ///< Rows are read from the next cycle on.
  input  logic                     bad_i,      ///< No more of them are read.
  input  logic                     pending_i,  ///< There is a pass that has not fully issued.
  input  logic                     flying_i,   ///< Rows are in flight, or their quotients.

  // Rows of open passes.
  input  logic                     open_i,           ///< Rows of open passes come.
  input  logic                     rest_i,           ///< All tokens rest: the first pass opens.
  input  logic                     enable_i,         ///< Rows of open passes may be linked.
  input  logic                     fed_valid_i,      ///< There is a next row.
  input  ppu_engine_pkg::fed_t     fed_i,            ///< The next row.
  output logic                     take_o,           ///< The next row goes into the linker.
  input  logic                     reads_parents_i,  ///< Rows need the impulses of their parents.
  input  logic                     quiet_i,          ///< No row that was linked is pending or in
                                                     ///< flight.
  input  logic [Pipes*SentWidth-1:0] sents_i,  ///< A ppu_engine_pkg::sent_t of each pipe.

  // Links of rows, by lane: that of body a, that of body b.
  output logic [1:0]               link_o,        ///< A link of this lane is written.
  output logic [2*SlotWidth-1:0]   link_slots_o,  ///< The place of the row whose link is written.
  output logic [2*LinkWidth-1:0]   link_data_o,   ///< A ppu_engine_pkg::link_t of each lane.

  input  logic [1:0]               old_marks_i,   ///< The marks of the links of the row whose state
                                                  ///< was read last, by lane.
  output ppu_engine_pkg::linking_t linking_o      ///< What is done in this cycle.
);

  localparam int unsigned BodyBits = $clog2(Bodies);
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned SlotBits = $clog2(Slots);

  // ---------------------------------------------------------------------------------------------
  // Rows: stage 0, that of a resident row in the cycle after the read; a queue of two, in which
  // parents and the rows before it are looked up; stage 1, two cycles for a row with two links on
  // one lane. Whether stage 0 goes on depends on registers alone.
  // ---------------------------------------------------------------------------------------------
  logic                     busy_q, loaded_q, valid0, valid1_q, second_q;
  logic                     near_valid_q, far_valid_q;  // in the queue: the next row, one behind it
  logic                     enter, leave, stall, two, advance, held, init, done, closed;
  logic                     first;  // of the cycles of the row in stage 1
  logic                     unused_run;
  logic                     fresh_q;  // the row in stage 0 was read in the cycle before
  logic                     coming_q, started_q, all_q, settles_q;  // of an early run
  logic [CountWidth-1:0]    arrived_q, next_q;
  logic [SlotWidth-1:0]     slot0_q;
  ppu_engine_pkg::fed_t     row0, near_q, far_q, row1_q;
  ppu_engine_pkg::row_ids_t ids0, near_ids, far_ids, ids1, ids_q, arrive_ids;
  ppu_engine_pkg::sent_t    sent;
  logic                     unused_ids;

  assign unused_run = ^run_i;
  assign arrive_ids = arrival_i.ids;
  assign unused_ids = ^{ids0, near_ids, far_ids, ids1, arrive_ids, arrival_i, row1_q, sent};
  assign ids0 = row0.ids;
  assign near_ids = near_q.ids;
  assign far_ids = far_q.ids;
  assign ids1 = row1_q.ids;
  assign valid0 = open_i ? fed_valid_i : loaded_q;
  assign enter = valid0 && !far_valid_q;
  assign advance = near_valid_q && !stall;
  assign take_o = open_i && enter;
  assign read_o = busy_q && next_q < arrived_q && next_q < CountWidth'(run_i.row_count) &&
                  !(loaded_q && far_valid_q) && (!coming_q || (started_q && !bad_i));
  assign slot_o = SlotWidth'(next_q);
  assign leave = valid1_q && !held && !(two && !second_q);
  assign stall = valid1_q && !leave;

  always_comb begin
    row0 = fed_i;
    if (!open_i) begin
      row0.turn = '0;
      row0.live = 1'b1;
      row0.place = slot0_q;
      row0.slot = slot0_q;
      row0.corrected = 1'b0;
      row0.ids = fresh_q ? ids_i : ids_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      next_q <= '0;
      loaded_q <= 1'b0;
      near_valid_q <= 1'b0;
      far_valid_q <= 1'b0;
      valid1_q <= 1'b0;
      second_q <= 1'b0;
    end else if (clear_i) begin
      arrived_q <= '0;
      next_q <= '0;
      loaded_q <= 1'b0;
      near_valid_q <= 1'b0;
      far_valid_q <= 1'b0;
      valid1_q <= 1'b0;
      second_q <= 1'b0;
    end else begin
      arrived_q <= arrived_q + CountWidth'(arrival_i.valid && busy_q);
      next_q <= next_q + CountWidth'(read_o);
      loaded_q <= read_o || (loaded_q && far_valid_q);
      near_valid_q <= enter || far_valid_q || (near_valid_q && stall);
      far_valid_q <= near_valid_q && stall && (enter || far_valid_q);
      valid1_q <= advance || stall;
      second_q <= stall && !held;
    end
  end

  always_ff @(posedge clk_i) begin
    fresh_q <= read_o;
    if (fresh_q) ids_q <= ids_i;
    if (read_o) slot0_q <= slot_o;
    if (advance || !near_valid_q) near_q <= far_valid_q ? far_q : row0;
    if (enter) far_q <= row0;
    if (advance) row1_q <= near_q;
  end

  // ---------------------------------------------------------------------------------------------
  // The rows of bodies so far. Of each body it is known, too, whether its token is out: some row
  // has it or waits for it.
  // ---------------------------------------------------------------------------------------------
  logic [Bodies-1:0]     out_q, seen_q;
  logic                  is_out_a, is_out_b, is_seen_a, is_seen_b;  // of the row in stage 1
  logic                  out_a, out_b, lane_a, lane_b, alone;
  logic                  prev_a, prev_b;    // there is a row to be linked to
  logic                  waits, waits_a_q;  // for the token of body a; looked up in the first cycle
  logic [Pipes-1:0]      missed_a, missed_b;  // the links of the last row have just been read
  logic                  close_q, close_read, close_found_q, close_write_q, close_end_q;
  logic [CountWidth-1:0] close_body_q;
  logic [BodyBits-1:0]   body_b0, near_a, near_b, far_a, far_b, body_a1, body_b1, look_up;
  logic [BodyBits-1:0]   close_next_q, closed_q;
  logic [1:0]            has1;    // the row in stage 1 is live, and has this body
  logic                  unused_found;

  ppu_engine_pkg::ends_t found_a, found_b, ends_a, ends_b;

  assign body_b0 = BodyBits'(ids0.body_b);
  assign near_a = BodyBits'(near_ids.body_a);
  assign near_b = BodyBits'(near_ids.body_b);
  assign far_a = BodyBits'(far_ids.body_a);
  assign far_b = BodyBits'(far_ids.body_b);
  assign body_a1 = close_write_q ? closed_q : BodyBits'(ids1.body_a);
  assign body_b1 = BodyBits'(ids1.body_b);
  assign look_up = close_q ? BodyBits'(close_body_q) : BodyBits'(ids0.body_a);
  assign alone = !(ids1.has_a && ids1.has_b);
  assign has1 = {valid1_q && row1_q.live && ids1.has_b, valid1_q && row1_q.live && ids1.has_a};
  assign unused_found = ^{found_a, found_b};

  ppu_row_ends #(.Bodies(Bodies), .Rows(Rows)) u_ends (
    .clk_i, .rst_ni, .clear_i, .read_i(enter || close_read),
    .read_bodies_i({body_b0, look_up}),
    .enters_near_i(close_read || advance || !near_valid_q),
    .near_bodies_i({near_b, close_found_q ? close_next_q : near_a}), .far_valid_i(far_valid_q),
    .far_bodies_i({far_b, far_a}), .advance_i(advance), .take_i(advance || close_found_q),
    .lanes_o({lane_b, lane_a}), .ends_o({found_b, found_a}), .has_i(has1),
    .bodies_i({body_b1, body_a1}), .ends_i({ends_b, ends_a}), .write_i(leave));

  ppu_flag_read #(.Flags(Bodies)) u_out_a (.flags_i(out_q), .at_i(body_a1), .flag_o(is_out_a));
  ppu_flag_read #(.Flags(Bodies)) u_out_b (.flags_i(out_q), .at_i(body_b1), .flag_o(is_out_b));
  ppu_flag_read #(.Flags(Bodies)) u_seen_a (.flags_i(seen_q), .at_i(body_a1), .flag_o(is_seen_a));
  ppu_flag_read #(.Flags(Bodies)) u_seen_b (.flags_i(seen_q), .at_i(body_b1), .flag_o(is_seen_b));

  assign out_a = (ids1.has_a || close_write_q) && is_out_a && missed_a == '0;
  assign out_b = ids1.has_b && is_out_b && missed_b == '0;
  assign prev_a = coming_q ? (ids1.has_a || close_write_q) && is_seen_a : out_a;
  assign prev_b = coming_q ? ids1.has_b && is_seen_b : out_b;
  assign waits = first ? out_a : waits_a_q;

  // By pipe: a token comes to rest.
  logic [Pipes-1:0]          rest_a, rest_b;
  logic [Pipes*BodyBits-1:0] rest_body_a, rest_body_b;

  always_comb begin
    sent = '0;
    for (int p = 0; p < Pipes; p++) begin
      sent = sents_i[p*SentWidth +: SentWidth];
      missed_a[p] = (sent.comes && sent.coming_place == found_a.last) ||
                    (sent.valid && sent.place == found_a.last);
      missed_b[p] = (sent.comes && sent.coming_place == found_b.last) ||
                    (sent.valid && sent.place == found_b.last);
      rest_a[p] = sent.rest[0] && (open_i || coming_q);
      rest_b[p] = sent.rest[1] && (open_i || coming_q);
      rest_body_a[p*BodyBits +: BodyBits] = BodyBits'(sent.body_a);
      rest_body_b[p*BodyBits +: BodyBits] = BodyBits'(sent.body_b);
    end
  end

  ppu_engine_pkg::link_t link_a, link_b;  // by lane

  always_comb begin
    ends_a = found_a;
    ends_b = found_b;
    if (!prev_a) begin
      ends_a.first_free = !prev_b;
      ends_a.first_b = 1'b0;
      ends_a.first_alone = alone;
      ends_a.first = row1_q.slot;
    end
    if (!prev_b) begin
      ends_b.first_free = !prev_a;
      ends_b.first_b = ids1.has_a;
      ends_b.first_alone = alone;
      ends_b.first = row1_q.slot;
    end
    ends_a.mark = old_marks_i[0];
    ends_a.last = row1_q.place;
    ends_b.mark = old_marks_i[1];
    ends_b.last = row1_q.place;
  end

  logic [1:0]            init_lanes;  // the row that leaves stage 1 has this body
  logic [2*BodyBits-1:0] init_bodies;

  assign init_lanes = has1 & {2{leave}};
  assign init_bodies = {body_b1, body_a1};

  ppu_flags #(.Flags(Bodies), .Clears(1), .Sets(2)) u_seen (
    .clk_i, .clear_all_i(clear_i), .set_all_i(1'b0), .clear_i('0), .clear_at_i('0),
    .set_i(init_lanes), .set_at_i(init_bodies), .flags_o(seen_q));
  // A row that is linked in the cycle in which the token comes to rest takes it.
  ppu_flags #(.Flags(Bodies), .Clears(2 * Pipes), .Sets(2)) u_out (
    .clk_i, .clear_all_i(clear_i || rest_i), .set_all_i(1'b0), .clear_i({rest_b, rest_a}),
    .clear_at_i({rest_body_b, rest_body_a}), .set_i(init_lanes), .set_at_i(init_bodies),
    .flags_o(out_q));

  always_ff @(posedge clk_i) begin
    if (valid1_q && first) waits_a_q <= out_a;
  end

  // ---------------------------------------------------------------------------------------------
  // Links to the row in stage 1: from the rows before it, or from one row before it that has both
  // bodies. Then those from the last row of each body.
  // ---------------------------------------------------------------------------------------------
  logic both, lane_of_both;

  assign both = prev_a && prev_b && found_a.last == found_b.last;
  assign lane_of_both = row1_q.slot[PipeBits];
  assign two = row1_q.live && prev_a && prev_b && !both && lane_a == lane_b;
  assign first = !second_q;

  always_comb begin
    // Both tokens of a link of an open pass come from one row: no other is on its other lane.
    link_a.mark = !(lane_a ? found_b.mark : found_a.mark);
    link_a.pair = both && !close_write_q;
    link_a.full = close_write_q ? found_a.first_alone : both || (alone && !open_i);
    link_a.slot = close_write_q ? found_a.first : row1_q.place;
    link_o = '0;
    link_slots_o = {found_a.last, found_a.last};
    link_b.pair = link_a.pair;
    link_b.full = link_a.full;
    link_b.slot = link_a.slot;
    link_b.mark = !(lane_a ? found_a.mark : found_b.mark);
    if (valid1_q && !held && row1_q.live) begin
      if (both) begin
        link_o[lane_of_both] = 1'b1;
      end else begin
        if (!ids1.has_a && !ids1.has_b && !open_i) begin
          link_o[0] = 1'b1;
          link_slots_o[0 +: SlotWidth] = row1_q.place;
          link_a.mark = !old_marks_i[0];
        end
        if (prev_a && first) link_o[lane_a] = 1'b1;
        if (prev_b && !(two && first)) begin
          link_o[lane_b] = 1'b1;
          link_slots_o[lane_b*SlotWidth +: SlotWidth] = found_b.last;
          if (lane_b) link_b.mark = !found_b.mark;
          else link_a.mark = !found_b.mark;
        end
      end
    end else if (close_write_q) begin
      link_o[lane_a] = prev_a;
    end
    link_data_o = {link_b, link_a};
  end

  assign init = leave && row1_q.live;

  // ---------------------------------------------------------------------------------------------
  // Parents are looked up when a row enters the queue; what was read is of the row that entered
  // last. Bodies are known of rows before which all have been linked.
  // ---------------------------------------------------------------------------------------------
  typedef struct packed {
    logic                has_b;
    logic [BodyBits-1:0] body_b;
    logic                has_a;
    logic [BodyBits-1:0] body_a;
  } bodies_t;

  localparam int unsigned BodiesBits = 2 + 2 * BodyBits;

  logic                  shared, near_shared_q, shared_q;  // of the last row, the next one, row 1
  logic                  apart, strange, kept, fence_q, apart_q;
  logic [CountWidth-1:0] known_q;
  bodies_t               arrived, own, parent;

  assign apart_o = apart_q;
  assign arrived = {arrive_ids.has_b, BodyBits'(arrive_ids.body_b), arrive_ids.has_a,
                    BodyBits'(arrive_ids.body_a)};
  assign own = far_valid_q
    ? {far_ids.has_b, far_b, far_ids.has_a, far_a}
    : {near_ids.has_b, near_b, near_ids.has_a, near_a};

  ppu_ram #(.PartWidth(BodiesBits), .Words(Slots)) u_parents (
    .clk_i, .rst_ni, .write_i(arrival_i.valid), .write_address_i(SlotBits'(arrival_i.slot)),
    .write_data_i(arrived), .read_i(enter), .read_address_i(SlotBits'(ids0.parent)),
    .read_data_o(parent));

  always_comb begin
    shared = 1'b0;
    if (own.has_a && ((parent.has_a && parent.body_a == own.body_a) ||
                      (parent.has_b && parent.body_b == own.body_a))) shared = 1'b1;
    if (own.has_b && ((parent.has_a && parent.body_a == own.body_b) ||
                      (parent.has_b && parent.body_b == own.body_b))) shared = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!far_valid_q) near_shared_q <= shared;
    if (advance) shared_q <= far_valid_q ? near_shared_q : shared;
  end

  assign strange = ids1.has_parent && (CountWidth'(ids1.parent) >= known_q || !shared_q);
  assign apart = (strange && reads_parents_i) || (open_i && !ids1.has_a && !ids1.has_b);

  // What keeps the row of an open pass, or of an early one, in stage 1. Parents come late, and keep
  // live rows alone.
  assign kept = open_i && first && (!enable_i || ids1.fault != '0);

  always_comb begin
    held = kept;
    if ((open_i || (coming_q && pending_i)) && first)
      held = kept || (row1_q.live && (apart || fence_q) && !quiet_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      apart_q <= 1'b0;
      fence_q <= 1'b0;
      known_q <= '0;
    end else if (clear_i) begin
      apart_q <= 1'b0;
      fence_q <= 1'b0;
      known_q <= '0;
    end else if (leave) begin
      if (!open_i && strange) apart_q <= 1'b1;
      if (row1_q.live) fence_q <= (open_i || coming_q) && apart;
      if (CountWidth'(row1_q.slot) == known_q) known_q <= known_q + CountWidth'(1);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Closing: body x is read in cycle x after the last row left stage 1, its link written two cycles
  // later. An early run waits until no row is left, and brings the tokens that rest to the first
  // rows of their bodies in the cycle after that.
  // ---------------------------------------------------------------------------------------------
  logic                 last;  // the last row leaves stage 1
  logic                 rests, bring_q, free_q;
  logic [SlotWidth-1:0] brought_q;

  assign last = busy_q && leave &&
                CountWidth'(row1_q.slot) + CountWidth'(1) == CountWidth'(run_i.row_count);
  assign close_read = close_q && 32'(close_body_q) < run_i.body_count;
  assign closed = close_q && close_end_q;
  assign done = !busy_q || closed;
  assign rests = coming_q && close_write_q && prev_a && !is_out_a;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_body_q <= '0;
      close_found_q <= 1'b0;
      close_write_q <= 1'b0;
      close_end_q <= 1'b0;
      coming_q <= 1'b0;
      started_q <= 1'b0;
      all_q <= 1'b0;
      settles_q <= 1'b0;
      bring_q <= 1'b0;
      free_q <= 1'b0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_body_q <= '0;
      close_found_q <= 1'b0;
      close_write_q <= 1'b0;
      close_end_q <= 1'b0;
      coming_q <= 1'b0;
      started_q <= 1'b0;
      all_q <= 1'b0;
      settles_q <= 1'b0;
      bring_q <= 1'b0;
      free_q <= 1'b0;
    end else begin
      if (begin_i) coming_q <= run_i.early;
      else if (settles_q) coming_q <= 1'b0;
      if (coming_q && start_i) started_q <= 1'b1;
      if (last) all_q <= 1'b1;
      settles_q <= closed;
      bring_q <= rests && !found_a.first_free;
      free_q <= rests && found_a.first_free && !found_a.first_b;
      if (begin_i) busy_q <= 1'b1;
      else if (done) busy_q <= 1'b0;
      if (coming_q ? busy_q && all_q && !close_q && !pending_i && !flying_i : last) close_q <= 1'b1;
      else if (done) close_q <= 1'b0;
      close_body_q <= close_body_q + CountWidth'(close_read);
      close_found_q <= close_read;
      close_write_q <= close_found_q;
      close_end_q <= close_q && 32'(close_body_q) == run_i.body_count;
    end
  end

  always_ff @(posedge clk_i) begin
    close_next_q <= BodyBits'(close_body_q);
    closed_q <= close_next_q;
    brought_q <= found_a.first;
  end

  // ---------------------------------------------------------------------------------------------
  // What is done in this cycle.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::fed_t row;

  always_comb begin
    linking_o.frees = run_i.streamed;
    linking_o.loaded = done;
    linking_o.coming = coming_q;
    linking_o.look_place = close_write_q ? found_a.first : near_q.place;
    linking_o.look = advance || close_write_q;
    linking_o.busy = open_i ? near_valid_q || valid1_q : coming_q && !all_q;
    linking_o.bad = open_i && enable_i && valid1_q && ids1.fault != '0 && quiet_i;
    linking_o.over = valid1_q && !row1_q.live && !kept;
    linking_o.seed = (init && !waits && !out_b) || free_q;
    linking_o.init = init;
    linking_o.bring = bring_q;
    linking_o.marks = old_marks_i;
    linking_o.token = (!both && waits != out_b && (open_i || !alone)) || bring_q;
    row = row1_q;
    if (bring_q || free_q) row.turn = 2'd1;
    if (bring_q || free_q) row.place = brought_q;
    linking_o.row = row;
  end

  `PPU_ASSERT(ALinkIsWrittenForOneReasonAtATime, !(valid1_q && close_write_q))

endmodule
