// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The issue stage: rows of one pass, in slot order, up to one per pipe and cycle. Row n + k of a
// pass whose next slot is n stands at the head of pipe (n + k) mod Pipes. A row issues if nothing
// holds it back and all rows before it have issued or issue in this cycle. In a filtered pass rows
// that are not live are passed over in their turn, and of resident rows those between groups that
// were taken do not get here.
//
// A row whose two bodies lie in one velocity bank has its body b read in the cycle before it
// issues.
//
// With a stage in front of the choice a row is at the head of its pipe, and what holds it back is
// found out, in the cycle before the first in which it may issue. That is of one pipe alone, whose
// rows issue three cycles apart or more: there no other row can issue in between and change it.

`include "ppu_assert.svh"

module ppu_issue #(
  parameter int unsigned Pipes = 1,          ///< 1, 2, 4, 8 or 16.
  parameter int unsigned VelocityBanks = 4,  ///< 2, 4, 8, 16, 32 or 64.
  parameter int unsigned ChoiceStages = 0,   ///< 0, or 1 with one pipe.
  /// Bits of the next row of a pipe, and of one at the issue stage.
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth
) (
  input  logic                       clk_i,       ///< Clock; its rising edge counts.
  input  logic                       rst_ni,      ///< Low: no passes.
  input  logic                       clear_i,     ///< A run begins: no passes.
  input  logic                       streamed_i,  ///< Rows of the run are streamed.
  input  logic                       late_i,      ///< The run is late: all passes end.
  input  logic                       enable_i,    ///< Rows may issue in this cycle.

  input  logic                       pass_valid_i,   ///< A pass begins; only if there is room.
  input  ppu_engine_pkg::pass_t      pass_i,         ///< The rows of the pass that begins.
  input  ppu_engine_pkg::kernel_t    pass_kernel_i,  ///< The kernel of the pass that begins.
  input  ppu_engine_pkg::left_out_t  passed_i,       ///< Rows of groups that a search does not
                                                     ///< take.
  output ppu_engine_pkg::passes_t    passes_o,       ///< How the passes are getting on.
  output ppu_engine_pkg::kernel_t    kernel_o,       ///< The kernel of the pass that issues.

  input  logic [Pipes-1:0]           head_valid_i,  ///< The pipe has a next row.
  input  logic [Pipes*HeadWidth-1:0] heads_i,       ///< A ppu_engine_pkg::head_t: the next row of
                                                    ///< each pipe.
  output logic [Pipes*RowWidth-1:0]  next_rows_o,   ///< A ppu_engine_pkg::issue_row_t: what the
                                                    ///< next row of each pipe uses.
  input  logic [Pipes-1:0]           body_i,        ///< A row in flight writes a body of that row
                                                    ///< when it could issue.
  input  logic [Pipes-1:0]           parent_i,      ///< A row in flight writes the impulse of that
                                                    ///< row or of its parent then.

  input  logic [Pipes-1:0]           lanes_i,  ///< The pipe takes no row in this cycle.
  output logic [Pipes*HeadWidth-1:0] heads_o,  ///< The heads that may issue in this cycle.
  output logic [Pipes*RowWidth-1:0]  rows_o,   ///< What they use.

  output logic [Pipes-1:0]           issue_o,      ///< The next row issues in this cycle.
  output logic [Pipes-1:0]           pass_over_o,  ///< The next row is passed over in this cycle.
  output logic [Pipes-1:0]           read_b_o,     ///< Body b of the next row is read in this
                                                   ///< cycle, and the row stays.
  output logic [Pipes-1:0]           bad_o,        ///< The next row of all is that of this pipe,
                                                   ///< and bad.
  output ppu_engine_pkg::wait_t      wait_o,       ///< What the next row of all waits for.
  output logic                       conflict_o    ///< A row stays, though all before it go, for
                                                   ///< want of a bank alone.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned PipeWidth = Pipes > 1 ? $clog2(Pipes) : 1;
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned PlaceWidth = SlotWidth - PipeBits;  // of slot / Pipes
  localparam logic [PipeWidth-1:0] PipeMask = PipeWidth'(Pipes - 1);
  localparam logic [BodyWidth-1:0] BankMask = BodyWidth'(VelocityBanks - 1);

  // ---------------------------------------------------------------------------------------------
  // Passes.
  // ---------------------------------------------------------------------------------------------
  logic                   valid, another, filtered, stores_velocity, stores_impulse;
  logic                   unused_control;
  logic [Pipes-1:0]       go;    // the row issues or is passed over, if all before it go
  ppu_engine_pkg::pass_t  pass;  // the next row, and how many are left
  ppu_spec_pkg::control_t control;

  ppu_pass_queue #(.PayloadWidth(ppu_engine_pkg::KernelWidth), .Most(Pipes)) u_passes (
    .clk_i, .rst_ni, .clear_i(clear_i || late_i), .push_i(pass_valid_i), .pass_i,
    .payload_i(pass_kernel_i), .take_i(go), .skip_i(passed_i), .valid_o(valid),
    .another_o(another), .pass_o(pass), .payload_o(kernel_o));

  assign control = kernel_o.control;
  assign unused_control = ^control;
  assign filtered = control.filter == ppu_spec_pkg::FilterOn;
  assign stores_velocity = control.store_velocity == ppu_spec_pkg::StoreVelocityOn;
  assign stores_impulse = control.store_impulse == ppu_spec_pkg::StoreImpulseOn;
  assign passes_o.opens = 1'b1;
  assign passes_o.joins = 1'b1;
  assign passes_o.maximum = pass.maximum;
  assign passes_o.another = another;
  assign passes_o.turn = '0;
  assign passes_o.pending = valid;
  assign passes_o.room = !another && !(valid && filtered);

  // ---------------------------------------------------------------------------------------------
  // Each row on its own. In the pipes from that of the first row on, slot / Pipes is that of the
  // first row; in the pipes before it, one more: these are wrapped.
  // ---------------------------------------------------------------------------------------------
  logic                       reads_parents, blocked_q, read_b_q;
  logic [BodyWidth-1:0]       blocked_bank_q;
  logic [PipeWidth-1:0]       first_pipe, end_pipe;
  logic [PlaceWidth-1:0]      first_place, next_place, place;
  logic                       many, wraps;
  logic [Pipes-1:0]           first, wrapped, below_end, counted, live, bad, one_bank;
  ppu_engine_pkg::head_t      head, choice;
  ppu_engine_pkg::issue_row_t made, chosen;
  logic                       unused_choice;

  assign unused_choice = ^{head, choice, chosen};
  assign first_pipe = PipeWidth'(pass.first) & PipeMask;
  assign first_place = PlaceWidth'(pass.first >> PipeBits);
  assign next_place = first_place + PlaceWidth'(1);
  assign {wraps, end_pipe} = {1'b0, first_pipe} + {1'b0, PipeWidth'(pass.count) & PipeMask};
  assign many = (pass.count >> PipeBits) != '0;
  assign first = Pipes'(1) << first_pipe;
  assign wrapped = ~({Pipes{1'b1}} << first_pipe);
  assign below_end = ~({Pipes{1'b1}} << end_pipe);
  // Fewer rows come before it than the pass has.
  assign counted = many ? '1 : wraps ? ~wrapped | below_end : ~wrapped & below_end;
  assign reads_parents = control.bounds == ppu_spec_pkg::BoundsCone ||
                         control.skip == ppu_spec_pkg::SkipOn;

  always_comb begin
    made = '0;
    place = '0;
    head = '0;
    for (int p = 0; p < Pipes; p++) begin
      head = heads_i[p*HeadWidth +: HeadWidth];
      made.corrected = head.corrected;
      made.has_a = head.has_a;
      made.body_a = head.body_a;
      made.has_b = head.has_b;
      made.body_b = head.body_b;
      made.has_parent = head.has_parent;
      made.parent = head.parent;
      made.reads_parent = head.has_parent && reads_parents;
      made.one_bank = head.has_a && head.has_b && ((head.body_a ^ head.body_b) & BankMask) == '0;
      made.place = head.place;
      place = !streamed_i ? PlaceWidth'(head.place) : wrapped[p] ? next_place : first_place;
      made.slot = (SlotWidth'(place) << PipeBits) | SlotWidth'(p);
      next_rows_o[p*RowWidth +: RowWidth] = made;
    end
  end

  // The rows that may issue, and what holds them back.
  logic [Pipes-1:0] head_valid, held_body, held_parent;

  if (ChoiceStages == 0) begin : gen_at_once
    assign heads_o = heads_i;
    assign rows_o = next_rows_o;
    assign head_valid = head_valid_i;
    assign held_body = body_i;
    assign held_parent = parent_i;
  end else begin : gen_later
    // The one that goes now is still the next one of its pipe.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) head_valid <= '0;
      else head_valid <= valid ? head_valid_i & ~(issue_o | pass_over_o) : '0;
    end

    always_ff @(posedge clk_i) begin
      heads_o <= heads_i;
      rows_o <= next_rows_o;
      held_body <= body_i;
      held_parent <= parent_i;
    end
  end

  always_comb begin
    choice = '0;
    chosen = '0;
    for (int p = 0; p < Pipes; p++) begin
      choice = heads_o[p*HeadWidth +: HeadWidth];
      chosen = rows_o[p*RowWidth +: RowWidth];
      live[p] = !filtered || choice.live;
      bad[p] = choice.fault != '0;
      one_bank[p] = chosen.one_bank;
    end
  end

  // A row is there when its slot follows that of the row before it. Of a row whose turn it is not
  // that may be wrong: a row before it may be missing.
  logic [Pipes-1:0]           present, unblocked, reads_parent;
  logic [Pipes*Pipes-1:0]     parents;  // bit p*Pipes+r: row r, before row p, would be its parent
  ppu_engine_pkg::issue_row_t row;
  logic [PlaceWidth-1:0]      place_before, row_place, parent_place;
  logic                       in_line, here, behind, unused_row;

  assign unused_row = ^{row, here, behind};

  // Without an adder: the last bit differs, and each bit left of one that falls to 0.
  function automatic logic is_next(input logic [PlaceWidth-1:0] low,
                                   input logic [PlaceWidth-1:0] high);
    is_next = (low ^ high) == (((low & ~high) << 1) | PlaceWidth'(1));
  endfunction

  always_comb begin
    row = rows_o[(Pipes-1)*RowWidth +: RowWidth];
    row_place = PlaceWidth'(row.place);
    for (int p = 0; p < Pipes; p++) begin
      place_before = row_place;
      row = rows_o[p*RowWidth +: RowWidth];
      row_place = PlaceWidth'(row.place);
      in_line = p == 0 ? is_next(place_before, row_place) : place_before == row_place;
      present[p] = valid && counted[p] && head_valid[p] && (first[p] || streamed_i || in_line);
      // A row before it has its slot / Pipes if it has a lower pipe, and one less if it has not.
      parent_place = PlaceWidth'(row.parent >> PipeBits);
      here = !streamed_i ? parent_place == row_place
             : wrapped[p] ? is_next(first_place, parent_place) : parent_place == first_place;
      behind = streamed_i ? parent_place == first_place : is_next(parent_place, row_place);
      for (int r = 0; r < Pipes; r++) begin
        parents[p*Pipes+r] = (PipeWidth'(row.parent) & PipeMask) == PipeWidth'(r) &&
                             (r < p ? here : behind);
      end
      reads_parent[p] = row.reads_parent;
      unblocked[p] = !(blocked_q &&
                       ((row.has_a && (row.body_a & BankMask) == blocked_bank_q) ||
                        (row.has_b && (row.body_b & BankMask) == blocked_bank_q)));
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Pairs: bit q*Pipes+r says of row r that it comes before row q, has a body of it, or needs a
  // bank of it.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Pipes-1:0] earlier, bodies, banks;

  for (genvar q = 0; q < Pipes; q++) begin : gen_row
    assign earlier[q*Pipes+q] = 1'b0;
    assign bodies[q*Pipes+q] = 1'b0;
    assign banks[q*Pipes+q] = 1'b0;
    for (genvar r = 0; r < q; r++) begin : gen_pair
      logic in_order, body, bank;

      // Row r comes before row q, unless the first row stands between them.
      assign in_order = !wrapped[r] || wrapped[q];
      ppu_row_pair #(.Pipes(Pipes), .VelocityBanks(VelocityBanks)) u_pair (
        .row_i(rows_o[q*RowWidth +: RowWidth]), .other_i(rows_o[r*RowWidth +: RowWidth]),
        .body_o(body), .bank_o(bank));
      assign earlier[q*Pipes+r] = in_order;
      assign earlier[r*Pipes+q] = !in_order;
      assign bodies[q*Pipes+r] = body;
      assign bodies[r*Pipes+q] = body;
      assign banks[q*Pipes+r] = bank;
      assign banks[r*Pipes+q] = bank;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The decision. Rows that are passed over need nothing, and hold nobody back. What has a body of
  // a row needs a bank of it: whether it writes the body only says why the row stays.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0] able, bank_free, holds_body, turn;
  logic             unused_all;

  for (genvar q = 0; q < Pipes; q++) begin : gen_decision
    logic [Pipes-1:0] before_q;

    assign before_q = earlier[q*Pipes +: Pipes] & live;
    assign able[q] = present[q] && live[q] && !bad[q] && !lanes_i[q] && !held_body[q] &&
                     !held_parent[q] && !(stores_impulse && reads_parent[q] &&
                                       (before_q & parents[q*Pipes +: Pipes]) != '0);
    assign bank_free[q] = unblocked[q] && (!one_bank[q] || (first[q] && read_b_q)) &&
                          (before_q & banks[q*Pipes +: Pipes]) == '0;
    assign holds_body[q] = stores_velocity && (before_q & bodies[q*Pipes +: Pipes]) != '0;
    assign go[q] = enable_i && (live[q] ? able[q] && bank_free[q] : present[q] && !bad[q]);
    assign issue_o[q] = live[q] && go[q] && turn[q];
    assign pass_over_o[q] = !live[q] && go[q] && turn[q];
    assign read_b_o[q] = enable_i && first[q] && able[q] && one_bank[q] && unblocked[q] &&
                         !read_b_q;
    assign bad_o[q] = enable_i && first[q] && present[q] && bad[q];
  end

  ppu_in_turn #(.Things(Pipes)) u_turn (
    .first_i(first_pipe), .go_i(go), .turn_o(turn), .all_o(unused_all));

  assign conflict_o = enable_i && (able & ~holds_body & ~bank_free & turn) != '0;

  always_comb begin
    wait_o.search = filtered && !streamed_i && (first & ~head_valid) != '0;
    wait_o.fetch = (first & ~head_valid) != '0;
    wait_o.lanes = (first & lanes_i) != '0;
    wait_o.body = (first & (held_body | bad)) != '0;
    wait_o.parent = (first & held_parent) != '0;
  end

  // ---------------------------------------------------------------------------------------------
  // What the next cycle must know.
  // ---------------------------------------------------------------------------------------------
  // Only the first row issues with its bodies in one bank, and it waits for no row before it.
  logic                       blocks;
  logic [BodyWidth-1:0]       blocked_bank;
  ppu_engine_pkg::issue_row_t issued;
  logic                       unused_issued;

  assign unused_issued = ^issued;
  assign blocks = (first & one_bank & live & go) != '0;

  always_comb begin
    issued = '0;
    blocked_bank = '0;
    for (int p = 0; p < Pipes; p++) begin
      issued = rows_o[p*RowWidth +: RowWidth];
      if (first[p]) blocked_bank = blocked_bank | (issued.body_a & BankMask);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_b_q <= 1'b0;
      blocked_q <= 1'b0;
    end else begin
      read_b_q <= read_b_o != '0;
      blocked_q <= blocks;
    end
  end

  always_ff @(posedge clk_i) begin
    if (blocks) blocked_bank_q <= blocked_bank;
  end

  `PPU_ASSERT(ARowWhoseBodyWasReadIssues, !read_b_q || !enable_i || (issue_o & one_bank) != '0)
  `PPU_ASSERT(PassesBeginWhereThereIsRoom, !pass_valid_i || passes_o.room)
  `PPU_ASSERT(NoPassBeginsInALateRun, !pass_valid_i || !late_i)
  `PPU_ASSERT(OnlyASearchLeavesRowsOut, !passed_i.now || (valid && filtered && !streamed_i))

endmodule
