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

  logic                   rows, impulses, velocities, last_of_kind;
  logic [25:0]            index_q;
  ppu_engine_pkg::beats_t left_q;

  assign rows = left_q.rows != '0;
  assign impulses = !rows && left_q.impulses != '0;
  assign velocities = !rows && !impulses && left_q.velocities != '0;
  assign valid_o = rows || impulses || velocities;
  assign beat_o.velocities = velocities;
  assign beat_o.impulses = impulses;
  assign beat_o.rows = rows;
  assign beat_o.index = index_q;

  always_comb begin
    last_of_kind = left_q.velocities == 26'd1;
    last_o = last_of_kind;
    if (impulses) begin
      last_of_kind = left_q.impulses == 26'd1;
      last_o = last_of_kind && left_q.velocities == '0;
    end
    if (rows) begin
      last_of_kind = left_q.rows == 26'd1;
      last_o = last_of_kind && left_q.impulses == '0 && left_q.velocities == '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      index_q <= '0;
    end else if (set_i) begin
      left_q <= beats_i;
      index_q <= '0;
    end else if (step_i) begin
      if (rows) left_q.rows <= left_q.rows - 26'd1;
      if (impulses) left_q.impulses <= left_q.impulses - 26'd1;
      if (velocities) left_q.velocities <= left_q.velocities - 26'd1;
      index_q <= last_of_kind ? '0 : index_q + 26'd1;
    end
  end

  `PPU_ASSERT(NoStepBehindTheEnd, !step_i || valid_o)

endmodule
