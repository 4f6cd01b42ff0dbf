// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Links resident rows to the next one on each of their bodies while they are loaded, two cycles per
// row, then the last row of each body to its first one: docs/inside/dataflow.md, Linking.

`include "ppu_assert.svh"

module ppu_row_linker #(
  parameter int unsigned Pipes = 1,      ///< 1, 2, 4, 8 or 16.
  parameter int unsigned Bodies = 4096,  ///< Bodies that fit on chip.
  /// Bits of a slot and of a number of rows, of a link.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth
) (
  input  logic                     clk_i,     ///< Clock; its rising edge counts.
  input  logic                     rst_ni,    ///< Low: nothing is linked.
  input  logic                     clear_i,   ///< A run begins: nothing is linked.
  input  logic                     begin_i,   ///< The rows of the run will be loaded.
  input  logic                     arrive_i,  ///< One more row has been loaded.
  input  ppu_engine_pkg::run_t     run_i,     ///< The run; it stays.
  output logic                     done_o,    ///< The linker is idle, or in its last cycle.
  output logic                     apart_o,   ///< A row has a parent behind it or on other bodies.

  // Bodies and parents of rows.
  output logic                     read_o,  ///< Bodies and parent of a row are read.
  output logic [SlotWidth-1:0]     slot_o,  ///< The slot of the row that is read.
  input  ppu_engine_pkg::row_ids_t ids_i,   ///< Bodies and parent of the row that was read in the
                                            ///< cycle before.

  // A link of a row.
  output logic                     link_o,       ///< A link of a row is written.
  output logic                     link_lane_o,  ///< The lane of the link: 1 is that of body b.
  output logic [SlotWidth-1:0]     link_slot_o,  ///< The slot of the row whose link is written.
  output logic [LinkWidth-1:0]     link_data_o,  ///< A ppu_engine_pkg::link_t.

  // The state of a row before its first turn.
  output logic                     init_o,        ///< The state of a row before its first turn is
                                                  ///< written.
  output logic [SlotWidth-1:0]     init_slot_o,   ///< The slot of the row whose state is written.
  output logic                     init_token_o,  ///< One of two tokens of the row is there.
  output logic                     init_seed_o    ///< The row waits for no token.
);

  localparam int unsigned BodyBits = $clog2(Bodies);
  localparam int unsigned PipeBits = $clog2(Pipes);

  // The rows of a body so far.
  typedef struct packed {
    logic                 first_alone;  // the first one has no other body
    logic [SlotWidth-1:0] first;
    logic                 lane;         // of the last one it is body b
    logic [SlotWidth-1:0] last;
  } ends_t;

  localparam int unsigned EndsWidth = 2 * (1 + SlotWidth);

  // ---------------------------------------------------------------------------------------------
  // Rows: stage 0 in the cycle after the read, then stages 1, 2 and 3.
  // ---------------------------------------------------------------------------------------------
  logic                  busy_q, read_row, parent_turn_q, unused_run;
  logic [CountWidth-1:0] arrived_q, next_q;
  logic [3:0]            valid_q;
  logic [SlotWidth-1:0]  slot0_q, slot1_q, slot2_q, slot3_q;

  assign unused_run = ^run_i;
  // The cycle after a row belongs to its parent.
  assign read_row = busy_q && !parent_turn_q && next_q < arrived_q &&
                    next_q < CountWidth'(run_i.row_count);
  assign read_o = read_row || valid_q[0];
  assign slot_o = valid_q[0] ? ids_i.parent : SlotWidth'(next_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      next_q <= '0;
      parent_turn_q <= 1'b0;
      valid_q <= '0;
    end else if (clear_i) begin
      arrived_q <= '0;
      next_q <= '0;
      parent_turn_q <= 1'b0;
      valid_q <= '0;
    end else begin
      arrived_q <= arrived_q + CountWidth'(arrive_i && busy_q);
      next_q <= next_q + CountWidth'(read_row);
      parent_turn_q <= read_row;
      valid_q <= {valid_q[2:0], read_row};
    end
  end

  always_ff @(posedge clk_i) begin
    slot0_q <= SlotWidth'(next_q);
    slot1_q <= slot0_q;
    slot2_q <= slot1_q;
    slot3_q <= slot2_q;
  end

  // ---------------------------------------------------------------------------------------------
  // The bodies: a is looked up in stage 0, b in stage 1; rows of a body are known after stage 1.
  // ---------------------------------------------------------------------------------------------
  logic [Bodies-1:0]   seen_q;
  logic                seen_a_q, seen_b_q, table_read, table_write, alone1, alone2;
  logic [BodyBits-1:0] table_read_body, table_body, close_body;
  logic                close_q, close_read, seen_close_q;
  logic [CountWidth-1:0] close_q_body;
  ends_t               found, ends, before_a_q;
  ppu_engine_pkg::row_ids_t ids0, ids1_q, ids2_q;
  logic                unused_ids;

  assign ids0 = ids_i;
  assign unused_ids = ^{ids0, ids1_q, ids2_q};
  assign alone1 = !(ids1_q.has_a && ids1_q.has_b);
  assign alone2 = !(ids2_q.has_a && ids2_q.has_b);
  assign close_body = BodyBits'(close_q_body);

  always_comb begin
    table_read = valid_q[0] || valid_q[1] || close_read;
    table_read_body = close_body;
    if (valid_q[0]) table_read_body = BodyBits'(ids0.body_a);
    if (valid_q[1]) table_read_body = BodyBits'(ids1_q.body_b);
    table_write = (valid_q[1] && ids1_q.has_a) || (valid_q[2] && ids2_q.has_b);
    table_body = valid_q[1] ? BodyBits'(ids1_q.body_a) : BodyBits'(ids2_q.body_b);
    ends.first_alone = found.first_alone;
    ends.first = found.first;
    ends.lane = !valid_q[1];
    ends.last = valid_q[1] ? slot1_q : slot2_q;
    if (valid_q[1] ? !seen_a_q : !seen_b_q) begin
      ends.first_alone = valid_q[1] ? alone1 : alone2;
      ends.first = ends.last;
    end
  end

  ppu_ram #(.PartWidth(EndsWidth), .Words(Bodies), .Bypass(1'b1)) u_table (
    .clk_i, .rst_ni, .write_i(table_write), .write_address_i(table_body), .write_data_i(ends),
    .read_i(table_read), .read_address_i(table_read_body), .read_data_o(found));

  always_ff @(posedge clk_i) begin
    ids1_q <= ids0;
    ids2_q <= ids1_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      seen_q <= '0;
    end else if (valid_q[1]) begin
      if (ids1_q.has_a) seen_q[BodyBits'(ids1_q.body_a)] <= 1'b1;
      if (ids1_q.has_b) seen_q[BodyBits'(ids1_q.body_b)] <= 1'b1;
    end
    seen_a_q <= valid_q[0] && ids0.has_a && seen_q[BodyBits'(ids0.body_a)];
    seen_b_q <= valid_q[1] && ids1_q.has_b && seen_q[BodyBits'(ids1_q.body_b)];
    seen_close_q <= seen_q[close_body];
  end

  // ---------------------------------------------------------------------------------------------
  // What stands in stage 2 and 3 of the row before on body a, and on body b.
  // ---------------------------------------------------------------------------------------------
  logic                   behind_a_q, behind_b3_q, both, both3_q, alone3_q;
  logic                   own;
  ends_t                  before_b3_q;
  ppu_engine_pkg::link_t  link;
  logic                   unused_link, lane_of_both, lane_of_both3;

  assign both = behind_a_q && seen_b_q && before_a_q.last == found.last;
  assign own = !ids2_q.has_a && !ids2_q.has_b;
  assign lane_of_both = slot2_q[PipeBits];
  assign lane_of_both3 = slot3_q[PipeBits];
  assign unused_link = ^{link, before_a_q, before_b3_q};

  always_ff @(posedge clk_i) begin
    before_a_q <= found;
    behind_a_q <= seen_a_q;
    before_b3_q <= found;
    behind_b3_q <= seen_b_q;
    both3_q <= both;
    alone3_q <= alone2;
  end

  logic                  close_write_q;

  always_comb begin
    link = '0;
    link_o = 1'b0;
    link_lane_o = 1'b0;
    link_slot_o = found.last;
    if (valid_q[2]) begin
      link.present = 1'b1;
      link.full = both || alone2;
      link.slot = slot2_q;
      link_o = both || behind_a_q || own;
      link_lane_o = both ? lane_of_both : behind_a_q && before_a_q.lane;
      link_slot_o = own ? slot2_q : before_a_q.last;
    end else if (valid_q[3]) begin
      link.present = !both3_q;
      link.full = alone3_q;
      link.slot = slot3_q;
      link_o = both3_q || behind_b3_q;
      link_lane_o = both3_q ? !lane_of_both3 : before_b3_q.lane;
      link_slot_o = before_b3_q.last;
    end else if (close_write_q) begin
      link.present = 1'b1;
      link.full = found.first_alone;
      link.slot = found.first;
      link_o = seen_close_q;
      link_lane_o = found.lane;
    end
  end

  assign link_data_o = link;
  assign init_o = valid_q[2];
  assign init_slot_o = slot2_q;
  assign init_token_o = (behind_a_q != seen_b_q) && !alone2;
  assign init_seed_o = !behind_a_q && !seen_b_q;

  // ---------------------------------------------------------------------------------------------
  // Parents: read in stage 0, there in stage 1.
  // ---------------------------------------------------------------------------------------------
  logic shared, apart_q;

  assign apart_o = apart_q;

  always_comb begin
    shared = 1'b0;
    if (ids0.has_a && ((ids1_q.has_a && ids1_q.body_a == ids0.body_a) ||
                       (ids1_q.has_b && ids1_q.body_b == ids0.body_a))) shared = 1'b1;
    if (ids0.has_b && ((ids1_q.has_a && ids1_q.body_a == ids0.body_b) ||
                       (ids1_q.has_b && ids1_q.body_b == ids0.body_b))) shared = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) apart_q <= 1'b0;
    else if (clear_i) apart_q <= 1'b0;
    else if (valid_q[1] && ids1_q.has_parent && (ids1_q.parent > slot1_q || !shared))
      apart_q <= 1'b1;
  end

  // ---------------------------------------------------------------------------------------------
  // Closing: body x is read in cycle x after stage 3 of the last row began, its link written in the
  // next one.
  // ---------------------------------------------------------------------------------------------
  logic last2;  // the last row is in stage 2

  assign last2 = busy_q && valid_q[2] && CountWidth'(slot2_q) + CountWidth'(1) ==
                 CountWidth'(run_i.row_count);
  assign close_read = close_q && 32'(close_q_body) < run_i.body_count;
  assign done_o = !busy_q || (close_q && 32'(close_q_body) == run_i.body_count);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_q_body <= '0;
      close_write_q <= 1'b0;
    end else if (clear_i) begin
      busy_q <= 1'b0;
      close_q <= 1'b0;
      close_q_body <= '0;
      close_write_q <= 1'b0;
    end else begin
      if (begin_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
      if (last2) close_q <= 1'b1;
      else if (done_o) close_q <= 1'b0;
      close_q_body <= close_q_body + CountWidth'(close_read);
      close_write_q <= close_read;
    end
  end

  `PPU_ASSERT(ALinkIsWrittenForOneReasonAtATime,
              2'(valid_q[2]) + 2'(valid_q[3]) + 2'(close_write_q) <= 2'd1)

endmodule
