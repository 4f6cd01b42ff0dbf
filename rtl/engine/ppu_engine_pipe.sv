// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One row pipe of an engine with what belongs to it: its part of row memory, the rows in flight in
// it, and the velocities that the scaled add needs late. A row issues in cycle c, its operands
// enter the pipe in c + 1, its results leave in c + Latency.

`include "ppu_assert.svh"

module ppu_engine_pipe #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Lanes = 12,
  parameter int unsigned MulStages = 3,
  parameter int unsigned AddStages = 3,
  parameter int unsigned DivStages = 14,
  parameter int unsigned FilterWindow = 4,
  parameter int unsigned Places = 32768,  ///< Rows in this part of row memory.
  parameter int unsigned SlotWidth = 16,
  parameter int unsigned BodyWidth = 12,
  /// Bits of the bodies of a row, and of what must be known of it before it issues: see ids below.
  localparam int unsigned BodiesWidth = 2 * (1 + BodyWidth),
  localparam int unsigned IdsWidth = 4 + 1 + SlotWidth + BodiesWidth,
  /// Bits of a place.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1,
  /// Bits of the number of a word of rows, and of a row in it: see ppu_row_memory.
  localparam int unsigned Words = (Places + FilterWindow - 1) / FilterWindow,
  localparam int unsigned WordWidth = Words > 1 ? $clog2(Words) : 1,
  localparam int unsigned PartWidth = FilterWindow > 1 ? $clog2(FilterWindow) : 1,
  /// Bits of a number of places.
  localparam int unsigned PlacesWidth = $clog2(Places + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       clear_i,     ///< A run begins.
  input  logic                       streamed_i,  ///< ... of streamed rows.
  input  logic                       enable_i,    ///< Rows may issue.

  // Records that arrive, passes over resident ones, searches: see ppu_row_memory.
  input  logic                       write_first_i,
  input  logic                       write_second_i,
  input  logic [PlaceWidth-1:0]      write_place_i,
  input  ppu_spec_pkg::row_record_t  write_record_i,
  input  logic [IdsWidth-1:0]        write_ids_i,
  input  logic                       pass_i,
  input  logic [PlacesWidth-1:0]     pass_first_i,
  input  logic [PlacesWidth-1:0]     pass_count_i,
  output logic                       place_free_o,  ///< A place is free from the next cycle on.
  input  logic                       read_window_i,
  input  logic [WordWidth-1:0]       window_i,
  input  logic                       move_i,
  input  logic                       take_i,
  input  logic                       take_live_i,
  input  logic [WordWidth-1:0]       take_window_i,
  input  logic [PartWidth-1:0]       take_part_i,
  output logic [FilterWindow*BodiesWidth-1:0] window_bodies_o,
  input  logic [FilterWindow-1:0]    window_live_i,

  // The next row, and what holds it back.
  output logic                       head_valid_o,
  output logic                       head_live_o,
  output logic [PlaceWidth-1:0]      head_place_o,
  output logic [IdsWidth-1:0]        head_ids_o,  ///< {fault, parent?, parent, b?, b, a?, a}
  input  logic [SlotWidth-1:0]       slot_i,      ///< Its slot.
  input  logic                       twice_i,     ///< Its bodies lie in one velocity bank.
  input  logic                       go_i,        ///< It issues or is passed over in this cycle.
  input  logic                       issue_i,     ///< It issues ...
  input  ppu_spec_pkg::control_t     control_i,   ///< ... under this control word.
  input  logic [Pipes-1:0]           all_has_a_i,
  input  logic [Pipes*BodyWidth-1:0] all_a_i,
  input  logic [Pipes-1:0]           all_has_b_i,
  input  logic [Pipes*BodyWidth-1:0] all_b_i,
  input  logic [Pipes-1:0]           all_reads_parent_i,
  input  logic [Pipes*SlotWidth-1:0] all_parent_i,
  output logic [Pipes-1:0]           body_o,
  output logic [Pipes-1:0]           parent_o,
  output logic                       impulse_o,
  output logic                       lanes_o,

  // Operands that were read in the cycle of the issue; body b of a row whose bodies lie in one bank
  // was read before.
  input  logic [6*32-1:0]            velocity_a_i,
  input  logic [6*32-1:0]            velocity_b_i,
  input  logic [31:0]                impulse_i,
  input  logic [31:0]                lead_i,
  input  logic [31:0]                parent_impulse_i,

  // The row that leaves in this cycle.
  output logic                       leave_o,
  output logic [SlotWidth-1:0]       leave_slot_o,
  output logic [BodyWidth-1:0]       leave_a_o,
  output logic [BodyWidth-1:0]       leave_b_o,
  output logic                       leave_twice_o,
  output logic                       mark_a_o,    ///< The next tag of its body a is to be set ...
  output logic                       mark_b_o,    ///< ... and that of b.
  output logic                       write_a_o,   ///< Its velocity a is to be written ...
  output logic                       write_b_o,   ///< ... and b, a cycle later if twice ...
  output logic                       write_x_o,   ///< ... and its impulse ...
  output logic                       write_y_o,   ///< ... with a lead of its own.
  output logic [31:0]                impulse_x_o,
  output logic [31:0]                lead_y_o,
  output logic [12*32-1:0]           velocity_o,
  output logic                       skipped_o,
  output logic                       fault_o,
  output logic [3:0]                 fault_detail_o,  ///< ppu_spec_pkg::Fault*.

  // These hold while rows are in flight.
  input  logic [31:0]                mark_threshold_i,
  input  logic [31:0]                lead_factor_i,
  input  logic                       is_ahead_i,      ///< Rows that lead start from their leads.
  input  logic                       clear_max_residual_i,
  output logic [31:0]                max_residual_o,
  // For the counters, of the row that issued in the last cycle.
  output logic                       compliant_o,     ///< It has compliance.
  output logic                       busy_o,          ///< There are rows in flight.
  output logic                       dividing_o,      ///< There are quotients in the divider.
  output logic                       empty_o          ///< No head, and none on the way.
);

  localparam int unsigned Beats = 12 / Lanes;
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned PipeLatency =
    ppu_spec_pkg::PipeEndMul * MulStages + ppu_spec_pkg::PipeEndAdd * AddStages +
    ppu_spec_pkg::PipeEndCycles + 2 * (Beats - 1);
  localparam int unsigned Latency = PipeLatency + 1;

  // ---------------------------------------------------------------------------------------------
  // Row memory and rows in flight.
  // ---------------------------------------------------------------------------------------------
  logic                  has_a, has_b, has_parent, writes_a, writes_b, writes_x;
  logic                  stores_velocity, stores_impulse, unused_ids, leave_has_a, leave_has_b;
  logic [3:0]            bad;
  logic [BodyWidth-1:0]  body_a, body_b;
  logic [SlotWidth-1:0]  parent;
  logic [12*32-1:0]      jacobian, jm;
  logic [5*32-1:0]       scalars;
  logic                  jm_read;
  ppu_pipe_pkg::late_request_t jm_request;

  assign {bad, has_parent, parent, has_b, body_b, has_a, body_a} = head_ids_o;
  assign unused_ids = ^{bad, parent};
  assign stores_velocity = control_i.store_velocity == ppu_spec_pkg::StoreVelocityOn;
  assign stores_impulse = control_i.store_impulse == ppu_spec_pkg::StoreImpulseOn;

  ppu_row_memory #(
    .Places(Places), .IdsWidth(IdsWidth), .BodiesWidth(BodiesWidth), .Window(FilterWindow)
  ) u_rows (
    .clk_i, .rst_ni, .clear_i, .streamed_i, .enable_i, .write_first_i, .write_second_i,
    .write_place_i, .write_record_i, .write_ids_i, .pass_i, .pass_first_i, .pass_count_i,
    .read_window_i, .window_i, .move_i, .take_i, .take_live_i, .take_window_i, .take_part_i,
    .window_bodies_o, .window_live_i, .head_valid_o, .head_live_o, .head_place_o, .head_ids_o,
    .go_i, .issue_i, .jacobian_o(jacobian), .scalars_o(scalars), .jm_read_i(jm_read),
    .jm_place_i(PlaceWidth'(jm_request.tag)), .jm_o(jm), .empty_o);

  ppu_in_flight #(
    .Pipes(Pipes), .Latency(Latency), .Interval(Beats), .SlotWidth(SlotWidth),
    .BodyWidth(BodyWidth)
  ) u_in_flight (
    .clk_i, .rst_ni, .issue_i, .slot_i, .body_a_i(body_a), .body_b_i(body_b), .has_a_i(has_a),
    .has_b_i(has_b), .writes_a_i(has_a && stores_velocity), .writes_b_i(has_b && stores_velocity),
    .writes_x_i(stores_impulse), .twice_i, .head_has_a_i(all_has_a_i), .head_a_i(all_a_i),
    .head_has_b_i(all_has_b_i), .head_b_i(all_b_i), .head_reads_parent_i(all_reads_parent_i),
    .head_parent_i(all_parent_i), .body_o, .parent_o, .impulse_o, .lanes_o, .leave_o, .leave_slot_o,
    .leave_a_o, .leave_b_o, .leave_has_a_o(leave_has_a), .leave_has_b_o(leave_has_b),
    .leave_writes_a_o(writes_a), .leave_writes_b_o(writes_b), .leave_writes_x_o(writes_x),
    .leave_twice_o, .busy_o);

  // ---------------------------------------------------------------------------------------------
  // The row that enters: it issued in the cycle before.
  // ---------------------------------------------------------------------------------------------
  logic                    enter_q, has_a_q, has_b_q, has_parent_q, twice_q, in_ready;
  logic [PlaceWidth-1:0]   place_q;
  ppu_spec_pkg::control_t  control_q;
  logic [6*32-1:0]         early_b_q;
  logic [12*32-1:0]        velocity;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) enter_q <= 1'b0;
    else enter_q <= issue_i;
  end

  always_ff @(posedge clk_i) begin
    if (issue_i) begin
      has_a_q <= has_a;
      has_b_q <= has_b;
      has_parent_q <= has_parent;
      twice_q <= twice_i;
      place_q <= head_place_o;
      control_q <= control_i;
      if (twice_i) early_b_q <= velocity_b_i;
    end
  end

  // A static body stands still.
  assign velocity[0 +: 6*32] = has_a_q ? velocity_a_i : '0;
  assign velocity[6*32 +: 6*32] = !has_b_q ? '0 : twice_q ? early_b_q : velocity_b_i;

  logic [31:0] start_impulse;

  assign start_impulse =
    is_ahead_i && control_q.lead == ppu_spec_pkg::LeadOn ? lead_i : impulse_i;

  // b, d, lo, hi, cfm lie in this order from the first of them on.
  logic [31:0] bias, inv_diagonal, lower, upper, compliance;

  assign {compliance, upper, lower, inv_diagonal, bias} = scalars;
  assign compliant_o = compliance[30:0] != '0;

  // ---------------------------------------------------------------------------------------------
  // Late operands: JM from row memory, v from a ring of the rows in the pipe.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RingBits = $clog2(PipeLatency / Beats + 2);
  localparam logic [3:0]  LastBeat = 4'(Beats - 1);

  logic                 v_read;
  logic [BeatWidth-1:0] v_beat_q, jm_beat_q;
  logic [RingBits-1:0]  ring_in_q, ring_out_q;
  logic [12*32-1:0]     late_v;
  logic                 unused_requests;

  ppu_pipe_pkg::late_request_t v_request;

  assign unused_requests = ^{jm_request, v_request};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_in_q <= '0;
      ring_out_q <= '0;
    end else begin
      if (enter_q) ring_in_q <= ring_in_q + RingBits'(1);
      if (v_read && v_request.beat == LastBeat) ring_out_q <= ring_out_q + RingBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    jm_beat_q <= BeatWidth'(jm_request.beat);
    v_beat_q <= BeatWidth'(v_request.beat);
  end

  ppu_ram #(.PartWidth(12 * 32), .Words(2 ** RingBits)) u_late_v (
    .clk_i, .write_i(enter_q), .write_address_i(ring_in_q), .write_data_i(velocity),
    .read_i(v_read), .read_address_i(ring_out_q), .read_data_o(late_v));

  // ---------------------------------------------------------------------------------------------
  // Places are free after the last read of JM, and in the order in which they were filled: those of
  // rows that were passed over as if they had issued.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned LastJmRead = 2 * (MulStages + 3 * AddStages + Beats - 1) + 1;

  logic [LastJmRead:1] gone_q;

  assign place_free_o = gone_q[LastJmRead];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gone_q <= '0;
    else if (clear_i) gone_q <= '0;
    else gone_q <= {gone_q[LastJmRead-1:1], go_i};
  end

  // ---------------------------------------------------------------------------------------------
  // The row pipe.
  // ---------------------------------------------------------------------------------------------
  logic                        out_valid, unused_out;
  logic [31:0]                 out_tag;
  ppu_spec_pkg::control_t      out_control;
  ppu_pipe_pkg::row_operands_t operands;
  ppu_pipe_pkg::row_result_t   out;

  always_comb begin
    operands.jacobian = jacobian;
    operands.velocity = velocity;
    operands.bias = bias;
    operands.inv_diagonal = inv_diagonal;
    operands.lower = lower;
    operands.upper = upper;
    operands.compliance = compliance;
    operands.impulse = start_impulse;
    operands.stored = impulse_i;
    operands.parent_impulse = parent_impulse_i;
    operands.has_parent = has_parent_q;
  end

  ppu_row_pipe #(
    .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages), .DivStages(DivStages)
  ) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(enter_q), .in_ready_o(in_ready), .in_tag_i(32'(place_q)),
    .in_control_i(control_q), .in_row_i(operands), .mark_threshold_i, .lead_factor_i,
    .late_jm_valid_o(jm_read), .late_jm_o(jm_request),
    .late_jm_i(jm[32*Lanes*jm_beat_q +: 32*Lanes]), .late_v_valid_o(v_read),
    .late_v_o(v_request), .late_v_i(late_v[32*Lanes*v_beat_q +: 32*Lanes]),
    .out_valid_o(out_valid), .out_tag_o(out_tag), .out_control_o(out_control), .out_o(out),
    .clear_max_residual_i, .max_residual_o, .dividing_o);

  assign unused_out = ^{out, out_tag, out_control};
  assign impulse_x_o = out.impulse;
  assign lead_y_o = out.lead;
  assign velocity_o = out.velocity;
  assign skipped_o = out.skipped;
  assign fault_o = out.fault;
  assign write_a_o = writes_a && !out.skipped;
  assign write_b_o = writes_b && !out.skipped;
  assign write_x_o = writes_x && !out.skipped;
  assign write_y_o = write_x_o && out_control.lead == ppu_spec_pkg::LeadOn;
  assign mark_a_o = leave_o && leave_has_a && out.mark_a;
  assign mark_b_o = leave_o && leave_has_b && out.mark_b;

  // What is wrong with a row that faults; the first of these.
  localparam logic [7:0] NonFinite = '1;

  always_comb begin
    fault_detail_o = ppu_spec_pkg::FaultBounds;
    if (out.rate[30:23] == NonFinite) fault_detail_o = ppu_spec_pkg::FaultRate;
    else if (out.target[30:23] == NonFinite) fault_detail_o = ppu_spec_pkg::FaultTarget;
    else if (out.delta[30:23] == NonFinite) fault_detail_o = ppu_spec_pkg::FaultDelta;
    else if (out.velocity_nonfinite) fault_detail_o = ppu_spec_pkg::FaultVelocity;
  end

  `PPU_ASSERT(ThePipeTakesTheRow, !enter_q || in_ready)
  `PPU_ASSERT(RowsLeaveWhenTheyShould, out_valid == leave_o)
  `PPU_ASSERT(JmIsReadBeforeItsPlaceIsFree, !(jm_read && jm_request.beat == LastBeat) || place_free_o)

endmodule
