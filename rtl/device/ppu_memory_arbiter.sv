// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Shares the port of device memory, round robin: the first requester with a request, from the one
// after the last accepted on, keeps the port until it is accepted. Responses go back in the order
// of acceptance.

module ppu_memory_arbiter #(
  /// Two or more.
  parameter int unsigned Requesters = 2,
  localparam int unsigned RequesterWidth = $clog2(Requesters),
  localparam int unsigned Width = 8 * ppu_spec_pkg::BeatBytes,
  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes)
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  // Requesters, number 0 in the low bits.
  input  logic [Requesters-1:0]                 req_valid_i,
  output logic [Requesters-1:0]                 req_ready_o,
  input  logic [Requesters-1:0]                 req_write_i,
  input  logic [Requesters*BeatNumberWidth-1:0] req_beat_i,
  input  logic [Requesters*Width-1:0]           req_data_i,
  input  logic [Requesters*Bytes-1:0]           req_strobe_i,
  output logic [Requesters-1:0]                 rsp_valid_o,
  output logic                                  rsp_write_o,  ///< It acknowledges a write.

  // Device memory.
  output logic                                  mem_req_valid_o,
  input  logic                                  mem_req_ready_i,
  output logic                                  mem_req_write_o,
  output logic [BeatNumberWidth-1:0]            mem_req_beat_o,
  output logic [Width-1:0]                      mem_req_data_o,
  output logic [Bytes-1:0]                      mem_req_strobe_o,
  input  logic                                  mem_rsp_valid_i,
  output logic [RequesterWidth-1:0]             requester_o   ///< Whose request is on the port.
);

  // ---------------------------------------------------------------------------------------------
  // Whose turn it is: behind_q marks the requesters after the last one accepted.
  // ---------------------------------------------------------------------------------------------
  logic [Requesters-1:0]     behind_q, candidates, grant, grant_q;
  logic [RequesterWidth-1:0] granted;
  logic                      accept, waits_q;

  assign candidates = (req_valid_i & behind_q) != '0 ? req_valid_i & behind_q : req_valid_i;
  assign grant = waits_q ? grant_q : candidates & (~candidates + Requesters'(1));
  assign mem_req_valid_o = req_valid_i != '0;
  assign accept = mem_req_valid_o && mem_req_ready_i;
  assign req_ready_o = mem_req_ready_i ? grant : '0;
  assign requester_o = granted;

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

  assign mem_req_write_o = req_write_i[granted];
  assign mem_req_beat_o = req_beat_i[BeatNumberWidth * 32'(granted) +: BeatNumberWidth];
  assign mem_req_data_o = req_data_i[Width * 32'(granted) +: Width];
  assign mem_req_strobe_o = req_strobe_i[Bytes * 32'(granted) +: Bytes];

  // ---------------------------------------------------------------------------------------------
  // Who waits for a response, oldest first.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned CountWidth = $clog2(ppu_spec_pkg::MaxDramQueue + 1);
  logic [RequesterWidth-1:0] answered;
  logic [CountWidth-1:0]     unused_count;
  logic                      unused_owed, unused_full;

  ppu_fifo #(.Width(RequesterWidth + 1), .Depth(ppu_spec_pkg::MaxDramQueue)) u_order (
    .clk_i, .rst_ni, .push_i(accept), .data_i({mem_req_write_o, granted}),
    .pop_i(mem_rsp_valid_i), .data_o({rsp_write_o, answered}), .valid_o(unused_owed),
    .full_o(unused_full), .count_o(unused_count));

  assign rsp_valid_o = mem_rsp_valid_i ? Requesters'(1) << answered : '0;

endmodule
