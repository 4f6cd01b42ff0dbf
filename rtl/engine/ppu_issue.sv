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

`include "ppu_assert.svh"

module ppu_issue #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned VelocityBanks = 8,
  parameter int unsigned SlotWidth = 16,
  parameter int unsigned BodyWidth = 12,
  parameter int unsigned PlaceWidth = 15,  ///< Bits of a place: slot / Pipes of a resident row.
  /// Bits of a number of rows.
  localparam int unsigned CountWidth = SlotWidth + 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clear_i,   ///< A run begins: no passes.
  input  logic                       streamed_i,  ///< ... of streamed rows.
  input  logic                       late_i,    ///< The run is late: the passes end.
  input  logic                       enable_i,  ///< Rows may issue in this cycle.
  input  logic                       pass_i,    ///< A pass, if there is room.
  input  logic [CountWidth-1:0]      pass_first_i,
  input  logic [CountWidth-1:0]      pass_count_i,
  input  ppu_engine_pkg::kernel_t    pass_kernel_i,
  input  logic [CountWidth-1:0]      passed_i,  ///< Rows that are passed over elsewhere.
  output logic                       room_o,     ///< There may be one more pass behind another one.
  output logic                       pending_o,  ///< A pass has not fully issued ...
  output logic                       two_o,      ///< ... and another one behind it.
  output ppu_engine_pkg::kernel_t    kernel_o,   ///< Of the pass.
  // Heads, by pipe.
  input  logic [Pipes-1:0]           head_valid_i,
  input  logic [Pipes-1:0]           head_live_i,
  input  logic [Pipes*PlaceWidth-1:0] head_place_i,
  input  logic [Pipes-1:0]           head_bad_i,
  input  logic [Pipes-1:0]           head_has_a_i,
  input  logic [Pipes*BodyWidth-1:0] head_a_i,
  input  logic [Pipes-1:0]           head_has_b_i,
  input  logic [Pipes*BodyWidth-1:0] head_b_i,
  input  logic [Pipes-1:0]           head_reads_parent_i,
  input  logic [Pipes*SlotWidth-1:0] head_parent_i,
  output logic [Pipes*SlotWidth-1:0] slot_o,
  output logic [Pipes-1:0]           twice_o,    ///< Both bodies lie in one bank.
  // What rows in flight hold back.
  input  logic [Pipes-1:0]           lanes_i,
  input  logic [Pipes-1:0]           body_i,
  input  logic [Pipes-1:0]           parent_i,
  // What happens in this cycle.
  output logic [Pipes-1:0]           issue_o,
  output logic [Pipes-1:0]           pass_over_o,
  output logic [Pipes-1:0]           read_b_o,   ///< Body b is read, and nothing else.
  output logic [Pipes-1:0]           bad_o,      ///< It is the next row, and bad.
  output ppu_engine_pkg::wait_t      wait_o,  ///< What the next row waits for.
  output logic                       conflict_o  ///< The first that did not go: just a bank.
);

  localparam int unsigned PipeWidth = Pipes > 1 ? $clog2(Pipes) : 1;
  localparam int unsigned TakeWidth = $clog2(Pipes + 1);
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned BankWidth = $clog2(VelocityBanks);
  localparam logic [PipeWidth-1:0] PipeMask = PipeWidth'(Pipes - 1);

  // ---------------------------------------------------------------------------------------------
  // Passes.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::control_t control;
  logic                  valid, filtered, stores_velocity, stores_impulse, unused_control;
  logic [CountWidth-1:0] next, left;
  logic [TakeWidth-1:0]  taken;

  ppu_pass_queue #(.Width(CountWidth), .PayloadWidth(ppu_engine_pkg::KernelWidth), .Most(Pipes)) u_passes (
    .clk_i, .rst_ni, .clear_i(clear_i || late_i), .push_i(pass_i), .first_i(pass_first_i),
    .count_i(pass_count_i), .payload_i(pass_kernel_i), .take_i(taken), .skip_i(passed_i),
    .valid_o(valid), .two_o, .next_o(next), .left_o(left), .payload_o(kernel_o));

  assign room_o = !two_o && !(valid && filtered);
  assign pending_o = valid;
  assign control = kernel_o.control;
  assign unused_control = ^control;
  assign filtered = control.filter == ppu_spec_pkg::FilterOn;
  assign stores_velocity = control.store_velocity == ppu_spec_pkg::StoreVelocityOn;
  assign stores_impulse = control.store_impulse == ppu_spec_pkg::StoreImpulseOn;

  always_comb begin
    taken = '0;
    for (int p = 0; p < Pipes; p++) taken = taken + TakeWidth'(issue_o[p] || pass_over_o[p]);
  end

  // ---------------------------------------------------------------------------------------------
  // Each head on its own.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*PipeWidth-1:0] order;  // how many rows come before it
  logic [Pipes*BankWidth-1:0] bank_a;
  logic [Pipes-1:0]           first, present, live, unblocked;
  logic                       blocked_q, read_b_q;
  logic [BankWidth-1:0]       blocked_bank_q;
  logic [PipeWidth-1:0]       first_pipe;
  logic [SlotWidth-1:0]       first_slot;

  assign first_pipe = PipeWidth'(next) & PipeMask;
  assign first_slot = slot_o[first_pipe*SlotWidth +: SlotWidth];

  for (genvar p = 0; p < Pipes; p++) begin : gen_head
    logic [PipeWidth-1:0] order_p;
    logic [SlotWidth-1:0] slot;
    logic [BankWidth-1:0] a, b;
    logic                 uses_blocked;

    assign order_p = (PipeWidth'(p) - first_pipe) & PipeMask;
    assign slot =
      streamed_i ? SlotWidth'(next) + SlotWidth'(order_p)
                 : (SlotWidth'(head_place_i[p*PlaceWidth +: PlaceWidth]) << PipeBits) |
                   SlotWidth'(p);
    assign a = head_a_i[p*BodyWidth +: BankWidth];
    assign b = head_b_i[p*BodyWidth +: BankWidth];
    assign uses_blocked = (head_has_a_i[p] && a == blocked_bank_q) ||
                          (head_has_b_i[p] && b == blocked_bank_q);
    assign order[p*PipeWidth +: PipeWidth] = order_p;
    assign bank_a[p*BankWidth +: BankWidth] = a;
    assign first[p] = order_p == '0;
    assign present[p] = valid && CountWidth'(order_p) < left && head_valid_i[p] &&
                        slot == first_slot + SlotWidth'(order_p);
    assign live[p] = !filtered || head_live_i[p];
    assign slot_o[p*SlotWidth +: SlotWidth] = slot;
    assign twice_o[p] = head_has_a_i[p] && head_has_b_i[p] && a == b;
    assign unblocked[p] = !(blocked_q && uses_blocked);
  end

  // ---------------------------------------------------------------------------------------------
  // Pairs: bit q*Pipes+r says what row r means for row q behind it.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Pipes-1:0] earlier, holds, shares;

  for (genvar q = 0; q < Pipes; q++) begin : gen_row
    for (genvar r = 0; r < Pipes; r++) begin : gen_earlier
      if (q == r) begin : gen_same
        assign earlier[q*Pipes+r] = 1'b0;
        assign holds[q*Pipes+r] = 1'b0;
        assign shares[q*Pipes+r] = 1'b0;
      end else begin : gen_other
        logic body, parent;

        assign earlier[q*Pipes+r] =
          order[r*PipeWidth +: PipeWidth] < order[q*PipeWidth +: PipeWidth];
        assign holds[q*Pipes+r] = body || parent;
        ppu_row_pair #(
          .Pipes(Pipes), .VelocityBanks(VelocityBanks), .SlotWidth(SlotWidth),
          .BodyWidth(BodyWidth)
        ) u_pair (
          .stores_velocity_i(stores_velocity), .stores_impulse_i(stores_impulse),
          .front_slot_i(slot_o[r*SlotWidth +: SlotWidth]), .front_has_a_i(head_has_a_i[r]),
          .front_a_i(head_a_i[r*BodyWidth +: BodyWidth]), .front_has_b_i(head_has_b_i[r]),
          .front_b_i(head_b_i[r*BodyWidth +: BodyWidth]),
          .front_reads_parent_i(head_reads_parent_i[r]),
          .front_parent_i(head_parent_i[r*SlotWidth +: SlotWidth]), .has_a_i(head_has_a_i[q]),
          .a_i(head_a_i[q*BodyWidth +: BodyWidth]), .has_b_i(head_has_b_i[q]),
          .b_i(head_b_i[q*BodyWidth +: BodyWidth]), .reads_parent_i(head_reads_parent_i[q]),
          .parent_i(head_parent_i[q*SlotWidth +: SlotWidth]), .body_o(body), .parent_o(parent),
          .bank_o(shares[q*Pipes+r]));
      end
    end
  end

  // A single pipe has no pairs.
  logic unused_pairs;
  assign unused_pairs = ^{stores_velocity, stores_impulse, order, next, head_a_i, head_b_i,
                          head_reads_parent_i, head_parent_i};

  // ---------------------------------------------------------------------------------------------
  // The decision. Rows that are passed over need nothing, and hold nobody back.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0] able, bank_free, goes, leads;  // leads: all before it go

  for (genvar q = 0; q < Pipes; q++) begin : gen_decision
    logic [Pipes-1:0] earlier_q, before_q;

    assign earlier_q = earlier[q*Pipes +: Pipes];
    assign before_q = earlier_q & live;
    assign able[q] = present[q] && live[q] && !head_bad_i[q] && !lanes_i[q] && !body_i[q] &&
                     !parent_i[q] && (before_q & holds[q*Pipes +: Pipes]) == '0;
    assign bank_free[q] = unblocked[q] && (!twice_o[q] || (first[q] && read_b_q)) &&
                          (before_q & shares[q*Pipes +: Pipes]) == '0;
    assign goes[q] = live[q] ? able[q] && bank_free[q] : present[q] && !head_bad_i[q];
    assign leads[q] = (earlier_q & ~goes) == '0;
    assign issue_o[q] = enable_i && live[q] && goes[q] && leads[q];
    assign pass_over_o[q] = enable_i && !live[q] && goes[q] && leads[q];
    assign read_b_o[q] = enable_i && first[q] && able[q] && twice_o[q] && unblocked[q] &&
                         !read_b_q;
    assign bad_o[q] = enable_i && first[q] && present[q] && head_bad_i[q];
  end

  assign conflict_o = enable_i && (able & ~bank_free & leads) != '0;

  always_comb begin
    wait_o = '0;
    wait_o.search =
      filtered && !streamed_i && (first & ~head_valid_i) != '0;
    wait_o.fetch = (first & ~head_valid_i) != '0;
    wait_o.lanes = (first & lanes_i) != '0;
    wait_o.body = (first & (body_i | head_bad_i)) != '0;
    wait_o.parent = (first & parent_i) != '0;
  end

  // ---------------------------------------------------------------------------------------------
  // What the next cycle must know.
  // ---------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_b_q <= 1'b0;
      blocked_q <= 1'b0;
    end else begin
      read_b_q <= read_b_o != '0;
      blocked_q <= (issue_o & twice_o) != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Pipes; p++) begin
      if (issue_o[p] && twice_o[p]) blocked_bank_q <= bank_a[p*BankWidth +: BankWidth];
    end
  end

  `PPU_ASSERT(ARowWhoseBodyWasReadIssues, !read_b_q || !enable_i || (issue_o & twice_o) != '0)

endmodule
