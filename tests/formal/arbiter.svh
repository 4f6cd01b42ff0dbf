// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // The port of device memory is of one requester at a time, and nobody waits for it for ever: any
  // one requester is followed. Who asks goes on asking until it is accepted. Of a request its low
  // bits are compared: all bits go the same way.
  (* anyconst *) logic [RequesterWidth-1:0] formal_who;
  logic [Requesters-1:0] formal_waited_q;  // asked in the cycle before, in vain
  logic [3:0]            formal_others_q;  // accepted while it asks

  always_comb begin
    assume (32'(formal_who) < Requesters);
    assume ((formal_waited_q & ~req_valid_i) == '0);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_waited_q <= '0;
      formal_others_q <= '0;
    end else begin
      formal_waited_q <= req_valid_i & ~req_ready_o;
      if (!req_valid_i[formal_who] || req_ready_o[formal_who]) formal_others_q <= '0;
      else if (accept) formal_others_q <= formal_others_q + 4'd1;
    end
  end

  // Whose turn comes before the one that is followed; it waits behind one whose turn comes later.
  logic [Requesters-1:0] formal_low, formal_before;
  logic [3:0]            formal_count;
  logic                  formal_beyond;

  assign formal_low = (Requesters'(1) << formal_who) - Requesters'(1);
  assign formal_before = behind_q[formal_who] ? behind_q & formal_low : behind_q | formal_low;
  assign formal_beyond =
      waits_q && (grant_q & (formal_before | (Requesters'(1) << formal_who))) == '0;
  always_comb begin
    formal_count = '0;
    for (int i = 0; i < Requesters; i++) formal_count = formal_count + 4'(formal_before[i]);
  end

  `PPU_ASSERT(OneIsAcceptedAtATime, (req_ready_o & (req_ready_o - Requesters'(1))) == '0)
  `PPU_ASSERT(OnlyWhoAsksIsAccepted, (req_ready_o & ~req_valid_i) == '0)
  `PPU_ASSERT(ARequestIsAcceptedOfSomebody, accept == (req_ready_o != '0))
  `PPU_ASSERT(TheRequestIsOfWhoIsAccepted,
              !req_ready_o[formal_who] ||
              mem_req_o.data[7:0] == req_i[RequestWidth * 32'(formal_who) +: 8])
  `PPU_ASSERT(NobodyWaitsForMoreThanAllOthers, 32'(formal_others_q) <= Requesters)
  // What the induction needs.
  `PPU_ASSERT(TurnsComeInOrder, (~behind_q & (~behind_q + Requesters'(1))) == '0)
  `PPU_ASSERT(OneWaits, !waits_q || (grant_q & (grant_q - Requesters'(1))) == '0)
  `PPU_ASSERT(WhoeverWaitedAsked, !waits_q || (grant_q & ~formal_waited_q) == '0)
  `PPU_ASSERT(TheTurnComesNearer,
              formal_waited_q[formal_who] && !formal_beyond ?
                  32'(formal_others_q) + 32'(formal_count) <= Requesters : formal_others_q == '0)
