// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Shares one channel of the host link: the first requester goes before the second, but a request
// that waits keeps the channel. Responses go back in the order of acceptance.

`include "ppu_assert.svh"

module ppu_host_port #(
  /// Bits of a request.
  parameter int unsigned Width = 1
) (
  /// Clock.
  input  logic             clk_i,
  /// Reset, active low.
  input  logic             rst_ni,

  // The requesters; bit 0 is the first one.
  /// Who has a request; it stays until it is accepted.
  input  logic [1:0]       req_valid_i,
  /// Whose request is accepted in this cycle.
  output logic [1:0]       req_ready_o,
  /// The first requester's request.
  input  logic [Width-1:0] first_i,
  /// The second requester's request.
  input  logic [Width-1:0] second_i,
  /// Whose oldest request gets its response.
  output logic [1:0]       rsp_valid_o,

  // The channel.
  /// There is a request.
  output logic             link_valid_o,
  /// The request is accepted in this cycle.
  input  logic             link_ready_i,
  /// The request; stays until it is accepted.
  output logic [Width-1:0] link_o,
  /// The oldest request without a response gets it.
  input  logic             link_rsp_valid_i
);

  localparam int unsigned CountWidth = $clog2(ppu_spec_pkg::MaxLinkQueue + 1);
  logic                  accept, second, waits_q, second_q, answer_second;
  logic                  unused_owed, unused_full;
  logic [CountWidth-1:0] unused_count;

  assign link_valid_o = req_valid_i != '0;
  assign second = waits_q ? second_q : !req_valid_i[0];
  assign link_o = second ? second_i : first_i;
  assign accept = link_valid_o && link_ready_i;
  assign req_ready_o = {accept && second, accept && !second};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= link_valid_o && !link_ready_i;
  end

  always_ff @(posedge clk_i) second_q <= second;

  ppu_fifo #(.Width(1), .Depth(ppu_spec_pkg::MaxLinkQueue)) u_order (
    .clk_i, .rst_ni, .push_i(accept), .data_i(second), .pop_i(link_rsp_valid_i),
    .data_o(answer_second), .valid_o(unused_owed), .full_o(unused_full), .count_o(unused_count));

  assign rsp_valid_o = {link_rsp_valid_i && answer_second, link_rsp_valid_i && !answer_second};

  `PPU_ASSERT(WhoWaitsKeepsAsking, !waits_q || (second_q ? req_valid_i[1] : req_valid_i[0]))

endmodule
