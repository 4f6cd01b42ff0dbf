// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // A queue loses nothing, doubles nothing, and keeps the order: the word with any one number is
  // followed from push to pop.
  always_comb begin
    if (rst_ni) begin
      assume (!(push_i && full_o && !pop_i));
      assume (!(pop_i && !valid_o));
    end
  end

  (* anyconst *) logic [7:0] formal_number;
  logic [7:0]       formal_pushed_q, formal_popped_q, formal_ahead;
  logic [Width-1:0] formal_word_q;

  assign formal_ahead = formal_number - formal_popped_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
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
              formal_ahead != '0 || !valid_o || data_o == formal_word_q)
