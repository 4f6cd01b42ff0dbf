// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A queue in a memory: a word pushed in cycle r is visible from r + 1 on. The oldest word lies in a
// register, and the memory is written a cycle later from one: its ports have their whole cycles.
// The memory has one place fewer than the queue: the oldest word lies in the register, its place is
// free.

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

  localparam int unsigned Places = Depth - 1;
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
  localparam logic [PlaceWidth-1:0] Last = PlaceWidth'(Places - 1);

  logic [CountWidth-1:0] count_q;
  logic [PlaceWidth-1:0] second_d, second_q, tail_q, pushed_at_q;
  logic                  push_q;
  logic [Width-1:0]      first_q, pushed_q, read, second;

  function automatic logic [PlaceWidth-1:0] behind(input logic [PlaceWidth-1:0] place);
    behind = place == Last ? '0 : place + PlaceWidth'(1);
  endfunction

  assign count_o = count_q;
  assign valid_o = count_q != '0;
  assign data_o = first_q;
  // The place of the word behind the oldest one.
  assign second_d = pop_i ? behind(second_q) : second_q;
  assign second = push_q && pushed_at_q == second_q ? pushed_q : read;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      second_q <= behind('0);
      tail_q <= '0;
      push_q <= 1'b0;
    end else if (clear_i) begin
      count_q <= '0;
      second_q <= behind('0);
      tail_q <= '0;
      push_q <= 1'b0;
    end else begin
      if (push_i != pop_i)
        count_q <= push_i ? count_q + CountWidth'(1) : count_q - CountWidth'(1);
      second_q <= second_d;
      if (push_i) tail_q <= behind(tail_q);
      push_q <= push_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (count_q == '0 || (pop_i && count_q == CountWidth'(1))) first_q <= data_i;
    else if (pop_i) first_q <= second;
    pushed_q <= data_i;
    pushed_at_q <= tail_q;
  end

  ppu_ram #(.PartWidth(Width), .Words(Places), .Bypass(1'b1)) u_words (
    .clk_i, .rst_ni, .write_i(push_q), .write_address_i(pushed_at_q), .write_data_i(pushed_q),
    .read_i(push_q || pop_i), .read_address_i(second_d), .read_data_o(read));

  `PPU_ASSERT(NoWordIsPushedIntoAFullQueue, !(push_i && count_q == CountWidth'(Depth)))
  `PPU_ASSERT(NoWordIsPoppedFromAnEmptyQueue, !(pop_i && count_q == '0))

endmodule
