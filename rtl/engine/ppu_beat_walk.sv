// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Walks the beats of a transfer: those of the rows, then those of the impulses, then those of the
// velocities, without a gap.

`include "ppu_assert.svh"

module ppu_beat_walk (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        set_i,         ///< A transfer of these beats begins in the next cycle.
  input  logic [25:0] rows_i,
  input  logic [25:0] impulses_i,
  input  logic [25:0] velocities_i,
  input  logic        step_i,        ///< To the next beat.
  output logic        valid_o,       ///< There are beats left.
  output logic        last_o,        ///< It is the last one.
  output logic        rows_o,        ///< It is one of the rows ...
  output logic        impulses_o,    ///< ... of the impulses ...
  output logic        velocities_o,  ///< ... of the velocities ...
  output logic [25:0] index_o        ///< ... with this number.
);

  logic [25:0] rows_q, impulses_q, velocities_q, index_q;
  logic        last_of_kind;

  assign rows_o = rows_q != '0;
  assign impulses_o = !rows_o && impulses_q != '0;
  assign velocities_o = !rows_o && !impulses_o && velocities_q != '0;
  assign valid_o = rows_o || impulses_o || velocities_o;
  assign index_o = index_q;

  always_comb begin
    last_of_kind = velocities_q == 26'd1;
    last_o = last_of_kind;
    if (impulses_o) begin
      last_of_kind = impulses_q == 26'd1;
      last_o = last_of_kind && velocities_q == '0;
    end
    if (rows_o) begin
      last_of_kind = rows_q == 26'd1;
      last_o = last_of_kind && impulses_q == '0 && velocities_q == '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rows_q <= '0;
      impulses_q <= '0;
      velocities_q <= '0;
      index_q <= '0;
    end else if (set_i) begin
      rows_q <= rows_i;
      impulses_q <= impulses_i;
      velocities_q <= velocities_i;
      index_q <= '0;
    end else if (step_i) begin
      if (rows_o) rows_q <= rows_q - 26'd1;
      if (impulses_o) impulses_q <= impulses_q - 26'd1;
      if (velocities_o) velocities_q <= velocities_q - 26'd1;
      index_q <= last_of_kind ? '0 : index_q + 26'd1;
    end
  end

  `PPU_ASSERT(NoStepBehindTheEnd, !step_i || valid_o)

endmodule
