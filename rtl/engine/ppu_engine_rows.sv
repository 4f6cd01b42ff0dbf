// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Everything of an engine that rows go through: their arrival in row memory, the issue stage, the
// row pipes, the memories of impulses and velocities.

module ppu_engine_rows #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Lanes = 12,
  parameter int unsigned MulStages = 3,
  parameter int unsigned AddStages = 3,
  parameter int unsigned DivStages = 14,
  parameter int unsigned VelocityBanks = 8,
  parameter int unsigned RowMemoryRows = 32768,
  parameter int unsigned ImpulseMemoryRows = 65536,
  parameter int unsigned BodyMemoryBodies = 4096,
  parameter int unsigned FilterWindow = 4,
  /// Bits of a slot, of a body, of a number of rows.
  localparam int unsigned SlotWidth = $clog2(ImpulseMemoryRows),
  localparam int unsigned BodyWidth = $clog2(BodyMemoryBodies),
  localparam int unsigned CountWidth = SlotWidth + 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,   ///< A run begins.
  input  logic                   late_i,    ///< The run is late.
  input  logic                   enable_i,  ///< Rows may issue in this cycle.
  // These stay during the run.
  input  logic                   streamed_i,
  input  logic                   reduced_i,
  input  logic [31:0]            row_count_i,
  input  logic [31:0]            body_count_i,

  // Transfers: see ppu_working_set and ppu_row_arrival.
  input  logic                   load_begin_i,  ///< All rows will be loaded.
  input  logic                   load_rows_i,
  input  logic                   load_impulses_i,
  input  logic                   load_velocities_i,
  input  logic [25:0]            load_index_i,
  input  logic [511:0]           data_i,  ///< Also that of streamed rows.
  input  logic                   read_impulses_i,
  input  logic                   read_velocities_i,
  input  logic [25:0]            read_index_i,
  output logic [511:0]           impulses_o,
  output logic [511:0]           velocities_o,

  // What `ahead`, `settle` and `setlead` do: see ppu_working_set and ppu_engine_pipe.
  input  logic                   run_i,
  input  logic                   ahead_i,
  input  logic                   settle_i,
  input  logic [31:0]            lead_factor_i,
  input  logic                   is_ahead_i,
  output logic                   moving_o,
  output logic [1:0]             moving_read_o,
  output logic [1:0]             moving_write_o,

  // Passes.
  input  logic                   pass_i,
  input  logic [CountWidth-1:0]  pass_first_i,
  input  logic [CountWidth-1:0]  pass_count_i,
  input  ppu_engine_pkg::kernel_t pass_kernel_i,
  output logic                   room_o,     ///< There may be one more pass.
  output logic                   pending_o,  ///< A pass has not fully issued ...
  output logic                   two_o,      ///< ... and another one behind it.
  output logic                   flying_o,   ///< There are rows in flight.
  output logic                   dividing_o, ///< There are quotients in the divider.
  output logic                   empty_o,    ///< No row is before the issue stage or on the way.

  // Streamed rows.
  output logic                   request_o,
  output logic [25:0]            request_beat_o,  ///< From the first row's first beat.
  input  logic                   accept_i,
  input  logic                   response_i,

  // Marks and tags.
  input  logic [31:0]            mark_threshold_i,
  input  logic                   tagall_i,
  input  logic                   tagnext_i,

  input  logic                   clear_max_residual_i,
  output logic [31:0]            max_residual_o,

  // Rows that end the run; slot and detail are those of the first of them.
  output logic                   fault_o,         ///< A row that leaves in this cycle.
  output logic                   bad_resident_o,  ///< A row that was loaded.
  output logic                   bad_next_o,      ///< The next row to issue; none has to retire.
  output logic [31:0]            fault_slot_o,
  output logic [3:0]             fault_detail_o,  ///< ppu_spec_pkg::Fault*.
  output logic [31:0]            bad_value_o,     ///< The number that is wrong in a bad row.

  // What happens in this cycle, by pipe.
  output logic [Pipes-1:0]       pass_over_o,
  output logic [CountWidth-1:0]  passed_o,  ///< Rows passed over that were not at an issue stage.
  output logic [Pipes-1:0]       issue_o,
  output logic [Pipes*32-1:0]    issue_slot_o,
  output logic [Pipes-1:0]       issue_has_a_o,
  output logic [Pipes-1:0]       issue_has_b_o,
  output logic [Pipes-1:0]       issue_has_parent_o,
  output logic [Pipes-1:0]       issue_reads_parent_o,
  output ppu_engine_pkg::kernel_t issue_kernel_o,
  output logic [Pipes-1:0]       compliant_o,  ///< Of the row that issued in the cycle before.
  output logic [Pipes-1:0]       retire_o,
  output logic [Pipes*32-1:0]    retire_slot_o,
  output logic [Pipes-1:0]       skipped_o,
  output logic [Pipes-1:0]       write_a_o,
  output logic [Pipes-1:0]       write_b_o,
  output logic [Pipes-1:0]       write_x_o,
  output logic [Pipes-1:0]       write_y_o,
  output ppu_engine_pkg::wait_t  wait_o,
  output logic                   conflict_o
);

  localparam int unsigned Places = RowMemoryRows / Pipes;
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1;
  localparam int unsigned PlacesWidth = $clog2(Places + 1);
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned BodiesWidth = 2 * (1 + BodyWidth);
  localparam int unsigned IdsWidth = 4 + 1 + SlotWidth + BodiesWidth;
  localparam int unsigned VelocityWidth = 6 * 32;
  localparam logic [CountWidth-1:0] PipeMask = CountWidth'(Pipes - 1);

  // ---------------------------------------------------------------------------------------------
  // Arrival.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]      write_first, write_second, place_free;
  logic [CountWidth-1:0] write_slot, bad_slot;
  ppu_spec_pkg::row_record_t write_record;
  logic [IdsWidth-1:0]   write_ids;
  logic [3:0]            bad_detail;

  ppu_row_arrival #(
    .Pipes(Pipes), .Places(Places), .SlotWidth(SlotWidth), .BodyWidth(BodyWidth)
  ) u_arrival (
    .clk_i, .rst_ni, .clear_i, .streamed_i, .reduced_i, .row_count_i, .body_count_i,
    .pass_i(load_begin_i || (pass_i && streamed_i)),
    .pass_first_i(load_begin_i ? '0 : pass_first_i),
    .pass_count_i(load_begin_i ? CountWidth'(row_count_i) : pass_count_i),
    .arrive_i(load_rows_i || response_i), .data_i, .place_free_i(place_free), .request_o,
    .request_beat_o, .accept_i, .write_first_o(write_first), .write_second_o(write_second),
    .write_slot_o(write_slot), .write_record_o(write_record), .write_ids_o(write_ids),
    .bad_o(bad_resident_o), .bad_slot_o(bad_slot), .bad_detail_o(bad_detail),
    .bad_value_o);

  // ---------------------------------------------------------------------------------------------
  // Tags, and the search of filtered passes over resident rows. Rows of a window are in slot order.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned WindowRows = Pipes * FilterWindow;
  localparam int unsigned Words = (Places + FilterWindow - 1) / FilterWindow;
  localparam int unsigned WordWidth = Words > 1 ? $clog2(Words) : 1;
  localparam int unsigned PartWidth = FilterWindow > 1 ? $clog2(FilterWindow) : 1;

  logic [2*Pipes-1:0]                mark;
  logic [2*Pipes*BodyWidth-1:0]      mark_body;
  logic [WindowRows*BodiesWidth-1:0] window_bodies;
  logic [WindowRows-1:0]             window_live;
  ppu_spec_pkg::control_t            pass_control;
  logic                              filter, read_window, move, group_gone, unused_pass_control;
  logic [Pipes-1:0]                  take, take_live;
  logic [WordWidth-1:0]              window, take_window;
  logic [PartWidth-1:0]              take_part;

  assign pass_control = pass_kernel_i.control;
  assign unused_pass_control = ^pass_control;
  assign filter = pass_control.filter == ppu_spec_pkg::FilterOn;

  ppu_tags #(.Bodies(BodyMemoryBodies), .Rows(WindowRows), .Sets(2 * Pipes)) u_tags (
    .clk_i, .rst_ni, .clear_i, .all_i(tagall_i), .next_i(tagnext_i), .set_i(mark),
    .set_body_i(mark_body), .bodies_i(window_bodies), .live_o(window_live));

  ppu_row_scan #(
    .Pipes(Pipes), .Window(FilterWindow), .WordWidth(WordWidth), .CountWidth(CountWidth)
  ) u_scan (
    .clk_i, .rst_ni, .enable_i, .start_i(pass_i && filter && !streamed_i), .count_i(pass_count_i),
    .read_o(read_window), .read_window_o(window), .live_i(window_live), .move_o(move),
    .take_o(take), .take_live_o(take_live), .take_window_o(take_window), .take_part_o(take_part),
    .gone_i(group_gone), .passed_o);

  // ---------------------------------------------------------------------------------------------
  // Issue stage.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]           head_valid, head_live, head_bad, has_a, has_b, has_parent;
  logic [Pipes-1:0]           reads_parent, go;
  logic [Pipes-1:0]           twice, lanes, held_body, held_parent, read_b, bad_next;
  logic [Pipes*BodyWidth-1:0] a, b;
  logic [Pipes*SlotWidth-1:0] parent, slot;
  logic [Pipes*PlaceWidth-1:0] place;
  logic [Pipes*4-1:0]         head_fault;
  ppu_spec_pkg::control_t     control;

  assign control = issue_kernel_o.control;
  assign reads_parent = has_parent & {Pipes{
    control.bounds == ppu_spec_pkg::BoundsCone ||
    control.skip == ppu_spec_pkg::SkipOn}};

  ppu_issue #(
    .Pipes(Pipes), .VelocityBanks(VelocityBanks), .SlotWidth(SlotWidth), .BodyWidth(BodyWidth),
    .PlaceWidth(PlaceWidth)
  ) u_issue (
    .clk_i, .rst_ni, .clear_i, .streamed_i, .late_i, .enable_i, .pass_i, .pass_first_i,
    .pass_count_i, .pass_kernel_i, .passed_i(passed_o), .room_o, .pending_o, .two_o,
    .kernel_o(issue_kernel_o), .head_valid_i(head_valid), .head_live_i(head_live),
    .head_place_i(place), .head_bad_i(head_bad), .head_has_a_i(has_a), .head_a_i(a),
    .head_has_b_i(has_b), .head_b_i(b), .head_reads_parent_i(reads_parent), .head_parent_i(parent),
    .slot_o(slot), .twice_o(twice), .lanes_i(lanes), .body_i(held_body), .parent_i(held_parent),
    .issue_o, .pass_over_o, .read_b_o(read_b), .bad_o(bad_next), .wait_o, .conflict_o);

  assign go = issue_o | pass_over_o;
  assign group_gone =
    go[Pipes-1] && !streamed_i && control.filter == ppu_spec_pkg::FilterOn;
  assign issue_has_a_o = has_a;
  assign issue_has_b_o = has_b;
  assign issue_has_parent_o = has_parent;
  assign issue_reads_parent_o = reads_parent;

  // ---------------------------------------------------------------------------------------------
  // Pipes.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Pipes-1:0]           body_by_pipe, parent_by_pipe;
  logic [Pipes-1:0]                 held_impulse, leave_twice, fault, busy, dividing, empty;
  logic [Pipes*SlotWidth-1:0]       leave_slot;
  logic [Pipes*BodyWidth-1:0]       leave_a, leave_b;
  logic [2*Pipes*VelocityWidth-1:0] velocity, leave_velocity;
  logic [Pipes*32-1:0]              impulse, lead, parent_impulse, leave_impulse, leave_lead;
  logic [Pipes*32-1:0]              max_residual;
  logic [Pipes*4-1:0]               fault_detail;

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [IdsWidth-1:0]   ids;
    logic [CountWidth-1:0] skip;  // rows of the pass before the first one of this pipe
    logic [FilterWindow*BodiesWidth-1:0] pipe_window_bodies;
    logic [FilterWindow-1:0]             pipe_window_live;

    for (genvar i = 0; i < FilterWindow; i++) begin : gen_window
      assign window_bodies[(i*Pipes+p)*BodiesWidth +: BodiesWidth] =
        pipe_window_bodies[i*BodiesWidth +: BodiesWidth];
      assign pipe_window_live[i] = window_live[i*Pipes+p];
    end

    assign skip = (CountWidth'(p) - pass_first_i) & PipeMask;
    assign {head_fault[4*p +: 4], has_parent[p], parent[p*SlotWidth +: SlotWidth],
            has_b[p], b[p*BodyWidth +: BodyWidth], has_a[p], a[p*BodyWidth +: BodyWidth]} = ids;
    assign head_bad[p] = head_fault[4*p +: 4] != '0;
    assign issue_slot_o[32*p +: 32] = 32'(slot[p*SlotWidth +: SlotWidth]);
    assign retire_slot_o[32*p +: 32] = 32'(leave_slot[p*SlotWidth +: SlotWidth]);

    ppu_engine_pipe #(
      .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
      .DivStages(DivStages), .FilterWindow(FilterWindow), .Places(Places),
      .SlotWidth(SlotWidth), .BodyWidth(BodyWidth)
    ) u_pipe (
      .clk_i, .rst_ni, .clear_i, .streamed_i, .enable_i, .write_first_i(write_first[p]),
      .write_second_i(write_second[p]), .write_place_i(PlaceWidth'(write_slot >> PipeBits)),
      .write_record_i(write_record), .write_ids_i(write_ids),
      .pass_i(pass_i && !streamed_i && !filter && skip < pass_count_i),
      .pass_first_i(PlacesWidth'((pass_first_i + skip) >> PipeBits)),
      .pass_count_i(PlacesWidth'((pass_count_i - skip + PipeMask) >> PipeBits)),
      .place_free_o(place_free[p]), .read_window_i(read_window), .window_i(window), .move_i(move),
      .take_i(take[p]), .take_live_i(take_live[p]), .take_window_i(take_window),
      .take_part_i(take_part), .window_bodies_o(pipe_window_bodies),
      .window_live_i(pipe_window_live), .head_valid_o(head_valid[p]), .head_live_o(head_live[p]),
      .head_place_o(place[p*PlaceWidth +: PlaceWidth]), .head_ids_o(ids),
      .slot_i(slot[p*SlotWidth +: SlotWidth]), .twice_i(twice[p]), .go_i(go[p]),
      .issue_i(issue_o[p]), .control_i(control), .all_has_a_i(has_a), .all_a_i(a),
      .all_has_b_i(has_b), .all_b_i(b), .all_reads_parent_i(reads_parent), .all_parent_i(parent),
      .body_o(body_by_pipe[p*Pipes +: Pipes]), .parent_o(parent_by_pipe[p*Pipes +: Pipes]),
      .impulse_o(held_impulse[p]), .lanes_o(lanes[p]),
      .velocity_a_i(velocity[2*p*VelocityWidth +: VelocityWidth]),
      .velocity_b_i(velocity[(2*p+1)*VelocityWidth +: VelocityWidth]),
      .impulse_i(impulse[32*p +: 32]), .lead_i(lead[32*p +: 32]),
      .parent_impulse_i(parent_impulse[32*p +: 32]),
      .leave_o(retire_o[p]), .leave_slot_o(leave_slot[p*SlotWidth +: SlotWidth]),
      .leave_a_o(leave_a[p*BodyWidth +: BodyWidth]), .leave_b_o(leave_b[p*BodyWidth +: BodyWidth]),
      .leave_twice_o(leave_twice[p]), .mark_a_o(mark[2*p]), .mark_b_o(mark[2*p+1]),
      .write_a_o(write_a_o[p]), .write_b_o(write_b_o[p]), .write_x_o(write_x_o[p]),
      .write_y_o(write_y_o[p]), .impulse_x_o(leave_impulse[32*p +: 32]),
      .lead_y_o(leave_lead[32*p +: 32]),
      .velocity_o(leave_velocity[2*p*VelocityWidth +: 2*VelocityWidth]), .skipped_o(skipped_o[p]),
      .fault_o(fault[p]), .fault_detail_o(fault_detail[4*p +: 4]), .mark_threshold_i,
      .lead_factor_i, .is_ahead_i, .clear_max_residual_i, .max_residual_o(max_residual[32*p +: 32]),
      .compliant_o(compliant_o[p]), .busy_o(busy[p]), .dividing_o(dividing[p]), .empty_o(empty[p]));

    assign mark_body[2*p*BodyWidth +: 2*BodyWidth] =
      {leave_b[p*BodyWidth +: BodyWidth], leave_a[p*BodyWidth +: BodyWidth]};
  end

  always_comb begin
    held_body = '0;
    held_parent = held_impulse;
    for (int p = 0; p < Pipes; p++) begin
      held_body = held_body | body_by_pipe[p*Pipes +: Pipes];
      held_parent = held_parent | parent_by_pipe[p*Pipes +: Pipes];
    end
  end

  // Bits of non-negative numbers are in the order of the numbers.
  always_comb begin
    max_residual_o = '0;
    for (int p = 0; p < Pipes; p++)
      if (max_residual[32*p +: 32] > max_residual_o) max_residual_o = max_residual[32*p +: 32];
  end

  assign flying_o = busy != '0;
  assign dividing_o = dividing != '0;
  assign empty_o = empty == '1;

  // ---------------------------------------------------------------------------------------------
  // Impulses and velocities.
  // ---------------------------------------------------------------------------------------------
  ppu_working_set #(
    .Pipes(Pipes), .MulStages(MulStages), .AddStages(AddStages), .VelocityBanks(VelocityBanks),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies)
  ) u_set (
    .clk_i, .rst_ni, .load_impulses_i, .load_velocities_i, .load_index_i, .load_data_i(data_i),
    .read_impulses_i, .read_velocities_i, .read_index_i, .impulses_o, .velocities_o,
    .run_i, .ahead_i, .settle_i, .lead_factor_i, .body_count_i, .moving_o, .moving_read_o,
    .moving_write_o, .issue_i(issue_o), .read_b_i(read_b), .twice_i(twice), .slot_i(slot),
    .has_a_i(has_a), .a_i(a), .has_b_i(has_b), .b_i(b), .reads_parent_i(reads_parent),
    .parent_i(parent), .velocity_o(velocity), .impulse_o(impulse), .lead_o(lead),
    .parent_impulse_o(parent_impulse),
    .write_a_i(write_a_o), .write_b_i(write_b_o), .write_twice_i(leave_twice),
    .write_body_a_i(leave_a), .write_body_b_i(leave_b), .write_velocity_i(leave_velocity),
    .write_x_i(write_x_o), .write_slot_i(leave_slot), .write_impulse_i(leave_impulse),
    .write_lead_i(leave_lead));

  // ---------------------------------------------------------------------------------------------
  // The row that ends the run, the lowest slot of several.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0] leaves_faulty;

  assign leaves_faulty = retire_o & fault;
  assign fault_o = leaves_faulty != '0;
  assign bad_next_o = bad_next != '0 && !flying_o && !dividing_o;

  ppu_row_end #(.Pipes(Pipes)) u_end (
    .fault_i(leaves_faulty), .fault_slot_i(retire_slot_o), .fault_detail_i(fault_detail),
    .next_i(bad_next), .next_slot_i(issue_slot_o), .next_detail_i(head_fault),
    .loaded_slot_i(32'(bad_slot)), .loaded_detail_i(bad_detail), .slot_o(fault_slot_o),
    .detail_o(fault_detail_o));

endmodule
