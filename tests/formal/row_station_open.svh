// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // As row_station.svh, of every pass: open ones, those of early runs, whose rows come at any time,
  // and those around the rings. A row issues when it has arrived and has both its tokens, or is
  // seeded; as it arrived, in its turn, once, and soon. Two rows, of which any one is followed.
  //
  // Free are the begin of runs, when rows are coming, the linker's reads of bodies, the links that
  // it writes, the limit, and how long rows wait in the window. Of the rest is assumed what others
  // promise. The linker links a row that has arrived, once, and seeds one to which no token comes:
  // the station keeps no list of rows. The network brings a row two tokens, or one that is worth
  // both: the station keeps one bit of how many came. What the issue stage takes is in the window.
  // No row of an open pass is beyond the limit: it would go around the park queue. The pipe is the
  // only one, so that rows have its places alone.
  (* anyconst *) logic formal_row;
  logic       formal_open_q, formal_clear_q;     // as in the cycle before
  logic       formal_looked_q, formal_look_q;    // a row was looked at; this one was it last
  logic [1:0] formal_arrived_q, formal_here_q;   // by row: has arrived, has been linked
  logic [1:0] formal_half_q, formal_whole_q;     // by row: one token has come, both have
  logic [1:0] formal_spent_q;                    // by row: has issued, and nothing has come since
  logic [3:0] formal_turns_q;                    // by row: in which it issues
  logic       formal_asleep_q;                   // the one that is followed waits for the limit
  logic [3:0] formal_age_q;                      // cycles since it has both in which it may get on
  logic [1:0] formal_a, formal_b, formal_looks, formal_arrivals;  // by row, in this cycle
  logic [1:0] formal_inits, formal_brings, formal_seeds, formal_issues;
  logic       formal_wakes, formal_parks, formal_waits;
  ppu_engine_pkg::row_ids_t formal_arrival_ids, formal_ids;
  // Of the row that is followed, as it arrived.
  localparam int unsigned FormalWidth = 3 + 2 * SlotBits + 2 * BodyBits;
  logic [FormalWidth-1:0] formal_kept_q, formal_kept;

  assign formal_arrival_ids = arrival_i.ids;
  assign formal_ids = open_i ? linked_ids : formal_arrival_ids;
  assign formal_a = token_valid_i[0] ? 2'b01 << token_a.slot[0] : 2'b00;
  assign formal_b = token_valid_i[1] ? 2'b01 << token_b.slot[0] : 2'b00;
  assign formal_looks = look ? 2'b01 << linking_i.look_place[0] : 2'b00;
  assign formal_inits = init ? 2'b01 << linked.place[0] : 2'b00;
  assign formal_brings = bring ? 2'b01 << linked.place[0] : 2'b00;
  assign formal_seeds = seed ? 2'b01 << seed_i.place[0] : 2'b00;
  assign formal_issues = issue ? 2'b01 << taken.place[0] : 2'b00;
  // A row of an open pass arrives when it is linked, a bad one never does.
  assign formal_arrivals =
    open_i ? formal_inits
           : arrival_i.valid && formal_arrival_ids.fault == '0 ? 2'b01 << arrival_i.slot[0] : 2'b00;
  assign formal_kept = {
    formal_ids.has_parent, SlotBits'(formal_ids.parent), formal_ids.has_b,
    BodyBits'(formal_ids.body_b), formal_ids.has_a, BodyBits'(formal_ids.body_a),
    SlotBits'(open_i ? linked.slot : arrival_i.slot)};

  always_comb begin
    // Passes are open from the beginning of a run on, or from a cycle on in which all is cleared.
    assume (open_i == formal_open_q || clear_i || formal_clear_q);
    assume (token_a.slot[SlotWidth-1:1] == '0 && token_b.slot[SlotWidth-1:1] == '0);
    assume (linked.place[SlotWidth-1:1] == '0 && linking_i.look_place[SlotWidth-1:1] == '0);
    assume (seed_i.place[SlotWidth-1:1] == '0 && arrival_i.slot[SlotWidth-1:1] == '0);
    // A resident row arrives once in a run.
    assume (open_i || !arrival_i.valid || !formal_arrived_q[arrival_i.slot[0]]);
    // The linker looks at a row that has arrived, then links it, at any time, once. In open passes
    // its place may be that of a row that has issued.
    for (int i = 0; i < 2; i++) begin
      if (formal_looks[i] && !formal_here_q[i]) assume (open_i || formal_arrived_q[i]);
      if (formal_looks[i] && formal_here_q[i])
        assume (!open_i && formal_spent_q[i] && !formal_half_q[i] && !formal_whole_q[i]);
      if (formal_inits[i] || formal_brings[i])
        assume (formal_looked_q && formal_look_q == 1'(i));
      if (formal_inits[i]) assume (!formal_here_q[i] && (!open_i || linked_ids.fault == '0));
      // When rings are closed a token is brought to a row that has issued and has none.
      if (formal_brings[i])
        assume (!open_i && formal_here_q[i] && formal_spent_q[i] && linking_i.token &&
                !formal_half_q[i] && !formal_whole_q[i] && !formal_a[i] && !formal_b[i]);
      // A row is seeded that has no token, and none comes to it: in its turn.
      if (formal_seeds[i]) begin
        assume (formal_here_q[i] ? seed_i.turn == formal_turns_q[2*i +: 2]
                                 : formal_inits[i] && !linking_i.token &&
                                   seed_i.turn == linked.turn);
        assume (!formal_half_q[i] && !formal_whole_q[i] && !formal_a[i] && !formal_b[i] &&
                !formal_brings[i]);
      end
      // A row that is linked gets two tokens, or one that is worth both, and no more until it has
      // issued.
      if (formal_a[i] || formal_b[i]) assume (formal_here_q[i] && !formal_whole_q[i]);
      if (formal_a[i] && token_a.full) assume (!formal_half_q[i] && !formal_b[i]);
      if (formal_b[i] && token_b.full) assume (!formal_half_q[i] && !formal_a[i]);
      if (formal_half_q[i]) assume (!(formal_a[i] && formal_b[i]));
    end
    assume (!(init && bring));
    // No row of an open pass is beyond the limit, and none while one is seeded.
    assume (!known_valid_q || below || (!open_i && !seed));
    // What issues is in the window, one row at a time.
    assume ((take_i & (take_i - Window'(1))) == '0 && (take_i & ~waiting_o) == '0);
  end

  // What is parked may leave.
  assign formal_wakes = limit_i.moves || open_i || (seed && seed_i.wakes);
  assign formal_parks =
    formal_seeds[formal_row] || (known_valid_q && !below && known_place_q == formal_row);
  // The linker reads, the window is held, the row waits for the limit, or for the end of an early
  // run.
  assign formal_waits = read_i || (waiting_o != '0 && !issue) || formal_asleep_q ||
                        (linking_i.coming && formal_turns_q[2*formal_row]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_open_q <= 1'b0;
      formal_clear_q <= 1'b1;
    end else begin
      formal_open_q <= open_i;
      formal_clear_q <= clear_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_looked_q <= 1'b0;
      formal_arrived_q <= '0;
      formal_here_q <= '0;
      formal_half_q <= '0;
      formal_whole_q <= '0;
      formal_spent_q <= '0;
      formal_asleep_q <= 1'b0;
      formal_age_q <= '0;
    end else if (clear_i) begin
      formal_looked_q <= 1'b0;
      formal_arrived_q <= '0;
      formal_here_q <= '0;
      formal_half_q <= '0;
      formal_whole_q <= '0;
      formal_spent_q <= '0;
      formal_asleep_q <= 1'b0;
      formal_age_q <= '0;
    end else begin
      formal_looked_q <= look || (formal_looked_q && !init && !bring);
      formal_arrived_q <= formal_arrived_q | formal_arrivals;
      for (int i = 0; i < 2; i++) begin
        if (formal_inits[i]) formal_here_q[i] <= 1'b1;
        else if (formal_issues[i] && open_i) formal_here_q[i] <= 1'b0;
        if (formal_inits[i] || formal_brings[i]) formal_half_q[i] <= linking_i.token;
        else if (formal_a[i] != formal_b[i] && !(formal_a[i] ? token_a.full : token_b.full))
          formal_half_q[i] <= !formal_half_q[i];
        if (formal_seeds[i] || (formal_a[i] && formal_b[i]) ||
            ((formal_a[i] || formal_b[i]) &&
             (formal_half_q[i] || (formal_a[i] ? token_a.full : token_b.full))))
          formal_whole_q[i] <= 1'b1;
        else if (formal_issues[i]) formal_whole_q[i] <= 1'b0;
        if (formal_inits[i] || formal_brings[i] || formal_seeds[i] || formal_a[i] || formal_b[i])
          formal_spent_q[i] <= 1'b0;
        else if (formal_issues[i]) formal_spent_q[i] <= 1'b1;
      end
      formal_asleep_q <= (formal_asleep_q || formal_parks) && !formal_wakes;
      if (!formal_whole_q[formal_row] || formal_issues[formal_row] || formal_parks)
        formal_age_q <= '0;
      else if (!formal_waits) formal_age_q <= formal_age_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (look) formal_look_q <= linking_i.look_place[0];
    for (int i = 0; i < 2; i++) begin
      if (formal_inits[i]) formal_turns_q[2*i +: 2] <= linked.turn;
      else if (formal_issues[i] && !open_i)
        formal_turns_q[2*i +: 2] <= formal_turns_q[2*i +: 2] + 2'd1;
    end
    if (formal_arrivals[formal_row]) formal_kept_q <= formal_kept;
  end

  `PPU_ASSERT(NoRowIssuesBeforeItHasArrived,
              !formal_issues[formal_row] ||
              (formal_arrived_q[formal_row] && formal_kept_q ==
               {taken.has_parent, SlotBits'(taken.parent), taken.has_b, BodyBits'(taken.body_b),
                taken.has_a, BodyBits'(taken.body_a), SlotBits'(taken.slot)}))
  `PPU_ASSERT(NoRowIssuesBeforeBothItsTokens,
              !formal_issues[formal_row] || formal_spent_q[formal_row] ||
              formal_whole_q[formal_row])
  `PPU_ASSERT(NoRowIssuesTwice, !(formal_issues[formal_row] && formal_spent_q[formal_row]))
  `PPU_ASSERT(ARowIssuesInItsTurn,
              !formal_issues[formal_row] || taken.turn == formal_turns_q[2*formal_row +: 2])
  `PPU_ASSERT(ARowOfAnOddTurnWaitsWhileRowsAreComing,
              !(linking_i.coming && !limit_i.oldest_turn && pop_turn[1]))
  `PPU_ASSERT(ARowThatHasItsTokensIssues, formal_age_q < 4'd6)
