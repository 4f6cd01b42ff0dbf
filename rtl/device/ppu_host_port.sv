// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Shares one channel of the host link: the first requester goes before the second, but a request
// that waits keeps the channel. Responses go back in the order of acceptance.

module ppu_host_port (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [1:0] req_valid_i,
  output logic [1:0] req_ready_o,
  output logic [1:0] rsp_valid_o,

  output logic       link_valid_o,
  input  logic       link_ready_i,
  output logic       second_o,     ///< The request is the second requester's.
  input  logic       link_rsp_valid_i
);

  localparam int unsigned CountWidth = $clog2(ppu_spec_pkg::MaxLinkQueue + 1);
  logic                  accept, waits_q, second_q, answer_second, unused_owed, unused_full;
  logic [CountWidth-1:0] unused_count;

  assign link_valid_o = req_valid_i != '0;
  assign second_o = waits_q ? second_q : !req_valid_i[0];
  assign accept = link_valid_o && link_ready_i;
  assign req_ready_o = {accept && second_o, accept && !second_o};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= link_valid_o && !link_ready_i;
  end

  always_ff @(posedge clk_i) second_q <= second_o;

  ppu_fifo #(.Width(1), .Depth(ppu_spec_pkg::MaxLinkQueue)) u_order (
    .clk_i, .rst_ni, .push_i(accept), .data_i(second_o), .pop_i(link_rsp_valid_i),
    .data_o(answer_second), .valid_o(unused_owed), .full_o(unused_full), .count_o(unused_count));

  assign rsp_valid_o = {link_rsp_valid_i && answer_second, link_rsp_valid_i && !answer_second};

endmodule
