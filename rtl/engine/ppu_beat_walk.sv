// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Walks the beats of a transfer: those of the rows, then those of the impulses, then those of the
// velocities, without a gap.

`include "ppu_assert.svh"

module ppu_beat_walk (
  input  logic                   clk_i,    ///< Clock; its rising edge counts.
  input  logic                   rst_ni,   ///< Low: no beats are left.
  input  logic                   set_i,    ///< A transfer begins in the next cycle.
  input  ppu_engine_pkg::beats_t beats_i,  ///< With set_i: the beats of the transfer.
  input  logic                   step_i,   ///< To the next beat.
  output logic                   valid_o,  ///< There are beats left.
  output logic                   last_o,   ///< The beat is the last one.
  output ppu_engine_pkg::beat_t  beat_o    ///< The kind of the beat, and its number.
);

  logic                   rows_q, impulses_q, velocities_q;  // the kind of the beat
  logic                   last_of_kind;
  logic [25:0]            index_q;
  ppu_engine_pkg::beats_t left_q;

  assign valid_o = rows_q || impulses_q || velocities_q;
  assign beat_o.velocities = velocities_q;
  assign beat_o.impulses = impulses_q;
  assign beat_o.rows = rows_q;
  assign beat_o.index = index_q;

  always_comb begin
    last_of_kind = left_q.velocities == 26'd1;
    last_o = last_of_kind;
    if (impulses_q) begin
      last_of_kind = left_q.impulses == 26'd1;
      last_o = last_of_kind && left_q.velocities == '0;
    end
    if (rows_q) begin
      last_of_kind = left_q.rows == 26'd1;
      last_o = last_of_kind && left_q.impulses == '0 && left_q.velocities == '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      index_q <= '0;
      rows_q <= 1'b0;
      impulses_q <= 1'b0;
      velocities_q <= 1'b0;
    end else if (set_i) begin
      left_q <= beats_i;
      index_q <= '0;
      rows_q <= beats_i.rows != '0;
      impulses_q <= beats_i.rows == '0 && beats_i.impulses != '0;
      velocities_q <= beats_i.rows == '0 && beats_i.impulses == '0 && beats_i.velocities != '0;
    end else if (step_i) begin
      if (rows_q) left_q.rows <= left_q.rows - 26'd1;
      if (impulses_q) left_q.impulses <= left_q.impulses - 26'd1;
      if (velocities_q) left_q.velocities <= left_q.velocities - 26'd1;
      index_q <= last_of_kind ? '0 : index_q + 26'd1;
      if (last_of_kind) begin
        rows_q <= 1'b0;
        impulses_q <= rows_q && left_q.impulses != '0;
        velocities_q <= (impulses_q || (rows_q && left_q.impulses == '0)) &&
                        left_q.velocities != '0;
      end
    end
  end

  `PPU_ASSERT(NoStepBehindTheEnd, !step_i || valid_o)

endmodule
