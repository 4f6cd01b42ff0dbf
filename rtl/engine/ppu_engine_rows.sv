// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Everything of an engine that rows go through: their arrival in row memory, the issue stage, the
// row pipes, the memories of impulses and velocities.

`include "ppu_assert.svh"

module ppu_engine_rows #(
  parameter int unsigned Pipes = 1,                  ///< See ppu_shape_check for all of these.
  parameter int unsigned Lanes = 12,
  parameter int unsigned MulStages = 3,
  parameter int unsigned AddStages = 3,
  parameter int unsigned DivStages = 14,
  parameter int unsigned VelocityBanks = 4,
  parameter int unsigned RowMemoryRows = 32768,
  parameter int unsigned ImpulseMemoryRows = 65536,
  parameter int unsigned BodyMemoryBodies = 4096,
  parameter int unsigned FilterWindow = 4,
  parameter int unsigned Dataflow = 0,
  parameter int unsigned ChoiceStages = 0,
  parameter int unsigned MemoryProtection = 0,
  parameter int unsigned MemoryPortBeats = 1
) (
  input  logic                         clk_i,     ///< Clock; its rising edge counts.
  input  logic                         rst_ni,    ///< Low: no rows are here.
  input  ppu_engine_pkg::flip_t        flip_i,    ///< Bits that flip when a word is written.
  input  logic                         clear_i,   ///< A run begins.
  input  logic                         late_i,    ///< The run is late.
  input  logic                         enable_i,  ///< Rows may issue in this cycle.
  input  logic                         active_i,  ///< The program runs.
  input  ppu_engine_pkg::run_t         run_i,     ///< The run; it stays.

  // Transfers: see ppu_working_set and ppu_row_arrival.
  input  logic                         load_begin_i,  ///< All rows will be loaded.
  input  ppu_engine_pkg::beat_t        load_i,        ///< A beat that is loaded.
  input  logic [1023:0]                row_data_i,    ///< The bytes of a beat of rows, loaded or
                                                      ///< streamed, or of both beats of a row.
  input  logic [511:0]                 data_i,        ///< The bytes of a beat of impulses or
                                                      ///< velocities that is loaded.
  input  ppu_engine_pkg::beat_t        store_i,       ///< A beat that is read to be stored.
  output logic [1023:0]                stored_o,      ///< Velocities and impulses that were read,
                                                      ///< each until the next read.

  // The program.
  input  ppu_engine_pkg::execution_t   execution_i,     ///< What executes.
  input  ppu_engine_pkg::pass_t        pass_i,          ///< Rows of a pass.
  input  ppu_engine_pkg::kernel_t      pass_kernel_i,   ///< The kernel of a pass.
  input  ppu_engine_pkg::settings_t    settings_i,      ///< What instructions set.
  input  logic [31:0]                  operand_i,       ///< What `bmax` compares the current
                                                        ///< residual maximum with, binary32.
  output logic [31:0]                  max_residual_o,  ///< The current one, binary32, >= 0.
  output ppu_engine_pkg::rows_status_t status_o,        ///< What is under way.
  output ppu_engine_pkg::moving_t      moving_o,        ///< Velocities that move without rows.

  // Streamed rows.
  output ppu_engine_pkg::row_read_t    read_o,           ///< What is to be read.
  input  logic                         accept_i,         ///< The request is accepted.
  input  logic                         response_i,       ///< The oldest request is answered, by
                                                         ///< row_data_i.

  output ppu_engine_pkg::row_end_t     end_o,      ///< How rows end the run.
  output ppu_engine_pkg::flaw_t        flaw_o,     ///< A word that is used and lost, not by a row
                                                   ///< in its pipe.
  output ppu_engine_pkg::activity_t    activity_o  ///< What rows do in this cycle.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth;
  localparam int unsigned BodiesWidth = ppu_engine_pkg::BodiesWidth;
  localparam int unsigned WriteWidth = ppu_engine_pkg::RowWriteWidth;
  localparam int unsigned PassWidth = ppu_engine_pkg::PassWidth;
  localparam int unsigned StepWidth = ppu_engine_pkg::StepWidth;
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth;
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth;
  localparam int unsigned OperandsWidth = ppu_engine_pkg::OperandsWidth;
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth;
  localparam int unsigned PipeStatusWidth = ppu_engine_pkg::PipeStatusWidth;
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam logic [CountWidth-1:0] PipeMask = CountWidth'(Pipes - 1);

  // ---------------------------------------------------------------------------------------------
  // Passes: that of an instruction, and of a load over all rows.
  // ---------------------------------------------------------------------------------------------
  logic                   pass_valid, walks, filter;  // walks: rows come in slot order
  logic                   unused_pass_control, unused_execution;
  ppu_engine_pkg::pass_t  arrival_pass;
  ppu_spec_pkg::control_t pass_control;

  assign pass_valid = execution_i.pass && !late_i;
  assign walks = pass_valid && passes.opens;
  assign pass_control = pass_kernel_i.control;
  assign filter = pass_control.filter == ppu_spec_pkg::FilterOn;
  assign arrival_pass.maximum = pass_i.maximum;
  assign arrival_pass.first = load_begin_i ? '0 : pass_i.first;
  assign arrival_pass.count = load_begin_i ? CountWidth'(run_i.row_count) : pass_i.count;
  assign unused_pass_control = ^pass_control;
  assign unused_execution = ^execution_i;

  // ---------------------------------------------------------------------------------------------
  // Arrival.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*WriteWidth-1:0] writes;
  logic [Pipes-1:0]            place_free;
  ppu_engine_pkg::bad_row_t    bad;

  // With dataflow issue places of a pipe become free part by part, see ppu_row_station.
  localparam int unsigned Places = RowMemoryRows / Pipes;
  localparam int unsigned Parts = Places % 32 == 0 ? 32 : Places % 16 == 0 ? 16 :
                                  Places % 8 == 0 ? 8 : Places % 4 == 0 ? 4 :
                                  Places % 2 == 0 ? 2 : 1;
  localparam int unsigned Release = Dataflow != 0 ? Places / Parts : 1;

  ppu_row_arrival #(
    .Pipes(Pipes), .Places(Places), .Release(Release), .PortBeats(MemoryPortBeats)
  ) u_arrival (
    .clk_i, .rst_ni, .flip_i, .clear_i, .run_i,
    .pass_valid_i(load_begin_i || (pass_valid && run_i.streamed)), .pass_i(arrival_pass),
    .arrive_i(load_i.rows || response_i), .data_i(row_data_i), .place_free_i(place_free),
    .read_o, .accept_i, .write_o(writes), .bad_o(bad));

  // ---------------------------------------------------------------------------------------------
  // Rows that are live, and the search of filtered passes over resident rows. Rows of a window are
  // in slot order.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned WindowRows = Pipes * FilterWindow;
  localparam int unsigned SearchStages = Dataflow == 0 ? ChoiceStages : 0;

  logic [2*Pipes-1:0]                mark;
  logic [2*Pipes*BodyWidth-1:0]      mark_body;
  logic [WindowRows*BodiesWidth-1:0] window_bodies;
  logic [WindowRows-1:0]             window_live, window_present;
  logic [Pipes-1:0]                  takes;
  logic                              group_gone;
  ppu_engine_pkg::left_out_t         passed;
  ppu_engine_pkg::search_t           search;

  ppu_row_live #(
    .Pipes(Pipes), .Window(FilterWindow), .Bodies(BodyMemoryBodies), .Stages(SearchStages)
  ) u_live (
    .clk_i, .rst_ni, .clear_i, .all_i(execution_i.tagall), .next_i(execution_i.tagnext),
    .mark_i(mark), .mark_body_i(mark_body), .window_i(window_bodies), .present_i(window_present),
    .live_o(window_live), .heads_i(queued), .heads_o(heads));

  ppu_row_scan #(
    .Pipes(Pipes), .Window(FilterWindow), .Stages(SearchStages)
  ) u_scan (
    .clk_i, .rst_ni, .enable_i, .start_i(walks && filter && !run_i.streamed),
    .count_i(pass_i.count), .search_o(search), .present_o(window_present), .live_i(window_live),
    .take_o(takes), .gone_i(group_gone), .passed_o(passed));

  // ---------------------------------------------------------------------------------------------
  // Issue stage.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned Latency =
    ChoiceStages + ppu_spec_pkg::OperandCycles + ppu_spec_pkg::PipeEndMul * MulStages +
    ppu_spec_pkg::PipeEndAdd * AddStages + ppu_spec_pkg::PipeEndCycles + 2 * (12 / Lanes - 1);

  logic [Pipes-1:0]           head_valid, lanes, held_body, held_parent, read_b, bad_next;
  localparam logic Flows = Dataflow != 0;

  logic [Pipes-1:0]           issue, pass_over, go, pop;
  logic [Pipes*HeadWidth-1:0] queued, heads;  // queued: without whether they are live
  logic [Pipes*HeadWidth-1:0] ready_heads;    // that may issue
  logic [Pipes*RowWidth-1:0]  rows, next_rows;  // rows: that may issue
  logic                       conflict, flying, unused_control, unused_held;
  ppu_engine_pkg::passes_t    passes;
  ppu_engine_pkg::kernel_t    kernel, read_kernel;  // of the rows that issue, that are read
  ppu_engine_pkg::wait_t      waits;
  ppu_spec_pkg::control_t     control;
  logic [Pipes-1:0]           flow_free;
  ppu_engine_pkg::arrival_t   arrival;
  ppu_engine_pkg::linking_t   linking;
  ppu_engine_pkg::fed_t       flow_bad_row;
  ppu_engine_pkg::row_ids_t   flow_bad_ids;
  logic [2*Pipes-1:0]         leave_turns;
  logic [Pipes-1:0]           maxima;  // in which the rows that issue count
  ppu_engine_pkg::flaw_t      flow_flaw;
  ppu_engine_pkg::row_write_t one_write;
  ppu_engine_pkg::request_t   request;
  logic                       unused_writes;

  assign unused_writes = ^{one_write, arrival, linking, request, flow_bad_row, flow_bad_ids};
  assign request.drain = execution_i.drain && active_i;
  assign request.valid = pass_valid;
  assign request.kernel = pass_kernel_i;
  assign request.pass = pass_i;
  assign flow_bad_row = linking.row;
  assign flow_bad_ids = flow_bad_row.ids;

  // The record that arrives, of whatever pipe.
  always_comb begin
    one_write = '0;
    arrival = '0;
    arrival.first = load_begin_i;
    for (int p = 0; p < Pipes; p++) begin
      one_write = writes[p*WriteWidth +: WriteWidth];
      if (one_write.second) begin
        arrival.valid = 1'b1;
        arrival.slot = (one_write.place << PipeBits) | SlotWidth'(p);
        arrival.ids = one_write.ids;
      end
    end
  end

  if (Dataflow != 0) begin : gen_dataflow
    ppu_dataflow #(
      .Pipes(Pipes), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
      .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
      .Latency(Latency), .MemoryProtection(MemoryProtection)
    ) u_dataflow (
      .clk_i, .rst_ni, .clear_i, .late_i, .enable_i, .run_i, .flip_i, .flaw_o(flow_flaw),
      .bad_i(bad.found), .arrival_i(arrival), .linking_o(linking), .passed_i(passed),
      .head_valid_i(head_valid), .heads_i(heads), .pop_o(pop), .flying_i(flying),
      .free_o(flow_free), .request_i(request), .passes_o(passes), .kernel_o(kernel),
      .lanes_i(lanes), .issue_o(issue), .maxima_o(maxima), .rows_o(rows),
      .leave_turns_o(leave_turns), .wait_o(waits), .conflict_o(conflict));
    assign pass_over = '0;
    assign read_b = '0;
    assign ready_heads = heads;
    assign next_rows = read_rows;
    assign read_kernel = kernel;  // it stays until then
    assign bad_next = '0;
    assign unused_held = ^{held_body, held_parent};
  end else begin : gen_ordered
    logic [Pipes-1:0] early_b;  // body b is read ChoiceStages cycles later

    ppu_issue #(
      .Pipes(Pipes), .VelocityBanks(VelocityBanks), .ChoiceStages(ChoiceStages)
    ) u_issue (
      .clk_i, .rst_ni, .clear_i, .streamed_i(run_i.streamed), .late_i, .enable_i,
      .pass_valid_i(pass_valid), .pass_i, .pass_kernel_i, .passed_i(passed), .passes_o(passes),
      .kernel_o(kernel), .head_valid_i(head_valid), .heads_i(heads), .next_rows_o(next_rows),
      .body_i(held_body), .parent_i(held_parent), .lanes_i(lanes), .heads_o(ready_heads),
      .rows_o(rows), .issue_o(issue), .pass_over_o(pass_over), .read_b_o(early_b),
      .bad_o(bad_next), .wait_o(waits), .conflict_o(conflict));
    ppu_delay #(.Width(Pipes + ppu_engine_pkg::KernelWidth), .Depth(ChoiceStages)) u_read (
      .clk_i, .data_i({early_b, kernel}), .data_o({read_b, read_kernel}));
    assign flow_flaw = '0;
    assign pop = issue | pass_over;
    assign maxima = {Pipes{passes.maximum}};
    assign linking = '0;
    assign flow_free = '0;
    assign leave_turns = '0;
    assign unused_held = 1'b0;
  end

  // Rows whose operands are read.
  logic [Pipes-1:0]          read, read_over, read_maxima;  // read_over: passed over, not read
  logic [Pipes*RowWidth-1:0] read_rows;
  ppu_spec_pkg::control_t    read_control;

  if (Dataflow == 0 && ChoiceStages != 0 && !(Pipes == 1 && Lanes <= 4)) begin : gen_bad_stages
    $error("ChoiceStages must be 0 where rows of several pipes or 6 lanes issue in slot order");
  end

  ppu_row_read #(.Pipes(Pipes), .ChoiceStages(ChoiceStages)) u_read (
    .clk_i, .rst_ni, .issue_i(issue), .pass_over_i(pass_over), .maxima_i(maxima), .rows_i(rows),
    .read_o(read), .pass_over_o(read_over), .maxima_o(read_maxima), .rows_o(read_rows));

  assign control = kernel.control;
  assign read_control = read_kernel.control;
  assign unused_control = ^{control, read_control};
  assign go = read | read_over;
  assign group_gone =
    pop[Pipes-1] && !run_i.streamed && control.filter == ppu_spec_pkg::FilterOn;

  // ---------------------------------------------------------------------------------------------
  // Pipes.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Pipes-1:0]           body_by_pipe, parent_by_pipe;
  logic [Pipes-1:0]                 held_impulse, leave_valid;
  logic [Pipes*OperandsWidth-1:0]   operands;
  logic [Pipes*LeavingWidth-1:0]    leave;
  logic [Pipes*PipeStatusWidth-1:0] pipe_status;

  // What each pipe gets of a pass, and of a decision to issue.
  logic [Pipes*StepWidth-1:0] steps;
  logic [Pipes*PassWidth-1:0] pipe_passes;
  logic [Pipes-1:0]           pipe_pass_valid;
  logic [CountWidth-1:0]      skip;  // rows of the pass before the first one of a pipe
  ppu_engine_pkg::step_t      step;
  ppu_engine_pkg::pass_t      pipe_pass;

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      skip = (CountWidth'(p) - pass_i.first) & PipeMask;
      pipe_pass.maximum = pass_i.maximum;
      pipe_pass.count = (pass_i.count - skip + PipeMask) >> PipeBits;
      pipe_pass.first = (pass_i.first + skip) >> PipeBits;
      pipe_passes[p*PassWidth +: PassWidth] = pipe_pass;
      pipe_pass_valid[p] = walks && !run_i.streamed && !filter && skip < pass_i.count;
    end
  end

  always_comb begin
    step.control = read_control;
    for (int p = 0; p < Pipes; p++) begin
      step.pop = pop[p];
      step.issue = issue[p];
      step.go = go[p];
      step.read = read[p];
      step.maximum = read_maxima[p];
      steps[p*StepWidth +: StepWidth] = step;
    end
  end

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [FilterWindow*BodiesWidth-1:0] pipe_window_bodies;

    for (genvar i = 0; i < FilterWindow; i++) begin : gen_window
      assign window_bodies[(i*Pipes+p)*BodiesWidth +: BodiesWidth] =
        pipe_window_bodies[i*BodiesWidth +: BodiesWidth];
    end

    ppu_engine_pipe #(
      .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
      .DivStages(DivStages), .ChoiceStages(ChoiceStages), .Latency(Latency),
      .FilterWindow(FilterWindow),
      .Places(RowMemoryRows / Pipes), .SlotBits($clog2(ImpulseMemoryRows)),
      .BodyBits($clog2(BodyMemoryBodies)), .MemoryProtection(MemoryProtection),
      .SearchStages(SearchStages)
    ) u_pipe (
      .clk_i, .rst_ni, .clear_i, .streamed_i(run_i.streamed), .enable_i,
      .write_i(writes[p*WriteWidth +: WriteWidth]), .pass_valid_i(pipe_pass_valid[p]),
      .pass_i(pipe_passes[p*PassWidth +: PassWidth]), .search_i(search),
      .take_i(takes[p]), .window_bodies_o(pipe_window_bodies), .head_valid_o(head_valid[p]),
      .head_o(queued[p*HeadWidth +: HeadWidth]), .row_i(read_rows[p*RowWidth +: RowWidth]),
      .next_i(next_rows[p*RowWidth +: RowWidth]),
      .step_i(steps[p*StepWidth +: StepWidth]), .rows_i(next_rows),
      .body_o(body_by_pipe[p*Pipes +: Pipes]), .parent_o(parent_by_pipe[p*Pipes +: Pipes]),
      .impulse_o(held_impulse[p]), .at_once_i(Flows), .lanes_o(lanes[p]),
      .operands_i(operands[p*OperandsWidth +: OperandsWidth]), .leave_valid_o(leave_valid[p]),
      .leave_o(leave[p*LeavingWidth +: LeavingWidth]), .settings_i,
      .clear_max_residual_i(clear_maxima),
      .status_o(pipe_status[p*PipeStatusWidth +: PipeStatusWidth]));
  end

  // ---------------------------------------------------------------------------------------------
  // Residual maxima.
  // ---------------------------------------------------------------------------------------------
  logic [1:0]          clear_maxima;
  logic [Pipes*32-1:0] residuals;  // the current maximum, by pipe

  ppu_engine_maxima #(.Pipes(Pipes), .UnderWay(Latency + 1 + DivStages)) u_maxima (
    .clk_i, .rst_ni, .clear_i, .maximum_i(settings_i.maximum), .execution_i, .passes_i(passes),
    .issue_i(issue), .maxima_i(maxima), .residuals_i(residuals), .operand_i,
    .clear_o(clear_maxima), .settled_o(status_o.settled), .exceeds_o(status_o.exceeds),
    .max_o(max_residual_o));

  always_comb begin
    held_body = '0;
    held_parent = held_impulse;
    for (int p = 0; p < Pipes; p++) begin
      held_body = held_body | body_by_pipe[p*Pipes +: Pipes];
      held_parent = held_parent | parent_by_pipe[p*Pipes +: Pipes];
    end
  end

  // ---------------------------------------------------------------------------------------------
  // All pipes together.
  // ---------------------------------------------------------------------------------------------
  logic [4:0]                   set_corrected;
  ppu_engine_pkg::flaw_t        set_flaw;
  logic [Pipes-1:0]             fault, compliant, busy, dividing, empty;
  logic [31:0]                  end_slot;
  logic [4:0]                   end_detail;
  logic [31:0]                  end_word;
  logic [Pipes-1:0]             memory_fault;  // the row that leaves has used a word that is lost
  logic [31:0]                  rows_corrected;
  logic                         unused_leaving;
  ppu_engine_pkg::leaving_t     leaving;
  ppu_engine_pkg::pipe_status_t one_status, corrected_status;

  assign unused_leaving = ^{leaving, one_status, corrected_status};

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      leaving = leave[p*LeavingWidth +: LeavingWidth];
      fault[p] = leave_valid[p] && leaving.fault;
      memory_fault[p] = leave_valid[p] && leaving.fault &&
                        leaving.detail >= ppu_spec_pkg::FaultInstructionMemory;
      mark[2*p] = leaving.mark_a;
      mark[2*p+1] = leaving.mark_b;
      mark_body[2*p*BodyWidth +: 2*BodyWidth] = {leaving.body_b, leaving.body_a};
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      one_status = pipe_status[p*PipeStatusWidth +: PipeStatusWidth];
      compliant[p] = one_status.compliant;
      busy[p] = one_status.busy;
      dividing[p] = one_status.dividing;
      empty[p] = one_status.empty;
      place_free[p] = Flows ? flow_free[p] : one_status.place_free;
      residuals[p*32 +: 32] = one_status.max_residual;
    end
  end

  always_comb begin
    rows_corrected = 32'(flow_flaw.corrected) + 32'(set_corrected);
    for (int p = 0; p < Pipes; p++) begin
      corrected_status = pipe_status[p*PipeStatusWidth +: PipeStatusWidth];
      rows_corrected = rows_corrected + 32'(corrected_status.corrected);
    end
  end

  assign status_o.empty = empty == '1;
  assign status_o.dividing = dividing != '0;
  assign flying = busy != '0 || dividing != '0;
  assign status_o.flying = busy != '0;
  assign status_o.joins = passes.joins;
  assign status_o.another = passes.another;
  assign status_o.pending = passes.pending;
  assign status_o.coming = linking.coming;
  assign status_o.linked = !Flows || linking.loaded;
  assign status_o.room = passes.room;

  ppu_row_activity #(.Pipes(Pipes)) u_activity (
    .clk_i, .rst_ni, .kernel_i(read_kernel), .issue_i(issue), .read_i(read),
    .pass_over_i(pass_over), .rows_i(read_rows), .over_i(linking.over), .passed_i(passed),
    .compliant_i(compliant),
    .corrected_i(rows_corrected), .leave_valid_i(leave_valid), .leave_i(leave), .wait_i(waits),
    .conflict_i(conflict), .activity_o);

  // The row that ends the run, the lowest slot of several.
  ppu_row_end #(.Pipes(Pipes)) u_end (
    .fault_i(ordered_fault), .leave_i(leave), .next_i(bad_next), .heads_i(ready_heads),
    .rows_i(rows), .loaded_i(bad), .slot_o(end_slot), .detail_o(end_detail), .word_o(end_word));

  // A row that issued by dataflow and faults ends the run when no other is left, a memory that
  // fails at once.
  logic             flow_found;
  logic [31:0]      flow_slot;
  logic [4:0]       flow_detail;
  logic [Pipes-1:0] ordered_fault;
  logic             flow_ends, of_memory;
  logic [4:0]       detail;
  logic [31:0]      word;

  assign ordered_fault = Flows ? memory_fault : fault;
  assign flow_ends = flow_found && ordered_fault == '0 && !bad.found;

  ppu_flow_fault #(.Pipes(Pipes)) u_flow_fault (
    .clk_i, .rst_ni, .clear_i, .fault_i(Flows ? fault & ~memory_fault : '0), .leave_i(leave),
    .turns_i(leave_turns), .limit_i(passes.turn), .found_o(flow_found), .slot_o(flow_slot),
    .detail_o(flow_detail));

  assign status_o.faulted = flow_found;

  always_comb begin
    detail = end_detail;
    end_o.slot = end_slot;
    word = end_word;
    if (linking.bad) begin
      detail = flow_bad_ids.fault;
      end_o.slot = 32'(flow_bad_row.slot);
      word = 32'(flow_bad_row.slot);
    end
    if (flow_ends) begin
      detail = flow_detail;
      end_o.slot = flow_slot;
    end
    of_memory = detail >= ppu_spec_pkg::FaultInstructionMemory;
    end_o.memory = of_memory;
    end_o.value = of_memory ? word : bad.value;
    end_o.detail = detail;
    end_o.bad_next = (bad_next != '0 && !flying) || linking.bad;
    end_o.bad_resident = bad.found;
    end_o.fault = ordered_fault != '0 ||
                  (flow_found && (!passes.pending || linking.bad) && !flying && !linking.coming);
  end

  // ---------------------------------------------------------------------------------------------
  // Impulses and velocities.
  // ---------------------------------------------------------------------------------------------
  ppu_working_set #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .VelocityBanks(VelocityBanks),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .Twice(Flows), .LoadStages(SearchStages), .MemoryProtection(MemoryProtection)
  ) u_set (
    .clk_i, .rst_ni, .flip_i, .corrected_o(set_corrected), .flaw_o(set_flaw), .load_i,
    .load_data_i(data_i), .store_i, .impulses_o(stored_o[511:0]),
    .velocities_o(stored_o[1023:512]),
    .run_i(active_i), .ahead_i(execution_i.ahead), .settle_i(execution_i.settle),
    .lead_factor_i(settings_i.lead_factor), .body_count_i(run_i.body_count), .moving_o,
    .issue_i(read), .read_b_i(read_b), .at_once_i(Flows), .rows_i(read_rows),
    .operands_o(operands),
    .leave_i(leave));

  assign flaw_o = flow_flaw.found ? flow_flaw : set_flaw;

endmodule
