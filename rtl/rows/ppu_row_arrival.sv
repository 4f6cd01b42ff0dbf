// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Row records on their way into row memory: resident ones from a load, streamed ones requested here
// in every pass. A row in the reduced form is put together from its head and the tails of its
// block, its J standing for JM, too. Each record is checked when it arrives, and the ids of it that
// the issue stage needs are put together.

`include "ppu_assert.svh"

module ppu_row_arrival #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Places = 32768,  ///< Rows in the part of each pipe.
  parameter int unsigned Release = 1,     ///< Places that become free together.
  parameter int unsigned PortBeats = 1,   ///< Beats that device memory moves in a cycle.
  /// Bits of what goes to a pipe.
  localparam int unsigned WriteWidth = ppu_engine_pkg::RowWriteWidth
) (
  input  logic                       clk_i,         ///< Clock; its rising edge counts.
  input  logic                       rst_ni,        ///< Low: no passes, no bad row.
  input  logic                       clear_i,       ///< A run begins.
  input  ppu_engine_pkg::run_t       run_i,         ///< The run; it stays.

  input  ppu_engine_pkg::flip_t      flip_i,        ///< Bits that flip when a word is written.

  // A load of all rows, or a pass over streamed ones.
  input  logic                       pass_valid_i,  ///< Rows will arrive; there is room for two
                                                    ///< such passes.
  input  ppu_engine_pkg::pass_t      pass_i,        ///< The rows that will arrive.
  input  logic                       arrive_i,      ///< A beat of a row arrives.
  input  logic [1023:0]              data_i,        ///< The bytes of the beat, or of both beats of
                                                    ///< a row; the first in the low bits.

  // Requests for streamed rows.
  input  logic [Pipes-1:0]           place_free_i,     ///< Places of this pipe become free.
  output ppu_engine_pkg::row_read_t  read_o,           ///< What is to be read.
  input  logic                       accept_i,         ///< The request is accepted.

  // To row memory.
  output logic [Pipes*WriteWidth-1:0] write_o,  ///< A ppu_engine_pkg::row_write_t to each pipe.
  output ppu_engine_pkg::bad_row_t    bad_o     ///< What is wrong with rows.
);

  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth;
  localparam int unsigned TailBits = 8 * ppu_spec_pkg::ReducedTailBytes;
  localparam int unsigned BlockBits = $clog2(ppu_spec_pkg::ReducedBlockRows);
  localparam logic [31:0] None = ppu_spec_pkg::RowNone;

  logic                  last, pair;
  logic [CountWidth-1:0] slot;
  logic                  unused_valid, unused_begun;
  logic [25:0]           unused_beat;

  ppu_row_walk u_walk (
    .clk_i, .rst_ni, .clear_i, .reduced_i(run_i.reduced),
    .pairs_i(PortBeats == 2 && run_i.streamed), .pass_valid_i, .pass_i, .step_i(arrive_i),
    .valid_o(unused_valid), .slot_o(slot), .begun_o(unused_begun), .last_o(last), .pair_o(pair),
    .beat_o(unused_beat));

  ppu_row_stream #(
    .Pipes(Pipes), .Places(Places), .Release(Release), .PortBeats(PortBeats)
  ) u_stream (
    .clk_i, .rst_ni, .clear_i, .run_i, .pass_valid_i(pass_valid_i && run_i.streamed), .pass_i,
    .free_i(place_free_i), .read_o, .accept_i);

  // ---------------------------------------------------------------------------------------------
  // The record. In the reduced form a beat is the head of a row, or the tails of a block.
  // ---------------------------------------------------------------------------------------------
  logic [511:0]                first, ends, tails, tails_q;  // ends: where the record ends
  ppu_spec_pkg::row_record_t   record;
  ppu_spec_pkg::reduced_head_t reduced_head;
  ppu_spec_pkg::reduced_tail_t reduced_tail;

  always_ff @(posedge clk_i) begin
    if (arrive_i && (!last || pair)) tails_q <= first;
  end

  assign first = data_i[511:0];
  assign ends = pair ? data_i[1023:512] : first;
  assign tails = pair ? first : tails_q;

  always_comb begin
    record = {ends, first};
    reduced_head = ends;
    reduced_tail = tails[slot[BlockBits-1:0]*TailBits +: TailBits];
    if (run_i.reduced) begin
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
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;

  ppu_engine_pkg::row_ids_t   ids;
  ppu_engine_pkg::row_write_t write;
  logic                       mine;
  logic [3:0]                 fault;
  logic                       found_q, bad_q;  // a bad one; a resident one
  logic [CountWidth-1:0]      bad_slot_q;
  logic [3:0]                 bad_detail_q, found_detail_q;
  logic [31:0]                body_a_q, body_b_q, parent_q;  // of the first bad row

  assign bad_o.value = found_detail_q == 4'(ppu_spec_pkg::FaultBodyB) ? body_b_q :
                       found_detail_q == 4'(ppu_spec_pkg::FaultParent) ? parent_q : body_a_q;
  assign bad_o.detail = bad_detail_q;
  assign bad_o.slot = bad_slot_q;
  assign bad_o.found = bad_q;

  always_comb begin
    ids.fault = 5'(fault);
    ids.has_parent = record.parent != None;
    ids.parent = SlotWidth'(record.parent);
    ids.has_b = record.body_b != None;
    ids.body_b = BodyWidth'(record.body_b);
    ids.has_a = record.body_a != None;
    ids.body_a = BodyWidth'(record.body_a);
  end

  always_comb begin
    write.ids = ids;
    write.record = record;
    write.flip = flip_i.word == 32'(slot) ? flip_i : '0;
    write.place = SlotWidth'(slot >> PipeBits);
    for (int p = 0; p < Pipes; p++) begin
      mine = arrive_i && (slot & CountWidth'(Pipes - 1)) == CountWidth'(p);
      write.second = mine && last;
      write.first = mine && (pair || last == run_i.reduced);
      write_o[p*WriteWidth +: WriteWidth] = write;
    end
  end

  ppu_row_check u_check (
    .slot_i(32'(slot)), .body_a_i(record.body_a), .body_b_i(record.body_b),
    .parent_i(record.parent), .row_count_i(run_i.row_count), .body_count_i(run_i.body_count),
    .fault_o(fault));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bad_q <= 1'b0;
      found_q <= 1'b0;
    end else if (clear_i) begin
      bad_q <= 1'b0;
      found_q <= 1'b0;
    end else if (arrive_i && last && fault != '0) begin
      bad_q <= bad_q || !run_i.streamed;
      found_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (arrive_i && last && !bad_q) begin
      bad_slot_q <= slot;
      bad_detail_q <= fault;
    end
    if (arrive_i && last && !found_q) begin
      found_detail_q <= fault;
      body_a_q <= record.body_a;
      body_b_q <= record.body_b;
      parent_q <= record.parent;
    end
  end

  `PPU_ASSERT(BadRowsAreRowsOfTheRun,
              clear_i || !bad_q || 32'(bad_slot_q) < run_i.row_count)

endmodule
