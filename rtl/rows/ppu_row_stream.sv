// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Streamed rows: requests the beats of each row of a pass, in slot order, as soon as the row's pipe
// has a free place for it. A port of two beats takes both of a row at once.

`include "ppu_assert.svh"

module ppu_row_stream #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Places = 32768,  ///< Places of each pipe.
  parameter int unsigned Release = 1,     ///< Places that become free together.
  parameter int unsigned PortBeats = 1    ///< Beats that device memory moves in a cycle.
) (
  input  logic                  clk_i,            ///< Clock; its rising edge counts.
  input  logic                  rst_ni,           ///< Low: no passes.
  input  logic                  clear_i,          ///< A run begins: no passes, all places free.
  input  ppu_engine_pkg::run_t  run_i,            ///< The run; it stays.
  input  logic                  pass_valid_i,     ///< A pass; there is room for two.
  input  ppu_engine_pkg::pass_t pass_i,           ///< The rows of the pass.
  input  logic [Pipes-1:0]      free_i,           ///< Places of this pipe become free.
  output ppu_engine_pkg::row_read_t read_o,       ///< What is to be read.
  input  logic                  accept_i          ///< The request is accepted.
);

  localparam int unsigned PlacesWidth = $clog2(Places + 1);
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth;

  logic                  valid, begun, unused_last;
  logic [CountWidth-1:0] slot;
  logic [Pipes-1:0]      place, mine, overfull;
  logic                  unused_run;

  assign unused_run = ^run_i;

  ppu_row_walk u_walk (
    .clk_i, .rst_ni, .clear_i, .reduced_i(run_i.reduced), .pairs_i(PortBeats == 2), .pass_valid_i,
    .pass_i, .step_i(accept_i), .valid_o(valid), .slot_o(slot), .begun_o(begun),
    .last_o(unused_last), .pair_o(read_o.pair), .beat_o(read_o.beat));

  // A row takes its place with its first beat.
  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [PlacesWidth-1:0] count_q, untaken;
    logic                   taken;  // known late: what is left is made ready before

    assign mine[p] = (slot & CountWidth'(Pipes - 1)) == CountWidth'(p);
    assign place[p] = count_q != '0;
    assign taken = accept_i && !begun && mine[p];
    assign untaken = free_i[p] ? count_q + PlacesWidth'(Release) : count_q;
    assign overfull[p] =
      free_i[p] && 32'(count_q) + Release > Places + 32'(taken);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (clear_i) count_q <= PlacesWidth'(Places);
      else count_q <= taken ? untaken - PlacesWidth'(1) : untaken;
    end
  end

  assign read_o.valid = valid && (begun || (place & mine) != '0);

  `PPU_ASSERT(OnlyPlacesThatAreTakenBecomeFree, clear_i || !run_i.streamed || overfull == '0)

endmodule
