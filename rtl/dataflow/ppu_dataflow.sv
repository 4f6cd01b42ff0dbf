// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Dataflow issue of an engine: rows issue when the tokens of their bodies have come
// (docs/inside/dataflow.md).

`include "ppu_assert.svh"

module ppu_dataflow #(
  parameter int unsigned Pipes = 1,          ///< See ppu_shape_check for all of these.
  parameter int unsigned VelocityBanks = 4,
  parameter int unsigned RowMemoryRows = 32768,
  parameter int unsigned ImpulseMemoryRows = 65536,
  parameter int unsigned BodyMemoryBodies = 4096,
  parameter int unsigned Latency = 33,       ///< From a row to the next one on its body.
  parameter int unsigned MemoryProtection = 0,
  /// Bits of a slot, of a number of rows, of the structures of a pipe.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth
) (
  input  logic                     clk_i,     ///< Clock; its rising edge counts.
  input  logic                     rst_ni,    ///< Low: no rows are here.
  input  logic                     clear_i,   ///< A run begins.
  input  logic                     late_i,    ///< The run is late: its passes end.
  input  logic                     enable_i,  ///< Rows may issue.
  input  ppu_engine_pkg::run_t     run_i,     ///< The run; it stays.

  // Words with flipped bits.
  input  ppu_engine_pkg::flip_t    flip_i,  ///< Bits that flip when a word is written.
  output ppu_engine_pkg::flaw_t    flaw_o,  ///< A word that is used and lost, one that the linker
                                            ///< has read until the next run; how many links are
                                            ///< corrected.

  // Rows that arrive.
  input  logic                     bad_i,          ///< A resident one is bad.
  input  ppu_engine_pkg::arrival_t arrival_i,      ///< A row arrives.
  output ppu_engine_pkg::linking_t linking_o,      ///< What the linker does.

  // Rows of open passes.
  input  ppu_engine_pkg::left_out_t  passed_i,      ///< Rows that a search leaves out.
  input  logic [Pipes-1:0]           head_valid_i,  ///< The pipe has a next row.
  input  logic [Pipes*HeadWidth-1:0] heads_i,       ///< A ppu_engine_pkg::head_t of each pipe.
  output logic [Pipes-1:0]           pop_o,         ///< The head of this pipe goes to be linked.
  input  logic                       flying_i,      ///< Rows are in flight, or their quotients.
  output logic [Pipes-1:0]           free_o,        ///< A part of the places of this pipe becomes
                                                    ///< free.

  // The program.
  input  ppu_engine_pkg::request_t request_i,  ///< What it asks of the rows.
  output ppu_engine_pkg::passes_t  passes_o,   ///< How passes are getting on.
  output ppu_engine_pkg::kernel_t  kernel_o,   ///< The kernel of the last pass.

  // Issue.
  input  logic [Pipes-1:0]          lanes_i,        ///< The pipe takes no row in this cycle.
  output logic [Pipes-1:0]          issue_o,        ///< A row of this pipe issues.
  output logic [Pipes-1:0]          maxima_o,       ///< The residual maximum in which it counts.
  output logic [Pipes*RowWidth-1:0] rows_o,         ///< A ppu_engine_pkg::issue_row_t of each pipe:
                                                    ///< the row that issues.
  output logic [2*Pipes-1:0]        leave_turns_o,  ///< The turn of the row that leaves each pipe.
  output ppu_engine_pkg::wait_t     wait_o,         ///< What rows wait for if none issues.
  output logic                      conflict_o      ///< A pipe takes no row because of a bank.
);

  localparam int unsigned Window = 8;
  localparam int unsigned LinkWidth = ppu_engine_pkg::LinkWidth;
  localparam int unsigned TokenWidth = ppu_engine_pkg::TokenWidth;
  localparam int unsigned WaitingWidth = ppu_engine_pkg::WaitingWidth;
  localparam int unsigned FlawWidth = ppu_engine_pkg::FlawWidth;
  localparam int unsigned IdsWidth = ppu_engine_pkg::RowIdsWidth;
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned PipeWidth = Pipes > 1 ? PipeBits : 1;
  localparam logic [SlotWidth-1:0] PipeMask = SlotWidth'(Pipes - 1);

  // ---------------------------------------------------------------------------------------------
  // Passes. Those of streamed rows are open, and resident ones from the first one on that does not
  // go around the rings. A resident row has one place, so that its open passes do not overlap. What
  // waits in the rings is forgotten in the cycle after the first open pass begins: no row of it is
  // linked before that.
  // ---------------------------------------------------------------------------------------------
  logic [CountWidth-1:0]   over;  // rows of the oldest pass that are passed over
  logic                    apart, begun_q, pending, another, unused_control, unused_run;
  logic                    open, opens, opened_q, opening, opening_q, clear, filtered, searched;
  logic                    early;
  logic                    reads_parents, pass_reads_parents;
  logic                    pass_valid;
  logic [CountWidth-1:0]   next;
  ppu_engine_pkg::limit_t  limit;
  ppu_engine_pkg::kernel_t pass_kernel, kernel_q;
  ppu_engine_pkg::pass_t   wanted;
  ppu_spec_pkg::control_t  pass_control, control;
  logic [Pipes-1:0]        issue, pass;
  logic [1:0]              maxima;  // by the number of the pass

  assign unused_run = ^run_i;
  assign pass_valid = request_i.valid;
  assign pass_kernel = request_i.kernel;
  assign wanted = request_i.pass;
  assign pass_control = pass_kernel.control;
  assign control = kernel_q.control;
  assign unused_control = ^{pass_control, control};
  assign pass_reads_parents = pass_control.bounds == ppu_spec_pkg::BoundsCone ||
                              pass_control.skip == ppu_spec_pkg::SkipOn;
  assign reads_parents = control.bounds == ppu_spec_pkg::BoundsCone ||
                         control.skip == ppu_spec_pkg::SkipOn;
  assign open = run_i.streamed || opened_q;
  assign opening = pass_valid && opens && !open;
  assign clear = clear_i || opening_q;
  assign filtered = control.filter == ppu_spec_pkg::FilterOn;
  assign searched = filtered && !run_i.streamed;
  assign passes_o.opens = opens;
  assign opens = open || pass_control.filter == ppu_spec_pkg::FilterOn ||
                   wanted.first != next || (apart && pass_reads_parents && !linking.coming);
  assign kernel_o = kernel_q;
  assign early = !begun_q && !opens && 32'(wanted.count) == run_i.row_count;
  assign passes_o.joins =
    linking.coming ? early
                   : begun_q && (run_i.streamed || !opens) && pass_kernel == kernel_q;
  assign passes_o.maximum = maxima[limit.old];
  assign passes_o.another = another;
  assign passes_o.turn = limit_turn;
  assign passes_o.pending = pending;
  assign passes_o.room = !another && !(pending && filtered) && !(open && third_flies);

  assign over = passed_i.now ? passed_i.rows + CountWidth'(linking.over)
                             : CountWidth'(linking.over);

  ppu_flow_passes #(.Pipes(Pipes)) u_passes (
    .clk_i, .rst_ni, .clear_i, .late_i, .row_count_i(run_i.row_count), .open_i(opens),
    .push_i(pass_valid), .over_i(over),
    .count_i(wanted.count), .maximum_i(wanted.maximum), .issue_i(issue), .pass_i(pass),
    .pending_o(pending), .another_o(another), .next_o(next), .maxima_o(maxima), .limit_o(limit));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      opened_q <= 1'b0;
      opening_q <= 1'b0;
    end else if (clear_i) begin
      begun_q <= 1'b0;
      opened_q <= 1'b0;
      opening_q <= 1'b0;
    end else begin
      begun_q <= begun_q || pass_valid;
      opened_q <= opened_q || opening;
      opening_q <= opening;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pass_valid) kernel_q <= pass_kernel;
  end

  // The number of an open pass is known modulo 4: no row of the third one before it is in flight.
  localparam int unsigned FlyWidth = $clog2(Latency + 1);

  logic                third_flies;
  logic [1:0]          third_turn;
  logic [3:0]          fly;          // by turn: a row issues
  logic [2*Pipes-1:0]  turns;
  logic [4*FlyWidth-1:0] flies_d, flies_q;  // by turn: cycles left

  assign third_turn = limit_turn + 2'd1;
  assign third_flies = flies_q[third_turn*FlyWidth +: FlyWidth] != '0;

  always_comb begin
    fly = '0;
    for (int p = 0; p < Pipes; p++) if (issue[p]) fly[turns[2*p +: 2]] = 1'b1;
  end

  always_comb begin
    flies_d = flies_q;
    for (int t = 0; t < 4; t++)
      if (fly[t]) flies_d[t*FlyWidth +: FlyWidth] = FlyWidth'(Latency);
      else if (flies_q[t*FlyWidth +: FlyWidth] != '0)
        flies_d[t*FlyWidth +: FlyWidth] = flies_q[t*FlyWidth +: FlyWidth] - FlyWidth'(1);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) flies_q <= '0;
    else if (clear_i) flies_q <= '0;
    else flies_q <= flies_d;
  end

  // ---------------------------------------------------------------------------------------------
  // Linking.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned SentWidth = ppu_engine_pkg::SentWidth;

  logic                       read, fed_valid, take, left, quiet, unused_linking;
  logic [1:0]                 link, limit_turn;  // link: by lane
  logic [SlotWidth-1:0]       read_slot, link_slot_a, link_slot_b;
  logic [2*LinkWidth-1:0]     link_data;
  logic [Pipes*IdsWidth-1:0]  ids;
  logic [PipeWidth-1:0]       read_pipe_q, look_pipe_q;
  logic [2*Pipes-1:0]         old_marks;  // by pipe, lane
  logic [Pipes*SentWidth-1:0] sents;
  ppu_engine_pkg::fed_t       fed, linked;
  ppu_engine_pkg::linking_t   linking;
  ppu_engine_pkg::position_t  limit_position;
  ppu_engine_pkg::row_ids_t   linked_ids;

  assign linked_ids = ids[read_pipe_q*IdsWidth +: IdsWidth];
  assign limit_position = limit.limit;
  assign limit_turn = limit_position.turn;
  assign linking_o = linking;
  assign linked = linking.row;
  assign unused_linking = ^{linking, linked, limit_position};

  always_ff @(posedge clk_i) begin
    if (read) read_pipe_q <= PipeWidth'(read_slot & PipeMask);
    if (linking.look) look_pipe_q <= PipeWidth'(linking.look_place & PipeMask);
  end

  ppu_row_feed #(.Pipes(Pipes)) u_feed (
    .clk_i, .rst_ni, .clear_i(clear_i || late_i), .push_i(pass_valid && opens), .pass_i(wanted),
    .turn_i(limit_turn), .filtered_i(filtered), .searched_i(searched), .passed_i,
    .head_valid_i, .heads_i, .left_o(left), .valid_o(fed_valid), .row_o(fed), .take_i(take),
    .pop_o);

  ppu_row_linker #(
    .Pipes(Pipes), .Bodies(BodyMemoryBodies), .Slots(ImpulseMemoryRows), .Rows(RowMemoryRows)
  ) u_linker (
    .clk_i, .rst_ni, .clear_i, .begin_i(arrival_i.first), .arrival_i, .run_i, .apart_o(apart),
    .read_o(read), .slot_o(read_slot), .ids_i(linked_ids), .start_i(pass_valid || request_i.drain),
    .bad_i, .pending_i(pending), .flying_i,
    .open_i(open), .rest_i(opening_q), .enable_i, .fed_valid_i(fed_valid), .fed_i(fed),
    .take_o(take),
    .reads_parents_i(reads_parents), .quiet_i(quiet), .sents_i(sents), .link_o(link),
    .link_slots_o({link_slot_b, link_slot_a}), .link_data_o(link_data),
    .old_marks_i(old_marks[2*look_pipe_q +: 2]), .linking_o(linking));

  ppu_engine_pkg::sent_t sent_row;
  logic [Pipes-1:0]      sent;
  logic                  unused_sent;

  assign unused_sent = ^sent_row;

  always_comb begin
    sent_row = '0;
    for (int p = 0; p < Pipes; p++) begin
      sent_row = sents[p*SentWidth +: SentWidth];
      sent[p] = sent_row.valid;
    end
  end

  // Rows of open and of early passes that have been linked and have not issued; without the one
  // that was linked in the cycle before, and with those that issued in it: they are in flight.
  logic [CountWidth-1:0]      waits_q;
  logic                       one_more_q;
  logic [$clog2(Pipes+1)-1:0] issued, issued_q;

  assign quiet = waits_q == '0 && !one_more_q && !flying_i;

  always_comb begin
    issued = '0;
    for (int p = 0; p < Pipes; p++) issued = issued + ($clog2(Pipes+1))'(issue[p]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= '0;
      one_more_q <= 1'b0;
      issued_q <= '0;
    end else if (clear_i || !(open || linking.coming)) begin
      waits_q <= '0;
      one_more_q <= 1'b0;
      issued_q <= '0;
    end else begin
      waits_q <= waits_q + CountWidth'(one_more_q) - CountWidth'(issued_q);
      one_more_q <= linking.init;
      issued_q <= issued;
    end
  end

  // A row without a token to wait for is as late as if it had sent itself one.
  localparam int unsigned SeedDelay = ppu_spec_pkg::SeedCycles + PipeBits;

  logic                  delays;   // the row is linked while rows before it issue: its seed is
                                   // delayed
  logic                  first_q;  // a row that waits for no token was linked in the cycle before;
                                   // not delayed
  logic [SeedDelay:1]    seed_q;
  logic [SlotWidth-1:0]  seed_place, seed_place_q;
  logic [1:0]            seed_turn, seed_turn_q;
  ppu_engine_pkg::seed_t seed;

  assign delays = linking.init && (open || linking.coming);

  ppu_delay #(.Width(SlotWidth + 2), .Depth(SeedDelay - 1)) u_seeds (
    .clk_i, .data_i({seed_turn_q, seed_place_q}), .data_o({seed_turn, seed_place}));

  always_comb begin
    seed.valid = seed_q[SeedDelay] || first_q;
    seed.wakes = pending;
    seed.turn = seed_q[SeedDelay] ? seed_turn : seed_turn_q;
    seed.place = seed_q[SeedDelay] ? seed_place : seed_place_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      seed_q <= '0;
      first_q <= 1'b0;
    end else if (clear) begin
      seed_q <= '0;
      first_q <= 1'b0;
    end else begin
      seed_q <= {seed_q[SeedDelay-1:1], linking.seed && delays};
      first_q <= linking.seed && !delays;
    end
  end

  always_ff @(posedge clk_i) begin
    seed_turn_q <= linked.turn;
    seed_place_q <= linked.place;
  end

  // ---------------------------------------------------------------------------------------------
  // Pipes, and tokens between them.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]                     station_coming, coming;
  logic [Pipes*Window-1:0]              waiting, take_row;
  logic [Pipes*Window*WaitingWidth-1:0] rows;
  logic [2*Pipes-1:0]                   send, token_valid, room;      // by lane, pipe
  logic [2*Pipes*TokenWidth-1:0]        send_tokens, tokens;
  logic                                 silent, bank, busy, any;
  logic [Pipes*FlawWidth-1:0]           flaws;
  logic [5:0]                           links_corrected, links_corrected_q;
  ppu_engine_pkg::flaw_t                one_flaw, linked_flaw_q;
  logic                                 read_q;
  logic [SlotWidth-1:0]                 read_slot_q;

  always_comb begin
    links_corrected = '0;
    flaw_o = linked_flaw_q;
    for (int p = Pipes - 1; p >= 0; p--) begin
      one_flaw = flaws[p*FlawWidth +: FlawWidth];
      links_corrected = links_corrected + one_flaw.corrected;
      if (one_flaw.found) flaw_o = one_flaw;
    end
    flaw_o.corrected = links_corrected_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= 1'b0;
      links_corrected_q <= '0;
      linked_flaw_q <= '0;
    end else begin
      read_q <= read;
      links_corrected_q <= links_corrected;
      if (clear_i) begin
        linked_flaw_q <= '0;
      end else if (read_q && linked_ids.fault != '0 && !linked_flaw_q.found) begin
        linked_flaw_q.row <= 1'b1;
        linked_flaw_q.word <= read_slot_q;
        linked_flaw_q.memory <= ppu_spec_pkg::FaultRowBodies;
        linked_flaw_q.found <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (read) read_slot_q <= read_slot;
  end

  assign coming = opening_q ? '0 : station_coming;
  assign silent = control.store_velocity != ppu_spec_pkg::StoreVelocityOn &&
                  control.store_impulse != ppu_spec_pkg::StoreImpulseOn;

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [1:0]              lane_send, lane_valid;
    logic [2*TokenWidth-1:0] lane_sent, lane_tokens;

    for (genvar i = 0; i < 2; i++) begin : gen_lane
      assign send[i*Pipes+p] = lane_send[i];
      assign send_tokens[(i*Pipes+p)*TokenWidth +: TokenWidth] =
        lane_sent[i*TokenWidth +: TokenWidth];
      assign lane_valid[i] = token_valid[i*Pipes+p];
      assign lane_tokens[i*TokenWidth +: TokenWidth] =
        tokens[(i*Pipes+p)*TokenWidth +: TokenWidth];
    end

    ppu_row_station #(
      .Pipes(Pipes), .Pipe(p), .VelocityBanks(VelocityBanks), .Places(RowMemoryRows / Pipes),
      .SlotBits($clog2(ImpulseMemoryRows)), .BodyBits($clog2(BodyMemoryBodies)),
      .Early(Latency - ppu_spec_pkg::TokenCycles - PipeBits), .MemoryProtection(MemoryProtection)
    ) u_station (
      .clk_i, .rst_ni, .clear_i(clear), .flip_i, .flaw_o(flaws[p*FlawWidth +: FlawWidth]),
      .arrival_i,
      .read_i(read && PipeWidth'(read_slot & PipeMask) == PipeWidth'(p)), .read_slot_i(read_slot),
      .ids_o(ids[p*IdsWidth +: IdsWidth]),
      .link_i({link[1] && PipeWidth'(link_slot_b & PipeMask) == PipeWidth'(p),
               link[0] && PipeWidth'(link_slot_a & PipeMask) == PipeWidth'(p)}),
      .link_slots_i({link_slot_b, link_slot_a}), .link_data_i(link_data), .linking_i(linking),
      .old_marks_o(old_marks[2*p +: 2]), .seed_i(seed), .open_i(open), .free_o(free_o[p]),
      .token_valid_i(lane_valid), .tokens_i(lane_tokens), .limit_i(limit),
      .waiting_o(waiting[p*Window +: Window]),
      .rows_o(rows[p*Window*WaitingWidth +: Window*WaitingWidth]),
      .take_i(take_row[p*Window +: Window]), .silent_i(silent), .coming_o(station_coming[p]),
      .sent_o(sents[p*SentWidth +: SentWidth]), .send_o(lane_send), .send_tokens_o(lane_sent));

  end

  for (genvar i = 0; i < 2; i++) begin : gen_network
    ppu_token_network #(.Pipes(Pipes)) u_network (
      .clk_i, .rst_ni, .clear_i(clear), .issue_i(issue), .sent_i(sent),
      .send_i(send[i*Pipes +: Pipes]),
      .tokens_i(send_tokens[i*Pipes*TokenWidth +: Pipes*TokenWidth]),
      .room_o(room[i*Pipes +: Pipes]), .valid_o(token_valid[i*Pipes +: Pipes]),
      .tokens_o(tokens[i*Pipes*TokenWidth +: Pipes*TokenWidth]));
  end

  // ---------------------------------------------------------------------------------------------
  // Issue.
  // ---------------------------------------------------------------------------------------------
  assign issue_o = issue;
  assign maxima_o = (pass & {Pipes{maxima[1]}}) | (~pass & {Pipes{maxima[0]}});

  ppu_delay #(.Width(2 * Pipes), .Depth(Latency)) u_turns (
    .clk_i, .data_i(turns), .data_o(leave_turns_o));

  ppu_row_select #(.Pipes(Pipes), .VelocityBanks(VelocityBanks)) u_select (
    .clk_i, .rst_ni, .clear_i, .enable_i(enable_i && pending), .reads_parents_i(reads_parents),
    .lanes_i,
    .room_i(room[0 +: Pipes] & room[Pipes +: Pipes]), .waiting_i(waiting), .rows_i(rows),
    .take_o(take_row), .issue_o(issue), .rows_o, .pass_o(pass), .turns_o(turns), .bank_o(bank),
    .busy_o(busy), .any_o(any), .conflict_o(conflict_o));

  always_comb begin
    wait_o = '0;
    if (!bank && busy) wait_o.lanes = 1'b1;
    if (!busy && any) wait_o.body = 1'b1;
    if (!any && coming == '0 && (left || linking.busy)) wait_o.search = searched;
    if (!any && (coming != '0 || left || linking.busy)) wait_o.fetch = 1'b1;
    if (!any && coming == '0 && !left && !linking.busy) wait_o.body = 1'b1;
  end

  `PPU_ASSERT(OpenPassesOverResidentRowsDoNotOverlap,
              !(pass_valid && pending && opens && !run_i.streamed))
  `PPU_ASSERT(PassesThatOverlapHaveOneKernel,
              !(pass_valid && pending) || pass_kernel == kernel_q)
  `PPU_ASSERT(SeedsComeOneAtATime, !(seed_q[SeedDelay] && first_q))

endmodule
