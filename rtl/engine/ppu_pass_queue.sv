// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Up to two passes over consecutive items, one after the other without a gap. A pass pushed in
// cycle s is there from s + 1 on, until none of its items is left.

`include "ppu_assert.svh"

module ppu_pass_queue #(
  /// Bits of an item and of a number of items.
  parameter int unsigned Width = 16,
  /// Bits of what belongs to a pass as a whole.
  parameter int unsigned PayloadWidth = 1,
  /// Items taken in a cycle, at most.
  parameter int unsigned Most = 1,
  /// Bits of a number of items taken.
  localparam int unsigned TakeWidth = $clog2(Most + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    clear_i,    ///< Forget all passes.
  input  logic                    push_i,     ///< Not while two passes are there.
  input  logic [Width-1:0]        first_i,
  input  logic [Width-1:0]        count_i,    ///< At least 1.
  input  logic [PayloadWidth-1:0] payload_i,
  input  logic [TakeWidth-1:0]    take_i,     ///< Items taken, the next ones.
  input  logic [Width-1:0]        skip_i,     ///< Others that need not be taken any more.
  output logic                    valid_o,    ///< There is a pass ...
  output logic                    two_o,      ///< ... and another one behind it.
  output logic [Width-1:0]        next_o,     ///< Next item of the pass.
  output logic [Width-1:0]        left_o,     ///< Items left of it.
  output logic [PayloadWidth-1:0] payload_o
);

  logic                    valid_q, waiting_q;
  logic [Width-1:0]        next_q, left_q, waiting_first_q, waiting_count_q;
  logic [PayloadWidth-1:0] payload_q, waiting_payload_q;
  logic [Width-1:0]        gone;
  logic                    change, to_head;

  assign valid_o = valid_q;
  assign two_o = waiting_q;
  assign next_o = next_q;
  assign left_o = left_q;
  assign payload_o = payload_q;

  // The head changes when there is none or none of its items is left.
  assign gone = Width'(take_i) + skip_i;
  assign change = !valid_q || left_q == gone;
  assign to_head = push_i && change && !waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      waiting_q <= 1'b0;
    end else if (clear_i) begin
      valid_q <= 1'b0;
      waiting_q <= 1'b0;
    end else begin
      if (change) valid_q <= waiting_q || push_i;
      if (change || push_i) waiting_q <= push_i && !to_head;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!change) begin
      next_q <= next_q + Width'(take_i);
      left_q <= left_q - gone;
    end else if (waiting_q) begin
      next_q <= waiting_first_q;
      left_q <= waiting_count_q;
      payload_q <= waiting_payload_q;
    end else if (push_i) begin
      next_q <= first_i;
      left_q <= count_i;
      payload_q <= payload_i;
    end
    if (push_i) begin
      waiting_first_q <= first_i;
      waiting_count_q <= count_i;
      waiting_payload_q <= payload_i;
    end
  end

  `PPU_ASSERT(NoThirdPassIsPushed, !(push_i && waiting_q))
  `PPU_ASSERT(PassesHaveItems, !push_i || count_i != '0)
  `PPU_ASSERT(OnlyItemsThatAreLeftAreTaken, gone == '0 || (valid_q && gone <= left_q))

endmodule
