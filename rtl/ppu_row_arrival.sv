// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records on their way into row memory: resident ones from a load, streamed ones requested here
// in every pass. Each is checked when it arrives, and the ids of it that the issue stage needs are
// put together.

module ppu_row_arrival #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Places = 32768,  ///< Rows in the part of each pipe.
  parameter int unsigned SlotWidth = 16,
  parameter int unsigned BodyWidth = 12,
  /// Bits of a number of rows.
  localparam int unsigned CountWidth = SlotWidth + 1,
  /// Bits of {fault, parent?, parent, b?, b, a?, a}.
  localparam int unsigned IdsWidth = 4 + 1 + SlotWidth + 2 * (1 + BodyWidth)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  ///< A run begins.
  input  logic [31:0]           row_count_i,
  input  logic [31:0]           body_count_i,
  input  logic                  load_i,        ///< A beat of a resident row ...
  input  logic [25:0]           load_index_i,  ///< ... and its number,
  input  logic                  response_i,    ///< ... or a beat of a streamed row.
  input  logic [511:0]          data_i,

  // Streamed rows.
  input  logic                  pass_i,
  input  logic [CountWidth-1:0] pass_first_i,
  input  logic [CountWidth-1:0] pass_count_i,
  input  logic [Pipes-1:0]      place_free_i,
  output logic                  request_o,
  output logic [25:0]           request_beat_o,  ///< From the first row's first beat.
  input  logic                  accept_i,

  // To row memory, by pipe.
  output logic [Pipes-1:0]      write_first_o,
  output logic [Pipes-1:0]      write_second_o,
  output logic [CountWidth-1:0] write_slot_o,
  output logic [IdsWidth-1:0]   write_ids_o,  ///< With the second beat.

  // The first bad one among resident rows.
  output logic                  bad_o,
  output logic [CountWidth-1:0] bad_slot_o,
  output logic [3:0]            bad_detail_o,
  // What is wrong with the first bad row of all, which is the first to issue, too.
  output logic [31:0]           bad_value_o
);

  localparam int unsigned BeatBytes = ppu_spec_pkg::BeatBytes;
  localparam int unsigned BodyALsb = 8 * (ppu_spec_pkg::RowBodyAOffset - BeatBytes);
  localparam int unsigned BodyBLsb = 8 * (ppu_spec_pkg::RowBodyBOffset - BeatBytes);
  localparam int unsigned ParentLsb = 8 * (ppu_spec_pkg::RowParentOffset - BeatBytes);
  localparam logic [31:0] None = ppu_spec_pkg::RowNone;

  logic                  found_q, arrive, second, stream_second, unused_data;
  logic [CountWidth-1:0] slot, stream_slot;
  logic [31:0]           a, b, parent, value;
  logic [3:0]            fault;

  assign arrive = load_i || response_i;
  assign second = load_i ? load_index_i[0] : stream_second;
  assign slot = load_i ? CountWidth'(load_index_i >> 1) : stream_slot;
  assign a = data_i[BodyALsb +: 32];
  assign b = data_i[BodyBLsb +: 32];
  assign parent = data_i[ParentLsb +: 32];
  assign unused_data = ^data_i;
  assign write_slot_o = slot;
  assign write_ids_o = {fault, parent != None, SlotWidth'(parent), b != None, BodyWidth'(b),
                        a != None, BodyWidth'(a)};

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic mine;

    assign mine = arrive && (slot & CountWidth'(Pipes - 1)) == CountWidth'(p);
    assign write_first_o[p] = mine && !second;
    assign write_second_o[p] = mine && second;
  end

  ppu_row_check u_check (
    .slot_i(32'(slot)), .body_a_i(a), .body_b_i(b), .parent_i(parent), .row_count_i,
    .body_count_i, .fault_o(fault), .value_o(value));

  ppu_row_stream #(.Pipes(Pipes), .Places(Places), .CountWidth(CountWidth)) u_stream (
    .clk_i, .rst_ni, .clear_i, .pass_i, .pass_first_i, .pass_count_i, .free_i(place_free_i),
    .request_valid_o(request_o), .request_beat_o, .accept_i, .response_i,
    .response_slot_o(stream_slot), .response_second_o(stream_second));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bad_o <= 1'b0;
      found_q <= 1'b0;
    end else if (clear_i) begin
      bad_o <= 1'b0;
      found_q <= 1'b0;
    end else if (arrive && second && fault != '0) begin
      bad_o <= bad_o || load_i;
      found_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i && second && !bad_o) begin
      bad_slot_o <= slot;
      bad_detail_o <= fault;
    end
    if (arrive && second && !found_q) bad_value_o <= value;
  end

endmodule
