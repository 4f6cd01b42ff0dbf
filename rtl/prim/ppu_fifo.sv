// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A queue: a word pushed in cycle r is visible from r + 1 on. A full queue takes a word in a cycle
// in which one is popped.

`include "ppu_assert.svh"

module ppu_fifo #(
  /// Bits of a word.
  parameter int unsigned Width = 1,
  /// Words that fit, 1 or more.
  parameter int unsigned Depth = 2,
  /// Words are in a memory with a registered read, for many or wide ones; Depth is 2 or more.
  parameter bit          Ram = 1'b0,
  /// Bits of the number of words.
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  input  logic                  clk_i,    ///< Clock; its rising edge counts.
  input  logic                  rst_ni,   ///< Low: the queue is empty.
  input  logic                  push_i,   ///< Not while full, unless pop_i.
  input  logic [Width-1:0]      data_i,   ///< The word that is pushed.
  input  logic                  pop_i,    ///< Only while valid.
  output logic [Width-1:0]      data_o,   ///< The oldest word.
  output logic                  valid_o,  ///< There is one.
  output logic                  full_o,   ///< There are Depth words.
  output logic [CountWidth-1:0] count_o   ///< Words in the queue.
);

  logic [CountWidth-1:0] count_q;

  assign count_o = count_q;
  assign valid_o = count_q != '0;
  assign full_o = count_q == CountWidth'(Depth);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else if (push_i != pop_i)
      count_q <= push_i ? count_q + CountWidth'(1) : count_q - CountWidth'(1);
  end

  if (Depth == 1) begin : gen_register
    logic [Width-1:0] data_q;

    assign data_o = data_q;
    always_ff @(posedge clk_i) begin
      if (push_i) data_q <= data_i;
    end
  end else begin : gen_memory
    localparam int unsigned PlaceWidth = $clog2(Depth);
    localparam logic [PlaceWidth-1:0] Last = PlaceWidth'(Depth - 1);

    logic [PlaceWidth-1:0] head_d, head_q, tail_q;

    always_comb begin
      head_d = head_q;
      if (pop_i) head_d = head_q == Last ? '0 : head_q + PlaceWidth'(1);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        head_q <= '0;
        tail_q <= '0;
      end else begin
        head_q <= head_d;
        if (push_i) tail_q <= tail_q == Last ? '0 : tail_q + PlaceWidth'(1);
      end
    end

    if (Ram) begin : gen_ram
      // The word that is the oldest in the next cycle, perhaps the one that is pushed now.
      ppu_ram #(.PartWidth(Width), .Words(Depth), .Bypass(1'b1)) u_words (
        .clk_i, .rst_ni, .write_i(push_i), .write_address_i(tail_q), .write_data_i(data_i),
        .read_i(push_i || pop_i), .read_address_i(head_d), .read_data_o(data_o));
    end else begin : gen_words
      logic [Width-1:0] data_q [0:Depth-1];

      assign data_o = data_q[head_q];
      always_ff @(posedge clk_i) begin
        if (push_i) data_q[tail_q] <= data_i;
      end
    end
  end

  `PPU_ASSERT(NothingIsPushedIntoAFullQueue, !(push_i && full_o && !pop_i))
  `PPU_ASSERT(NothingIsPoppedFromAnEmptyQueue, !(pop_i && !valid_o))

endmodule
