// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Load and store of an engine: requests the beats of rows, impulses and velocities one after
// another, and tells what each response is. Beats to be stored are read from the memories on chip
// in one cycle and requested from the next on.

module ppu_engine_transfer (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        set_i,         ///< A transfer begins in the next cycle, of these beats.
  input  logic [25:0] rows_i,
  input  logic [25:0] impulses_i,
  input  logic [25:0] velocities_i,
  // These stay during the transfer.
  input  logic        load_i,
  input  logic        store_i,
  input  logic [25:0] rows_beat_i,        ///< Where the rows lie in device memory.
  input  logic [25:0] impulses_beat_i,
  input  logic [25:0] velocities_beat_i,
  input  logic [31:0] row_count_i,
  input  logic [31:0] body_count_i,
  // Requests.
  output logic        request_o,
  output logic [25:0] beat_o,
  output logic [63:0] strobe_o,
  output logic        write_impulses_o,  ///< The beat holds impulses, not velocities.
  input  logic        accept_i,
  // Beats to be stored are read in this cycle, and stay until the next ones are.
  output logic        read_impulses_o,
  output logic        read_velocities_o,
  output logic [25:0] read_index_o,
  // Responses.
  input  logic        response_i,
  output logic        loaded_row_o,
  output logic        loaded_impulses_o,
  output logic        loaded_velocities_o,
  output logic [25:0] loaded_index_o,
  output logic        done_o  ///< The transfer ends in this cycle.
);

  // ---------------------------------------------------------------------------------------------
  // Requests. A load requests the beat that the walk is at; a store reads it.
  // ---------------------------------------------------------------------------------------------
  logic        step, valid, rows, impulses, velocities, unused_last, read;
  logic        out_valid_q, out_impulses_q;
  logic [25:0] index, out_index_q;

  ppu_beat_walk u_requests (
    .clk_i, .rst_ni, .set_i, .rows_i, .impulses_i, .velocities_i, .step_i(step), .valid_o(valid),
    .last_o(unused_last), .rows_o(rows), .impulses_o(impulses), .velocities_o(velocities),
    .index_o(index));

  assign read = store_i && valid && (!out_valid_q || accept_i);
  assign step = read || (load_i && accept_i);
  assign read_impulses_o = read && impulses;
  assign read_velocities_o = read && velocities;
  assign read_index_o = index;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_valid_q <= 1'b0;
    else if (read) out_valid_q <= 1'b1;
    else if (accept_i) out_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (read) begin
      out_impulses_q <= impulses;
      out_index_q <= index;
    end
  end

  assign request_o = load_i ? valid : out_valid_q;
  assign write_impulses_o = out_impulses_q;

  always_comb begin
    beat_o = velocities_beat_i + index;
    if (impulses) beat_o = impulses_beat_i + index;
    if (rows) beat_o = rows_beat_i + index;
    if (!load_i) beat_o = (out_impulses_q ? impulses_beat_i : velocities_beat_i) + out_index_q;
  end

  // Bytes behind the last value are left alone.
  always_comb begin
    for (int i = 0; i < 16; i++)
      strobe_o[4*i +: 4] = out_impulses_q
        ? {4{{2'b0, out_index_q, 4'(i)} < row_count_i}}
        : {4{{5'b0, out_index_q, 1'(i / 8)} < body_count_i}};
  end

  // ---------------------------------------------------------------------------------------------
  // Responses.
  // ---------------------------------------------------------------------------------------------
  logic left, last, response_rows, response_impulses, response_velocities, mine;

  assign mine = response_i && (load_i || store_i);

  ppu_beat_walk u_responses (
    .clk_i, .rst_ni, .set_i, .rows_i, .impulses_i, .velocities_i, .step_i(mine), .valid_o(left),
    .last_o(last), .rows_o(response_rows), .impulses_o(response_impulses),
    .velocities_o(response_velocities), .index_o(loaded_index_o));

  assign loaded_row_o = response_i && load_i && response_rows;
  assign loaded_impulses_o = response_i && load_i && response_impulses;
  assign loaded_velocities_o = response_i && load_i && response_velocities;
  assign done_o = !left || (mine && last);

endmodule
