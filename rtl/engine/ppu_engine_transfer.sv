// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Load and store of an engine: requests the beats of rows, impulses and velocities one after
// another, and tells what each response is. Beats to be stored are read from the memories on chip
// in one cycle and requested from the next on.

`include "ppu_assert.svh"

module ppu_engine_transfer (
  input  logic                   clk_i,             ///< Clock; its rising edge counts.
  input  logic                   rst_ni,            ///< Low: no transfer.
  input  logic                   set_i,             ///< A transfer begins in the next cycle.
  input  ppu_engine_pkg::beats_t beats_i,           ///< With set_i: the beats of the transfer.
  input  logic                   load_i,            ///< A load is under way.
  input  logic                   store_i,           ///< A store is under way.
  input  ppu_engine_pkg::beats_t first_i,           ///< Where each kind begins, byte address / 64.
  input  ppu_engine_pkg::run_t   run_i,             ///< The run; it stays.

  output logic                   request_o,         ///< A request to device memory.
  output logic [25:0]            beat_o,            ///< Byte address / 64.
  output logic [63:0]            strobe_o,          ///< Bytes of a store that are written.
  output logic                   write_impulses_o,  ///< The beat holds impulses, not velocities.
  input  logic                   accept_i,          ///< The request is accepted.
  output ppu_engine_pkg::beat_t  read_o,            ///< A beat to be stored is read on chip in this
                                                    ///< cycle; it stays until the next one is.
  input  logic                   response_i,        ///< A response of device memory.
  output ppu_engine_pkg::beat_t  loaded_o,          ///< What it brings.
  output logic                   done_o             ///< The transfer ends in this cycle.
);

  // ---------------------------------------------------------------------------------------------
  // Requests. A load requests the beat that the walk is at; a store reads it.
  // ---------------------------------------------------------------------------------------------
  logic                  step, valid, unused_last, read, out_valid_q, out_impulses_q;
  logic [25:0]           out_index_q;
  ppu_engine_pkg::beat_t beat;

  ppu_beat_walk u_requests (
    .clk_i, .rst_ni, .set_i, .beats_i, .step_i(step), .valid_o(valid), .last_o(unused_last),
    .beat_o(beat));

  assign read = store_i && valid && (!out_valid_q || accept_i);
  assign step = read || (load_i && accept_i);
  assign read_o.velocities = read && beat.velocities;
  assign read_o.impulses = read && beat.impulses;
  assign read_o.rows = 1'b0;
  assign read_o.index = beat.index;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_q <= 1'b0;
    else if (read) out_valid_q <= 1'b1;
    else if (accept_i) out_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (read) begin
      out_impulses_q <= beat.impulses;
      out_index_q <= beat.index;
    end
  end

  assign request_o = load_i ? valid : out_valid_q;
  assign write_impulses_o = out_impulses_q;

  always_comb begin
    beat_o = first_i.velocities + beat.index;
    if (beat.impulses) beat_o = first_i.impulses + beat.index;
    if (beat.rows) beat_o = first_i.rows + beat.index;
    if (!load_i) beat_o = (out_impulses_q ? first_i.impulses : first_i.velocities) + out_index_q;
  end

  // Bytes behind the last value are left alone.
  always_comb begin
    for (int i = 0; i < 16; i++)
      strobe_o[4*i +: 4] = out_impulses_q
        ? {4{{2'b0, out_index_q, 4'(i)} < run_i.row_count}}
        : {4{{5'b0, out_index_q, 1'(i / 8)} < run_i.body_count}};
  end

  // ---------------------------------------------------------------------------------------------
  // Responses.
  // ---------------------------------------------------------------------------------------------
  logic                  left, last, mine, unused_run;
  ppu_engine_pkg::beat_t response;

  assign mine = response_i && (load_i || store_i);
  assign unused_run = ^run_i;

  ppu_beat_walk u_responses (
    .clk_i, .rst_ni, .set_i, .beats_i, .step_i(mine), .valid_o(left), .last_o(last),
    .beat_o(response));

  assign loaded_o.velocities = response_i && load_i && response.velocities;
  assign loaded_o.impulses = response_i && load_i && response.impulses;
  assign loaded_o.rows = response_i && load_i && response.rows;
  assign loaded_o.index = response.index;
  assign done_o = !left || (mine && last);

  `PPU_ASSERT(OnlyRequestsAreAccepted, !accept_i || request_o)

endmodule
