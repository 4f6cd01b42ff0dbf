// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // No error is lost without being counted, none is doubled, and they leave in their order: the
  // entry with any one number is followed from the ports to the registers.
  always_comb begin
    assume (!clear_i);
    assume (!first_valid_i || first_i.reason != ppu_spec_pkg::ErrorNone);
    assume (!second_valid_i || second_i.reason != ppu_spec_pkg::ErrorNone);
    assume (!third_valid_i || third_i.reason != ppu_spec_pkg::ErrorNone);
    assume (!fourth_valid_i || fourth_i.reason != ppu_spec_pkg::ErrorNone);
  end

  (* anyconst *) logic [7:0] formal_number;
  logic [7:0]  formal_came_q, formal_left_q, formal_ahead, formal_behind;
  logic [31:0] formal_offered_q;
  logic [2:0]  formal_place;

  // Of an entry its reason and the low bits of its detail and of its command are followed: all
  // bits go the same ways.
  logic [7:0] formal_entry_q, formal_first, formal_second, formal_third, formal_fourth;
  logic [7:0] formal_at_place, formal_shown, formal_port0, formal_port1, formal_port2;

  ppu_spec_pkg::error_entry_t formal_there;

  assign formal_there = entries_q[formal_place];
  assign formal_at_place =
      {formal_there.reason[3:0], formal_there.detail[1:0], formal_there.command[1:0]};
  assign formal_shown = {oldest_o.reason[3:0], oldest_o.detail[1:0], oldest_o.command[1:0]};

  assign formal_ahead = formal_number - formal_left_q;
  assign formal_behind = formal_number - formal_came_q;
  assign formal_place = head_q + formal_ahead[2:0];
  // Those that are offered, without gaps.
  assign formal_port0 = {first_i.reason[3:0], first_i.detail[1:0], first_i.command[1:0]};
  assign formal_port1 = {second_i.reason[3:0], second_i.detail[1:0], second_i.command[1:0]};
  assign formal_port2 = {third_i.reason[3:0], third_i.detail[1:0], third_i.command[1:0]};
  assign formal_fourth = {fourth_i.reason[3:0], fourth_i.detail[1:0], fourth_i.command[1:0]};
  assign formal_first = first_valid_i ? formal_port0 : second_valid_i ? formal_port1 :
                        third_valid_i ? formal_port2 : formal_fourth;
  assign formal_second = first_valid_i && second_valid_i ? formal_port1 :
                         third_valid_i && (first_valid_i || second_valid_i) ? formal_port2 :
                         formal_fourth;
  assign formal_third =
      first_valid_i && second_valid_i && third_valid_i ? formal_port2 : formal_fourth;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_came_q <= '0;
      formal_left_q <= '0;
      formal_offered_q <= '0;
    end else begin
      formal_came_q <= formal_came_q + 8'(taken_count);
      formal_left_q <= formal_left_q + 8'(pop_i && count_o != '0);
      formal_offered_q <= formal_offered_q + 32'(first_valid_i) + 32'(second_valid_i) +
                          32'(third_valid_i) + 32'(fourth_valid_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (formal_behind < 8'(taken_count)) begin
      formal_entry_q <= formal_behind == 8'd0 ? formal_first :
                        formal_behind == 8'd1 ? formal_second :
                        formal_behind == 8'd2 ? formal_third : formal_fourth;
    end
  end

  // The low bytes, because the whole numbers of what has come and left are not in the queue.
  `PPU_ASSERT(EveryErrorIsInTheQueueOrTakenOrCounted,
              formal_offered_q[7:0] == lost_o[7:0] + formal_left_q + 8'(count_o))
  `PPU_ASSERT(TheQueueHoldsWhatCameAndHasNotLeft,
              8'(count_o) == formal_came_q - formal_left_q && count_o <= 4'd8)
  `PPU_ASSERT(BothEndsAreAsFarApart, tail_q == head_q + count_q[2:0])
  `PPU_ASSERT(TheEntryLiesInItsPlace,
              formal_ahead >= 8'(count_o) || formal_at_place == formal_entry_q)
  `PPU_ASSERT(TheOldestIsShown,
              formal_ahead != '0 || count_o == '0 || formal_shown == formal_entry_q)
  `PPU_ASSERT(OnlyAFullQueueLoses,
              wanted_count == taken_count || kept + 4'(taken_count) == 4'd8)
