// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The budget of a run: when it is late, and how many passes that cuts short or drops. Whether the
// next cycle is late is known in this one: what depends on it has its whole cycle.

`include "ppu_assert.svh"

module ppu_budget (
  input  logic        clk_i,      ///< Clock; its rising edge counts.
  input  logic        rst_ni,     ///< Low: no limit.
  input  logic        clear_i,    ///< A run begins: no limit.
  input  logic        set_i,      ///< The limit from the next cycle on; not of a late run.
  input  logic [31:0] limit_i,    ///< In cycles after the first instruction; 0: none.
  input  logic        run_i,      ///< A cycle of the program.
  input  logic        pending_i,  ///< A pass has not fully issued.
  input  logic        another_i,  ///< With pending_i: another pass is behind.
  input  logic        pass_i,     ///< A `rows` of at least one row executes.
  output logic        late_o,     ///< The limit is reached.
  output logic        late_next_o,  ///< What late_o is in the next cycle.
  output logic [1:0]  cut_o       ///< Passes that are cut short or dropped in this cycle.
);

  localparam logic [32:0] Beyond = 33'h1_0000_0000;  // any limit

  logic        late_d, late_q, reached, reached_new;
  logic [31:0] limit_q;
  logic [32:0] next_q;  // the cycle of the program after this one, or Beyond

  assign late_o = late_q;
  assign cut_o = late_q ? 2'(pending_i) + 2'(another_i) + 2'(pass_i) : '0;
  // The limit that is set now comes late, so both are asked.
  assign reached = limit_q != '0 && next_q >= 33'(limit_q);
  assign reached_new = limit_i != '0 && next_q >= 33'(limit_i);
  assign late_next_o = late_d;

  always_comb begin
    late_d = late_q;
    if (clear_i) late_d = 1'b0;
    else if (run_i && !late_q) late_d = set_i ? reached_new : reached;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      late_q <= 1'b0;
      limit_q <= '0;
      next_q <= 33'd1;
    end else begin
      late_q <= late_d;
      if (clear_i) begin
        limit_q <= '0;
        next_q <= 33'd1;
      end else if (run_i && !late_q) begin
        if (set_i) limit_q <= limit_i;
        if (next_q != Beyond) next_q <= next_q + 33'd1;
      end
    end
  end

  `PPU_ASSERT(ALimitIsSetByTheProgram, !set_i || run_i)

endmodule
