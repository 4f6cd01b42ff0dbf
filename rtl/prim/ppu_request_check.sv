// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What must hold at a port of the device: a request that is not accepted stays as it is. Assertions
// only.

`include "ppu_assert.svh"

module ppu_request_check #(
  parameter int unsigned Width = 1  ///< Bits of what is requested.
) (
  input logic             clk_i,     ///< Clock; its rising edge counts.
  input logic             rst_ni,    ///< Low: nothing is checked.
  input logic             valid_i,   ///< There is a request.
  input logic             ready_i,   ///< The request is accepted in this cycle.
  input logic [Width-1:0] request_i  ///< What is requested.
);

  logic             waits_q;
  logic [Width-1:0] request_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= valid_i && !ready_i;
  end

  always_ff @(posedge clk_i) request_q <= request_i;

  `PPU_ASSERT(RequestsStayUntilTheyAreAccepted,
              !waits_q || (valid_i && request_i == request_q))

endmodule
