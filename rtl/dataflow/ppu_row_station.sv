// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of one pipe between token and window: tokens that come, queues of rows that have theirs,
// the window of those that may issue, and the links of those that have issued. Cycles: see
// docs/inside/dataflow.md, From row to row and Open passes.

`include "ppu_assert.svh"

module ppu_row_station #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Pipe = 0,           ///< The number of this one.
  parameter int unsigned VelocityBanks = 4,
  parameter int unsigned Places = 32768,     ///< Rows of this pipe.
  parameter int unsigned SlotBits = 16,      ///< Bits of a slot of this engine.
  parameter int unsigned BodyBits = 12,      ///< Bits of a body's number of this engine.
  parameter int unsigned Early = 26,         ///< Cycles from issue to the read of the links.
  parameter int unsigned MemoryProtection = 0,
  /// Rows in the window; bits of a slot, of a number of rows, of the structures.
  localparam int unsigned Window = 8,
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth,
  localparam int unsigned TokenWidth = ppu_engine_pkg::TokenWidth,
  localparam int unsigned WaitingWidth = ppu_engine_pkg::WaitingWidth
) (
  input  logic                     clk_i,    ///< Clock; its rising edge counts.
  input  logic                     rst_ni,   ///< Low: no row is here.
  input  logic                     clear_i,  ///< A run begins: no row is here.

  // Words with flipped bits.
  input  ppu_engine_pkg::flip_t    flip_i,       ///< Bits that flip when a word is written.
  output ppu_engine_pkg::flaw_t    flaw_o,       ///< A word of a row that goes on that is lost, and
                                                 ///< links with a bit that was corrected.

  // The load.
  input  ppu_engine_pkg::arrival_t arrival_i,      ///< A record arrives, of whatever pipe.
  input  logic                     read_i,         ///< The linker reads the bodies of a row.
  input  logic [SlotWidth-1:0]     read_slot_i,    ///< The slot of the row that the linker reads.
  output ppu_engine_pkg::row_ids_t ids_o,          ///< What the linker read in the cycle before;
                                                   ///< a fault: the word is lost.
  input  logic [1:0]               link_i,         ///< A link is written: of body a, of body b.
  input  logic [2*SlotWidth-1:0]   link_slots_i,   ///< The slots of the rows whose links are
                                                   ///< written, by lane.
  input  logic [2*LinkWidth-1:0]   link_data_i,    ///< A ppu_engine_pkg::link_t of each lane.
  input  ppu_engine_pkg::linking_t linking_i,      ///< What the linker does.
  output logic [1:0]               old_marks_o,    ///< The marks of the links of the row that it
                                                   ///< looked at last, by lane.
  input  ppu_engine_pkg::seed_t    seed_i,         ///< A row waits for no token.

  // Open passes.
  input  logic                     open_i,         ///< Rows are of open passes.
  output logic                     free_o,         ///< A part of the places becomes free.

  // Tokens that come, by lane.
  input  logic [1:0]               token_valid_i,  ///< A token comes: on lane a, on lane b.
  input  logic [2*TokenWidth-1:0]  tokens_i,       ///< A ppu_engine_pkg::token_t of each lane.

  // The window.
  input  ppu_engine_pkg::limit_t   limit_i,       ///< How far rows may issue.
  output logic [Window-1:0]        waiting_o,     ///< There is a row at this place; the oldest is
                                                  ///< in the low bit.
  output logic [Window*WaitingWidth-1:0] rows_o,  ///< A ppu_engine_pkg::waiting_t of each place.
  input  logic [Window-1:0]        take_i,        ///< The row at this place issues.
  input  logic                     silent_i,      ///< The kernel stores nothing.
  output logic                     coming_o,      ///< Rows are on their way to the window.

  // Tokens that go.
  output ppu_engine_pkg::sent_t    sent_o,        ///< The row whose links have come, and the one
                                                  ///< whose links come in this cycle.
  output logic [1:0]               send_o,        ///< The row whose links have come sends a
                                                  ///< token: on lane a, on lane b.
  output logic [2*TokenWidth-1:0]  send_tokens_o  ///< A ppu_engine_pkg::token_t of each lane.
);

  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
  localparam logic [SlotWidth-1:0] PipeMask = SlotWidth'(Pipes - 1);
  localparam int unsigned QueueDepth = Places > 2 ? Places : 2;
  localparam int unsigned HalfDepth = Places / 2 + 1 > 2 ? Places / 2 + 1 : 2;

  // ---------------------------------------------------------------------------------------------
  // Tokens: three bits for each row, one of each lane and one of the linker; an odd number of them
  // is set: one of two tokens has come. Bits and turn are read in the cycle in which a token comes.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::token_t token_a, token_b, token_a_q, token_b_q;
  logic [1:0]             came_q, bit_a, bit_b, bit_c, ready;  // as lane a and lane b read them
  logic                   old_a, old_b;  // as the linker reads them
  logic [3:0]             counts, bases;  // as lane a and lane b read them
  logic [1:0]             turn_a, turn_b, old_count, count;
  logic                   issued_q, bump_q;  // a row that issued is to be counted; is counted
  logic [PlaceWidth-1:0]  issued_place_q, bump_place_q;
  logic                   pair, issue;
  logic [1:0]             flip;
  logic [PlaceWidth-1:0]  place_a, place_b, place_a_q, place_b_q, init_place, issue_place;
  logic [PlaceWidth-1:0]  look_place;
  logic                   look, init, bring, over, seed, unused_tokens;

  ppu_engine_pkg::fed_t     linked;
  ppu_engine_pkg::row_ids_t linked_ids;

  assign {token_b, token_a} = tokens_i;
  assign turn_a = counts[1:0] - bases[1:0];
  assign turn_b = counts[3:2] - bases[3:2];
  assign place_a = PlaceWidth'(token_a.slot >> PipeBits);
  assign place_b = PlaceWidth'(token_b.slot >> PipeBits);
  assign place_a_q = PlaceWidth'(token_a_q.slot >> PipeBits);
  assign place_b_q = PlaceWidth'(token_b_q.slot >> PipeBits);
  assign linked = linking_i.row;
  assign look = linking_i.look && (linking_i.look_place & PipeMask) == SlotWidth'(Pipe);
  assign init = linking_i.init && (linked.place & PipeMask) == SlotWidth'(Pipe);
  assign bring = linking_i.bring && (linked.place & PipeMask) == SlotWidth'(Pipe);
  assign over = linking_i.over && (linked.place & PipeMask) == SlotWidth'(Pipe);
  assign seed = seed_i.valid && (seed_i.place & PipeMask) == SlotWidth'(Pipe);
  assign linked_ids = linked.ids;
  assign init_place = PlaceWidth'(linked.place >> PipeBits);
  assign look_place = PlaceWidth'(linking_i.look_place >> PipeBits);
  assign unused_tokens = ^{token_a_q, token_b_q, linking_i, linked, linked_ids, seed_i};

  // Both tokens of a row at once.
  assign pair = came_q == 2'b11 && !token_a_q.full && token_a_q.slot == token_b_q.slot;
  assign ready[0] = came_q[0] && (token_a_q.full || pair || (bit_a[0] ^ bit_b[0] ^ bit_c[0]));
  assign ready[1] = came_q[1] && !pair && (token_b_q.full || (bit_a[1] ^ bit_b[1] ^ bit_c[1]));
  assign flip[0] = came_q[0] && !pair && !token_a_q.full;
  assign flip[1] = came_q[1] && !pair && !token_b_q.full;

  ppu_shared_ram #(.Words(Places), .Reads(3)) u_bit_a (
    .clk_i, .rst_ni, .write_i(flip[0]), .write_address_i(place_a_q), .write_data_i(!bit_a[0]),
    .read_i({look, token_valid_i}), .read_address_i({look_place, place_b, place_a}),
    .read_data_o({old_a, bit_a}));
  ppu_shared_ram #(.Words(Places), .Reads(3)) u_bit_b (
    .clk_i, .rst_ni, .write_i(flip[1]), .write_address_i(place_b_q), .write_data_i(!bit_b[1]),
    .read_i({look, token_valid_i}), .read_address_i({look_place, place_b, place_a}),
    .read_data_o({old_b, bit_b}));
  ppu_shared_ram #(.Words(Places)) u_bit_c (
    .clk_i, .rst_ni, .write_i(init || bring), .write_address_i(init_place),
    .write_data_i(linking_i.token ^ old_a ^ old_b), .read_i(token_valid_i),
    .read_address_i({place_b, place_a}), .read_data_o(bit_c));
  // Of each row it is counted how often it has issued in passes around the rings, and kept from
  // which count on its turns are. It is counted late: no token comes to a row that has just issued.
  ppu_shared_ram #(.Width(2), .Words(Places), .Reads(4)) u_count (
    .clk_i, .rst_ni, .write_i(bump_q), .write_address_i(bump_place_q),
    .write_data_i(count + 2'd1), .read_i({issued_q, look, token_valid_i}),
    .read_address_i({issued_place_q, look_place, place_b, place_a}),
    .read_data_o({count, old_count, counts}));
  ppu_shared_ram #(.Width(2), .Words(Places)) u_base (
    .clk_i, .rst_ni, .write_i(init), .write_address_i(init_place),
    .write_data_i(old_count - linked.turn), .read_i(token_valid_i),
    .read_address_i({place_b, place_a}), .read_data_o(bases));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issued_q <= 1'b0;
      bump_q <= 1'b0;
    end else if (clear_i) begin
      issued_q <= 1'b0;
      bump_q <= 1'b0;
    end else begin
      issued_q <= issue && !open_i;
      bump_q <= issued_q;
    end
  end

  always_ff @(posedge clk_i) begin
    issued_place_q <= issue_place;
    bump_place_q <= issued_place_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) came_q <= '0;
    else if (clear_i) came_q <= '0;
    else came_q <= token_valid_i;
  end

  always_ff @(posedge clk_i) begin
    token_a_q <= token_a;
    token_b_q <= token_b;
  end

  // ---------------------------------------------------------------------------------------------
  // Rows that have their tokens, those of even turns and those of odd turns: two queues each, that
  // are filled and emptied in turn.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned ReadyWidth = PlaceWidth + 3;
  localparam int unsigned HalfCount = $clog2(HalfDepth + 1);

  logic [1:0]              fill_q, empty_q, turn_valid, pop_turn;  // by turn
  logic [1:0]              odd;                                    // by lane
  logic                    ready_turn, pop_ready, ready_valid;
  logic [ReadyWidth-1:0]   row_a, row_b, ready_row;
  logic [2*ReadyWidth-1:0] turn_rows;

  assign odd = {turn_b[0], turn_a[0]};
  assign row_a = {token_a_q.after_same_bank || (pair && token_b_q.after_same_bank), turn_a,
                  place_a_q};
  assign row_b = {token_b_q.after_same_bank, turn_b, place_b_q};

  for (genvar t = 0; t < 2; t++) begin : gen_turn
    logic [1:0]              mine, push, pop, valid;
    logic [ReadyWidth-1:0]   first_row;
    logic [2*ReadyWidth-1:0] pushed, heads;
    logic [2*HalfCount-1:0]  unused_count;

    assign mine = t == 1 ? ready & odd : ready & ~odd;
    assign first_row = mine[0] ? row_a : row_b;
    // The first row goes to queue fill_q, the second one to the other.
    assign push[0] = fill_q[t] ? mine == 2'b11 : mine != '0;
    assign push[1] = fill_q[t] ? mine != '0 : mine == 2'b11;
    assign pushed = fill_q[t] ? {first_row, row_b} : {row_b, first_row};
    assign pop = {pop_turn[t] && empty_q[t], pop_turn[t] && !empty_q[t]};
    assign turn_valid[t] = empty_q[t] ? valid[1] : valid[0];
    assign turn_rows[t*ReadyWidth +: ReadyWidth] =
      empty_q[t] ? heads[ReadyWidth +: ReadyWidth] : heads[0 +: ReadyWidth];

    for (genvar i = 0; i < 2; i++) begin : gen_half
      ppu_row_queue #(.Width(ReadyWidth), .Depth(HalfDepth)) u_ready (
        .clk_i, .rst_ni, .clear_i, .push_i(push[i]), .data_i(pushed[i*ReadyWidth +: ReadyWidth]),
        .pop_i(pop[i]), .data_o(heads[i*ReadyWidth +: ReadyWidth]), .valid_o(valid[i]),
        .count_o(unused_count[i*HalfCount +: HalfCount]));
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fill_q[t] <= 1'b0;
        empty_q[t] <= 1'b0;
      end else if (clear_i) begin
        fill_q[t] <= 1'b0;
        empty_q[t] <= 1'b0;
      end else begin
        fill_q[t] <= fill_q[t] ^ mine[0] ^ mine[1];
        empty_q[t] <= empty_q[t] ^ pop_turn[t];
      end
    end
  end

  // While rows are coming those of odd turns wait: their turn has not come.
  assign ready_valid = turn_valid[0] || (turn_valid[1] && !linking_i.coming);
  assign ready_turn = turn_valid[limit_i.oldest_turn] ? limit_i.oldest_turn : !limit_i.oldest_turn;
  assign ready_row = turn_rows[ready_turn*ReadyWidth +: ReadyWidth];
  assign pop_turn = {pop_ready && ready_turn, pop_ready && !ready_turn};

  // ---------------------------------------------------------------------------------------------
  // Rows beyond the limit: those that were there when it moved are looked at again. Rows that wait
  // for no token come from the linker.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned ParkCount = $clog2(QueueDepth + 1);

  logic                  park, pop_park, unused_park_valid;
  logic [PlaceWidth+1:0] park_row, parked;  // turn, place
  logic [ParkCount-1:0]  park_count, recheck_q;

  ppu_row_queue #(.Width(PlaceWidth + 2), .Depth(QueueDepth)) u_parked (
    .clk_i, .rst_ni, .clear_i, .push_i(park), .data_i(park_row), .pop_i(pop_park),
    .data_o(parked), .valid_o(unused_park_valid), .count_o(park_count));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) recheck_q <= '0;
    else if (clear_i) recheck_q <= '0;
    else if (limit_i.moves || open_i || (seed && seed_i.wakes))
      recheck_q <= park_count + ParkCount'(park) - ParkCount'(pop_park);
    else recheck_q <= recheck_q - ParkCount'(pop_park);
  end

  // ---------------------------------------------------------------------------------------------
  // Bodies, read when a row leaves a queue, and taken into a register.
  // ---------------------------------------------------------------------------------------------
  logic                  fetch, read_q;  // bodies come from the memory
  logic                  known_valid_q;  // they are in a register: see known
  logic                  after_same_bank_q, known_after_same_bank_q;
  logic [PlaceWidth-1:0] fetch_place, bodies_place, place_q, known_place_q;
  logic [3:0]            held;
  logic [1:0]            turn_q, known_turn_q;
  logic                  write, unused_ids, lost;
  logic [PlaceWidth-1:0] write_place;
  logic [SlotWidth-1:0]  write_slot;
  logic [2*BodyBits-1:0] write_bodies;

  ppu_engine_pkg::row_ids_t write_ids;
  ppu_engine_pkg::waiting_t known;

  always_comb begin
    held = 4'(read_q) + 4'(known_valid_q);
    for (int i = 0; i < Window; i++) held = held + 4'(waiting_o[i]);
  end

  // The linker comes before rows that leave a queue.
  assign pop_park = !read_i && held < 4'(Window) && recheck_q != '0;
  assign pop_ready = !read_i && held < 4'(Window) && recheck_q == '0 && ready_valid;
  assign fetch = pop_park || pop_ready;
  assign fetch_place = pop_park ? parked[0 +: PlaceWidth] : ready_row[0 +: PlaceWidth];
  assign coming_o = read_q || known_valid_q || ready_valid || recheck_q != '0;
  assign unused_ids = ^{write_ids, arrival_i, read_slot_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      known_valid_q <= 1'b0;
    end else if (clear_i) begin
      read_q <= 1'b0;
      known_valid_q <= 1'b0;
    end else begin
      read_q <= fetch;
      known_valid_q <= read_q;
    end
  end

  always_ff @(posedge clk_i) begin
    place_q <= fetch_place;
    turn_q <= pop_park ? parked[PlaceWidth +: 2] : ready_row[PlaceWidth +: 2];
    after_same_bank_q <= pop_ready && ready_row[ReadyWidth-1];
    known_place_q <= place_q;
    known_turn_q <= turn_q;
    known_after_same_bank_q <= after_same_bank_q;
  end

  assign bodies_place = read_i ? PlaceWidth'(read_slot_i >> PipeBits) : fetch_place;
  // Resident rows when they arrive, others when they are linked.
  assign write =
    open_i ? init : arrival_i.valid && (arrival_i.slot & PipeMask) == SlotWidth'(Pipe);
  assign write_place = open_i ? init_place : PlaceWidth'(arrival_i.slot >> PipeBits);
  assign write_ids = open_i ? linked_ids : arrival_i.ids;
  assign write_bodies = {BodyBits'(write_ids.body_b), BodyBits'(write_ids.body_a)};
  assign write_slot = open_i ? linked.slot : arrival_i.slot;

  ppu_row_bodies #(
    .VelocityBanks(VelocityBanks), .Places(Places), .SlotBits(SlotBits), .BodyBits(BodyBits),
    .MemoryProtection(MemoryProtection)
  ) u_bodies (
    .clk_i, .rst_ni, .flip_i, .write_i(write), .write_place_i(write_place),
    .write_slot_i(write_slot), .corrected_i(open_i && linked.corrected), .ids_i(write_ids),
    .read_i(fetch || read_i), .read_place_i(bodies_place), .ids_o, .known_o(known),
    .lost_o(lost));

  // ---------------------------------------------------------------------------------------------
  // The row whose bodies are known: into the window, or parked.
  // ---------------------------------------------------------------------------------------------
  logic [SlotWidth-1:0]     slot;
  logic                     below, newer;
  ppu_engine_pkg::waiting_t entered;
  ppu_engine_pkg::position_t limit, middle;

  assign slot = known.slot;

  function automatic logic is_before(input logic [1:0] turn_of, input logic [SlotWidth-1:0] slot_of,
                                  input logic [1:0] turn_to,
                                  input logic [CountWidth-1:0] slot_to);
    logic [1:0] ahead;

    ahead = turn_to - turn_of;
    is_before = ahead == 2'd1 || ahead == 2'd2 ||
             (ahead == 2'd0 && CountWidth'(slot_of) < slot_to);
  endfunction

  assign limit = limit_i.limit;
  assign middle = limit_i.middle;
  assign below = is_before(known_turn_q, slot, limit.turn, limit.slot);
  assign newer = !is_before(known_turn_q, slot, middle.turn, middle.slot);
  assign park = (known_valid_q && !below) || seed;
  assign park_row =
    seed ? {seed_i.turn, PlaceWidth'(seed_i.place >> PipeBits)} : {known_turn_q, known_place_q};

  always_comb begin
    entered = known;
    entered.after_same_bank = known_after_same_bank_q;
    entered.pass = limit_i.old ^ newer;
    entered.turn = known_turn_q;
    entered.place = SlotWidth'(known_place_q);
  end

  // ---------------------------------------------------------------------------------------------
  // The window, by position: rows behind the one that issued in the cycle before move up, and those
  // behind the one that enters move back.
  // ---------------------------------------------------------------------------------------------
  logic [Window-1:0]        valid_q, first_q, stays, moves_up;  // first_q: in its first cycle
  logic [Window-1:0]        gone_q, rest_gone;  // the row has issued, and is still here
  logic [Window-1:0]        later;   // Rows that the row that enters comes before.
  logic [Window-1:0]        behind;  // Of what stays: no row, or one behind the row that enters.
  logic                     enters;
  // A ppu_engine_pkg::waiting_t each; side by side, for Yosys makes a memory of an array.
  logic [Window*WaitingWidth-1:0] rows_q, rest;
  ppu_engine_pkg::waiting_t taken, shown, one_row;
  logic                     unused_taken;

  assign waiting_o = valid_q & ~gone_q;
  assign issue = take_i != '0;
  assign enters = known_valid_q && below;
  assign unused_taken = ^{taken, one_row};

  always_comb begin
    taken = '0;
    shown = '0;
    for (int i = 0; i < Window; i++) begin
      shown = rows_q[i*WaitingWidth +: WaitingWidth];
      shown.after_same_bank = shown.after_same_bank && first_q[i];
      rows_o[i*WaitingWidth +: WaitingWidth] = shown;
      if (take_i[i]) taken = rows_q[i*WaitingWidth +: WaitingWidth];
    end
  end

  always_comb begin
    one_row = '0;
    for (int i = 0; i < Window; i++) begin
      one_row = rows_q[i*WaitingWidth +: WaitingWidth];
      later[i] = is_before(known_turn_q, slot, one_row.turn, CountWidth'(one_row.slot));
    end
    // Row i is behind the one that has issued, or is it.
    moves_up = gone_q;
    for (int i = 1; i < Window; i++) moves_up = moves_up | (gone_q << i);
    stays = gone_q != '0 ? valid_q >> 1 : valid_q;
    for (int i = 0; i < Window; i++) begin
      rest[i*WaitingWidth +: WaitingWidth] =
        moves_up[i] && i + 1 < Window ? rows_q[(i+1)%Window*WaitingWidth +: WaitingWidth]
                                      : rows_q[i*WaitingWidth +: WaitingWidth];
      rest_gone[i] = moves_up[i] && i + 1 < Window ? take_i[(i+1)%Window] : take_i[i];
      behind[i] =
        !stays[i] || (moves_up[i] && i + 1 < Window ? later[(i+1)%Window] : later[i]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      gone_q <= '0;
    end else if (clear_i) begin
      valid_q <= '0;
      gone_q <= '0;
    end else begin
      valid_q <= enters ? {stays[Window-2:0], 1'b1} : stays;
      for (int i = 0; i < Window; i++)
        if (!enters || !behind[i]) gone_q[i] <= rest_gone[i];
        else gone_q[i] <= i > 0 && behind[(i+Window-1)%Window] && rest_gone[(i+Window-1)%Window];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int i = 0; i < Window; i++) begin
      first_q[i] <= enters && behind[i] && (i == 0 || !behind[(i+Window-1)%Window]);
      if (!enters || !behind[i])
        rows_q[i*WaitingWidth +: WaitingWidth] <= rest[i*WaitingWidth +: WaitingWidth];
      else if (i > 0 && behind[(i+Window-1)%Window])
        rows_q[i*WaitingWidth +: WaitingWidth] <=
          rest[(i+Window-1)%Window*WaitingWidth +: WaitingWidth];
      else
        rows_q[i*WaitingWidth +: WaitingWidth] <= entered;
    end
  end

  assign issue_place = PlaceWidth'(taken.place);

  // ---------------------------------------------------------------------------------------------
  // Rows that have issued.
  // ---------------------------------------------------------------------------------------------
  logic                  gone;
  logic [PlaceWidth-1:0] gone_place;

  ppu_engine_pkg::flaw_t links_flaw;

  ppu_row_links #(
    .Pipes(Pipes), .Pipe(Pipe), .Places(Places), .BodyBits(BodyBits), .Early(Early),
    .MemoryProtection(MemoryProtection)
  ) u_links (
    .clk_i, .rst_ni, .clear_i, .silent_i, .open_i, .issue_i(issue), .place_i(issue_place),
    .lanes_i({taken.has_b, taken.has_a || !taken.has_b}), .one_bank_i(taken.one_bank), .flip_i,
    .flaw_o(links_flaw), .link_i, .link_slots_i, .link_data_i, .linking_i, .old_marks_o,
    .write_i(write), .write_place_i(write_place), .bodies_i(write_bodies), .sent_o, .send_o,
    .send_tokens_o, .gone_o(gone), .gone_place_o(gone_place));

  // Bodies that are lost on the way to the window. Of a streamed row only the place is known.
  always_comb begin
    flaw_o = links_flaw;
    if (known_valid_q && lost && !links_flaw.found) begin
      flaw_o.row = !linking_i.frees;
      flaw_o.word = (SlotWidth'(known_place_q) << PipeBits) | SlotWidth'(Pipe);
      flaw_o.memory = ppu_spec_pkg::FaultRowBodies;
      flaw_o.found = 1'b1;
    end
  end

  ppu_row_places #(.Places(Places)) u_places (
    .clk_i, .rst_ni, .clear_i, .gone_i(gone && linking_i.frees), .gone_place_i(gone_place),
    .over_i(over && linking_i.frees),
    .over_place_i(init_place), .free_o);

  `PPU_ASSERT(OneRowIssuesAtATime,
              (take_i & (take_i - Window'(1))) == '0 && (take_i & ~waiting_o) == '0)
  `PPU_ASSERT(RowsAreParkedOneAtATime, !(seed && known_valid_q && !below))

endmodule
