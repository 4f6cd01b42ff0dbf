// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records on their way into row memory: resident ones from a load, streamed ones requested here
// in every pass. A row in the reduced form is put together from its head and the tails of its
// block, its J standing for JM, too. Each record is checked when it arrives, and the ids of it that
// the issue stage needs are put together.

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
  input  logic                  clear_i,     ///< A run begins.
  input  logic                  streamed_i,  ///< ... of streamed rows,
  input  logic                  reduced_i,   ///< ... of rows in the reduced form.
  input  logic [31:0]           row_count_i,
  input  logic [31:0]           body_count_i,

  // A load of all rows, or a pass over streamed ones.
  input  logic                  pass_i,
  input  logic [CountWidth-1:0] pass_first_i,
  input  logic [CountWidth-1:0] pass_count_i,
  input  logic                  arrive_i,  ///< A beat of a row.
  input  logic [511:0]          data_i,

  // Streamed rows.
  input  logic [Pipes-1:0]      place_free_i,
  output logic                  request_o,
  output logic [25:0]           request_beat_o,  ///< From the first row's first beat.
  input  logic                  accept_i,

  // To row memory, by pipe.
  output logic [Pipes-1:0]      write_first_o,
  output logic [Pipes-1:0]      write_second_o,
  output logic [CountWidth-1:0] write_slot_o,
  output ppu_spec_pkg::row_record_t write_record_o,
  output logic [IdsWidth-1:0]   write_ids_o,  ///< With the second half.

  // The first bad one among resident rows.
  output logic                  bad_o,
  output logic [CountWidth-1:0] bad_slot_o,
  output logic [3:0]            bad_detail_o,
  // What is wrong with the first bad row of all, which is the first to issue, too.
  output logic [31:0]           bad_value_o
);

  localparam int unsigned TailBits = 8 * ppu_spec_pkg::ReducedTailBytes;
  localparam int unsigned BlockBits = $clog2(ppu_spec_pkg::ReducedBlockRows);
  localparam logic [31:0] None = ppu_spec_pkg::RowNone;

  logic                  last;
  logic [CountWidth-1:0] slot;
  logic                  unused_valid, unused_begun;
  logic [25:0]           unused_beat;

  ppu_row_walk #(.CountWidth(CountWidth)) u_walk (
    .clk_i, .rst_ni, .clear_i, .reduced_i, .pass_i, .pass_first_i, .pass_count_i,
    .step_i(arrive_i), .valid_o(unused_valid), .slot_o(slot), .begun_o(unused_begun),
    .last_o(last), .beat_o(unused_beat));

  ppu_row_stream #(.Pipes(Pipes), .Places(Places), .CountWidth(CountWidth)) u_stream (
    .clk_i, .rst_ni, .clear_i, .reduced_i, .pass_i(pass_i && streamed_i), .pass_first_i,
    .pass_count_i, .free_i(place_free_i), .request_valid_o(request_o), .request_beat_o,
    .accept_i);

  // ---------------------------------------------------------------------------------------------
  // The record. In the reduced form a beat is the head of a row, or the tails of a block.
  // ---------------------------------------------------------------------------------------------
  logic [511:0]                tails_q;
  ppu_spec_pkg::row_record_t   record;
  ppu_spec_pkg::reduced_head_t reduced_head;
  ppu_spec_pkg::reduced_tail_t reduced_tail;

  always_ff @(posedge clk_i) begin
    if (arrive_i && !last) tails_q <= data_i;
  end

  always_comb begin
    record = {data_i, data_i};
    reduced_head = data_i;
    reduced_tail = tails_q[slot[BlockBits-1:0]*TailBits +: TailBits];
    if (reduced_i) begin
      record.jacobian = reduced_head.jacobian;
      record.inv_mass_jacobian = reduced_head.jacobian;
      record.bias = reduced_head.bias;
      record.inv_diagonal = reduced_head.inv_diagonal;
      record.lower = reduced_head.lower;
      record.upper = reduced_head.upper;
      record.compliance = reduced_tail.compliance;
      record.body_a = reduced_tail.body_a;
      record.body_b = reduced_tail.body_b;
      record.parent = reduced_tail.parent;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Its ids, its faults, its pipe.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] a, b, parent, value;
  logic [3:0]  fault;
  logic        found_q;  // a bad one

  assign a = record.body_a;
  assign b = record.body_b;
  assign parent = record.parent;
  assign write_record_o = record;
  assign write_slot_o = slot;
  assign write_ids_o = {fault, parent != None, SlotWidth'(parent), b != None, BodyWidth'(b),
                        a != None, BodyWidth'(a)};

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic mine;

    assign mine = arrive_i && (slot & CountWidth'(Pipes - 1)) == CountWidth'(p);
    assign write_first_o[p] = mine && last == reduced_i;
    assign write_second_o[p] = mine && last;
  end

  ppu_row_check u_check (
    .slot_i(32'(slot)), .body_a_i(a), .body_b_i(b), .parent_i(parent), .row_count_i,
    .body_count_i, .fault_o(fault), .value_o(value));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bad_o <= 1'b0;
      found_q <= 1'b0;
    end else if (clear_i) begin
      bad_o <= 1'b0;
      found_q <= 1'b0;
    end else if (arrive_i && last && fault != '0) begin
      bad_o <= bad_o || !streamed_i;
      found_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (arrive_i && last && !bad_o) begin
      bad_slot_o <= slot;
      bad_detail_o <= fault;
    end
    if (arrive_i && last && !found_q) bad_value_o <= value;
  end

endmodule
