// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A queue in a memory with a registered read: a word pushed in cycle r is visible from r + 1 on.

`include "ppu_assert.svh"

module ppu_row_queue #(
  parameter int unsigned Width = 1,  ///< Bits of a word.
  parameter int unsigned Depth = 2,  ///< Words that fit, 2 or more.
  /// Bits of the number of words.
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,    ///< Clock; its rising edge counts.
  input  logic                  rst_ni,   ///< Low: the queue is empty.
  input  logic                  clear_i,  ///< The queue is empty from the next cycle on.
  input  logic                  push_i,   ///< A word is pushed; not while the queue is full.
  input  logic [Width-1:0]      data_i,   ///< The word that is pushed.
  input  logic                  pop_i,    ///< The oldest word is popped; only while there is one.
  output logic [Width-1:0]      data_o,   ///< The oldest word.
  output logic                  valid_o,  ///< There is a word.
  output logic [CountWidth-1:0] count_o   ///< Words in the queue.
);

  localparam int unsigned PlaceWidth = $clog2(Depth);
  localparam logic [PlaceWidth-1:0] Last = PlaceWidth'(Depth - 1);

  logic [CountWidth-1:0] count_q;
  logic [PlaceWidth-1:0] head_d, head_q, tail_q;

  assign count_o = count_q;
  assign valid_o = count_q != '0;

  always_comb begin
    head_d = head_q;
    if (pop_i) head_d = head_q == Last ? '0 : head_q + PlaceWidth'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else if (clear_i) begin
      count_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i != pop_i)
        count_q <= push_i ? count_q + CountWidth'(1) : count_q - CountWidth'(1);
      head_q <= head_d;
      if (push_i) tail_q <= tail_q == Last ? '0 : tail_q + PlaceWidth'(1);
    end
  end

  ppu_ram #(.PartWidth(Width), .Words(Depth), .Bypass(1'b1)) u_words (
    .clk_i, .rst_ni, .write_i(push_i), .write_address_i(tail_q), .write_data_i(data_i),
    .read_i(push_i || pop_i), .read_address_i(head_d), .read_data_o(data_o));

  `PPU_ASSERT(NoWordIsPushedIntoAFullQueue, !(push_i && count_q == CountWidth'(Depth)))
  `PPU_ASSERT(NoWordIsPoppedFromAnEmptyQueue, !(pop_i && count_q == '0))

endmodule
