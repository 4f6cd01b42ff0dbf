// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // Of the ring no command is left out, none is taken twice, none is read that is not there. The
  // host moves the tail forwards, no further than the ring is long; it describes the ring once.
  // A ring of at most eight commands; it lies within host memory.
  (* anyconst *) logic [1:0] formal_size;
  (* anyconst *) ppu_spec_pkg::beat_number_t formal_base;
  logic [31:0] formal_entries;
  logic [31:0] formal_answered_q, formal_tail_q;  // responses, the tail of the cycle before

  assign formal_entries = 32'd1 << formal_size;

  always_comb begin
    assume (ring_i.entries == formal_entries && ring_i.base == formal_base);
    assume (formal_base < 26'h3fffff0);
    assume (ring_i.tail - formal_tail_q <= formal_entries);
    assume (ring_i.tail - head_q <= formal_entries);
    assume (ring_i.tail - head_q >= formal_tail_q - head_q);
    assume (!rsp_valid_i || formal_answered_q != fetch_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_answered_q <= '0;
      formal_tail_q <= '0;
    end else begin
      formal_answered_q <= formal_answered_q + 32'(rsp_valid_i);
      formal_tail_q <= ring_i.tail;
    end
  end

  `PPU_ASSERT(EveryCommandIsOnTheWayOrInTheQueue, 32'(taken_q) == fetch_q - head_q)
  `PPU_ASSERT(TheQueueHoldsThoseThatWereAnswered, 32'(unused_count) == formal_answered_q - head_q)
  `PPU_ASSERT(AtMostFourAreUnderWay, 32'(taken_q) <= Depth && 32'(unused_count) <= 32'(taken_q))
  `PPU_ASSERT(NoCommandIsReadThatIsNotThere,
              fetch_q - head_q <= formal_tail_q - head_q && (!fetched || fetch_q != ring_i.tail))
  `PPU_ASSERT(ACommandIsReadWhereItLies,
              !read_valid_o || read_beat_o == ring_i.base +
              ppu_spec_pkg::BeatNumberWidth'(fetch_q & (formal_entries - 32'd1)))
  `PPU_ASSERT(ACommandBeginsOrIsRefused, !(begin_o.command && reject_o) && (!pop || valid))
  `PPU_ASSERT(OnlyACommandThatIsWellFormedBegins,
              !begin_o.command || reason == ppu_spec_pkg::ErrorNone)
  `PPU_ASSERT(ARunBeginsOnOneEngineThatIsFree,
              (run_o & ~engine_idle_i) == '0 && (run_o & (run_o - Engines'(1))) == '0)
  // What the induction needs.
  `PPU_ASSERT(AReadWaitsWithItsPlace,
              !waits_q || (fetch_q != formal_tail_q && taken_q != CountWidth'(Depth) &&
                           beat_q == ring_i.base +
                           ppu_spec_pkg::BeatNumberWidth'(fetch_q & (formal_entries - 32'd1))))
