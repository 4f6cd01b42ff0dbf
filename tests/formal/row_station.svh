// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // No row issues before both its tokens are there, none is lost, none issues twice, and one that
  // has its tokens issues soon: two rows, of which any one is followed. The linker gives a row its
  // place before its first token; a row gets two tokens, or one that is worth both, and no more
  // until it has issued. Of what waits in the window, something issues in every cycle. The pass is
  // resident and whole: no row is open, none is coming.
  (* anyconst *) logic formal_row;
  logic [1:0] formal_looked_q, formal_here_q;  // by row: looked at, given its place
  logic [1:0] formal_half_q, formal_whole_q;   // by row: one token has come, both have
  logic [1:0] formal_a, formal_b, formal_inits, formal_issues;  // by row, in this cycle
  logic [4:0] formal_age_q;                    // cycles since the row that is followed has both

  assign formal_a = token_valid_i[0] ? 2'b01 << token_a.slot[0] : 2'b00;
  assign formal_b = token_valid_i[1] ? 2'b01 << token_b.slot[0] : 2'b00;
  assign formal_inits = init ? 2'b01 << linked.place[0] : 2'b00;
  assign formal_issues = issue ? 2'b01 << taken.place[0] : 2'b00;

  always_comb begin
    assume (!clear_i && !open_i && !read_i && !seed_i.valid && link_i == '0 && !over && !bring);
    assume (!linking_i.coming);
    assume (token_a.slot[SlotWidth-1:1] == '0 && token_b.slot[SlotWidth-1:1] == '0);
    assume (linked.place[SlotWidth-1:1] == '0 && linking_i.look_place[SlotWidth-1:1] == '0);
    assume (arrival_i.slot[SlotWidth-1:1] == '0);
    // The linker looks at a row, then gives it its place, once.
    assume ((formal_inits & ~formal_looked_q) == '0 && (formal_inits & formal_here_q) == '0);
    assume ((formal_a & ~formal_here_q) == '0 && (formal_b & ~formal_here_q) == '0);
    assume ((formal_a & formal_whole_q) == '0 && (formal_b & formal_whole_q) == '0);
    for (int i = 0; i < 2; i++) begin
      if (formal_a[i] && token_a.full) assume (!formal_half_q[i] && !formal_b[i]);
      if (formal_b[i] && token_b.full) assume (!formal_half_q[i] && !formal_a[i]);
      if (formal_half_q[i]) assume (!(formal_a[i] && formal_b[i]));
    end
    // What issues is in the window, one row at a time, without delay.
    assume ((take_i & (take_i - Window'(1))) == '0 && (take_i & ~waiting_o) == '0);
    assume (waiting_o == '0 || take_i != '0);
    // The limit is behind every row.
    assume (!known_valid_q || below);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_looked_q <= '0;
      formal_here_q <= '0;
      formal_half_q <= '0;
      formal_whole_q <= '0;
      formal_age_q <= '0;
    end else begin
      formal_looked_q <= look ? 2'b01 << linking_i.look_place[0] : 2'b00;
      formal_here_q <= formal_here_q | formal_inits;
      for (int i = 0; i < 2; i++) begin
        if (formal_inits[i]) formal_half_q[i] <= linking_i.token;
        if (formal_issues[i]) formal_whole_q[i] <= 1'b0;
        if (formal_a[i] || formal_b[i]) begin
          formal_half_q[i] <= 1'b0;
          if (formal_half_q[i] || (formal_a[i] && formal_b[i]) ||
              (formal_a[i] ? token_a.full : token_b.full)) formal_whole_q[i] <= 1'b1;
          else formal_half_q[i] <= 1'b1;
        end
      end
      if (!formal_whole_q[formal_row] || formal_issues[formal_row]) formal_age_q <= '0;
      else formal_age_q <= formal_age_q + 5'd1;
    end
  end

  `PPU_ASSERT(NoRowIssuesBeforeBothItsTokens,
              !formal_issues[formal_row] || formal_whole_q[formal_row])
  `PPU_ASSERT(ARowThatHasItsTokensIssues, formal_age_q < 5'd6)
