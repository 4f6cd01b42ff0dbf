// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // The rows in flight are those that were read in the last Held cycles: the same is held with a
  // place for each cycle. A row that leaves its place leaves the pipe LeaveStages cycles later.
  localparam int unsigned Held = Cycles - LeaveStages;

  always_comb begin
    assume (read_i == (ChoiceStages == 0 ? issue_i : valid_q[1]));
    assume (!(issue_i && lanes_o));
  end

  localparam int unsigned FormalWidth = EntryWidth + 4;

  logic [FormalWidth-1:0]        formal_row, formal_now, formal_left_q, formal_later_q;
  logic [FormalWidth-1:0]        formal_leaves;
  logic [Held*FormalWidth-1:0]   formal_rows_q;  // of 1 to Held cycles ago; 0: none
  entry_t                        formal_entry;
  ppu_engine_pkg::issue_row_t    formal_next;
  logic                          formal_body, formal_parent, formal_impulse;

  assign formal_row = read_i ? {row_i.one_bank, stores_impulse, row_i.has_b && stores_velocity,
                                row_i.has_a && stores_velocity, entered} : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_rows_q <= '0;
      formal_left_q <= '0;
      formal_later_q <= '0;
    end else begin
      formal_rows_q <= {formal_rows_q[(Held-1)*FormalWidth-1:0], formal_row};
      formal_left_q <= formal_rows_q[(Held-1)*FormalWidth +: FormalWidth];
      formal_later_q <= formal_left_q;
    end
  end

  assign formal_leaves = LeaveStages == 0 ? formal_left_q : formal_later_q;

  always_comb begin
    formal_next = rows_i[RowWidth-1:0];
    formal_now = formal_left_q;
    formal_entry = formal_now[EntryWidth-1:0];
    formal_body = formal_now[EntryWidth+1] && formal_now[EntryWidth+3] &&
                  ((formal_next.has_a && formal_entry.body_b == formal_next.body_a) ||
                   (formal_next.has_b && formal_entry.body_b == formal_next.body_b));
    formal_parent = 1'b0;
    formal_impulse = 1'b0;
    for (int i = 0; i < Held; i++) begin
      formal_now = formal_rows_q[i*FormalWidth +: FormalWidth];
      formal_entry = formal_now[EntryWidth-1:0];
      if (formal_now[EntryWidth] &&
          ((formal_next.has_a && formal_entry.body_a == formal_next.body_a) ||
           (formal_next.has_b && formal_entry.body_a == formal_next.body_b))) formal_body = 1'b1;
      if (formal_now[EntryWidth+1] &&
          ((formal_next.has_a && formal_entry.body_b == formal_next.body_a) ||
           (formal_next.has_b && formal_entry.body_b == formal_next.body_b))) formal_body = 1'b1;
      if (formal_now[EntryWidth+2] && formal_next.reads_parent &&
          formal_entry.slot == formal_next.parent) formal_parent = 1'b1;
      if (formal_now[EntryWidth+2] && formal_entry.slot == next_i.slot) formal_impulse = 1'b1;
    end
    formal_entry = formal_left_q[EntryWidth-1:0];
  end

  `PPU_ASSERT(ABodyIsWrittenByARowInFlight, body_o[0] == formal_body)
  `PPU_ASSERT(TheParentIsARowInFlight, parent_o[0] == formal_parent)
  `PPU_ASSERT(TheNextRowsImpulseIsWritten, impulse_o == formal_impulse)
  `PPU_ASSERT(ARowThatLeavesIsTheOneThatCame, !leave_valid_o ||
              {leave_o.one_bank, leave_o.writes_x, leave_o.writes_b, leave_o.writes_a,
               leave_o.has_b, leave_o.has_a, leave_o.slot, leave_o.body_b, leave_o.body_a} ==
              formal_leaves)
  `PPU_ASSERT(WithoutARowNothingIsWritten, leave_valid_o ||
              !(leave_o.one_bank || leave_o.writes_x || leave_o.writes_b || leave_o.writes_a))
