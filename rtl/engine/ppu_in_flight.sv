// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows in flight in one pipe, and which of the rows before the issue stage they hold back. A
// row that issues in cycle c leaves in c + Latency, when it writes; who issues then reads what it
// writes, but for body b of a row with both bodies in one bank, which is written a cycle later.

module ppu_in_flight #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Latency = 32,   ///< Cycles from issue to write, at least 3.
  parameter int unsigned Interval = 1,   ///< Cycles between rows of the pipe.
  parameter int unsigned SlotWidth = 16,
  parameter int unsigned BodyWidth = 12
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // The row that is next in this pipe.
  input  logic                       issue_i,    ///< It issues in this cycle.
  input  logic [SlotWidth-1:0]       slot_i,
  input  logic [BodyWidth-1:0]       body_a_i,
  input  logic [BodyWidth-1:0]       body_b_i,
  input  logic                       has_a_i,     ///< Body a is dynamic ...
  input  logic                       has_b_i,     ///< ... or b.
  input  logic                       writes_a_i,  ///< It will write this velocity ...
  input  logic                       writes_b_i,
  input  logic                       writes_x_i,  ///< ... and its impulse.
  input  logic                       twice_i,     ///< Its bodies lie in one bank.
  // Those that are next in all pipes.
  input  logic [Pipes-1:0]           head_has_a_i,
  input  logic [Pipes*BodyWidth-1:0] head_a_i,
  input  logic [Pipes-1:0]           head_has_b_i,
  input  logic [Pipes*BodyWidth-1:0] head_b_i,
  input  logic [Pipes-1:0]           head_reads_parent_i,
  input  logic [Pipes*SlotWidth-1:0] head_parent_i,
  // What they wait for.
  output logic [Pipes-1:0]           body_o,     ///< A body that is written here.
  output logic [Pipes-1:0]           parent_o,   ///< A parent's impulse that is written here.
  output logic                       impulse_o,  ///< The impulse of the next row of this pipe.
  output logic                       lanes_o,    ///< The pipe takes no row in this cycle.
  // The row that leaves the pipe in this cycle.
  output logic                       leave_o,
  output logic [SlotWidth-1:0]       leave_slot_o,
  output logic [BodyWidth-1:0]       leave_a_o,
  output logic [BodyWidth-1:0]       leave_b_o,
  output logic                       leave_has_a_o,
  output logic                       leave_has_b_o,
  output logic                       leave_writes_a_o,
  output logic                       leave_writes_b_o,
  output logic                       leave_writes_x_o,
  output logic                       leave_twice_o,
  output logic                       busy_o      ///< There are rows in flight.
);

  // Rows of 1 to Latency - 1 cycles ago, a place for each cycle, used in turn.
  localparam int unsigned Entries = Latency - 1;
  localparam int unsigned IndexWidth = $clog2(Entries);
  localparam int unsigned BLsb = BodyWidth;
  localparam int unsigned SlotLsb = 2 * BodyWidth;
  localparam int unsigned HasLsb = SlotLsb + SlotWidth;
  localparam int unsigned Width = HasLsb + 2;

  logic [Width-1:0]      entry_q [0:Entries-1];
  logic [Entries-1:0]    writes_a_q, writes_b_q, writes_x_q, twice_q;
  logic [Width-1:0]      leave_q;
  logic                  leave_writes_a_q, leave_writes_b_q, leave_writes_x_q, leave_twice_q;
  logic                  late_q;  // a row with both bodies in one bank left in the cycle before
  logic [IndexWidth-1:0] index_q;
  logic [Latency:1]      valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      index_q <= '0;
      writes_a_q <= '0;
      writes_b_q <= '0;
      writes_x_q <= '0;
      twice_q <= '0;
      {leave_twice_q, leave_writes_x_q, leave_writes_b_q, leave_writes_a_q} <= '0;
      late_q <= 1'b0;
    end else begin
      valid_q <= {valid_q[Latency-1:1], issue_i};
      index_q <= index_q == IndexWidth'(Entries - 1) ? '0 : index_q + IndexWidth'(1);
      writes_a_q[index_q] <= issue_i && writes_a_i;
      writes_b_q[index_q] <= issue_i && writes_b_i;
      writes_x_q[index_q] <= issue_i && writes_x_i;
      twice_q[index_q] <= issue_i && twice_i;
      leave_writes_a_q <= writes_a_q[index_q];
      leave_writes_b_q <= writes_b_q[index_q];
      leave_writes_x_q <= writes_x_q[index_q];
      leave_twice_q <= twice_q[index_q];
      late_q <= leave_twice_q;
    end
  end

  always_ff @(posedge clk_i) begin
    leave_q <= entry_q[index_q];
    if (issue_i) entry_q[index_q] <= {has_b_i, has_a_i, slot_i, body_b_i, body_a_i};
  end

  assign busy_o = valid_q != '0 || late_q;
  assign leave_o = valid_q[Latency];
  assign leave_a_o = leave_q[0 +: BodyWidth];
  assign leave_b_o = leave_q[BLsb +: BodyWidth];
  assign leave_slot_o = leave_q[SlotLsb +: SlotWidth];
  assign {leave_has_b_o, leave_has_a_o} = leave_q[HasLsb +: 2];
  assign leave_writes_a_o = leave_writes_a_q;
  assign leave_writes_b_o = leave_writes_b_q;
  assign leave_writes_x_o = leave_writes_x_q;
  assign leave_twice_o = leave_twice_q;

  if (Interval == 1) begin : gen_always_free
    assign lanes_o = 1'b0;
  end else begin : gen_lanes
    assign lanes_o = valid_q[Interval-1:1] != '0;
  end

  // ---------------------------------------------------------------------------------------------
  // Comparisons.
  // ---------------------------------------------------------------------------------------------
  always_comb begin
    impulse_o = 1'b0;
    for (int i = 0; i < Entries; i++) begin
      if (writes_x_q[i] && entry_q[i][SlotLsb +: SlotWidth] == slot_i) impulse_o = 1'b1;
    end
  end

  for (genvar p = 0; p < Pipes; p++) begin : gen_head
    logic                 has_a, has_b, reads_parent, body, parent;
    logic [BodyWidth-1:0] a, b;
    logic [SlotWidth-1:0] parent_slot;

    assign has_a = head_has_a_i[p];
    assign has_b = head_has_b_i[p];
    assign reads_parent = head_reads_parent_i[p];
    assign a = head_a_i[p*BodyWidth +: BodyWidth];
    assign b = head_b_i[p*BodyWidth +: BodyWidth];
    assign parent_slot = head_parent_i[p*SlotWidth +: SlotWidth];

    always_comb begin
      body = leave_writes_b_o && leave_twice_o &&
             ((has_a && leave_b_o == a) || (has_b && leave_b_o == b));
      parent = 1'b0;
      for (int i = 0; i < Entries; i++) begin
        if (writes_a_q[i] && ((has_a && entry_q[i][0 +: BodyWidth] == a) ||
                                    (has_b && entry_q[i][0 +: BodyWidth] == b))) body = 1'b1;
        if (writes_b_q[i] && ((has_a && entry_q[i][BLsb +: BodyWidth] == a) ||
                                    (has_b && entry_q[i][BLsb +: BodyWidth] == b))) body = 1'b1;
        if (writes_x_q[i] && reads_parent &&
            entry_q[i][SlotLsb +: SlotWidth] == parent_slot) parent = 1'b1;
      end
    end

    assign body_o[p] = body;
    assign parent_o[p] = parent;
  end

endmodule
