// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // Who has asked gets the answer: the request with any one number is followed to its response.
  (* anyconst *) logic [7:0] formal_number;
  logic [7:0]            formal_accepted_q, formal_answered_q;
  logic [Requesters-1:0] formal_asked_q;
  logic                  formal_write_q;

  always_comb begin
    assume (!mem_rsp_valid_i || formal_accepted_q != formal_answered_q);
    assume (!(accept && unused_full && !mem_rsp_valid_i));
    if (waits_q) assume ((grant_q & ~req_valid_i) == '0);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_accepted_q <= '0;
      formal_answered_q <= '0;
    end else begin
      formal_accepted_q <= formal_accepted_q + 8'(accept);
      formal_answered_q <= formal_answered_q + 8'(mem_rsp_valid_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept && formal_accepted_q == formal_number) begin
      formal_asked_q <= req_ready_o;
      formal_write_q <= mem_req_o.write;
    end
  end

  `PPU_ASSERT(TheAnswerIsForWhoAsked,
              !mem_rsp_valid_i || formal_answered_q != formal_number ||
              (rsp_valid_o == formal_asked_q && rsp_write_o == formal_write_q))
  `PPU_ASSERT(NobodyElseIsAnswered, mem_rsp_valid_i || rsp_valid_o == '0)
