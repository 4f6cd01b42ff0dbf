// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The budget of a run: when it is late, and how many passes that cuts short or drops.

`include "ppu_assert.svh"

module ppu_budget (
  input  logic        clk_i,      ///< Clock; its rising edge counts.
  input  logic        rst_ni,     ///< Low: no limit.
  input  logic        clear_i,    ///< A run begins: no limit.
  input  logic        set_i,      ///< The limit from the next cycle on; not of a late run.
  input  logic [31:0] limit_i,    ///< In cycles after the first instruction; 0: none.
  input  logic [63:0] cycles_i,   ///< Since the first instruction.
  input  logic        pending_i,  ///< A pass has not fully issued.
  input  logic        another_i,  ///< With pending_i: another pass is behind.
  input  logic        pass_i,     ///< A `rows` of at least one row executes.
  output logic        late_o,     ///< The limit is reached.
  output logic [1:0]  cut_o       ///< Passes that are cut short or dropped in this cycle.
);

  logic [31:0] limit_q;

  assign late_o = limit_q != '0 && cycles_i >= 64'(limit_q);
  assign cut_o = late_o ? 2'(pending_i) + 2'(another_i) + 2'(pass_i) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) limit_q <= '0;
    else if (clear_i) limit_q <= '0;
    else if (set_i && !late_o) limit_q <= limit_i;
  end

  logic late_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_q <= 1'b0;
    else late_q <= late_o && !clear_i;
  end

  `PPU_ASSERT(ALateRunStaysLate, !late_q || late_o)

endmodule
