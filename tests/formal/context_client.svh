// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // A context that is open has the windows of a scrub that has ended since it was open the last
  // time. Scrubs are of closed contexts, one at a time.
  logic [129:0] formal_windows, formal_begun_q, formal_scrubbed_q;
  logic         formal_under_way_q, formal_done_q;

  assign formal_windows = {context_q.device, context_q.host, context_q.lines};

  always_comb begin
    assume (!scrub_i || (!context_q.open && !formal_under_way_q));
    assume (!(describe_i && state_i));
    assume (!scrubbed_i || !scrub_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_under_way_q <= 1'b0;
      formal_done_q <= 1'b0;
    end else begin
      if (scrub_i) formal_under_way_q <= 1'b1;
      else if (scrubbed_i) formal_under_way_q <= 1'b0;
      if (close_o) formal_done_q <= 1'b0;
      else if (scrubbed_i && formal_under_way_q) formal_done_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (scrub_i) formal_begun_q <= formal_windows;
    if (scrubbed_i && formal_under_way_q) formal_scrubbed_q <= formal_begun_q;
  end

  `PPU_ASSERT(WhatIsOpenWasScrubbed, !context_q.open || formal_done_q)
  `PPU_ASSERT(WhatIsOpenIsWhatWasScrubbed,
              !context_q.open || formal_scrubbed_q == formal_windows)
  // What the induction needs.
  `PPU_ASSERT(CleanIsScrubbed, !clean_q || (formal_done_q && formal_scrubbed_q == formal_windows))
  `PPU_ASSERT(AScrubThatCountsIsUnderWay,
              !scrubbing_q || (formal_under_way_q && formal_begun_q == formal_windows))
  `PPU_ASSERT(AScrubOfWhatIsOpenOrCleanIsOfItsWindows,
              !((context_q.open || clean_q) && formal_under_way_q) ||
              formal_begun_q == formal_windows)
  `PPU_ASSERT(OpenIsNotClean, !context_q.open || (!clean_q && !scrubbing_q))
