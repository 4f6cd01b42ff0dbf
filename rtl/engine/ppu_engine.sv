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
  input  logic                clk_i,
  input  logic                rst_ni,

  // Instruction memory; the engine is idle.
  input  logic                imem_write_i,
  input  logic [15:0]         imem_line_i,  ///< Word address / 16.
  input  logic [511:0]        imem_data_i,

  // Runs.
  input  logic                start_i,          ///< A run begins; the engine is idle.
  input  logic [511:0]        start_command_i,  ///< A run command that has been checked.
  input  logic [31:0]         start_number_i,   ///< Its number.
  output logic                idle_o,
  input  logic                cancel_i,         ///< End the run under way or begun.
  input  logic [63:0]         device_cycle_i,
  output logic                done_o,           ///< The report is complete.
  input  logic                release_i,        ///< It was taken: idle in the next cycle.
  output logic [3:0]          status_o,         ///< ppu_spec_pkg::Run*.
  input  logic [3:0]          report_beat_i,
  output logic [511:0]        report_data_o,    ///< Combinational; 0 behind the end.

  // Device memory.
  output logic                mem_req_valid_o,
  input  logic                mem_req_ready_i,
  output logic                mem_req_write_o,
  output logic [25:0]         mem_req_beat_o,  ///< Byte address / 64.
  output logic [511:0]        mem_req_data_o,
  output logic [63:0]         mem_req_strobe_o,
  input  logic                mem_rsp_valid_i,
  input  logic [511:0]        mem_rsp_data_i,

  output logic                progress_valid_o,  ///< In the cycle of `signal`.
  output logic [31:0]         progress_o,

  // What happens in this cycle.
  output logic [2:0]          trace_phase_o,  ///< ppu_spec_pkg::Phase*.
  output logic [Pipes-1:0]    trace_issue_o,
  output logic [32*Pipes-1:0] trace_issue_slot_o,
  output logic [Pipes-1:0]    trace_retire_o,
  output logic [32*Pipes-1:0] trace_retire_slot_o
);

  localparam int unsigned CountWidth = $clog2(ImpulseMemoryRows) + 1;

  ppu_shape_check #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_shape ();

  if (ppu_engine_pkg::ControlWidth != ppu_spec_pkg::ControlWidth) begin : gen_bad_widths
    $error("ppu_engine_pkg: its widths are not those of ppu_spec_pkg");
  end

  // ---------------------------------------------------------------------------------------------
  // The command.
  // ---------------------------------------------------------------------------------------------
  logic [511:0] command, command_q;
  logic [31:0]  number_q, row_count, body_count;
  logic         streamed, reduced, unused_command;

  // In the cycle of the start it is not in the register yet.
  assign command = start_i ? start_command_i : command_q;
  assign row_count = command[ppu_spec_pkg::CmdRowCountLsb +: 32];
  assign body_count = command[ppu_spec_pkg::CmdBodyCountLsb +: 32];
  assign streamed = row_count > RowMemoryRows ||
                    command[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagStream];
  assign reduced = command[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagReduced];
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
  logic        load, run, store;
  logic        begun_q, first_q;  // the cycle before was that of the start, or of a load
  logic        waits_q;           // a request that was not accepted in the cycle before
  logic        transfer_done, halt, illegal, fault, bad_resident, bad_next;
  logic        flying, dividing, empty, abort_busy;
  logic [3:0]  status_next;
  logic [31:0] outstanding_q;

  assign load = trace_phase_o == ppu_spec_pkg::PhaseLoad;
  assign run = trace_phase_o == ppu_spec_pkg::PhaseRun;
  assign store = trace_phase_o == ppu_spec_pkg::PhaseStore;
  assign idle_o = trace_phase_o == ppu_spec_pkg::PhaseIdle;
  assign done_o = trace_phase_o == ppu_spec_pkg::PhaseDone;
  assign abort_busy = flying || dividing || !empty || outstanding_q != '0 || waits_q;

  ppu_engine_phase u_phase (
    .clk_i, .rst_ni, .start_i, .transfer_done_i(transfer_done), .halt_i(halt), .cancel_i,
    .bad_resident_i(bad_resident), .fault_i(fault), .bad_next_i(bad_next), .illegal_i(illegal),
    .busy_i(abort_busy), .release_i, .phase_o(trace_phase_o), .status_o,
    .status_next_o(status_next));

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

  logic        request, write_impulses, read_impulses, read_velocities;
  logic        load_begin, load_rows, load_impulses, load_velocities, accept;
  logic [25:0] request_beat, load_index, read_index, rows_beat, row_beats;
  logic [511:0] impulses, velocities;

  assign rows_beat = command[ppu_spec_pkg::CmdRowsAddressLsb+BeatLsb +: 26];
  assign load_begin = begun_q && !streamed && row_count != '0;
  assign row_beats = reduced ? 26'(ppu_engine_pkg::reduced_beats(row_count))
                             : 26'(row_count * ppu_spec_pkg::RowBytes / ppu_spec_pkg::BeatBytes);
  assign accept = mem_req_valid_o && mem_req_ready_i;

  ppu_engine_transfer u_transfer (
    .clk_i, .rst_ni, .set_i(start_i || halt),
    .rows_i(start_i && !streamed ? row_beats : '0),
    .impulses_i(26'((row_count + 15) / 16)), .velocities_i(26'((body_count + 1) / 2)),
    .load_i(load), .store_i(store), .rows_beat_i(rows_beat),
    .impulses_beat_i(command[ppu_spec_pkg::CmdImpulsesAddressLsb+BeatLsb +: 26]),
    .velocities_beat_i(command[ppu_spec_pkg::CmdVelocitiesAddressLsb+BeatLsb +: 26]),
    .row_count_i(row_count), .body_count_i(body_count), .request_o(request),
    .beat_o(request_beat), .strobe_o(mem_req_strobe_o),
    .write_impulses_o(write_impulses), .accept_i(accept && !run), .read_impulses_o(read_impulses),
    .read_velocities_o(read_velocities), .read_index_o(read_index),
    .response_i(mem_rsp_valid_i), .loaded_row_o(load_rows), .loaded_impulses_o(load_impulses),
    .loaded_velocities_o(load_velocities), .loaded_index_o(load_index), .done_o(transfer_done));

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
      mem_req_beat_o = rows_beat + stream_beat;
    end else if (!load && !store) begin
      mem_req_valid_o = waits_q;
      mem_req_beat_o = beat_q;
    end
  end

  always_ff @(posedge clk_i) beat_q <= mem_req_beat_o;


  assign mem_req_write_o = store;
  assign mem_req_data_o = write_impulses ? impulses : velocities;
  assign stream_response = mem_rsp_valid_i && streamed && rows_enable;

  // What a read would write does not matter.
  ppu_request_check #(.Width(1 + 26 + 512 + 64)) u_request_check (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_o), .ready_i(mem_req_ready_i),
    .request_i({mem_req_write_o, mem_req_beat_o,
                mem_req_write_o ? {mem_req_data_o, mem_req_strobe_o} : '0}));

  // ---------------------------------------------------------------------------------------------
  // Sequencer.
  // ---------------------------------------------------------------------------------------------
  logic                   instruction, kernel_word, rows, pass, rdmax, drain, room, pending, two;
  logic                   budget, setmark, tagall, tagnext, ahead, settle, is_ahead, moving;
  logic                   rows_idle;
  logic [1:0]             moving_read, moving_write;
  logic [CountWidth-1:0]  pass_first, pass_count;
  ppu_engine_pkg::kernel_t kernel;
  logic [31:0]            max_residual, operand, progress_q, last_residual_q, mark_threshold_q;
  logic [31:0]            lead_factor;
  logic [15:0]            address;

  ppu_sequencer #(
    .InstructionMemoryWords(InstructionMemoryWords), .CountWidth(CountWidth)
  ) u_sequencer (
    .clk_i, .rst_ni, .imem_write_i, .imem_line_i, .imem_data_i, .start_i,
    .arguments_i(command[ppu_spec_pkg::CmdArgumentsLsb +: ppu_spec_pkg::CmdArgumentsWidth]),
    .entry_i(command[ppu_spec_pkg::CmdEntryLsb +: 32]),
    .program_words_i(command[ppu_spec_pkg::CmdProgramWordsLsb +: 16]), .row_count_i(row_count),
    .reduced_i(reduced), .enable_i(run && !moving), .rows_room_i(room), .rows_idle_i(rows_idle),
    .max_residual_i(max_residual), .passes_cut_i(counters.passes_cut[31:0]),
    .instruction_o(instruction), .kernel_word_o(kernel_word), .rows_o(rows), .pass_o(pass),
    .pass_first_o(pass_first), .pass_count_o(pass_count), .rdmax_o(rdmax),
    .signal_o(progress_valid_o), .budget_o(budget), .setmark_o(setmark), .tagall_o(tagall),
    .tagnext_o(tagnext), .ahead_o(ahead), .settle_o(settle), .halt_o(halt), .illegal_o(illegal),
    .drain_o(drain), .operand_o(operand), .address_o(address), .kernel_o(kernel),
    .lead_factor_o(lead_factor), .is_ahead_o(is_ahead));

  assign progress_o = operand;
  assign rows_idle = !pending && !flying && !dividing && outstanding_q == '0 && !waits_q;

  always_ff @(posedge clk_i) begin
    if (start_i) progress_q <= '0;
    else if (progress_valid_o) progress_q <= operand;
    if (start_i) last_residual_q <= '0;
    else if (rdmax) last_residual_q <= max_residual;
    if (start_i) mark_threshold_q <= '0;
    else if (setmark) mark_threshold_q <= operand;
  end

  // ---------------------------------------------------------------------------------------------
  // Budget.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::counters_t counters;
  logic [1:0]              cut;

  ppu_budget u_budget (
    .clk_i, .rst_ni, .clear_i(start_i), .set_i(budget), .limit_i(operand),
    .cycles_i(counters.cycles), .pending_i(pending), .two_i(two),
    .pass_i(pass), .late_o(late), .cut_o(cut));

  // ---------------------------------------------------------------------------------------------
  // Rows.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]       has_a, has_b, has_parent, reads_parent, compliant, skipped, pass_over;
  logic [CountWidth-1:0]  passed;
  logic [Pipes-1:0]       write_a, write_b, write_x, write_y;
  ppu_engine_pkg::kernel_t issue_kernel;
  logic [31:0]            fault_slot, bad_value;
  logic [3:0]             fault_detail;
  logic                   conflict;
  ppu_engine_pkg::wait_t  wait_for;

  ppu_engine_rows #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow)
  ) u_rows (
    .clk_i, .rst_ni, .clear_i(start_i), .late_i(late), .enable_i(rows_enable),
    .streamed_i(streamed), .reduced_i(reduced), .row_count_i(row_count), .body_count_i(body_count),
    .load_begin_i(load_begin), .load_rows_i(load_rows), .load_impulses_i(load_impulses),
    .load_velocities_i(load_velocities), .load_index_i(load_index), .data_i(mem_rsp_data_i),
    .read_impulses_i(read_impulses), .read_velocities_i(read_velocities), .read_index_i(read_index),
    .impulses_o(impulses), .velocities_o(velocities), .run_i(run), .ahead_i(ahead),
    .settle_i(settle), .lead_factor_i(lead_factor), .is_ahead_i(is_ahead), .moving_o(moving),
    .moving_read_o(moving_read), .moving_write_o(moving_write), .pass_i(pass && !late),
    .pass_first_i(pass_first), .pass_count_i(pass_count), .pass_kernel_i(kernel), .room_o(room),
    .pending_o(pending), .two_o(two), .flying_o(flying), .dividing_o(dividing), .empty_o(empty),
    .request_o(stream_request), .request_beat_o(stream_beat), .accept_i(accept && rows_enable),
    .response_i(stream_response), .mark_threshold_i(mark_threshold_q), .tagall_i(tagall),
    .tagnext_i(tagnext), .clear_max_residual_i(start_i || rdmax), .max_residual_o(max_residual),
    .fault_o(fault), .bad_resident_o(bad_resident), .bad_next_o(bad_next),
    .fault_slot_o(fault_slot), .fault_detail_o(fault_detail), .bad_value_o(bad_value),
    .pass_over_o(pass_over), .passed_o(passed), .issue_o(trace_issue_o),
    .issue_slot_o(trace_issue_slot_o), .issue_has_a_o(has_a), .issue_has_b_o(has_b),
    .issue_has_parent_o(has_parent), .issue_reads_parent_o(reads_parent),
    .issue_kernel_o(issue_kernel), .compliant_o(compliant), .retire_o(trace_retire_o),
    .retire_slot_o(trace_retire_slot_o), .skipped_o(skipped), .write_a_o(write_a),
    .write_b_o(write_b), .write_x_o(write_x), .write_y_o(write_y), .wait_o(wait_for),
    .conflict_o(conflict));

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
        fault_row_q <= fault_slot;
        fault_detail_q <= 32'(fault_detail);
      end
      if (status_next == ppu_spec_pkg::RunBadRow) fault_value_q <= bad_value;
      if (status_next == ppu_spec_pkg::RunIllegalInstruction) fault_detail_q <= 32'(address);
    end
  end

  ppu_engine_counters #(.Pipes(Pipes)) u_counters (
    .clk_i, .rst_ni, .clear_i(start_i), .device_cycle_i, .load_i(load), .run_i(run),
    .store_i(store), .first_i(first_q && run), .instruction_i(instruction),
    .kernel_word_i(kernel_word), .rows_i(rows), .drain_i(drain), .late_i(late), .cut_i(cut),
    .pending_i(pending), .pass_over_i(pass_over), .passed_i(32'(passed)), .issue_i(trace_issue_o),
    .issue_has_a_i(has_a), .issue_has_b_i(has_b), .issue_has_parent_i(has_parent),
    .issue_reads_parent_i(reads_parent), .issue_kernel_i(issue_kernel), .compliant_i(compliant),
    .retire_i(trace_retire_o), .skipped_i(skipped), .write_a_i(write_a), .write_b_i(write_b),
    .write_x_i(write_x), .write_y_i(write_y), .moving_read_i(moving_read),
    .moving_write_i(moving_write), .wait_i(wait_for), .conflict_i(conflict),
    .read_beat_i(accept && !store), .write_beat_i(accept && store), .counters_o(counters));

  ppu_engine_report u_report (
    .beat_i(report_beat_i), .status_i(status_o), .fault_row_i(fault_row_q),
    .fault_detail_i(fault_detail_q), .fault_value_i(fault_value_q), .progress_i(progress_q),
    .last_residual_i(last_residual_q), .command_i(number_q), .engine_i(Index),
    .counters_i(counters), .data_o(report_data_o));

  `PPU_ASSERT(RunsStartOnlyWhenIdle, !start_i || idle_o)
  `PPU_ASSERT(NoResponseWithoutARequest, !mem_rsp_valid_i || outstanding_q != '0)
  `PPU_ASSERT(ProgramsAreLoadedOnlyWhenIdle, !imem_write_i || idle_o)

endmodule
