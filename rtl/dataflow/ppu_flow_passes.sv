// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The passes that issue by dataflow: up to two that join, how many of their rows have not issued,
// and the position that no row may reach. Passes end in order.

`include "ppu_assert.svh"

module ppu_flow_passes #(
  parameter int unsigned Pipes = 1,
  /// Bits of a number of rows.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth
) (
  input  logic                    clk_i,        ///< Clock; its rising edge counts.
  input  logic                    rst_ni,       ///< Low: no passes, at slot 0.
  input  logic                    clear_i,      ///< A run begins: no passes, at slot 0.
  input  logic                    late_i,       ///< Passes end.
  input  logic [31:0]             row_count_i,  ///< Rows of the run.
  input  logic                    open_i,       ///< Passes are open: each is a turn of its own.
  input  logic                    push_i,       ///< A pass begins, at next_o unless it is open.
  input  logic [CountWidth-1:0]   count_i,      ///< Rows of the pass that begins, at least one.
  input  logic                    maximum_i,    ///< The residual maximum of the pass that begins.
  input  logic [CountWidth-1:0]   over_i,       ///< Rows of the oldest pass that are passed over.
  input  logic [Pipes-1:0]        issue_i,      ///< A row of this pipe issues.
  input  logic [Pipes-1:0]        pass_i,       ///< The number of its row's pass, modulo 2.
  output logic                    pending_o,    ///< There is a pass.
  output logic                    another_o,    ///< There are two passes.
  output logic [CountWidth-1:0]   next_o,       ///< The slot where the next pass begins.
  output logic [1:0]              maxima_o,     ///< Residual maxima, by the number of the pass.
  output ppu_engine_pkg::limit_t  limit_o       ///< How far rows may issue.
);

  localparam int unsigned TakeWidth = $clog2(Pipes + 1);

  logic                  pending_q, another_q, old_q, ends, push0, push1;
  // By the number of the pass: rows left in the cycle before, those of them that issued then, and
  // rows that are left if none issues; rows that issue.
  logic [CountWidth-1:0] left0_q, left1_q, left0, left1;
  logic [TakeWidth-1:0]  taken0_q, taken1_q, taken0, taken1;
  logic [CountWidth-1:0] end_slot;
  logic                  wraps;
  logic [1:0]            maxima_q;

  ppu_engine_pkg::position_t limit_q, middle_q, behind;

  assign pending_o = pending_q;
  assign another_o = another_q;
  assign next_o = limit_q.slot;
  assign maxima_o = maxima_q;
  assign limit_o.moves = push_i;
  assign limit_o.old = old_q;
  // The oldest pass ends in this turn.
  assign limit_o.oldest_turn = middle_q.turn[0] ^ (middle_q.slot == '0);
  assign limit_o.middle = middle_q;
  assign limit_o.limit = limit_q;

  always_comb begin
    taken0 = '0;
    taken1 = '0;
    for (int p = 0; p < Pipes; p++) begin
      taken0 = taken0 + TakeWidth'(issue_i[p] && !pass_i[p]);
      taken1 = taken1 + TakeWidth'(issue_i[p] && pass_i[p]);
    end
  end

  assign left0 = left0_q - CountWidth'(taken0_q) - (old_q ? '0 : over_i);
  assign left1 = left1_q - CountWidth'(taken1_q) - (old_q ? over_i : '0);
  // The number of the pass that is pushed: that of the oldest one, if there is none before it.
  assign push0 = push_i && old_q == pending_q;
  assign push1 = push_i && old_q != pending_q;

  // How many rows issue is known late: whether as many are left is asked before.
  always_comb begin
    ends = 1'b0;
    for (int n = 0; n <= Pipes; n++)
      if (pending_q && (old_q ? left1 : left0) == CountWidth'(n) &&
          (old_q ? taken1 : taken0) == TakeWidth'(n)) ends = 1'b1;
  end

  assign end_slot = limit_q.slot + count_i;
  assign wraps = open_i || 32'(end_slot) == row_count_i;
  assign behind.slot = wraps ? '0 : end_slot;
  assign behind.turn = limit_q.turn + 2'(wraps);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
      another_q <= 1'b0;
      old_q <= 1'b0;
      limit_q <= '0;
    end else if (clear_i) begin
      pending_q <= 1'b0;
      another_q <= 1'b0;
      old_q <= 1'b0;
      limit_q <= '0;
    end else begin
      if (push_i) limit_q <= behind;
      if (late_i) begin
        pending_q <= 1'b0;
        another_q <= 1'b0;
      end else begin
        // A pass that is pushed is the next one, or the only one.
        if (ends) old_q <= !old_q;
        if (ends || !pending_q) begin
          pending_q <= another_q || push_i;
          another_q <= another_q && push_i;
        end else if (push_i) begin
          another_q <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    left0_q <= push0 ? count_i : left0;
    left1_q <= push1 ? count_i : left1;
    taken0_q <= push0 ? '0 : taken0;
    taken1_q <= push1 ? '0 : taken1;
    if (push0) maxima_q[0] <= maximum_i;
    if (push1) maxima_q[1] <= maximum_i;
    if (ends || !pending_q) middle_q <= another_q || !push_i ? limit_q : behind;
  end

  `PPU_ASSERT(NoThirdPassIsPushedHere, !(push_i && another_q))

endmodule
