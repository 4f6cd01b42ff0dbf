// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The part of row memory that belongs to one pipe, and the fetch of its records: bodies and parent
// are read ahead into a queue of four, in the order of issue; the operands are read when the row
// issues, and JM when the row pipe asks for it.
//
// Resident rows have places of their own. Streamed ones use the places in turn: those of arrival,
// fetch and issue each have a counter.

module ppu_row_memory #(
  parameter int unsigned Places = 32768,  ///< Rows that fit.
  parameter int unsigned IdsWidth = 32,   ///< Bits of what must be known of a row before it issues.
  /// Bits of a place.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1,
  /// Bits of a number of places.
  localparam int unsigned CountWidth = $clog2(Places + 1)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,     ///< A run begins: no passes, nothing arrived.
  input  logic                  streamed_i,  ///< ... of streamed rows.
  input  logic                  enable_i,    ///< Rows may issue; else heads are thrown away.

  // A record arrives.
  input  logic                  write_first_i,   ///< Its first beat ...
  input  logic                  write_second_i,  ///< ... or its second one,
  input  logic [PlaceWidth-1:0] write_place_i,   ///< ... at this place, if resident.
  input  logic [511:0]          write_data_i,
  input  logic [IdsWidth-1:0]   write_ids_i,     ///< With the second beat.

  // A pass over resident rows; there is room for two.
  input  logic                  pass_i,
  input  logic [CountWidth-1:0] pass_first_i,  ///< Place.
  input  logic [CountWidth-1:0] pass_count_i,

  // The next row.
  output logic                  head_valid_o,
  output logic [IdsWidth-1:0]   head_ids_o,
  input  logic                  issue_i,        ///< It issues in this cycle ...
  input  logic [PlaceWidth-1:0] issue_place_i,  ///< ... from this place, if resident.
  output logic [PlaceWidth-1:0] issue_place_o,  ///< Its place.
  output logic [12*32-1:0]      jacobian_o,     ///< In the cycle after issue_i.
  output logic [5*32-1:0]       scalars_o,      ///< The same: b, d, lo, hi, cfm.

  // JM, in the cycle after it was asked for.
  input  logic                  jm_read_i,
  input  logic [PlaceWidth-1:0] jm_place_i,
  output logic [12*32-1:0]      jm_o,
  output logic                  empty_o         ///< No head, and none on the way.
);

  localparam int unsigned QueueDepth = 4;
  localparam logic [PlaceWidth-1:0] LastPlace = PlaceWidth'(Places - 1);

  // Where the fields lie in the two beats of a record.
  localparam int unsigned BeatBits = 8 * ppu_spec_pkg::BeatBytes;
  localparam int unsigned JacobianLsb = 8 * ppu_spec_pkg::RowJacobianOffset;
  localparam int unsigned JmLsb = 8 * ppu_spec_pkg::RowInvMassJacobianOffset;
  localparam int unsigned JmFirstBits = BeatBits - JmLsb;  // of JM in the first beat
  localparam int unsigned ScalarsLsb = 8 * ppu_spec_pkg::RowBiasOffset - BeatBits;

  // ---------------------------------------------------------------------------------------------
  // Places in turn.
  // ---------------------------------------------------------------------------------------------
  logic                  fetch;
  logic [PlaceWidth-1:0] write_place, fetch_place, issue_place;
  logic [PlaceWidth-1:0] write_turn_q, fetch_turn_q, issue_turn_q;
  logic [CountWidth-1:0] arrived_q;  // and not fetched

  assign write_place = streamed_i ? write_turn_q : write_place_i;
  assign issue_place = streamed_i ? issue_turn_q : issue_place_i;
  assign issue_place_o = issue_place;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_turn_q <= '0;
      fetch_turn_q <= '0;
      issue_turn_q <= '0;
      arrived_q <= '0;
    end else if (clear_i) begin
      write_turn_q <= '0;
      fetch_turn_q <= '0;
      issue_turn_q <= '0;
      arrived_q <= '0;
    end else if (streamed_i) begin
      if (write_second_i)
        write_turn_q <= write_turn_q == LastPlace ? '0 : write_turn_q + PlaceWidth'(1);
      if (fetch) fetch_turn_q <= fetch_turn_q == LastPlace ? '0 : fetch_turn_q + PlaceWidth'(1);
      if (issue_i) issue_turn_q <= issue_turn_q == LastPlace ? '0 : issue_turn_q + PlaceWidth'(1);
      if (write_second_i != fetch)
        arrived_q <= write_second_i ? arrived_q + CountWidth'(1) : arrived_q - CountWidth'(1);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Fetch: read in one cycle, pushed in the next.
  // ---------------------------------------------------------------------------------------------
  logic                            pass_valid, push_q, pop, unused_full;
  logic [CountWidth-1:0]           pass_next;
  logic [$clog2(QueueDepth+1)-1:0] queued;
  logic [IdsWidth-1:0]             fetched_ids;
  logic                            unused_pass_two, unused_pass_next, unused_payload;
  logic [CountWidth-1:0]           unused_pass_left;

  ppu_pass_queue #(.Width(CountWidth)) u_passes (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_i), .first_i(pass_first_i), .count_i(pass_count_i),
    .payload_i(1'b0), .take_i(fetch && !streamed_i), .valid_o(pass_valid),
    .two_o(unused_pass_two), .next_o(pass_next), .left_o(unused_pass_left),
    .payload_o(unused_payload));

  assign fetch = (streamed_i ? arrived_q != '0 : pass_valid) && enable_i &&
                 32'(queued) + 32'(push_q) < QueueDepth;
  assign fetch_place = streamed_i ? fetch_turn_q : PlaceWidth'(pass_next);
  assign unused_pass_next = ^pass_next;
  assign empty_o = !head_valid_o && !push_q;
  assign pop = issue_i || (!enable_i && head_valid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) push_q <= 1'b0;
    else push_q <= fetch;
  end

  ppu_fifo #(.Width(IdsWidth), .Depth(QueueDepth)) u_queue (
    .clk_i, .rst_ni, .push_i(push_q), .data_i(fetched_ids), .pop_i(pop), .data_o(head_ids_o),
    .valid_o(head_valid_o), .full_o(unused_full), .count_o(queued));

  // ---------------------------------------------------------------------------------------------
  // Memories.
  // ---------------------------------------------------------------------------------------------
  ppu_ram #(.PartWidth(IdsWidth), .Words(Places)) u_ids (
    .clk_i, .write_i(write_second_i), .write_address_i(write_place), .write_data_i(write_ids_i),
    .read_i(fetch), .read_address_i(fetch_place), .read_data_o(fetched_ids));
  ppu_ram #(.PartWidth(12 * 32), .Words(Places)) u_jacobian (
    .clk_i, .write_i(write_first_i), .write_address_i(write_place),
    .write_data_i(write_data_i[JacobianLsb +: 12*32]),
    .read_i(issue_i), .read_address_i(issue_place), .read_data_o(jacobian_o));
  ppu_ram #(.PartWidth(5 * 32), .Words(Places)) u_scalars (
    .clk_i, .write_i(write_second_i), .write_address_i(write_place),
    .write_data_i(write_data_i[ScalarsLsb +: 5*32]),
    .read_i(issue_i), .read_address_i(issue_place), .read_data_o(scalars_o));
  ppu_ram #(.PartWidth(JmFirstBits), .Words(Places)) u_jm_first (
    .clk_i, .write_i(write_first_i), .write_address_i(write_place),
    .write_data_i(write_data_i[JmLsb +: JmFirstBits]),
    .read_i(jm_read_i), .read_address_i(jm_place_i), .read_data_o(jm_o[JmFirstBits-1:0]));
  ppu_ram #(.PartWidth(12 * 32 - JmFirstBits), .Words(Places)) u_jm_second (
    .clk_i, .write_i(write_second_i), .write_address_i(write_place),
    .write_data_i(write_data_i[0 +: 12*32-JmFirstBits]),
    .read_i(jm_read_i), .read_address_i(jm_place_i), .read_data_o(jm_o[12*32-1:JmFirstBits]));

  logic unused_data;
  assign unused_data = ^write_data_i;

endmodule
