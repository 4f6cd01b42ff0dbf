// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Impulses and velocities on chip: read for rows that issue, written by rows that leave, moved a
// beat at a time by transfers and two bodies at a time by `ahead` while no row is under way.

`include "ppu_assert.svh"

module ppu_working_set #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Lanes = 12,                 ///< Of `ahead`: 1, 2, 3, 4, 6 or 12.
  parameter int unsigned MulStages = 3,              ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3,              ///< Cycles of an addition, 1 to 5.
  parameter int unsigned VelocityBanks = 4,          ///< 2, 4, 8, 16, 32 or 64.
  parameter int unsigned ImpulseMemoryRows = 65536,  ///< Impulses; a multiple of 16.
  parameter int unsigned BodyMemoryBodies = 4096,    ///< Velocities; a multiple of 64.
  parameter bit          Twice = 1'b0,               ///< Velocities are kept twice, for each body
                                                     ///< of a row.
  parameter int unsigned LoadStages = 0,             ///< Cycles until what is loaded is written:
                                                     ///< 0 or 1.
  parameter int unsigned MemoryProtection = 0,
  /// Bits of the structures of a pipe.
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned OperandsWidth = ppu_engine_pkg::OperandsWidth,
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input  logic                           clk_i,         ///< Clock; its rising edge counts.
  input  logic                           rst_ni,        ///< Low: nothing is under way.
  input  ppu_engine_pkg::flip_t          flip_i,        ///< Bits that flip when a word is written.

  // Transfers.
  input  ppu_engine_pkg::beat_t          load_i,        ///< Impulses or velocities are written.
  input  logic [511:0]                   load_data_i,   ///< The beat that is written.
  input  ppu_engine_pkg::beat_t          store_i,       ///< Impulses or velocities are read.
  output logic [511:0]                   impulses_o,    ///< Impulses that were read, until the next
                                                        ///< read.
  output logic [511:0]                   velocities_o,  ///< Velocities that were read, until the
                                                        ///< next read.

  // The instructions `ahead` and `settle`: see ppu_ahead.
  input  logic                           run_i,          ///< Off: nothing of them goes on.
  input  logic                           ahead_i,        ///< `ahead` executes.
  input  logic                           settle_i,       ///< `settle` executes.
  input  logic [31:0]                    lead_factor_i,  ///< Binary32; the number stays until the
                                                         ///< end.
  input  logic [31:0]                    body_count_i,   ///< Bodies of the run; the number stays.
  output ppu_engine_pkg::moving_t        moving_o,       ///< Velocities that are read and written.

  // Words that stores, `ahead` and `settle` read.
  output logic [4:0]                     corrected_o,    ///< Words with a bit that was corrected,
                                                         ///< read two cycles before.
  output ppu_engine_pkg::flaw_t          flaw_o,         ///< A word that is lost, read in the
                                                         ///< cycle before.

  // Rows, by pipe.
  input  logic [Pipes-1:0]               issue_i,     ///< The row at the issue stage issues.
  input  logic [Pipes-1:0]               read_b_i,    ///< Body b of the row at the issue stage is
                                                      ///< read, and nothing else.
  input  logic                           at_once_i,   ///< Both bodies are read when a row issues.
  input  logic [Pipes*RowWidth-1:0]      rows_i,      ///< A ppu_engine_pkg::issue_row_t of each
                                                      ///< pipe.
  output logic [Pipes*OperandsWidth-1:0] operands_o,  ///< A ppu_engine_pkg::operands_t of the rows
                                                      ///< that issued in the cycle before.
  input  logic [Pipes*LeavingWidth-1:0]  leave_i      ///< A ppu_engine_pkg::leaving_t of each pipe.
);

  localparam int unsigned SlotWidth = $clog2(ImpulseMemoryRows);
  localparam int unsigned BodyWidth = $clog2(BodyMemoryBodies);
  localparam int unsigned VelocityWidth = 6 * 32;
  localparam int unsigned PairWidth = BodyWidth - 1;
  localparam int unsigned RecordBits = 8 * ppu_spec_pkg::VelocityBytes;
  localparam int unsigned WritePorts = 2 * Pipes + 1;

  // ---------------------------------------------------------------------------------------------
  // What rows read and write.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]                 has_a, has_b, one_bank, read_parent;
  logic [Pipes-1:0]                 write_a, write_b, write_x, write_second;
  logic [Pipes*SlotWidth-1:0]       slot, parent, write_slot;
  logic [Pipes*BodyWidth-1:0]       body_a, body_b, write_body_a, write_body_b;
  logic [2*Pipes*VelocityWidth-1:0] velocity, row_velocity;
  logic [Pipes*32-1:0]              impulse, lead, parent_impulse, write_impulse, write_lead;
  logic [2*Pipes-1:0]               velocity_corrected, velocity_bad;
  logic [Pipes-1:0]                 impulse_corrected, impulse_bad, parent_corrected, parent_bad;
  logic                             unused_fields;
  ppu_engine_pkg::issue_row_t       row;
  ppu_engine_pkg::leaving_t         leaving;
  ppu_engine_pkg::operands_t        operands;

  assign unused_fields = ^{row, leaving, load, store_i};

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      has_a[p] = row.has_a;
      has_b[p] = row.has_b;
      one_bank[p] = row.one_bank;
      read_parent[p] = row.reads_parent;
      slot[p*SlotWidth +: SlotWidth] = SlotWidth'(row.slot);
      parent[p*SlotWidth +: SlotWidth] = SlotWidth'(row.parent);
      body_a[p*BodyWidth +: BodyWidth] = BodyWidth'(row.body_a);
      body_b[p*BodyWidth +: BodyWidth] = BodyWidth'(row.body_b);
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      write_a[p] = leaving.write_a;
      write_b[p] = leaving.write_b && !leaving.one_bank;
      write_second[p] = leaving.write_b && leaving.one_bank;
      write_x[p] = leaving.write_x;
      write_slot[p*SlotWidth +: SlotWidth] = SlotWidth'(leaving.slot);
      write_body_a[p*BodyWidth +: BodyWidth] = BodyWidth'(leaving.body_a);
      write_body_b[p*BodyWidth +: BodyWidth] = BodyWidth'(leaving.body_b);
      write_impulse[32*p +: 32] = leaving.impulse;
      write_lead[32*p +: 32] = leaving.lead;
      row_velocity[2*p*VelocityWidth +: 2*VelocityWidth] =
        {leaving.velocity_b, leaving.velocity_a};
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      operands.velocity_a = velocity[2*p*VelocityWidth +: VelocityWidth];
      operands.velocity_b = velocity[(2*p+1)*VelocityWidth +: VelocityWidth];
      operands.impulse = impulse[32*p +: 32];
      operands.lead = lead[32*p +: 32];
      operands.parent_impulse = parent_impulse[32*p +: 32];
      operands.corrected = {parent_corrected[p], impulse_corrected[p], velocity_corrected[2*p+1],
                            velocity_corrected[2*p]};
      operands.bad = {parent_bad[p], impulse_bad[p], velocity_bad[2*p+1], velocity_bad[2*p]};
      operands_o[p*OperandsWidth +: OperandsWidth] = operands;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // What is loaded.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::beat_t load;
  logic [511:0]          load_data;

  if (LoadStages == 0) begin : gen_load_at_once
    assign load = load_i;
    assign load_data = load_data_i;
  end else begin : gen_load_later
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) load <= '0;
      else load <= load_i;
    end
    ppu_delay #(.Width(512)) u_load_data (.clk_i, .data_i(load_data_i), .data_o(load_data));
  end

  // ---------------------------------------------------------------------------------------------
  // Impulses.
  // ---------------------------------------------------------------------------------------------
  logic [15:0] line_corrected, line_bad;

  ppu_impulse_memory #(
    .Pipes(Pipes), .Rows(ImpulseMemoryRows), .MemoryProtection(MemoryProtection)
  ) u_impulses (
    .clk_i, .rst_ni, .flip_i, .line_write_i(load.impulses), .line_read_i(store_i.impulses),
    .line_i(SlotWidth'(load.impulses ? load.index : store_i.index)),
    .line_data_i(load_data), .line_data_o(impulses_o), .line_corrected_o(line_corrected),
    .line_bad_o(line_bad), .read_i(issue_i), .read_slot_i(slot), .read_data_o(impulse),
    .read_lead_o(lead), .corrected_o(impulse_corrected), .bad_o(impulse_bad),
    .read_parent_i(issue_i & read_parent), .read_parent_slot_i(parent),
    .read_parent_data_o(parent_impulse), .parent_corrected_o(parent_corrected),
    .parent_bad_o(parent_bad), .write_i(write_x),
    .write_slot_i(write_slot), .write_data_i(write_impulse), .write_lead_i(write_lead));

  // ---------------------------------------------------------------------------------------------
  // Velocities that move without rows.
  // ---------------------------------------------------------------------------------------------
  logic [PairWidth-1:0]       read_pair, write_pair, keep_pair;
  logic [1:0]                 kept, base_corrected, base_bad;
  logic [2*VelocityWidth-1:0] moved;

  ppu_ahead #(
    .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages), .Bodies(BodyMemoryBodies),
    .MemoryProtection(MemoryProtection)
  ) u_ahead (
    .clk_i, .rst_ni, .flip_i, .enable_i(run_i), .start_i(ahead_i || settle_i), .ahead_i,
    .factor_i(lead_factor_i), .body_count_i, .moving_o, .read_pair_o(read_pair),
    .keep_pair_o(keep_pair), .kept_o(kept), .corrected_o(base_corrected), .bad_o(base_bad),
    .velocity_i(velocity[0 +: 2*VelocityWidth]), .write_pair_o(write_pair), .velocity_o(moved));

  // ---------------------------------------------------------------------------------------------
  // Velocities. The second write of a row whose bodies lie in one bank has a port of its own: no
  // two such rows leave in one cycle.
  // ---------------------------------------------------------------------------------------------
  logic [2*Pipes-1:0]                  read;
  logic [2*Pipes*BodyWidth-1:0]        read_body;
  logic [WritePorts-1:0]               write;
  logic [WritePorts*BodyWidth-1:0]     write_body;
  logic [WritePorts*VelocityWidth-1:0] write_velocity;
  logic                                second_write_q;
  logic [BodyWidth-1:0]                second_body_q;
  logic [VelocityWidth-1:0]            second_velocity_q;

  // Transfers and `ahead` use the ports of the first pipe.
  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      read[2*p] = issue_i[p] && has_a[p];
      read[2*p+1] = read_b_i[p] || (issue_i[p] && has_b[p] && (!one_bank[p] || at_once_i));
      read_body[2*p*BodyWidth +: BodyWidth] = body_a[p*BodyWidth +: BodyWidth];
      read_body[(2*p+1)*BodyWidth +: BodyWidth] = body_b[p*BodyWidth +: BodyWidth];
    end
    if (store_i.velocities) begin
      read[1:0] = '1;
      read_body[0 +: BodyWidth] = BodyWidth'({store_i.index, 1'b0});
      read_body[BodyWidth +: BodyWidth] = BodyWidth'({store_i.index, 1'b1});
    end
    if (moving_o.read != '0) begin
      read[1:0] = moving_o.read;
      read_body[0 +: 2*BodyWidth] = {read_pair, 1'b1, read_pair, 1'b0};
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      write[2*p] = write_a[p];
      write[2*p+1] = write_b[p];
      write_body[2*p*BodyWidth +: BodyWidth] = write_body_a[p*BodyWidth +: BodyWidth];
      write_body[(2*p+1)*BodyWidth +: BodyWidth] = write_body_b[p*BodyWidth +: BodyWidth];
    end
    write[2*Pipes] = second_write_q;
    write_body[2*Pipes*BodyWidth +: BodyWidth] = second_body_q;
    write_velocity = {second_velocity_q, row_velocity};
    if (load.velocities) begin
      write[1:0] = '1;
      write_body[0 +: BodyWidth] = BodyWidth'({load.index, 1'b0});
      write_body[BodyWidth +: BodyWidth] = BodyWidth'({load.index, 1'b1});
      write_velocity[0 +: VelocityWidth] = load_data[0 +: VelocityWidth];
      write_velocity[VelocityWidth +: VelocityWidth] = load_data[RecordBits +: VelocityWidth];
    end
    if (moving_o.write != '0) begin
      write[1:0] = moving_o.write;
      write_body[0 +: 2*BodyWidth] = {write_pair, 1'b1, write_pair, 1'b0};
      write_velocity[0 +: 2*VelocityWidth] = moved;
    end
  end

  if (Twice) begin : gen_twice
    // Of each body of a row a copy.
    for (genvar i = 0; i < 2; i++) begin : gen_copy
      logic [Pipes-1:0]               read_one, corrected_one, bad_one;
      logic [Pipes*BodyWidth-1:0]     read_one_body;
      logic [Pipes*VelocityWidth-1:0] velocity_one;

      for (genvar p = 0; p < Pipes; p++) begin : gen_port
        assign read_one[p] = read[2*p+i];
        assign read_one_body[p*BodyWidth +: BodyWidth] = read_body[(2*p+i)*BodyWidth +: BodyWidth];
        assign velocity[(2*p+i)*VelocityWidth +: VelocityWidth] =
          velocity_one[p*VelocityWidth +: VelocityWidth];
        assign velocity_corrected[2*p+i] = corrected_one[p];
        assign velocity_bad[2*p+i] = bad_one[p];
      end

      ppu_velocity_memory #(
        .Banks(VelocityBanks), .Bodies(BodyMemoryBodies), .ReadPorts(Pipes),
        .WritePorts(WritePorts), .MemoryProtection(MemoryProtection)
      ) u_velocities (
        .clk_i, .rst_ni, .flip_i, .read_i(read_one), .read_body_i(read_one_body),
        .read_data_o(velocity_one), .corrected_o(corrected_one), .bad_o(bad_one), .write_i(write),
        .write_body_i(write_body), .write_data_i(write_velocity));
    end
  end else begin : gen_once
    ppu_velocity_memory #(
      .Banks(VelocityBanks), .Bodies(BodyMemoryBodies), .ReadPorts(2 * Pipes),
      .WritePorts(WritePorts), .MemoryProtection(MemoryProtection)
    ) u_velocities (
      .clk_i, .rst_ni, .flip_i, .read_i(read), .read_body_i(read_body), .read_data_o(velocity),
      .corrected_o(velocity_corrected), .bad_o(velocity_bad), .write_i(write),
      .write_body_i(write_body), .write_data_i(write_velocity));
  end

  assign velocities_o = {RecordBits'(velocity[VelocityWidth +: VelocityWidth]),
                         RecordBits'(velocity[0 +: VelocityWidth])};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) second_write_q <= 1'b0;
    else second_write_q <= write_second != '0;
  end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Pipes; p++) begin
      if (write_second[p]) begin
        second_body_q <= write_body_b[p*BodyWidth +: BodyWidth];
        second_velocity_q <= row_velocity[(2*p+1)*VelocityWidth +: VelocityWidth];
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Words that were read and not by a row.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::beat_t stored_q;
  logic [15:0]           lost;
  logic [1:0]            moved_bad, moved_corrected;
  logic [19:0]           corrected_q;  // is known late
  logic                  unused_stored;

  assign unused_stored = ^stored_q;
  assign lost = stored_q.impulses ? line_bad : '0;
  assign moved_bad = stored_q.velocities ? velocity_bad[1:0] : velocity_bad[1:0] & kept;
  assign moved_corrected =
    stored_q.velocities ? velocity_corrected[1:0] : velocity_corrected[1:0] & kept;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q <= '0;
      corrected_q <= '0;
    end else begin
      stored_q <= store_i;
      corrected_q <= {base_corrected, moved_corrected,
                      stored_q.impulses ? line_corrected : 16'd0};
    end
  end

  always_comb begin
    corrected_o = '0;
    for (int i = 0; i < 20; i++) corrected_o = corrected_o + 5'(corrected_q[i]);
    flaw_o = '0;
    for (int i = 15; i >= 0; i--) begin
      if (lost[i]) begin
        flaw_o.found = 1'b1;
        flaw_o.memory = ppu_spec_pkg::FaultImpulseMemory;
        flaw_o.word = ppu_spec_pkg::SlotWidth'({stored_q.index, 4'(i)});
      end
    end
    for (int i = 1; i >= 0; i--) begin
      if (base_bad[i]) begin
        flaw_o.found = 1'b1;
        flaw_o.memory = ppu_spec_pkg::FaultBaseMemory;
        flaw_o.word = ppu_spec_pkg::SlotWidth'({keep_pair, 1'(i)});
      end
    end
    for (int i = 1; i >= 0; i--) begin
      if (moved_bad[i]) begin
        flaw_o.found = 1'b1;
        flaw_o.memory = ppu_spec_pkg::FaultVelocityMemory;
        flaw_o.word = stored_q.velocities ? ppu_spec_pkg::SlotWidth'({stored_q.index, 1'(i)})
                                          : ppu_spec_pkg::SlotWidth'({keep_pair, 1'(i)});
      end
    end
  end

  `PPU_ASSERT(NothingElseUsesVelocitiesWhileTheyMove,
              !moving_o.busy || {issue_i, read_b_i, write_a, write_b, write_second, second_write_q,
                                 store_i.velocities, load.velocities} == '0)

endmodule
