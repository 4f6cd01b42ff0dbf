// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // Of the owner's ring, while no other context is open, no command is left out, none is taken
  // twice, none is read that is not there. The host moves the tail forwards, no further than the
  // ring is long; it describes the ring once.
  // A ring of at most eight commands; it lies within host memory.
  (* anyconst *) logic [1:0] formal_size;
  (* anyconst *) ppu_spec_pkg::beat_number_t formal_base;
  logic [31:0] formal_entries, formal_fetch, formal_head, formal_tail;
  logic [31:0] formal_answered_q, formal_tail_q;  // responses, the tail of the cycle before
  ppu_spec_pkg::context_t formal_owner;

  assign formal_entries = 32'd1 << formal_size;
  assign formal_owner = contexts_i[Width-1:0];
  assign formal_fetch = fetches_q[31:0];
  assign formal_head = heads_q[31:0];
  assign formal_tail = tails_i[31:0];

  always_comb begin
    assume (open == Contexts'(1) && close_i == '0);
    assume (formal_owner.ring_entries == formal_entries && formal_owner.ring_base == formal_base);
    assume (formal_base < 26'h3fffff0);
    assume (formal_tail - formal_tail_q <= formal_entries);
    assume (formal_tail - formal_head <= formal_entries);
    assume (formal_tail - formal_head >= formal_tail_q - formal_head);
    assume (!rsp_valid_i || formal_answered_q != formal_fetch);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_answered_q <= '0;
      formal_tail_q <= '0;
    end else begin
      formal_answered_q <= formal_answered_q + 32'(rsp_valid_i);
      formal_tail_q <= formal_tail;
    end
  end

  `PPU_ASSERT(EveryCommandIsOnTheWayOrInTheQueue, 32'(taken_q) == formal_fetch - formal_head)
  `PPU_ASSERT(TheQueueHoldsThoseThatWereAnswered,
              32'(unused_count) == formal_answered_q - formal_head)
  `PPU_ASSERT(AtMostFourAreUnderWay, 32'(taken_q) <= Depth && 32'(unused_count) <= 32'(taken_q))
  `PPU_ASSERT(NoCommandIsReadThatIsNotThere,
              formal_fetch - formal_head <= formal_tail_q - formal_head &&
              (!fetched || formal_fetch != formal_tail))
  `PPU_ASSERT(ACommandIsReadWhereItLies,
              !read_valid_o || read_beat_o == formal_base +
              ppu_spec_pkg::BeatNumberWidth'(formal_fetch & (formal_entries - 32'd1)))
  `PPU_ASSERT(ACommandBeginsOrIsRefused, !(begin_o.command && reject_o) && (!pop || valid))
  `PPU_ASSERT(OnlyACommandThatIsWellFormedBegins,
              !begin_o.command || reason == ppu_spec_pkg::ErrorNone)
  `PPU_ASSERT(ARunBeginsOnOneEngineThatIsFree,
              (run_o & ~engine_idle_i) == '0 && (run_o & (run_o - Engines'(1))) == '0)
  // What the induction needs.
  `PPU_ASSERT(AReadWaitsWithItsPlace,
              !waits_q || (formal_fetch != formal_tail_q && taken_q != CountWidth'(Depth) &&
                           id_q == '0 && !lost_q && beat_q == formal_base +
                           ppu_spec_pkg::BeatNumberWidth'(formal_fetch & (formal_entries - 32'd1))))
  logic [Depth-1:0] formal_foreign;

  always_comb begin
    for (int unsigned i = 0; i < Depth; i++)
      formal_foreign[i] =
          32'(taken_q) > i && (ids_q[IdWidth*i +: IdWidth] != '0 || losts_q[i]);
  end

  `PPU_ASSERT(WhatIsUnderWayIsTheOwners, formal_foreign == '0)
