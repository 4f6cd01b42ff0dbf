// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // The ready queue of rows: as fifo.svh; a word is never pushed into a full queue, and the queue
  // may be cleared.
  always_comb begin
    if (rst_ni) begin
      assume (!(push_i && 32'(count_q) == Depth));
      assume (!(pop_i && !valid_o));
    end
  end

  (* anyconst *) logic [7:0] formal_number;
  logic [7:0]       formal_pushed_q, formal_popped_q;
  logic [Width-1:0] formal_word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_pushed_q <= '0;
      formal_popped_q <= '0;
    end else if (clear_i) begin
      formal_pushed_q <= '0;
      formal_popped_q <= '0;
    end else begin
      if (push_i) formal_pushed_q <= formal_pushed_q + 8'd1;
      if (pop_i) formal_popped_q <= formal_popped_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i && formal_pushed_q == formal_number) formal_word_q <= data_i;
  end

  `PPU_ASSERT(TheCountIsOfWordsThatAreThere,
              8'(count_q) == formal_pushed_q - formal_popped_q && 32'(count_q) <= Depth)
  `PPU_ASSERT(TheOldestWordIsTheOneThatWasPushed,
              formal_popped_q != formal_number || !valid_o || data_o == formal_word_q)
