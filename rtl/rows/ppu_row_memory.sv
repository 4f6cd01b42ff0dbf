// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The part of row memory that belongs to one pipe, and the fetch of its records: bodies and parent
// are fetched into a queue of four, in the order of issue; the operands are read when the row
// issues, and JM when the row pipe asks for it.
//
// Resident rows have places of their own; the bodies and parents of Window consecutive ones are
// read as one word, which a search looks at as a whole. Streamed rows use the places in turn: those
// of arrival and fetch each have a counter.

`include "ppu_assert.svh"

module ppu_row_memory #(
  parameter int unsigned Places = 32768,  ///< Rows that fit.
  parameter int unsigned Window = 4,      ///< Rows of a word: 1, 2, 4 or 8.
  parameter int unsigned SlotBits = 16,   ///< Bits of a slot of this engine.
  parameter int unsigned BodyBits = 12,   ///< Bits of a body's number of this engine.
  parameter int unsigned MemoryProtection = 0,
  parameter int unsigned SearchStages = 0,  ///< See Stages of ppu_row_scan.
  /// Bits of a place in a step, of the bodies of a row.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned BodiesWidth = ppu_engine_pkg::BodiesWidth
) (
  input  logic                          clk_i,       ///< Clock; its rising edge counts.
  input  logic                          rst_ni,      ///< Low: no passes, nothing arrived.
  input  logic                          clear_i,     ///< A run begins: no passes, nothing arrived.
  input  logic                          streamed_i,  ///< Rows of the run are streamed.
  input  logic                          enable_i,    ///< Rows may issue; else heads go.

  // Records that arrive, passes over resident ones, searches.
  input  ppu_engine_pkg::row_write_t    write_i,          ///< A record or a half of it arrives.
  input  logic                          pass_valid_i,     ///< A pass over resident rows begins.
  input  ppu_engine_pkg::pass_t         pass_i,           ///< The places of the pass.
  input  ppu_engine_pkg::search_t       search_i,         ///< What ppu_row_scan reads and takes.
  input  logic                          take_i,           ///< The row that the search takes joins
                                                          ///< the queue.
  output logic [Window*BodiesWidth-1:0] window_bodies_o,  ///< Bodies of the rows of the word that
                                                          ///< a search has read, a
                                                          ///< ppu_engine_pkg::bodies_t of each.

  // The next row.
  output logic                          head_valid_o,  ///< There is one.
  output ppu_engine_pkg::head_t         head_o,        ///< What must be known of the next row; live
                                                       ///< is 0, see ppu_row_live.
  input  logic                          go_i,          ///< The next row issues or is passed over.
  input  logic                          issue_i,       ///< A row issues.
  input  logic [SlotWidth-1:0]          issue_place_i, ///< Where the row that issues lies.
  output logic [12*32-1:0]              jacobian_o,    ///< J of the row that issued in the cycle
                                                       ///< before.
  output logic [5*32-1:0]               scalars_o,     ///< b, d, lo, hi and cfm of the row that
                                                       ///< issued in the cycle before.
  output logic [1:0]                    corrected_o,   ///< A bit of jacobian_o, of scalars_o, was
                                                       ///< corrected.
  output logic [1:0]                    bad_o,         ///< What should be jacobian_o, scalars_o, is
                                                       ///< lost.

  input  logic                          jm_read_i,   ///< JM of a row is read.
  input  logic [SlotWidth-1:0]          jm_place_i,  ///< The place of the row whose JM is read.
  output logic [12*32-1:0]              jm_o,        ///< JM that was read a cycle ago.
  output logic                          jm_corrected_o,  ///< A bit of jm_o was corrected.
  output logic                          jm_bad_o,        ///< The JM that was read is lost.
  output logic                          empty_o      ///< There is no next row, and none is being
                                                     ///< fetched.
);

  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
  localparam int unsigned CountWidth = $clog2(Places + 1);
  localparam int unsigned QueueDepth = 4;
  localparam int unsigned PartBits = $clog2(Window);
  localparam int unsigned PartWidth = Window > 1 ? PartBits : 1;
  /// Words of bodies and parents.
  localparam int unsigned Words = (Places + Window - 1) / Window;
  localparam int unsigned WordWidth = Words > 1 ? $clog2(Words) : 1;
  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam logic [PlaceWidth-1:0] LastPlace = PlaceWidth'(Places - 1);

  // JM lies in both halves of a record, behind J.
  localparam int unsigned JmFirstBits = 8 * ppu_spec_pkg::BeatBytes - 12 * 32;
  /// Bits of J and JM that share check bits.
  localparam int unsigned GroupBits = 64;

  // What is kept of the bodies and the parent of a row: as many bits as this engine needs.
  typedef struct packed {
    logic [3:0]          fault;
    logic                has_parent;
    logic [SlotBits-1:0] parent;
    logic                has_b;
    logic [BodyBits-1:0] body_b;
    logic                has_a;
    logic [BodyBits-1:0] body_a;
  } ids_t;

  localparam int unsigned IdsWidth = 4 + 1 + SlotBits + 2 * (1 + BodyBits);
  localparam int unsigned QueueWidth = 2 + PlaceWidth + IdsWidth;

  // ---------------------------------------------------------------------------------------------
  // Places in turn.
  // ---------------------------------------------------------------------------------------------
  logic                  fetch;
  logic [PlaceWidth-1:0] write_place, fetch_place, write_turn_q, fetch_turn_q;
  logic [CountWidth-1:0] arrived_q;  // and not fetched

  assign write_place = streamed_i ? write_turn_q : PlaceWidth'(write_i.place);

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
      if (write_i.second)
        write_turn_q <= write_turn_q == LastPlace ? '0 : write_turn_q + PlaceWidth'(1);
      if (fetch) fetch_turn_q <= fetch_turn_q == LastPlace ? '0 : fetch_turn_q + PlaceWidth'(1);
      if (write_i.second != fetch)
        arrived_q <= write_i.second ? arrived_q + CountWidth'(1) : arrived_q - CountWidth'(1);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Fetch: read in one cycle, pushed in the next.
  // ---------------------------------------------------------------------------------------------
  logic                            pass_valid, fetched_q, pop, unused_full;
  ppu_engine_pkg::pass_t           pass;
  logic [$clog2(QueueDepth+1)-1:0] queued;
  logic [PlaceWidth-1:0]           fetched_place_q;
  logic [PartWidth-1:0]            fetched_part;
  logic                            unused_another, unused_pass, unused_payload;

  ppu_pass_queue u_passes (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_valid_i), .pass_i, .payload_i(1'b0),
    .take_i(fetch && !streamed_i), .skip_i('0), .valid_o(pass_valid), .another_o(unused_another),
    .pass_o(pass), .payload_o(unused_payload));

  assign fetch = (streamed_i ? arrived_q != '0 : pass_valid) && enable_i &&
                 32'(queued) + 32'(fetched_q) < QueueDepth;
  assign fetch_place = streamed_i ? fetch_turn_q : PlaceWidth'(pass.first);
  assign fetched_part = PartWidth'(32'(fetched_place_q) % Window);
  assign unused_pass = ^pass;
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
  logic [Window*IdsWidth-1:0] window_ids, found_ids, looked_ids_q;  // found: by a search
  logic [PartWidth-1:0]       take_part;
  logic [PlaceWidth-1:0]      take_place, head_place;
  logic [QueueWidth-1:0]      fetched, taken;
  logic                       head_corrected, head_bad, unused_window_ids;
  logic [Window-1:0]          window_corrected, window_bad, looked_corrected_q, looked_bad_q;
  logic [Window-1:0]          found_corrected, found_bad;
  ids_t                       head_ids, row_ids;
  ppu_engine_pkg::bodies_t    bodies;

  if (SearchStages == 0) begin : gen_found_at_once
    assign found_ids = window_ids;
    assign found_corrected = window_corrected;
    assign found_bad = window_bad;
  end else begin : gen_found_later
    always_ff @(posedge clk_i) begin
      if (search_i.keep) begin
        found_ids <= window_ids;
        found_corrected <= window_corrected;
        found_bad <= window_bad;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (search_i.move) begin
      looked_ids_q <= found_ids;
      looked_corrected_q <= found_corrected;
      looked_bad_q <= found_bad;
    end
  end

  always_comb begin
    for (int i = 0; i < Window; i++) begin
      row_ids = found_ids[i*IdsWidth +: IdsWidth];
      bodies.lost = found_bad[i];
      bodies.has_b = row_ids.has_b;
      bodies.body_b = BodyWidth'(row_ids.body_b);
      bodies.has_a = row_ids.has_a;
      bodies.body_a = BodyWidth'(row_ids.body_a);
      window_bodies_o[i*BodiesWidth +: BodiesWidth] = bodies;
    end
  end

  assign unused_window_ids = ^{row_ids, search_i};
  assign take_part = PartWidth'(search_i.take_part);
  assign take_place =
    PlaceWidth'((32'(search_i.take_window) << PartBits) | 32'(search_i.take_part));
  assign fetched = {window_corrected[fetched_part], window_bad[fetched_part],
                    fetched_place_q, window_ids[fetched_part*IdsWidth +: IdsWidth]};
  assign taken = {looked_corrected_q[take_part], looked_bad_q[take_part], take_place,
                  looked_ids_q[take_part*IdsWidth +: IdsWidth]};

  ppu_fifo #(.Width(QueueWidth), .Depth(QueueDepth)) u_queue (
    .clk_i, .rst_ni, .push_i(fetched_q || take_i),
    .data_i(take_i ? taken : fetched),
    .pop_i(pop), .data_o({head_corrected, head_bad, head_place, head_ids}),
    .valid_o(head_valid_o),
    .full_o(unused_full), .count_o(queued));

  always_comb begin
    head_o.live = 1'b0;
    head_o.place = SlotWidth'(head_place);
    head_o.corrected = head_corrected;
    head_o.fault = head_bad ? ppu_spec_pkg::FaultRowBodies : 5'(head_ids.fault);
    head_o.has_parent = head_ids.has_parent;
    head_o.parent = SlotWidth'(head_ids.parent);
    head_o.has_b = head_ids.has_b;
    head_o.body_b = BodyWidth'(head_ids.body_b);
    head_o.has_a = head_ids.has_a;
    head_o.body_a = BodyWidth'(head_ids.body_a);
  end

  // ---------------------------------------------------------------------------------------------
  // Memories.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::row_record_t record;
  ppu_engine_pkg::row_ids_t  ids;
  ids_t                      write_ids;
  logic [Window-1:0]         write_part;
  logic [12*32-1:0]          jm;
  logic [WordWidth-1:0]      write_word, read_word;

  assign record = write_i.record;
  assign ids = write_i.ids;
  assign jm = record.inv_mass_jacobian;
  assign write_word = WordWidth'(write_place >> PartBits);
  assign read_word =
    search_i.read ? WordWidth'(search_i.window) : WordWidth'(fetch_place >> PartBits);

  always_comb begin
    write_ids.fault = 4'(ids.fault);
    write_ids.has_parent = ids.has_parent;
    write_ids.parent = SlotBits'(ids.parent);
    write_ids.has_b = ids.has_b;
    write_ids.body_b = BodyBits'(ids.body_b);
    write_ids.has_a = ids.has_a;
    write_ids.body_a = BodyBits'(ids.body_a);
    write_part = '0;
    write_part[PartWidth'(32'(write_place) % Window)] = write_i.second;
  end

  // A flip is of the record that arrives.
  logic       flips_first, jm_first_corrected, jm_first_bad;
  logic       jm_second_corrected, jm_second_bad;
  logic [3:0] second_group;

  ppu_engine_pkg::flip_t flip;

  assign flip = write_i.flip;
  // Groups of JM: two in the first half, four in the second.
  assign flips_first = flip.code < 4'(JmFirstBits / GroupBits);
  assign second_group = flip.code - 4'(JmFirstBits / GroupBits);
  assign jm_corrected_o = (jm_first_corrected || jm_second_corrected) && !jm_bad_o;
  assign jm_bad_o = jm_first_bad || jm_second_bad;

  ppu_safe_ram #(
    .PartWidth(IdsWidth), .Parts(Window), .Words(Words), .Protection(MemoryProtection != 0)
  ) u_ids (
    .clk_i, .rst_ni, .write_i(write_part), .write_address_i(write_word),
    .write_data_i({Window{write_ids}}),
    .flip_i({Window{flip.memory == ppu_spec_pkg::FaultRowBodies}}),
    .flip_group_i(flip.code), .flip_bit_i(flip.bit_number), .flip_two_i(flip.two),
    .read_i(fetch || search_i.read), .read_address_i(read_word), .read_data_o(window_ids),
    .corrected_o(window_corrected), .bad_o(window_bad));
  ppu_safe_ram #(
    .PartWidth(12 * 32), .Words(Places), .Protection(MemoryProtection != 0),
    .GroupWidth(GroupBits)
  ) u_jacobian (
    .clk_i, .rst_ni, .write_i(write_i.first), .write_address_i(write_place),
    .write_data_i(record.jacobian),
    .flip_i(flip.memory == ppu_spec_pkg::FaultRowJacobian),
    .flip_group_i(flip.code), .flip_bit_i(flip.bit_number), .flip_two_i(flip.two),
    .read_i(issue_i), .read_address_i(PlaceWidth'(issue_place_i)), .read_data_o(jacobian_o),
    .corrected_o(corrected_o[0]), .bad_o(bad_o[0]));
  ppu_safe_ram #(
    .PartWidth(5 * 32), .Words(Places), .Protection(MemoryProtection != 0), .GroupWidth(32)
  ) u_scalars (
    .clk_i, .rst_ni, .write_i(write_i.second), .write_address_i(write_place),
    .write_data_i({record.compliance, record.upper, record.lower, record.inv_diagonal,
                   record.bias}),
    .flip_i(flip.memory == ppu_spec_pkg::FaultRowScalars),
    .flip_group_i(flip.code), .flip_bit_i(flip.bit_number), .flip_two_i(flip.two),
    .read_i(issue_i), .read_address_i(PlaceWidth'(issue_place_i)), .read_data_o(scalars_o),
    .corrected_o(corrected_o[1]), .bad_o(bad_o[1]));
  ppu_safe_ram #(
    .PartWidth(JmFirstBits), .Words(Places), .Protection(MemoryProtection != 0),
    .GroupWidth(GroupBits)
  ) u_jm_first (
    .clk_i, .rst_ni, .write_i(write_i.first), .write_address_i(write_place),
    .write_data_i(jm[JmFirstBits-1:0]),
    .flip_i(flips_first && flip.memory == ppu_spec_pkg::FaultRowMass),
    .flip_group_i(flip.code), .flip_bit_i(flip.bit_number), .flip_two_i(flip.two),
    .read_i(jm_read_i), .read_address_i(PlaceWidth'(jm_place_i)),
    .read_data_o(jm_o[JmFirstBits-1:0]), .corrected_o(jm_first_corrected),
    .bad_o(jm_first_bad));
  ppu_safe_ram #(
    .PartWidth(12 * 32 - JmFirstBits), .Words(Places), .Protection(MemoryProtection != 0),
    .GroupWidth(GroupBits)
  ) u_jm_second (
    .clk_i, .rst_ni, .write_i(write_i.second), .write_address_i(write_place),
    .write_data_i(jm[12*32-1:JmFirstBits]),
    .flip_i(!flips_first && flip.memory == ppu_spec_pkg::FaultRowMass),
    .flip_group_i(second_group), .flip_bit_i(flip.bit_number), .flip_two_i(flip.two),
    .read_i(jm_read_i), .read_address_i(PlaceWidth'(jm_place_i)),
    .read_data_o(jm_o[12*32-1:JmFirstBits]), .corrected_o(jm_second_corrected),
    .bad_o(jm_second_bad));

  logic unused_record;
  assign unused_record = ^{write_i, record, ids, jm_place_i, issue_place_i, flip};

  `PPU_ASSERT(ARunBeginsWithoutHeads, !clear_i || empty_o)
  `PPU_ASSERT(ASearchIsAlone, !(search_i.read || take_i) || !(fetch || fetched_q))

endmodule
