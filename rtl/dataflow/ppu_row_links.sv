// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The links of the rows of one pipe, and what a row does when it has issued: while it is still in
// the pipe its links are read, come in the next cycle, and in the cycle after that it sends its
// tokens. A token of an open pass that has no link comes to rest.

`include "ppu_assert.svh"

module ppu_row_links #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Pipe = 0,        ///< The number of this one.
  parameter int unsigned Places = 32768,  ///< Rows of this pipe.
  parameter int unsigned BodyBits = 12,   ///< Bits of a body's number of this engine.
  parameter int unsigned Early = 26,      ///< Cycles from issue to the read of the links.
  parameter int unsigned MemoryProtection = 0,
  /// Bits of a place, of a slot, of a body, of the structures.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1,
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth,
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth,
  localparam int unsigned TokenWidth = ppu_engine_pkg::TokenWidth
) (
  input  logic                    clk_i,       ///< Clock; its rising edge counts.
  input  logic                    rst_ni,      ///< Low: no row has issued.
  input  logic                    clear_i,     ///< A run begins: no row has issued.
  input  logic                    silent_i,    ///< The kernel stores nothing.
  input  logic                    open_i,      ///< Rows are of open passes.
  input  logic                    issue_i,     ///< A row issues.
  input  logic [PlaceWidth-1:0]   place_i,     ///< The place of the row that issues.
  input  logic [1:0]              lanes_i,     ///< The row that issues may have a link: on lane
                                               ///< a, on lane b.
  input  logic                    one_bank_i,  ///< Both bodies of the row that issues lie in one
                                               ///< bank.

  // Words with flipped bits; a link is named by the place of its row.
  input  ppu_engine_pkg::flip_t   flip_i,      ///< Bits that flip when a link is written.
  output ppu_engine_pkg::flaw_t   flaw_o,      ///< A link that is used and lost, and how many are
                                               ///< corrected.

  // Links and marks, bodies.
  input  logic [1:0]              link_i,        ///< A link is written: of body a, of body b.
  input  logic [2*SlotWidth-1:0]  link_slots_i,  ///< The rows whose links are written, by lane.
  input  logic [2*LinkWidth-1:0]  link_data_i,   ///< A ppu_engine_pkg::link_t of each lane.
  input  ppu_engine_pkg::linking_t linking_i,    ///< What the linker does.
  output logic [1:0]              old_marks_o,   ///< The marks of the links of the row that it
                                                 ///< looked at last, by lane.
  input  logic                    write_i,       ///< The bodies of a row are written.
  input  logic [PlaceWidth-1:0]   write_place_i, ///< The place of the row whose bodies are written.
  input  logic [2*BodyBits-1:0]   bodies_i,      ///< The bodies that are written.
  output ppu_engine_pkg::sent_t   sent_o,        ///< The row whose links have come, and the one
                                                 ///< whose links come in this cycle.
  output logic [1:0]              send_o,        ///< The row whose links have come sends a
                                                 ///< token: on lane a, on lane b.
  output logic [2*TokenWidth-1:0] send_tokens_o, ///< A ppu_engine_pkg::token_t of each lane.
  output logic                    gone_o,        ///< A row of an open pass leaves the pipe.
  output logic [PlaceWidth-1:0]   gone_place_o   ///< The place of the row that leaves.
);

  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam logic [SlotWidth-1:0] PipeMask = SlotWidth'(Pipes - 1);

  // What is kept of a link: as many bits as this engine needs. Marks lie elsewhere.
  localparam int unsigned RowBits = PlaceWidth + PipeBits;
  localparam int unsigned KeptWidth = 2 + RowBits;

  typedef struct packed {
    logic               pair;
    logic               full;
    logic [RowBits-1:0] slot;
  } kept_t;

  // ---------------------------------------------------------------------------------------------
  // Rows that have issued.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned SentWidth = PlaceWidth + 3;

  logic [Early:1]         on_way_q;
  // Of the row whose links come in this cycle; of the one whose links have come.
  logic                   comes_q, lane_a_q, lane_b_q, comes_same_bank_q;
  logic                   send, sent_q, after_same_bank_q;
  logic [SentWidth-1:0]   sent, sent_first_q, sent_now;
  ppu_engine_pkg::link_t  new_a, new_b;
  kept_t                  link_a, link_b, kept_a, kept_b;
  logic [SlotWidth-1:0]   link_slot_a, link_slot_b;
  logic [PlaceWidth-1:0]  link_place_a, link_place_b;
  logic                   mark_a, mark_b, link_mark_a, link_mark_b, present_a, present_b;
  logic                   unused_links, look, init, unused_linking;
  logic [PlaceWidth-1:0]  look_place, init_place;
  ppu_engine_pkg::fed_t   linked;
  logic [BodyBits-1:0]    rest_body_a, rest_body_b, rest_body_a_q, rest_body_b_q;
  logic [1:0]             sends, sends_q, rests, rests_q, taken, corrected_q, bad_q;
  logic [PlaceWidth-1:0]  coming_place_q, sent_place_q;
  kept_t                  link_a_q, link_b_q;
  ppu_engine_pkg::token_t send_a, send_b;
  ppu_engine_pkg::row_ids_t linked_ids;

  assign sent = {one_bank_i, lanes_i, place_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) on_way_q <= '0;
    else if (clear_i) on_way_q <= '0;
    else on_way_q <= Early'({on_way_q, issue_i});
  end

  always_ff @(posedge clk_i) sent_first_q <= sent;

  logic [SentWidth-1:0] sent_last;

  ppu_delay #(.Width(SentWidth), .Depth(Early - 1)) u_sent (
    .clk_i, .data_i(sent_first_q), .data_o(sent_last));

  assign {link_slot_b, link_slot_a} = link_slots_i;
  assign send = silent_i ? on_way_q[1] : on_way_q[Early];
  assign sent_now = silent_i ? sent_first_q : sent_last;

  assign linked = linking_i.row;
  assign look = linking_i.look && (linking_i.look_place & PipeMask) == SlotWidth'(Pipe);
  assign look_place = PlaceWidth'(linking_i.look_place >> PipeBits);
  assign init = linking_i.init && (linked.place & PipeMask) == SlotWidth'(Pipe);
  assign init_place = PlaceWidth'(linked.place >> PipeBits);
  assign linked_ids = linked.ids;
  assign unused_linking = ^{linking_i, linked, linked_ids};
  assign link_place_a = PlaceWidth'(link_slot_a >> PipeBits);
  assign link_place_b = PlaceWidth'(link_slot_b >> PipeBits);
  assign {new_b, new_a} = link_data_i;
  assign kept_a = {new_a.pair, new_a.full, RowBits'(new_a.slot)};
  assign kept_b = {new_b.pair, new_b.full, RowBits'(new_b.slot)};

  logic [1:0] flips, link_corrected, link_bad, used_corrected;

  assign flips[0] =
    flip_i.memory == ppu_spec_pkg::FaultLinkMemory && flip_i.word == 32'(link_slot_a);
  assign flips[1] =
    flip_i.memory == ppu_spec_pkg::FaultLinkMemory && flip_i.word == 32'(link_slot_b);

  ppu_safe_ram #(
    .PartWidth(KeptWidth), .Words(Places), .Bypass(1'b1), .Protection(MemoryProtection != 0)
  ) u_link_a (
    .clk_i, .rst_ni, .write_i(link_i[0]), .write_address_i(link_place_a), .write_data_i(kept_a),
    .flip_i(flips[0]), .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number),
    .flip_two_i(flip_i.two), .read_i(send), .read_address_i(sent_now[0 +: PlaceWidth]),
    .read_data_o(link_a), .corrected_o(link_corrected[0]), .bad_o(link_bad[0]));
  ppu_safe_ram #(
    .PartWidth(KeptWidth), .Words(Places), .Bypass(1'b1), .Protection(MemoryProtection != 0)
  ) u_link_b (
    .clk_i, .rst_ni, .write_i(link_i[1]), .write_address_i(link_place_b), .write_data_i(kept_b),
    .flip_i(flips[1]), .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number),
    .flip_two_i(flip_i.two), .read_i(send), .read_address_i(sent_now[0 +: PlaceWidth]),
    .read_data_o(link_b), .corrected_o(link_corrected[1]), .bad_o(link_bad[1]));

  // A link that is not there is not used. Of a streamed row only the place is known here.
  assign used_corrected = send_o & corrected_q;

  always_comb begin
    flaw_o = '0;
    flaw_o.corrected = 6'(used_corrected[0]) + 6'(used_corrected[1]);
    flaw_o.row = !linking_i.frees;
    flaw_o.word = sent_o.place;
    flaw_o.memory = ppu_spec_pkg::FaultLinkMemory;
    flaw_o.found = (send_o & bad_q) != '0;
  end

  // A link and the row that has it have a mark each. The link is there if they are unlike: so a row
  // is without links when it has been given the marks of those that were there.
  ppu_shared_ram #(.Words(Places)) u_link_mark_a (
    .clk_i, .rst_ni, .write_i(link_i[0]), .write_address_i(link_place_a),
    .write_data_i(new_a.mark), .read_i({look, send}),
    .read_address_i({look_place, sent_now[0 +: PlaceWidth]}),
    .read_data_o({old_marks_o[0], link_mark_a}));
  ppu_shared_ram #(.Words(Places)) u_link_mark_b (
    .clk_i, .rst_ni, .write_i(link_i[1]), .write_address_i(link_place_b),
    .write_data_i(new_b.mark), .read_i({look, send}),
    .read_address_i({look_place, sent_now[0 +: PlaceWidth]}),
    .read_data_o({old_marks_o[1], link_mark_b}));
  ppu_ram #(.PartWidth(2), .Words(Places), .Bypass(1'b1)) u_marks (
    .clk_i, .rst_ni, .write_i(init), .write_address_i(init_place),
    .write_data_i(linking_i.marks), .read_i(send), .read_address_i(sent_now[0 +: PlaceWidth]),
    .read_data_o({mark_b, mark_a}));
  ppu_ram #(.PartWidth(2 * BodyBits), .Words(Places)) u_rest (
    .clk_i, .rst_ni, .write_i(write_i), .write_address_i(write_place_i),
    .write_data_i(bodies_i), .read_i(send),
    .read_address_i(sent_now[0 +: PlaceWidth]), .read_data_o({rest_body_b, rest_body_a}));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      comes_q <= 1'b0;
      sent_q <= 1'b0;
    end else if (clear_i) begin
      comes_q <= 1'b0;
      sent_q <= 1'b0;
    end else begin
      comes_q <= send;
      sent_q <= comes_q;
    end
  end

  assign present_a = link_mark_a != mark_a;
  assign present_b = link_mark_b != mark_b;
  assign unused_links = ^{link_a_q, link_b_q, new_a, new_b};
  assign sends = {comes_q && lane_b_q && present_b, comes_q && lane_a_q && present_a};
  // The row that is linked in this cycle has found the token to rest, and takes it.
  assign taken[0] =
    linking_i.init && ((linked_ids.has_a && BodyBits'(linked_ids.body_a) == rest_body_a) ||
                       (linked_ids.has_b && BodyBits'(linked_ids.body_b) == rest_body_a));
  assign taken[1] =
    linking_i.init && ((linked_ids.has_a && BodyBits'(linked_ids.body_a) == rest_body_b) ||
                       (linked_ids.has_b && BodyBits'(linked_ids.body_b) == rest_body_b));
  // A link that brings both tokens lies on one lane.
  assign rests[0] = comes_q && lane_a_q && !present_a && !(present_b && link_b.pair) && !taken[0];
  assign rests[1] = comes_q && lane_b_q && !present_b && !(present_a && link_a.pair) && !taken[1];

  always_ff @(posedge clk_i) begin
    {comes_same_bank_q, lane_b_q, lane_a_q} <= sent_now[PlaceWidth +: 3];
    coming_place_q <= sent_now[0 +: PlaceWidth];
    after_same_bank_q <= comes_same_bank_q;
    sent_place_q <= coming_place_q;
    sends_q <= sends;
    rests_q <= rests;
    link_a_q <= link_a;
    link_b_q <= link_b;
    rest_body_a_q <= rest_body_a;
    rest_body_b_q <= rest_body_b;
    corrected_q <= link_corrected;
    bad_q <= link_bad;
  end

  always_comb begin
    send_a.after_same_bank = after_same_bank_q;
    send_a.full = link_a_q.full;
    send_a.slot = SlotWidth'(link_a_q.slot);
    send_b.after_same_bank = after_same_bank_q;
    send_b.full = link_b_q.full;
    send_b.slot = SlotWidth'(link_b_q.slot);
  end

  assign send_o = sends_q & {2{sent_q}};
  assign send_tokens_o = {send_b, send_a};

  always_comb begin
    sent_o.comes = comes_q;
    sent_o.coming_place = (SlotWidth'(coming_place_q) << PipeBits) | SlotWidth'(Pipe);
    sent_o.valid = sent_q;
    sent_o.rest = rests_q & {2{sent_q}};
    sent_o.body_b = BodyWidth'(rest_body_b_q);
    sent_o.body_a = BodyWidth'(rest_body_a_q);
    sent_o.place = (SlotWidth'(sent_place_q) << PipeBits) | SlotWidth'(Pipe);
  end

  // ---------------------------------------------------------------------------------------------
  // Leaving.
  // ---------------------------------------------------------------------------------------------
  // Cycles from the read of the links.
  localparam int unsigned Leaving = ppu_spec_pkg::TokenCycles + PipeBits;

  logic [Leaving:1] leaving_q;

  assign gone_o = leaving_q[Leaving];

  ppu_delay #(.Width(PlaceWidth), .Depth(Leaving)) u_gone (
    .clk_i, .data_i(sent_last[0 +: PlaceWidth]), .data_o(gone_place_o));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) leaving_q <= '0;
    else if (clear_i) leaving_q <= '0;
    else leaving_q <= {leaving_q[Leaving-1:1], open_i && on_way_q[Early]};
  end

  `PPU_ASSERT(ARowThatIssuesHasALane, !issue_i || lanes_i != '0)

endmodule
