// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The part of row memory that belongs to one pipe, and the fetch of its records: bodies and parent
// are read ahead into a queue of four, in the order of issue; the operands are read when the row
// issues, and JM when the row pipe asks for it.
//
// Resident rows have places of their own; the bodies and parents of Window consecutive ones are
// read as one word, which a search looks at as a whole. Streamed rows use the places in turn: those
// of arrival and fetch each have a counter.

`include "ppu_assert.svh"

module ppu_row_memory #(
  parameter int unsigned Places = 32768,  ///< Rows that fit.
  parameter int unsigned IdsWidth = 32,   ///< Bits of what must be known of a row before it issues.
  parameter int unsigned BodiesWidth = 26,  ///< Those that name its bodies: the low ones.
  parameter int unsigned Window = 4,      ///< Rows of a word: 1, 2, 4 or 8.
  /// Bits of a place.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1,
  /// Bits of a number of places.
  localparam int unsigned CountWidth = $clog2(Places + 1),
  /// Words of bodies and parents; bits of the number of a word, and of a row in it.
  localparam int unsigned Words = (Places + Window - 1) / Window,
  localparam int unsigned WordWidth = Words > 1 ? $clog2(Words) : 1,
  localparam int unsigned PartWidth = Window > 1 ? $clog2(Window) : 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clear_i,     ///< A run begins: no passes, nothing arrived.
  input  logic                       streamed_i,  ///< ... of streamed rows.
  input  logic                       enable_i,    ///< Rows may issue; else heads are thrown away.

  // A record arrives.
  input  logic                       write_first_i,   ///< Its first half ...
  input  logic                       write_second_i,  ///< ... or its second one, or both,
  input  logic [PlaceWidth-1:0]      write_place_i,   ///< ... at this place, if resident.
  input  ppu_spec_pkg::row_record_t  write_record_i,
  input  logic [IdsWidth-1:0]        write_ids_i,     ///< With the second half.

  // A pass over resident rows; there is room for two.
  input  logic                       pass_i,
  input  logic [CountWidth-1:0]      pass_first_i,  ///< Place.
  input  logic [CountWidth-1:0]      pass_count_i,

  // A search: see ppu_row_scan.
  input  logic                       read_window_i,
  input  logic [WordWidth-1:0]       window_i,
  input  logic                       move_i,
  input  logic                       take_i,  ///< This row joins the queue.
  input  logic                       take_live_i,
  input  logic [WordWidth-1:0]       take_window_i,
  input  logic [PartWidth-1:0]       take_part_i,
  // The word that was read.
  output logic [Window*BodiesWidth-1:0] window_bodies_o,
  input  logic [Window-1:0]          window_live_i,  ///< Its live rows.

  // The next row.
  output logic                       head_valid_o,
  output logic                       head_live_o,
  output logic [PlaceWidth-1:0]      head_place_o,
  output logic [IdsWidth-1:0]        head_ids_o,
  input  logic                       go_i,        ///< It issues or is passed over in this cycle.
  input  logic                       issue_i,     ///< It issues.
  output logic [12*32-1:0]           jacobian_o,  ///< In the cycle after issue_i.
  output logic [5*32-1:0]            scalars_o,   ///< The same: b, d, lo, hi, cfm.

  // JM, in the cycle after it was asked for.
  input  logic                       jm_read_i,
  input  logic [PlaceWidth-1:0]      jm_place_i,
  output logic [12*32-1:0]           jm_o,
  output logic                       empty_o         ///< No head, and none on the way.
);

  localparam int unsigned QueueDepth = 4;
  localparam int unsigned QueueWidth = 1 + PlaceWidth + IdsWidth;
  localparam int unsigned PartBits = $clog2(Window);
  localparam logic [PlaceWidth-1:0] LastPlace = PlaceWidth'(Places - 1);

  // JM lies in both halves of a record, behind J.
  localparam int unsigned JmFirstBits = 8 * ppu_spec_pkg::BeatBytes - 12 * 32;

  // ---------------------------------------------------------------------------------------------
  // Places in turn.
  // ---------------------------------------------------------------------------------------------
  logic                  fetch;
  logic [PlaceWidth-1:0] write_place, fetch_place, write_turn_q, fetch_turn_q;
  logic [CountWidth-1:0] arrived_q;  // and not fetched

  assign write_place = streamed_i ? write_turn_q : write_place_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_turn_q <= '0;
      fetch_turn_q <= '0;
      arrived_q <= '0;
    end else if (clear_i) begin
      write_turn_q <= '0;
      fetch_turn_q <= '0;
      arrived_q <= '0;
    end else if (streamed_i) begin
      if (write_second_i)
        write_turn_q <= write_turn_q == LastPlace ? '0 : write_turn_q + PlaceWidth'(1);
      if (fetch) fetch_turn_q <= fetch_turn_q == LastPlace ? '0 : fetch_turn_q + PlaceWidth'(1);
      if (write_second_i != fetch)
        arrived_q <= write_second_i ? arrived_q + CountWidth'(1) : arrived_q - CountWidth'(1);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Fetch: read in one cycle, pushed in the next.
  // ---------------------------------------------------------------------------------------------
  logic                            pass_valid, fetched_q, pop, unused_full;
  logic [CountWidth-1:0]           pass_next;
  logic [$clog2(QueueDepth+1)-1:0] queued;
  logic [PlaceWidth-1:0]           fetched_place_q;
  logic [PartWidth-1:0]            fetched_part;
  logic                            unused_pass_two, unused_pass_next, unused_payload;
  logic [CountWidth-1:0]           unused_pass_left;

  ppu_pass_queue #(.Width(CountWidth)) u_passes (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_i), .first_i(pass_first_i), .count_i(pass_count_i),
    .payload_i(1'b0), .take_i(fetch && !streamed_i), .skip_i('0), .valid_o(pass_valid),
    .two_o(unused_pass_two), .next_o(pass_next), .left_o(unused_pass_left),
    .payload_o(unused_payload));

  assign fetch = (streamed_i ? arrived_q != '0 : pass_valid) && enable_i &&
                 32'(queued) + 32'(fetched_q) < QueueDepth;
  assign fetch_place = streamed_i ? fetch_turn_q : PlaceWidth'(pass_next);
  assign fetched_part = PartWidth'(32'(fetched_place_q) % Window);
  assign unused_pass_next = ^pass_next;
  assign empty_o = !head_valid_o && !fetched_q;
  assign pop = go_i || (!enable_i && head_valid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fetched_q <= 1'b0;
    else fetched_q <= fetch;
  end

  always_ff @(posedge clk_i) begin
    if (fetch) fetched_place_q <= fetch_place;
  end

  // ---------------------------------------------------------------------------------------------
  // The queue: what was fetched, or what a search takes of the word that it looks at.
  // ---------------------------------------------------------------------------------------------
  logic [Window*IdsWidth-1:0] window_ids, looked_ids_q;
  logic [PlaceWidth-1:0]      take_place;
  logic [QueueWidth-1:0]      fetched, taken;

  always_ff @(posedge clk_i) begin
    if (move_i) looked_ids_q <= window_ids;
  end

  for (genvar i = 0; i < Window; i++) begin : gen_bodies
    assign window_bodies_o[i*BodiesWidth +: BodiesWidth] =
      window_ids[i*IdsWidth +: BodiesWidth];
  end

  if (Window == 1) begin : gen_whole_word
    logic unused_part;
    assign unused_part = ^take_part_i;
    assign take_place = PlaceWidth'(take_window_i);
  end else begin : gen_part_of_word
    assign take_place = PlaceWidth'({take_window_i, take_part_i});
  end

  assign fetched = {window_live_i[fetched_part], fetched_place_q,
                    window_ids[fetched_part*IdsWidth +: IdsWidth]};
  assign taken = {take_live_i, take_place, looked_ids_q[take_part_i*IdsWidth +: IdsWidth]};

  ppu_fifo #(.Width(QueueWidth), .Depth(QueueDepth)) u_queue (
    .clk_i, .rst_ni, .push_i(fetched_q || take_i), .data_i(take_i ? taken : fetched),
    .pop_i(pop), .data_o({head_live_o, head_place_o, head_ids_o}), .valid_o(head_valid_o),
    .full_o(unused_full), .count_o(queued));

  // ---------------------------------------------------------------------------------------------
  // Memories.
  // ---------------------------------------------------------------------------------------------
  logic [Window-1:0]    write_part;
  logic [12*32-1:0]     jm;
  logic [WordWidth-1:0] write_word, read_word;

  assign jm = write_record_i.inv_mass_jacobian;
  assign write_word = WordWidth'(write_place >> PartBits);
  assign read_word = read_window_i ? window_i : WordWidth'(fetch_place >> PartBits);

  always_comb begin
    write_part = '0;
    write_part[PartWidth'(32'(write_place) % Window)] = write_second_i;
  end

  ppu_ram #(.PartWidth(IdsWidth), .Parts(Window), .Words(Words)) u_ids (
    .clk_i, .write_i(write_part), .write_address_i(write_word),
    .write_data_i({Window{write_ids_i}}), .read_i(fetch || read_window_i),
    .read_address_i(read_word), .read_data_o(window_ids));
  ppu_ram #(.PartWidth(12 * 32), .Words(Places)) u_jacobian (
    .clk_i, .write_i(write_first_i), .write_address_i(write_place),
    .write_data_i(write_record_i.jacobian),
    .read_i(issue_i), .read_address_i(head_place_o), .read_data_o(jacobian_o));
  ppu_ram #(.PartWidth(5 * 32), .Words(Places)) u_scalars (
    .clk_i, .write_i(write_second_i), .write_address_i(write_place),
    .write_data_i({write_record_i.compliance, write_record_i.upper, write_record_i.lower,
                   write_record_i.inv_diagonal, write_record_i.bias}),
    .read_i(issue_i), .read_address_i(head_place_o), .read_data_o(scalars_o));
  ppu_ram #(.PartWidth(JmFirstBits), .Words(Places)) u_jm_first (
    .clk_i, .write_i(write_first_i), .write_address_i(write_place),
    .write_data_i(jm[JmFirstBits-1:0]),
    .read_i(jm_read_i), .read_address_i(jm_place_i), .read_data_o(jm_o[JmFirstBits-1:0]));
  ppu_ram #(.PartWidth(12 * 32 - JmFirstBits), .Words(Places)) u_jm_second (
    .clk_i, .write_i(write_second_i), .write_address_i(write_place),
    .write_data_i(jm[12*32-1:JmFirstBits]),
    .read_i(jm_read_i), .read_address_i(jm_place_i), .read_data_o(jm_o[12*32-1:JmFirstBits]));

  logic unused_record;
  assign unused_record = ^write_record_i;

  `PPU_ASSERT(ARunBeginsWithoutHeads, !clear_i || empty_o)
  `PPU_ASSERT(ASearchIsAlone, !(read_window_i || take_i) || !(fetch || fetched_q))

endmodule
