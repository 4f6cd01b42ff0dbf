// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The search of a filtered pass over resident rows, common to all pipes. A window is Window rows of
// each pipe; it is read in one cycle, its tags are looked up in the next, and from then on its
// groups, one row of each pipe, are taken one after another if they have a live row. Up to four
// groups that were taken are before the issue stage.

`include "ppu_assert.svh"

module ppu_row_scan #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Window = 4,  ///< Groups of a window: 1, 2, 4 or 8.
  parameter int unsigned Stages = 0,  ///< 1: what was read is put into a register before its tags
                                      ///< are looked up, a cycle later.
  /// Rows of a window.
  localparam int unsigned Rows = Pipes * Window,
  /// Bits of a number of rows.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth
) (
  input  logic                    clk_i,        ///< Clock; its rising edge counts.
  input  logic                    rst_ni,       ///< Low: no search.
  input  logic                    enable_i,     ///< Rows may be searched for; else the search ends.
  input  logic                    start_i,      ///< A pass over rows from slot 0 on.
  input  logic [CountWidth-1:0]   count_i,      ///< Rows of the pass.
  output ppu_engine_pkg::search_t search_o,     ///< What is read, looked at, taken. The rows of
                                                ///< a window are there a cycle after the read, or
                                                ///< after they were put into the register, until
                                                ///< the next ones are; a group that is taken is at
                                                ///< the issue stage a cycle later.
  output logic [Rows-1:0]         present_o,    ///< Rows of what was read that are of the pass, in
                                                ///< slot order.
  input  logic [Rows-1:0]         live_i,       ///< Rows of present_o that are live.
  output logic [Pipes-1:0]        take_o,       ///< A group is taken, and has a row of this pipe;
                                                ///< the last one of a pass may lack rows.
  input  logic                    gone_i,       ///< The last row of a group issued or was passed.
  output ppu_engine_pkg::left_out_t passed_o    ///< Rows of groups that are not taken.
);

  localparam int unsigned GroupsMost = 4;
  localparam int unsigned WordWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned PartWidth = Window > 1 ? $clog2(Window) : 1;
  localparam int unsigned GroupsWidth = $clog2(GroupsMost + 1);
  localparam int unsigned GroupsOutWidth = $clog2(Window + 1);
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned PipeWidth = Pipes > 1 ? PipeBits : 1;

  // ---------------------------------------------------------------------------------------------
  // Windows that are read: those with rows left, each while the one before is looked at.
  // ---------------------------------------------------------------------------------------------
  logic                  found_q, looked_q, done, move, read, keep, room;
  logic [CountWidth-1:0] left_q, keep_rows, found_rows_q;  // of the window, and behind it
  logic [WordWidth-1:0]  window_q, keep_window, found_window_q;

  assign move = found_q && (!looked_q || done);
  assign read = enable_i && left_q != '0 && room;

  // Where a window that was read waits, another one is read when it goes.
  if (Stages == 0) begin : gen_found_at_once
    assign room = !found_q || move;
    assign keep = read;
    assign keep_rows = left_q;
    assign keep_window = window_q;
  end else begin : gen_found_later
    logic read_q;

    assign room = !read_q || keep;
    assign keep = read_q && (!found_q || move);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) read_q <= 1'b0;
      else if (!enable_i) read_q <= 1'b0;
      else if (read || keep) read_q <= read;
    end
    always_ff @(posedge clk_i) begin
      if (read) begin
        keep_rows <= left_q;
        keep_window <= window_q;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      found_q <= 1'b0;
      looked_q <= 1'b0;
    end else if (!enable_i) begin
      left_q <= '0;
      found_q <= 1'b0;
      looked_q <= 1'b0;
    end else begin
      if (start_i) left_q <= count_i;
      else if (read) left_q <= 32'(left_q) > Rows ? left_q - CountWidth'(Rows) : '0;
      if (keep || move) found_q <= keep;
      if (move || done) looked_q <= move;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) window_q <= '0;
    else if (read) window_q <= window_q + WordWidth'(1);
    if (keep) begin
      found_rows_q <= keep_rows;
      found_window_q <= keep_window;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // What there is to be taken of a window that was read, and what is not.
  // ---------------------------------------------------------------------------------------------
  logic [Window-1:0] groups;

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    assign present_o[i] = i < 32'(found_rows_q);
  end
  for (genvar g = 0; g < Window; g++) begin : gen_group
    assign groups[g] = live_i[g*Pipes +: Pipes] != '0;
  end

  // ---------------------------------------------------------------------------------------------
  // The window that is looked at.
  // ---------------------------------------------------------------------------------------------
  logic                   take;
  logic [Rows-1:0]        present_q;
  logic [Window-1:0]      groups_q, groups_left;  // with a live row, and not taken
  logic [Window-1:0]      found_groups_q;         // those with one, taken or not
  logic                   one_left;               // a group is left, or none
  logic [CountWidth-1:0]  others;                 // rows of groups without a live row
  logic [GroupsOutWidth-1:0] groups_out;          // those that are full
  logic [Window-1:0]      full_d, full_q, part_q; // a group has a row for each pipe; it has fewer
  logic [PipeWidth-1:0]   rest_q;                 // rows of a group that is not full
  logic [PartWidth-1:0]   take_part;
  logic [WordWidth-1:0]   take_window_q;
  logic [GroupsWidth-1:0] under_way_q;

  assign take = enable_i && looked_q && groups_q != '0 &&
                under_way_q != GroupsWidth'(GroupsMost);
  assign groups_left = groups_q & (groups_q - Window'(1));
  assign one_left = groups_left == '0;
  assign done = enable_i && looked_q && one_left &&
                (groups_q == '0 || under_way_q != GroupsWidth'(GroupsMost));
  assign passed_o.now = done;
  assign passed_o.rows = others;

  // Which rows are live is known late in the cycle: others are counted after it. All groups but the
  // last one have a row for each pipe, so that nothing is to be added.
  always_comb begin
    for (int g = 0; g < Window; g++) full_d[g] = present_o[(g+1)*Pipes-1];
    groups_out = '0;
    for (int g = 0; g < Window; g++)
      groups_out = groups_out + GroupsOutWidth'(full_q[g] && !found_groups_q[g]);
    others = CountWidth'(groups_out) << PipeBits;
    if ((part_q & ~found_groups_q) != '0) others = others | CountWidth'(rest_q);
  end

  always_comb begin
    take_part = '0;
    for (int g = Window - 1; g >= 0; g--) if (groups_q[g]) take_part = PartWidth'(g);
    for (int p = 0; p < Pipes; p++) take_o[p] = take && present_q[32'(take_part)*Pipes+p];
  end

  always_ff @(posedge clk_i) begin
    if (move) begin
      present_q <= present_o;
      full_q <= full_d;
      for (int g = 0; g < Window; g++) part_q[g] <= present_o[g*Pipes] && !full_d[g];
      rest_q <= PipeWidth'(found_rows_q & CountWidth'(Pipes - 1));
      groups_q <= groups;
      found_groups_q <= groups;
      take_window_q <= found_window_q;
    end else if (take) begin
      groups_q <= groups_left;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else if (start_i) under_way_q <= '0;
    else if (take != gone_i)
      under_way_q <= take ? under_way_q + GroupsWidth'(1) : under_way_q - GroupsWidth'(1);
  end

  always_comb begin
    search_o.read = read;
    search_o.window = window_q;
    search_o.keep = keep;
    search_o.move = move;
    search_o.take_window = take_window_q;
    search_o.take_part = 3'(take_part);
  end

  `PPU_ASSERT(OnlyGroupsThatWereTakenAreGone, !gone_i || under_way_q != '0)
  `PPU_ASSERT(NoSearchBeginsInAnother, !start_i || (left_q == '0 && !found_q && !looked_q))

endmodule
