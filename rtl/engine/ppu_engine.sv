// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine: runs one program on the rows of one command, as docs/device.md says. Rows, impulses
// and velocities are loaded from device memory, the sequencer executes the program, impulses and
// velocities are stored; then the report waits until somebody has taken it.

`include "ppu_assert.svh"

module ppu_engine #(
  /// Number of the engine in the device.
  parameter int unsigned Index = 0,
  /// See ppu_shape_check.
  parameter int unsigned Pipes = ppu_spec_pkg::DefaultPipes,
  parameter int unsigned Lanes = ppu_spec_pkg::DefaultLanes,
  parameter int unsigned MulStages = ppu_spec_pkg::DefaultFpMulStages,
  parameter int unsigned AddStages = ppu_spec_pkg::DefaultFpAddStages,
  parameter int unsigned DivStages = ppu_spec_pkg::DefaultFpDivStages,
  parameter int unsigned VelocityBanks = ppu_spec_pkg::DefaultVelocityBanks,
  parameter int unsigned RowMemoryRows = ppu_spec_pkg::DefaultRowMemoryRows,
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  parameter int unsigned FilterWindow = ppu_spec_pkg::DefaultFilterWindow,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords
) (
  input  logic         clk_i,   ///< Clock; its rising edge counts.
  input  logic         rst_ni,  ///< Low: idle.

  // Instruction memory; the engine is idle.
  input  logic         imem_write_i,  ///< A line of the program.
  input  logic [15:0]  imem_line_i,   ///< Word address / 16.
  input  logic [511:0] imem_data_i,   ///< 16 words, the first in the low bits.

  // Runs.
  input  logic         start_i,          ///< A run begins; the engine is idle.
  input  logic [511:0] start_command_i,  ///< A run command that has been checked.
  input  logic [31:0]  start_number_i,   ///< Its number.
  output logic         idle_o,           ///< No run, and no report that waits.
  input  logic         cancel_i,         ///< End the run under way or begun.
  input  logic [63:0]  device_cycle_i,   ///< Cycle of the device.
  output logic         done_o,           ///< The report is complete.
  input  logic         release_i,        ///< It was taken: idle in the next cycle.
  output logic [3:0]   status_o,         ///< ppu_spec_pkg::Run*.
  input  logic [3:0]   report_beat_i,    ///< Beat of the report, 0: the header.
  output logic [511:0] report_data_o,    ///< Combinational; 0 behind the end.

  // Device memory.
  output logic         mem_req_valid_o,   ///< A request; it stays until it is accepted.
  input  logic         mem_req_ready_i,   ///< The request is accepted.
  output logic         mem_req_write_o,   ///< It is a write.
  output logic [25:0]  mem_req_beat_o,    ///< Byte address / 64.
  output logic [511:0] mem_req_data_o,    ///< What is written.
  output logic [63:0]  mem_req_strobe_o,  ///< Bytes that are written.
  input  logic         mem_rsp_valid_i,   ///< The response to the oldest request.
  input  logic [511:0] mem_rsp_data_i,    ///< What was read.

  output logic         progress_valid_o,  ///< In the cycle of `signal`.
  output logic [31:0]  progress_o         ///< What it says.
);

  ppu_shape_check #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_shape ();

  if (ppu_engine_pkg::ControlWidth != ppu_spec_pkg::ControlWidth ||
      ppu_engine_pkg::SlotWidth != ppu_spec_pkg::SlotWidth ||
      ppu_engine_pkg::CountWidth != ppu_spec_pkg::CountWidth ||
      ppu_engine_pkg::BodyWidth != ppu_spec_pkg::BodyWidth) begin : gen_bad_widths
    $error("ppu_engine_pkg: its widths are not those of ppu_spec_pkg");
  end

  // ---------------------------------------------------------------------------------------------
  // The command.
  // ---------------------------------------------------------------------------------------------
  logic [511:0]         command, command_q;
  logic [31:0]          number_q;
  logic                 unused_command;
  ppu_engine_pkg::run_t this_run;

  // In the cycle of the start it is not in the register yet.
  assign command = start_i ? start_command_i : command_q;
  assign this_run.row_count = command[ppu_spec_pkg::CmdRowCountLsb +: 32];
  assign this_run.body_count = command[ppu_spec_pkg::CmdBodyCountLsb +: 32];
  assign this_run.streamed = command[ppu_spec_pkg::CmdRowCountLsb +: 32] > RowMemoryRows ||
                             command[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagStream];
  assign this_run.reduced = command[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagReduced];
  assign unused_command = ^command;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      command_q <= start_command_i;
      number_q <= start_number_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Phases.
  // ---------------------------------------------------------------------------------------------
  logic [2:0]  phase;             // ppu_spec_pkg::Phase*
  logic        load, run, store;
  logic        begun_q, first_q;  // the cycle before was that of the start, or of a load
  logic        waits_q;           // a request that was not accepted in the cycle before
  logic        transfer_done, abort_busy;
  logic [3:0]  status_next;
  logic [31:0] outstanding_q;

  ppu_engine_pkg::execution_t   execution;
  ppu_engine_pkg::rows_status_t rows_status;
  ppu_engine_pkg::row_end_t     row_end;

  assign load = phase == ppu_spec_pkg::PhaseLoad;
  assign run = phase == ppu_spec_pkg::PhaseRun;
  assign store = phase == ppu_spec_pkg::PhaseStore;
  assign idle_o = phase == ppu_spec_pkg::PhaseIdle;
  assign done_o = phase == ppu_spec_pkg::PhaseDone;
  assign abort_busy = rows_status.flying || rows_status.dividing || !rows_status.empty ||
                      outstanding_q != '0 || waits_q;

  ppu_engine_phase u_phase (
    .clk_i, .rst_ni, .start_i, .transfer_done_i(transfer_done), .halt_i(execution.halt), .cancel_i,
    .bad_resident_i(row_end.bad_resident), .fault_i(row_end.fault),
    .bad_next_i(row_end.bad_next), .illegal_i(execution.illegal), .busy_i(abort_busy),
    .release_i, .phase_o(phase), .status_o, .status_next_o(status_next));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      first_q <= 1'b0;
      outstanding_q <= '0;
      waits_q <= 1'b0;
    end else begin
      begun_q <= start_i;
      first_q <= load;
      outstanding_q <=
        outstanding_q + 32'(mem_req_valid_o && mem_req_ready_i) - 32'(mem_rsp_valid_i);
      waits_q <= mem_req_valid_o && !mem_req_ready_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Load and store.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned BeatLsb = $clog2(ppu_spec_pkg::BeatBytes);

  logic                   request, write_impulses, load_begin, accept;
  logic [25:0]            request_beat;
  logic [511:0]           impulses, velocities;
  ppu_engine_pkg::beats_t beats, first_beats;
  ppu_engine_pkg::beat_t  load_beat, store_beat;

  assign first_beats.rows = command[ppu_spec_pkg::CmdRowsAddressLsb+BeatLsb +: 26];
  assign first_beats.impulses = command[ppu_spec_pkg::CmdImpulsesAddressLsb+BeatLsb +: 26];
  assign first_beats.velocities = command[ppu_spec_pkg::CmdVelocitiesAddressLsb+BeatLsb +: 26];
  assign load_begin = begun_q && !this_run.streamed && this_run.row_count != '0;
  assign accept = mem_req_valid_o && mem_req_ready_i;

  // A load has rows, if they are not streamed; a store has none.
  always_comb begin
    beats.velocities = 26'((this_run.body_count + 1) / 2);
    beats.impulses = 26'((this_run.row_count + 15) / 16);
    beats.rows = '0;
    if (start_i && !this_run.streamed)
      beats.rows = this_run.reduced
        ? 26'(ppu_engine_pkg::reduced_beats(this_run.row_count))
        : 26'(this_run.row_count * ppu_spec_pkg::RowBytes / ppu_spec_pkg::BeatBytes);
  end

  ppu_engine_transfer u_transfer (
    .clk_i, .rst_ni, .set_i(start_i || execution.halt), .beats_i(beats), .load_i(load),
    .store_i(store), .first_i(first_beats), .run_i(this_run), .request_o(request),
    .beat_o(request_beat), .strobe_o(mem_req_strobe_o), .write_impulses_o(write_impulses),
    .accept_i(accept && (load || store)), .read_o(store_beat), .response_i(mem_rsp_valid_i),
    .loaded_o(load_beat), .done_o(transfer_done));

  // ---------------------------------------------------------------------------------------------
  // Device memory.
  // ---------------------------------------------------------------------------------------------
  logic        stream_request, stream_response, late, rows_enable;
  logic [25:0] stream_beat, beat_q;

  assign rows_enable = run && !late;

  // A read that waits when the run becomes late or is aborted stays until it is accepted.
  always_comb begin
    mem_req_valid_o = (load || store) && request;
    mem_req_beat_o = request_beat;
    if (rows_enable) begin
      mem_req_valid_o = stream_request;
      mem_req_beat_o = first_beats.rows + stream_beat;
    end else if (!load && !store) begin
      mem_req_valid_o = waits_q;
      mem_req_beat_o = beat_q;
    end
  end

  always_ff @(posedge clk_i) beat_q <= mem_req_beat_o;

  assign mem_req_write_o = store;
  assign mem_req_data_o = write_impulses ? impulses : velocities;
  assign stream_response = mem_rsp_valid_i && this_run.streamed && rows_enable;

  // What a read would write does not matter.
  ppu_request_check #(.Width(1 + 26 + 512 + 64)) u_request_check (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_o), .ready_i(mem_req_ready_i),
    .request_i({mem_req_write_o, mem_req_beat_o,
                mem_req_write_o ? {mem_req_data_o, mem_req_strobe_o} : '0}));

  // ---------------------------------------------------------------------------------------------
  // Sequencer.
  // ---------------------------------------------------------------------------------------------
  logic        rows_idle;
  logic [31:0] max_residual, operand, progress_q, last_residual_q, mark_threshold_q, lead_factor;
  logic [15:0] address;
  logic        is_ahead;

  ppu_engine_pkg::pass_t     pass;
  ppu_engine_pkg::kernel_t   kernel;
  ppu_engine_pkg::moving_t   moving;
  ppu_engine_pkg::settings_t settings;
  ppu_spec_pkg::counters_t   counters;

  ppu_sequencer #(.InstructionMemoryWords(InstructionMemoryWords)) u_sequencer (
    .clk_i, .rst_ni, .imem_write_i, .imem_line_i, .imem_data_i, .start_i,
    .arguments_i(command[ppu_spec_pkg::CmdArgumentsLsb +: ppu_spec_pkg::CmdArgumentsWidth]),
    .entry_i(command[ppu_spec_pkg::CmdEntryLsb +: 32]),
    .program_words_i(command[ppu_spec_pkg::CmdProgramWordsLsb +: 16]), .run_i(this_run),
    .enable_i(run && !moving.busy), .rows_room_i(rows_status.room), .rows_idle_i(rows_idle),
    .max_residual_i(max_residual), .passes_cut_i(counters.passes_cut[31:0]),
    .execution_o(execution), .pass_o(pass), .operand_o(operand), .address_o(address),
    .kernel_o(kernel), .lead_factor_o(lead_factor), .is_ahead_o(is_ahead));

  assign progress_valid_o = execution.signal;
  assign progress_o = operand;
  assign rows_idle = !rows_status.pending && !rows_status.flying && !rows_status.dividing &&
                     outstanding_q == '0 && !waits_q;
  assign settings.is_ahead = is_ahead;
  assign settings.lead_factor = lead_factor;
  assign settings.mark_threshold = mark_threshold_q;

  always_ff @(posedge clk_i) begin
    if (start_i) progress_q <= '0;
    else if (execution.signal) progress_q <= operand;
    if (start_i) last_residual_q <= '0;
    else if (execution.rdmax) last_residual_q <= max_residual;
    if (start_i) mark_threshold_q <= '0;
    else if (execution.setmark) mark_threshold_q <= operand;
  end

  // ---------------------------------------------------------------------------------------------
  // Budget.
  // ---------------------------------------------------------------------------------------------
  logic [1:0] cut;

  ppu_budget u_budget (
    .clk_i, .rst_ni, .clear_i(start_i), .set_i(execution.budget), .limit_i(operand),
    .cycles_i(counters.cycles), .pending_i(rows_status.pending), .two_i(rows_status.two),
    .pass_i(execution.pass), .late_o(late), .cut_o(cut));

  // ---------------------------------------------------------------------------------------------
  // Rows.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::activity_t activity;

  ppu_engine_rows #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow)
  ) u_rows (
    .clk_i, .rst_ni, .clear_i(start_i), .late_i(late), .enable_i(rows_enable), .active_i(run),
    .run_i(this_run), .load_begin_i(load_begin), .load_i(load_beat), .data_i(mem_rsp_data_i),
    .store_i(store_beat), .impulses_o(impulses), .velocities_o(velocities),
    .execution_i(execution), .pass_i(pass), .pass_kernel_i(kernel), .settings_i(settings),
    .max_residual_o(max_residual), .status_o(rows_status), .moving_o(moving),
    .request_valid_o(stream_request), .request_beat_o(stream_beat),
    .accept_i(accept && rows_enable), .response_i(stream_response), .end_o(row_end),
    .activity_o(activity));

  // ---------------------------------------------------------------------------------------------
  // Report.
  // ---------------------------------------------------------------------------------------------
  logic [31:0] fault_row_q, fault_detail_q, fault_value_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      fault_row_q <= ppu_spec_pkg::RowNone;
      fault_detail_q <= '0;
      fault_value_q <= '0;
    end else if (load || run) begin
      if (status_next == ppu_spec_pkg::RunRowFault || status_next == ppu_spec_pkg::RunBadRow) begin
        fault_row_q <= row_end.slot;
        fault_detail_q <= 32'(row_end.detail);
      end
      if (status_next == ppu_spec_pkg::RunBadRow) fault_value_q <= row_end.value;
      if (status_next == ppu_spec_pkg::RunIllegalInstruction) fault_detail_q <= 32'(address);
    end
  end

  ppu_engine_counters u_counters (
    .clk_i, .rst_ni, .clear_i(start_i), .device_cycle_i, .phase_i(phase), .first_i(first_q && run),
    .execution_i(execution), .late_i(late), .cut_i(cut), .pending_i(rows_status.pending),
    .activity_i(activity), .moving_i(moving), .read_beat_i(accept && !store),
    .write_beat_i(accept && store), .counters_o(counters));

  ppu_engine_report u_report (
    .beat_i(report_beat_i), .status_i(status_o), .fault_row_i(fault_row_q),
    .fault_detail_i(fault_detail_q), .fault_value_i(fault_value_q), .progress_i(progress_q),
    .last_residual_i(last_residual_q), .command_i(number_q), .engine_i(Index),
    .counters_i(counters), .data_o(report_data_o));

  `PPU_ASSERT(NoResponseWithoutARequest, !mem_rsp_valid_i || outstanding_q != '0)
  `PPU_ASSERT(ProgramsAreLoadedOnlyWhenIdle, !imem_write_i || idle_o)

endmodule
