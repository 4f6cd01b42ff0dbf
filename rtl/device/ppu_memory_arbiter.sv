// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Shares the port of device memory, round robin: the first requester with a request, from the one
// after the last accepted on, keeps the port until it is accepted. Responses go back in the order
// of acceptance.

`include "ppu_assert.svh"

module ppu_memory_arbiter #(
  /// Two or more.
  parameter int unsigned Requesters = 2,
  /// Bits of a request.
  localparam int unsigned RequestWidth = ppu_spec_pkg::MemoryRequestWidth
) (
  /// Clock.
  input  logic                               clk_i,
  /// Reset, active low.
  input  logic                               rst_ni,

  // Requesters, number 0 in the low bits.
  /// Who has a request; it stays until it is accepted.
  input  logic [Requesters-1:0]              req_valid_i,
  /// Whose request is accepted in this cycle.
  output logic [Requesters-1:0]              req_ready_o,
  /// The requests, a memory_request_t of each.
  input  logic [Requesters*RequestWidth-1:0] req_i,
  /// Whose oldest request gets its response.
  output logic [Requesters-1:0]              rsp_valid_o,
  /// The response acknowledges a write.
  output logic                               rsp_write_o,

  // Device memory.
  /// There is a request.
  output logic                               mem_req_valid_o,
  /// The request is accepted in this cycle.
  input  logic                               mem_req_ready_i,
  /// The request; stays until it is accepted.
  output ppu_spec_pkg::memory_request_t      mem_req_o,
  /// The oldest request without a response gets it.
  input  logic                               mem_rsp_valid_i
);

  // ---------------------------------------------------------------------------------------------
  // Whose turn it is: behind_q marks the requesters after the last one accepted.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RequesterWidth = $clog2(Requesters);

  logic [Requesters-1:0]     behind_q, candidates, grant, grant_q;
  logic [RequesterWidth-1:0] granted;
  logic                      accept, waits_q;

  assign candidates = (req_valid_i & behind_q) != '0 ? req_valid_i & behind_q : req_valid_i;
  assign grant = waits_q ? grant_q : candidates & (~candidates + Requesters'(1));
  assign mem_req_valid_o = req_valid_i != '0;
  assign mem_req_o = req_i[RequestWidth * 32'(granted) +: RequestWidth];
  assign accept = mem_req_valid_o && mem_req_ready_i;
  assign req_ready_o = mem_req_ready_i ? grant : '0;

  always_comb begin
    granted = '0;
    for (int unsigned i = 0; i < Requesters; i++) begin
      if (grant[i]) granted = RequesterWidth'(i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= '0;
      waits_q <= 1'b0;
    end else begin
      if (accept) behind_q <= ~(grant | (grant - Requesters'(1)));
      waits_q <= mem_req_valid_o && !mem_req_ready_i;
    end
  end

  always_ff @(posedge clk_i) grant_q <= grant;

  // ---------------------------------------------------------------------------------------------
  // Who waits for a response, oldest first.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned CountWidth = $clog2(ppu_spec_pkg::MaxDramQueue + 1);
  logic [RequesterWidth-1:0] answered;
  logic [CountWidth-1:0]     unused_count;
  logic                      unused_owed, unused_full;

  ppu_fifo #(.Width(RequesterWidth + 1), .Depth(ppu_spec_pkg::MaxDramQueue)) u_order (
    .clk_i, .rst_ni, .push_i(accept), .data_i({mem_req_o.write, granted}),
    .pop_i(mem_rsp_valid_i), .data_o({rsp_write_o, answered}), .valid_o(unused_owed),
    .full_o(unused_full), .count_o(unused_count));

  assign rsp_valid_o = mem_rsp_valid_i ? Requesters'(1) << answered : '0;

  `PPU_ASSERT(WhoWaitsKeepsAsking, !waits_q || (req_valid_i & grant_q) != '0)

endmodule
