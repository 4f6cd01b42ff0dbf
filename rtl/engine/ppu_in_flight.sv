// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows in flight in one pipe, and which of the rows before the issue stage they hold back. A
// row that issues in cycle c leaves and writes in c + Latency; a row that issues in that cycle
// reads what is written. It is known in c + ChoiceStages what a row is. Where both bodies of a row
// lie in one bank, its second write, that of body b, comes a cycle later.

`include "ppu_assert.svh"

module ppu_in_flight #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned ChoiceStages = 0,  ///< Cycles from issue to read.
  parameter int unsigned Latency = 33,  ///< Cycles from issue to write, at least 3 from the read
                                        ///< on.
  parameter int unsigned Interval = 1,  ///< Cycles between rows of the pipe.
  /// Bits of a row at the issue stage.
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth
) (
  input  logic                       clk_i,       ///< Clock; its rising edge counts.
  input  logic                       rst_ni,      ///< Low: no row is in flight.
  input  logic                       issue_i,     ///< The next row of this pipe issues.
  input  logic                       read_i,      ///< The row that issued ChoiceStages cycles ago
                                                  ///< is read.
  input  ppu_spec_pkg::control_t     control_i,   ///< How a row that is read is updated.
  input  ppu_engine_pkg::issue_row_t row_i,       ///< The row of this pipe that is read.
  input  ppu_engine_pkg::issue_row_t next_i,      ///< The next row of this pipe.
  input  logic [Pipes*RowWidth-1:0]  rows_i,      ///< A ppu_engine_pkg::issue_row_t: the next row
                                                  ///< of each pipe. It could issue ChoiceStages
                                                  ///< cycles later.
  output logic [Pipes-1:0]           body_o,      ///< A row in flight writes a body of the row at
                                                  ///< that pipe.
  output logic [Pipes-1:0]           parent_o,    ///< A row in flight writes the impulse of the
                                                  ///< parent of the row at that pipe.
  output logic                       impulse_o,   ///< A row in flight writes the impulse of the
                                                  ///< next row of this pipe.
  output logic                       lanes_o,     ///< The pipe takes no row in this cycle.
  output logic                       leave_valid_o,  ///< A row leaves the pipe in this cycle.
  output ppu_engine_pkg::flight_t    leave_o,        ///< The row that leaves; without one nothing
                                                     ///< is to be written.
  output logic                       busy_o          ///< There are rows in flight.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;

  // What a row keeps while it is in flight.
  typedef struct packed {
    logic                 has_b;
    logic                 has_a;
    logic [SlotWidth-1:0] slot;
    logic [BodyWidth-1:0] body_b;
    logic [BodyWidth-1:0] body_a;
  } entry_t;

  // The rows that were read 1 to Cycles cycles ago, in places that are used in turn. If a row can
  // come in every cycle, each cycle has a place. Else each row has one, and the next place is
  // always free. A constant chooses by ?: below, so that the netlist has nothing of the other case.
  localparam bit          EachCycle = Interval == 1;
  localparam int unsigned Cycles = Latency - ChoiceStages - 1;
  localparam int unsigned Entries = EachCycle ? Cycles : (Cycles + Interval - 1) / Interval + 1;
  localparam int          Cleared = EachCycle ? 0 : Entries;  // as many when their rows leave
  // A row leaves its place when the next one is looked at, which is before that could issue.
  localparam int unsigned LeaveStages = EachCycle ? 0 : ChoiceStages;
  localparam int unsigned IndexWidth = $clog2(Entries);

  // Yosys takes no array of structures.
  localparam int unsigned EntryWidth = 2 + SlotWidth + 2 * BodyWidth;

  logic [EntryWidth-1:0] entry_q [0:Entries-1];
  entry_t                entered, leaving_q;
  logic [Entries-1:0]    writes_a_q, writes_b_q, writes_x_q, one_bank_q;
  logic                  leave_writes_a_q, leave_writes_b_q, leave_writes_x_q, leave_one_bank_q;
  logic                  stores_velocity, stores_impulse, unused_control, unused_row;
  logic [IndexWidth-1:0] index_q, leave_q;
  logic                  leaves;  // a row leaves its place
  logic [Latency:1]      valid_q;
  logic                  others_q;  // there are others than the row that issued in the cycle
                                    // before, or this is the second write of one

  assign unused_control = ^control_i;
  assign unused_row = ^{row_i, next_i};
  assign stores_velocity = control_i.store_velocity == ppu_spec_pkg::StoreVelocityOn;
  assign stores_impulse = control_i.store_impulse == ppu_spec_pkg::StoreImpulseOn;

  always_comb begin
    entered.has_b = row_i.has_b;
    entered.has_a = row_i.has_a;
    entered.slot = row_i.slot;
    entered.body_b = row_i.body_b;
    entered.body_a = row_i.body_a;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      others_q <= 1'b0;
      index_q <= '0;
      writes_a_q <= '0;
      writes_b_q <= '0;
      writes_x_q <= '0;
      one_bank_q <= '0;
      leave_writes_a_q <= 1'b0;
      leave_writes_b_q <= 1'b0;
      leave_writes_x_q <= 1'b0;
      leave_one_bank_q <= 1'b0;
    end else begin
      valid_q <= {valid_q[Latency-1:1], issue_i};
      others_q <= valid_q[Latency-1:1] != '0 || leave_o.one_bank;
      index_q <= (EachCycle ? 1'b0 : !read_i) ? index_q :
                 index_q == IndexWidth'(Entries - 1) ? '0 : index_q + IndexWidth'(1);
      for (int i = 0; i < Cleared; i++) begin
        if (leaves && leave_q == IndexWidth'(i)) begin
          writes_a_q[i] <= 1'b0;
          writes_b_q[i] <= 1'b0;
          writes_x_q[i] <= 1'b0;
          one_bank_q[i] <= 1'b0;
        end
      end
      writes_a_q[index_q] <= read_i && row_i.has_a && stores_velocity;
      writes_b_q[index_q] <= read_i && row_i.has_b && stores_velocity;
      writes_x_q[index_q] <= read_i && stores_impulse;
      one_bank_q[index_q] <= read_i && row_i.one_bank;
      leave_writes_a_q <= EachCycle ? writes_a_q[index_q] : leaves && writes_a_q[leave_q];
      leave_writes_b_q <= EachCycle ? writes_b_q[index_q] : leaves && writes_b_q[leave_q];
      leave_writes_x_q <= EachCycle ? writes_x_q[index_q] : leaves && writes_x_q[leave_q];
      leave_one_bank_q <= EachCycle ? one_bank_q[index_q] : leaves && one_bank_q[leave_q];
    end
  end

  always_ff @(posedge clk_i) begin
    leaving_q <= entry_q[EachCycle ? index_q : leave_q];
    if (read_i) entry_q[index_q] <= entered;
  end

  assign busy_o = valid_q[1] || others_q;
  assign leave_valid_o = valid_q[Latency];

  // A row that has left its place leaves the pipe LeaveStages cycles later.
  ppu_engine_pkg::flight_t left;

  always_comb begin
    left.one_bank = leave_one_bank_q;
    left.writes_x = leave_writes_x_q;
    left.writes_b = leave_writes_b_q;
    left.writes_a = leave_writes_a_q;
    left.slot = leaving_q.slot;
    left.has_b = leaving_q.has_b;
    left.body_b = leaving_q.body_b;
    left.has_a = leaving_q.has_a;
    left.body_a = leaving_q.body_a;
  end

  if (LeaveStages == 0) begin : gen_leaves_at_once
    assign leave_o = left;
  end else begin : gen_leaves_later
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) leave_o <= '0;
      else leave_o <= left;
    end
  end

  if (EachCycle) begin : gen_always_free
    assign lanes_o = 1'b0;
    assign leaves = 1'b1;
    assign leave_q = '0;
  end else begin : gen_lanes
    assign lanes_o = valid_q[Interval-1:1] != '0;
    assign leaves = valid_q[Latency-1-LeaveStages];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) leave_q <= '0;
      else if (leaves)
        leave_q <= leave_q == IndexWidth'(Entries - 1) ? '0 : leave_q + IndexWidth'(1);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Comparisons.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::issue_row_t row;
  entry_t                     entry;
  logic                       unused_entry;

  assign unused_entry = ^{row, entry};

  always_comb begin
    entry = '0;
    impulse_o = 1'b0;
    for (int i = 0; i < Entries; i++) begin
      entry = entry_q[i];
      if (writes_x_q[i] && entry.slot == next_i.slot) impulse_o = 1'b1;
    end
    row = '0;
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      body_o[p] = leave_writes_b_q && leave_one_bank_q &&
                  ((row.has_a && leaving_q.body_b == row.body_a) ||
                   (row.has_b && leaving_q.body_b == row.body_b));
      parent_o[p] = 1'b0;
      for (int i = 0; i < Entries; i++) begin
        entry = entry_q[i];
        if (writes_a_q[i] && ((row.has_a && entry.body_a == row.body_a) ||
                              (row.has_b && entry.body_a == row.body_b))) body_o[p] = 1'b1;
        if (writes_b_q[i] && ((row.has_a && entry.body_b == row.body_a) ||
                              (row.has_b && entry.body_b == row.body_b))) body_o[p] = 1'b1;
        if (writes_x_q[i] && row.reads_parent && entry.slot == row.parent) parent_o[p] = 1'b1;
      end
    end
  end

  localparam int unsigned Issued = ChoiceStages == 0 ? 1 : ChoiceStages;

  `PPU_ASSERT(RowsIssueWhenTheLanesAreFree, !(issue_i && lanes_o))
  `PPU_ASSERT(EveryRowThatIssuesIsRead,
              read_i == (ChoiceStages == 0 ? issue_i : valid_q[Issued]))

endmodule
