// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Up to two passes over consecutive items, one after the other without a gap. A pass pushed in
// cycle s is there from s + 1 on, until none of its items is left.

`include "ppu_assert.svh"

module ppu_pass_queue #(
  /// Bits of what belongs to a pass as a whole.
  parameter int unsigned PayloadWidth = 1,
  /// Items taken in a cycle, at most: 1, 2, 4, 8 or 16.
  parameter int unsigned Most = 1,
  /// Bits of a number of items.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth
) (
  input  logic                    clk_i,      ///< Clock; its rising edge counts.
  input  logic                    rst_ni,     ///< Low: no passes.
  input  logic                    clear_i,    ///< Forget all passes.
  input  logic                    push_i,     ///< A pass; not while two passes are there.
  input  ppu_engine_pkg::pass_t   pass_i,     ///< The items of the pass, at least one.
  input  logic [PayloadWidth-1:0] payload_i,  ///< What belongs to the pass.
  input  logic [Most-1:0]         take_i,     ///< Bit n: the one of the next Most items whose
                                              ///< number modulo Most is n is taken, if all before
                                              ///< it are.
  input  ppu_engine_pkg::left_out_t skip_i,   ///< Items that leave the pass untaken, behind the
                                              ///< ones taken.
  output logic                    valid_o,    ///< There is a pass.
  output logic                    another_o,  ///< There is a pass, and another one behind it.
  output ppu_engine_pkg::pass_t   pass_o,     ///< The next item, and how many are left.
  output logic [PayloadWidth-1:0] payload_o   ///< What belongs to the pass that pass_o shows.
);

  logic                    valid_q, waiting_q;
  logic [PayloadWidth-1:0] payload_q, waiting_payload_q, next_payload;
  logic [CountWidth-1:0]   less, untaken, first, left;
  logic                    change, to_head, none_left, follows;
  ppu_engine_pkg::pass_t   pass_q, waiting_pass_q, next_pass;

  assign valid_o = valid_q;
  assign another_o = waiting_q;
  assign pass_o = pass_q;
  assign payload_o = payload_q;

  // What is taken is known late, and so is that items are left out: what follows is made ready
  // before.
  assign less = pass_q.count - skip_i.rows;
  assign untaken = skip_i.now ? less : pass_q.count;

  if (Most == 1) begin : gen_one
    assign first = take_i[0] ? pass_q.first + CountWidth'(1) : pass_q.first;
    assign left = take_i[0] ? untaken - CountWidth'(1) : untaken;
    assign none_left = take_i[0] ? untaken == CountWidth'(1) : untaken == '0;
  end else begin : gen_more
    ppu_pass_step #(.Most(Most)) u_step (
      .first_i(pass_q.first), .count_i(untaken), .take_i, .first_o(first), .count_o(left),
      .none_left_o(none_left));
  end

  // The head changes when there is none or none of its items is left.
  assign change = !valid_q || none_left;
  assign to_head = push_i && change && !waiting_q;
  assign follows = waiting_q || push_i;
  assign next_pass = waiting_q ? waiting_pass_q : pass_i;
  assign next_payload = waiting_q ? waiting_payload_q : payload_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      waiting_q <= 1'b0;
    end else if (clear_i) begin
      valid_q <= 1'b0;
      waiting_q <= 1'b0;
    end else begin
      if (change) valid_q <= follows;
      if (change || push_i) waiting_q <= push_i && !to_head;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!change) begin
      pass_q.first <= first;
      pass_q.count <= left;
    end else if (follows) begin
      pass_q <= next_pass;
      payload_q <= next_payload;
    end
    if (push_i) begin
      waiting_pass_q <= pass_i;
      waiting_payload_q <= payload_i;
    end
  end

  `PPU_ASSERT(NoThirdPassIsPushed, !(push_i && waiting_q))
  `PPU_ASSERT(PassesHaveItems, !push_i || pass_i.count != '0)
  `PPU_ASSERT(OnlyItemsThatAreLeftAreTaken,
              left == pass_q.count || (valid_q && pass_q.count - left <= pass_q.count))

endmodule
