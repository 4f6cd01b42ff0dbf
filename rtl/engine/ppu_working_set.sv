// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Impulses and velocities on chip: read for rows that issue, written by rows that leave, moved a
// beat at a time by transfers and two bodies at a time by `ahead` while no row is under way.

`include "ppu_assert.svh"

module ppu_working_set #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned MulStages = 3,
  parameter int unsigned AddStages = 3,
  parameter int unsigned VelocityBanks = 8,
  parameter int unsigned ImpulseMemoryRows = 65536,
  parameter int unsigned BodyMemoryBodies = 4096,
  /// Bits of a slot, and of a body.
  localparam int unsigned SlotWidth = $clog2(ImpulseMemoryRows),
  localparam int unsigned BodyWidth = $clog2(BodyMemoryBodies),
  /// Bits of a velocity.
  localparam int unsigned VelocityWidth = 6 * 32,
  /// Bits of the number of a pair of bodies.
  localparam int unsigned PairWidth = BodyWidth - 1
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,

  // Transfers.
  input  logic                             load_impulses_i,
  input  logic                             load_velocities_i,
  input  logic [25:0]                      load_index_i,  ///< Number of the beat.
  input  logic [511:0]                     load_data_i,
  input  logic                             read_impulses_i,
  input  logic                             read_velocities_i,
  input  logic [25:0]                      read_index_i,
  output logic [511:0]                     impulses_o,    ///< In the cycle after the read, until
  output logic [511:0]                     velocities_o,  ///< the next one.

  // The instructions `ahead` and `settle`: see ppu_ahead.
  input  logic                             run_i,  ///< Off: nothing of them goes on.
  input  logic                             ahead_i,
  input  logic                             settle_i,
  input  logic [31:0]                      lead_factor_i,
  input  logic [31:0]                      body_count_i,
  output logic                             moving_o,
  output logic [1:0]                       moving_read_o,   ///< Bodies that are read in this cycle
  output logic [1:0]                       moving_write_o,  ///< and written, a bit each.

  // Rows that issue, by pipe; what they read is there in the next cycle.
  input  logic [Pipes-1:0]                 issue_i,
  input  logic [Pipes-1:0]                 read_b_i,  ///< Body b of a row that issues next.
  input  logic [Pipes-1:0]                 twice_i,   ///< Body b was read before.
  input  logic [Pipes*SlotWidth-1:0]       slot_i,
  input  logic [Pipes-1:0]                 has_a_i,
  input  logic [Pipes*BodyWidth-1:0]       a_i,
  input  logic [Pipes-1:0]                 has_b_i,
  input  logic [Pipes*BodyWidth-1:0]       b_i,
  input  logic [Pipes-1:0]                 reads_parent_i,
  input  logic [Pipes*SlotWidth-1:0]       parent_i,
  output logic [2*Pipes*VelocityWidth-1:0] velocity_o,  ///< a, then b, of each pipe.
  output logic [Pipes*32-1:0]              impulse_o,
  output logic [Pipes*32-1:0]              lead_o,
  output logic [Pipes*32-1:0]              parent_impulse_o,

  // Rows that leave, by pipe.
  input  logic [Pipes-1:0]                 write_a_i,
  input  logic [Pipes-1:0]                 write_b_i,
  input  logic [Pipes-1:0]                 write_twice_i,  ///< Body b is written a cycle later.
  input  logic [Pipes*BodyWidth-1:0]       write_body_a_i,
  input  logic [Pipes*BodyWidth-1:0]       write_body_b_i,
  input  logic [2*Pipes*VelocityWidth-1:0] write_velocity_i,
  input  logic [Pipes-1:0]                 write_x_i,
  input  logic [Pipes*SlotWidth-1:0]       write_slot_i,
  input  logic [Pipes*32-1:0]              write_impulse_i,
  input  logic [Pipes*32-1:0]              write_lead_i
);

  localparam int unsigned RecordBits = 8 * ppu_spec_pkg::VelocityBytes;
  localparam int unsigned WritePorts = 2 * Pipes + 1;

  // ---------------------------------------------------------------------------------------------
  // Impulses.
  // ---------------------------------------------------------------------------------------------
  ppu_impulse_memory #(.Pipes(Pipes), .Rows(ImpulseMemoryRows)) u_impulses (
    .clk_i, .line_write_i(load_impulses_i), .line_read_i(read_impulses_i),
    .line_i(SlotWidth'(load_impulses_i ? load_index_i : read_index_i)),
    .line_data_i(load_data_i), .line_data_o(impulses_o), .read_i(issue_i), .read_slot_i(slot_i),
    .read_data_o(impulse_o), .read_lead_o(lead_o), .read_parent_i(issue_i & reads_parent_i),
    .read_parent_slot_i(parent_i), .read_parent_data_o(parent_impulse_o), .write_i(write_x_i),
    .write_slot_i, .write_data_i(write_impulse_i), .write_lead_i);

  // ---------------------------------------------------------------------------------------------
  // Velocities that move without rows.
  // ---------------------------------------------------------------------------------------------
  logic [PairWidth-1:0]       read_pair, write_pair;
  logic [2*VelocityWidth-1:0] moved;

  ppu_ahead #(
    .MulStages(MulStages), .AddStages(AddStages), .Bodies(BodyMemoryBodies)
  ) u_ahead (
    .clk_i, .rst_ni, .enable_i(run_i), .start_i(ahead_i || settle_i), .ahead_i,
    .factor_i(lead_factor_i), .body_count_i, .busy_o(moving_o), .read_o(moving_read_o),
    .read_pair_o(read_pair), .velocity_i(velocity_o[0 +: 2*VelocityWidth]),
    .write_o(moving_write_o), .write_pair_o(write_pair), .velocity_o(moved));

  // ---------------------------------------------------------------------------------------------
  // Velocities. The second write of a row whose bodies lie in one bank has a port of its own: no
  // two such rows leave in one cycle.
  // ---------------------------------------------------------------------------------------------
  logic [2*Pipes-1:0]                  read;
  logic [2*Pipes*BodyWidth-1:0]        read_body;
  logic [WritePorts-1:0]               write;
  logic [WritePorts*BodyWidth-1:0]     write_body;
  logic [WritePorts*VelocityWidth-1:0] write_velocity;
  logic                                late_q;
  logic [BodyWidth-1:0]                late_body_q;
  logic [VelocityWidth-1:0]            late_velocity_q;

  // Transfers and `ahead` use the ports of the first pipe.
  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      read[2*p] = issue_i[p] && has_a_i[p];
      read[2*p+1] = read_b_i[p] || (issue_i[p] && has_b_i[p] && !twice_i[p]);
      read_body[2*p*BodyWidth +: BodyWidth] = a_i[p*BodyWidth +: BodyWidth];
      read_body[(2*p+1)*BodyWidth +: BodyWidth] = b_i[p*BodyWidth +: BodyWidth];
    end
    if (read_velocities_i) begin
      read[1:0] = '1;
      read_body[0 +: BodyWidth] = BodyWidth'({read_index_i, 1'b0});
      read_body[BodyWidth +: BodyWidth] = BodyWidth'({read_index_i, 1'b1});
    end
    if (moving_read_o != '0) begin
      read[1:0] = moving_read_o;
      read_body[0 +: 2*BodyWidth] = {read_pair, 1'b1, read_pair, 1'b0};
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      write[2*p] = write_a_i[p];
      write[2*p+1] = write_b_i[p] && !write_twice_i[p];
      write_body[2*p*BodyWidth +: BodyWidth] = write_body_a_i[p*BodyWidth +: BodyWidth];
      write_body[(2*p+1)*BodyWidth +: BodyWidth] = write_body_b_i[p*BodyWidth +: BodyWidth];
    end
    write[2*Pipes] = late_q;
    write_body[2*Pipes*BodyWidth +: BodyWidth] = late_body_q;
    write_velocity = {late_velocity_q, write_velocity_i};
    if (load_velocities_i) begin
      write[1:0] = '1;
      write_body[0 +: BodyWidth] = BodyWidth'({load_index_i, 1'b0});
      write_body[BodyWidth +: BodyWidth] = BodyWidth'({load_index_i, 1'b1});
      write_velocity[0 +: VelocityWidth] = load_data_i[0 +: VelocityWidth];
      write_velocity[VelocityWidth +: VelocityWidth] = load_data_i[RecordBits +: VelocityWidth];
    end
    if (moving_write_o != '0) begin
      write[1:0] = moving_write_o;
      write_body[0 +: 2*BodyWidth] = {write_pair, 1'b1, write_pair, 1'b0};
      write_velocity[0 +: 2*VelocityWidth] = moved;
    end
  end

  ppu_velocity_memory #(
    .Banks(VelocityBanks), .Bodies(BodyMemoryBodies), .ReadPorts(2 * Pipes),
    .WritePorts(WritePorts)
  ) u_velocities (
    .clk_i, .rst_ni, .read_i(read), .read_body_i(read_body), .read_data_o(velocity_o),
    .write_i(write), .write_body_i(write_body), .write_data_i(write_velocity));

  assign velocities_o = {RecordBits'(velocity_o[VelocityWidth +: VelocityWidth]),
                         RecordBits'(velocity_o[0 +: VelocityWidth])};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) late_q <= 1'b0;
    else late_q <= (write_b_i & write_twice_i) != '0;
  end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Pipes; p++) begin
      if (write_b_i[p] && write_twice_i[p]) begin
        late_body_q <= write_body_b_i[p*BodyWidth +: BodyWidth];
        late_velocity_q <= write_velocity_i[(2*p+1)*VelocityWidth +: VelocityWidth];
      end
    end
  end

  `PPU_ASSERT(NothingElseUsesVelocitiesWhileTheyMove,
              !moving_o || {issue_i, read_b_i, write_a_i, write_b_i, late_q, read_velocities_i,
                            load_velocities_i} == '0)

endmodule
