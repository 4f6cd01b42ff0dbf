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
  parameter int unsigned VelocityBanks = ppu_spec_pkg::DefaultVelocityBanks,
  parameter int unsigned RowMemoryRows = ppu_spec_pkg::DefaultRowMemoryRows,
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
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
  localparam int unsigned KernelWidth =
    ppu_engine_pkg::KernelControlLsb + ppu_spec_pkg::ControlWidth;

  ppu_shape_check #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .InstructionMemoryWords(InstructionMemoryWords)
  ) u_shape ();

  // ---------------------------------------------------------------------------------------------
  // The command.
  // ---------------------------------------------------------------------------------------------
  logic [511:0] command, command_q;
  logic [31:0]  number_q, row_count, body_count;
  logic         streamed, unused_command;

  // In the cycle of the start it is not in the register yet.
  assign command = start_i ? start_command_i : command_q;
  assign row_count = command[ppu_spec_pkg::CmdRowCountLsb +: 32];
  assign body_count = command[ppu_spec_pkg::CmdBodyCountLsb +: 32];
  assign streamed = row_count > RowMemoryRows ||
                    command[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagStream];
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
  logic [2:0] phase_d, phase_q;
  logic       load, run, store, first_q, waits_q;
  logic       transfer_done, halt, illegal, fault, bad_resident, bad_next, flying, empty;
  logic [3:0] status_d, status_q;
  logic [31:0] outstanding_q;

  assign load = phase_q == ppu_spec_pkg::PhaseLoad;
  assign run = phase_q == ppu_spec_pkg::PhaseRun;
  assign store = phase_q == ppu_spec_pkg::PhaseStore;
  assign idle_o = phase_q == ppu_spec_pkg::PhaseIdle;
  assign done_o = phase_q == ppu_spec_pkg::PhaseDone;
  assign status_o = status_q;
  assign trace_phase_o = phase_q;

  always_comb begin
    phase_d = phase_q;
    status_d = status_q;
    case (phase_q)
      ppu_spec_pkg::PhaseLoad: begin
        if (transfer_done) phase_d = ppu_spec_pkg::PhaseRun;
        if (cancel_i) status_d = ppu_spec_pkg::RunCancelled;
        else if (transfer_done && bad_resident) status_d = ppu_spec_pkg::RunBadRow;
      end
      ppu_spec_pkg::PhaseRun: begin
        if (cancel_i) status_d = ppu_spec_pkg::RunCancelled;
        else if (halt) begin
          phase_d = ppu_spec_pkg::PhaseStore;
          status_d = ppu_spec_pkg::RunOk;
        end else if (fault) status_d = ppu_spec_pkg::RunRowFault;
        else if (bad_next) status_d = ppu_spec_pkg::RunBadRow;
        else if (illegal) status_d = ppu_spec_pkg::RunIllegalInstruction;
      end
      ppu_spec_pkg::PhaseStore: if (transfer_done) phase_d = ppu_spec_pkg::PhaseDone;
      ppu_spec_pkg::PhaseAbort:
        if (!flying && empty && outstanding_q == '0 && !waits_q)
          phase_d = ppu_spec_pkg::PhaseDone;
      ppu_spec_pkg::PhaseDone: if (release_i) phase_d = ppu_spec_pkg::PhaseIdle;
      default: begin
        if (start_i) phase_d = ppu_spec_pkg::PhaseLoad;
        status_d = ppu_spec_pkg::RunRunning;
        if (start_i && cancel_i) begin
          phase_d = ppu_spec_pkg::PhaseAbort;
          status_d = ppu_spec_pkg::RunCancelled;
        end
      end
    endcase
    if ((load || run) && status_d != ppu_spec_pkg::RunRunning && status_d != ppu_spec_pkg::RunOk)
      phase_d = ppu_spec_pkg::PhaseAbort;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= ppu_spec_pkg::PhaseIdle;
      status_q <= ppu_spec_pkg::RunRunning;
      first_q <= 1'b0;
      outstanding_q <= '0;
      waits_q <= 1'b0;
    end else begin
      phase_q <= phase_d;
      status_q <= status_d;
      first_q <= load;
      outstanding_q <=
        outstanding_q + 32'(mem_req_valid_o && mem_req_ready_i) - 32'(mem_rsp_valid_i);
      waits_q <= mem_req_valid_o && !mem_req_ready_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Load and store.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RowBeats = ppu_spec_pkg::RowBytes / ppu_spec_pkg::BeatBytes;
  localparam int unsigned BeatLsb = $clog2(ppu_spec_pkg::BeatBytes);

  logic        request, write_impulses, read_impulses, read_velocities;
  logic        load_rows, load_impulses, load_velocities, accept;
  logic [25:0] request_beat, load_index, read_index, rows_beat;
  logic [511:0] impulses, velocities;

  assign rows_beat = command[ppu_spec_pkg::CmdRowsAddressLsb+BeatLsb +: 26];
  assign accept = mem_req_valid_o && mem_req_ready_i;

  ppu_engine_transfer u_transfer (
    .clk_i, .rst_ni, .set_i(start_i || halt),
    .rows_i(start_i && !streamed ? 26'(row_count * RowBeats) : '0),
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
  logic        stream_request, stream_response;
  logic [25:0] stream_beat, beat_q;

  // A read that waits when the run is aborted stays until it is accepted.
  always_comb begin
    mem_req_valid_o = (load || store) && request;
    mem_req_beat_o = request_beat;
    if (run) begin
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
  assign stream_response = mem_rsp_valid_i && streamed && run;

  // ---------------------------------------------------------------------------------------------
  // Sequencer.
  // ---------------------------------------------------------------------------------------------
  logic                   instruction, kernel_word, rows, pass, rdmax, drain, room, pending;
  logic [CountWidth-1:0]  pass_first, pass_count;
  logic [KernelWidth-1:0] kernel;
  logic [31:0]            max_residual, operand, progress_q, last_residual_q;
  logic [15:0]            address;

  ppu_sequencer #(
    .InstructionMemoryWords(InstructionMemoryWords), .CountWidth(CountWidth)
  ) u_sequencer (
    .clk_i, .rst_ni, .imem_write_i, .imem_line_i, .imem_data_i, .start_i,
    .arguments_i(command[ppu_spec_pkg::CmdArgumentsLsb +: ppu_spec_pkg::CmdArgumentsWidth]),
    .entry_i(command[ppu_spec_pkg::CmdEntryLsb +: 32]),
    .program_words_i(command[ppu_spec_pkg::CmdProgramWordsLsb +: 16]), .row_count_i(row_count),
    .enable_i(run), .rows_room_i(room), .rows_idle_i(!pending && !flying),
    .max_residual_i(max_residual), .instruction_o(instruction), .kernel_word_o(kernel_word),
    .rows_o(rows), .pass_o(pass), .pass_first_o(pass_first), .pass_count_o(pass_count),
    .rdmax_o(rdmax), .signal_o(progress_valid_o), .halt_o(halt), .illegal_o(illegal),
    .drain_o(drain), .operand_o(operand), .address_o(address), .kernel_o(kernel));

  assign progress_o = operand;

  always_ff @(posedge clk_i) begin
    if (start_i) progress_q <= '0;
    else if (progress_valid_o) progress_q <= operand;
    if (start_i) last_residual_q <= '0;
    else if (rdmax) last_residual_q <= max_residual;
  end

  // ---------------------------------------------------------------------------------------------
  // Rows.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]       has_a, has_b, has_parent, reads_parent, compliant, skipped;
  logic [Pipes-1:0]       write_a, write_b, write_x;
  logic [KernelWidth-1:0] issue_kernel;
  logic [31:0]            fault_slot, bad_value;
  logic [3:0]             fault_detail;
  logic                   conflict;
  logic [ppu_engine_pkg::WaitWidth-1:0] wait_for;

  ppu_engine_rows #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies)
  ) u_rows (
    .clk_i, .rst_ni, .clear_i(start_i), .enable_i(run), .streamed_i(streamed),
    .row_count_i(row_count), .body_count_i(body_count), .load_rows_i(load_rows),
    .load_impulses_i(load_impulses), .load_velocities_i(load_velocities),
    .load_index_i(load_index), .data_i(mem_rsp_data_i), .read_impulses_i(read_impulses),
    .read_velocities_i(read_velocities), .read_index_i(read_index), .impulses_o(impulses),
    .velocities_o(velocities), .pass_i(pass), .pass_first_i(pass_first),
    .pass_count_i(pass_count), .pass_kernel_i(kernel), .room_o(room), .pending_o(pending),
    .flying_o(flying), .empty_o(empty), .request_o(stream_request),
    .request_beat_o(stream_beat), .accept_i(accept && run), .response_i(stream_response),
    .clear_max_residual_i(start_i || rdmax), .max_residual_o(max_residual), .fault_o(fault),
    .bad_resident_o(bad_resident), .bad_next_o(bad_next), .fault_slot_o(fault_slot),
    .fault_detail_o(fault_detail), .bad_value_o(bad_value), .issue_o(trace_issue_o),
    .issue_slot_o(trace_issue_slot_o), .issue_has_a_o(has_a), .issue_has_b_o(has_b),
    .issue_has_parent_o(has_parent), .issue_reads_parent_o(reads_parent),
    .issue_kernel_o(issue_kernel), .compliant_o(compliant), .retire_o(trace_retire_o),
    .retire_slot_o(trace_retire_slot_o), .skipped_o(skipped), .write_a_o(write_a),
    .write_b_o(write_b), .write_x_o(write_x),
    .wait_o(wait_for), .conflict_o(conflict));

  // ---------------------------------------------------------------------------------------------
  // Report.
  // ---------------------------------------------------------------------------------------------
  logic [64*ppu_spec_pkg::CounterCount-1:0] counters;
  logic [31:0]                              fault_row_q, fault_detail_q, fault_value_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      fault_row_q <= ppu_spec_pkg::RowNone;
      fault_detail_q <= '0;
      fault_value_q <= '0;
    end else if (load || run) begin
      if (status_d == ppu_spec_pkg::RunRowFault || status_d == ppu_spec_pkg::RunBadRow) begin
        fault_row_q <= fault_slot;
        fault_detail_q <= 32'(fault_detail);
      end
      if (status_d == ppu_spec_pkg::RunBadRow) fault_value_q <= bad_value;
      if (status_d == ppu_spec_pkg::RunIllegalInstruction) fault_detail_q <= 32'(address);
    end
  end

  ppu_engine_counters #(.Pipes(Pipes)) u_counters (
    .clk_i, .rst_ni, .clear_i(start_i), .device_cycle_i, .load_i(load), .run_i(run),
    .store_i(store), .first_i(first_q && run), .streamed_i(streamed),
    .instruction_i(instruction), .kernel_word_i(kernel_word), .rows_i(rows), .drain_i(drain),
    .pending_i(pending), .issue_i(trace_issue_o), .issue_has_a_i(has_a), .issue_has_b_i(has_b),
    .issue_has_parent_i(has_parent), .issue_reads_parent_i(reads_parent),
    .issue_kernel_i(issue_kernel), .compliant_i(compliant), .retire_i(trace_retire_o),
    .skipped_i(skipped), .write_a_i(write_a), .write_b_i(write_b), .write_x_i(write_x),
    .wait_i(wait_for), .conflict_i(conflict), .read_beat_i(accept && !store),
    .write_beat_i(accept && store), .counters_o(counters));

  ppu_engine_report u_report (
    .beat_i(report_beat_i), .status_i(status_q), .fault_row_i(fault_row_q),
    .fault_detail_i(fault_detail_q), .fault_value_i(fault_value_q), .progress_i(progress_q),
    .last_residual_i(last_residual_q), .command_i(number_q), .engine_i(Index),
    .counters_i(counters), .data_o(report_data_o));

  `PPU_ASSERT(RunsStartOnlyWhenIdle, !start_i || idle_o)
  `PPU_ASSERT(NoResponseWithoutARequest, !mem_rsp_valid_i || outstanding_q != '0)
  `PPU_ASSERT(ProgramsAreLoadedOnlyWhenIdle, !imem_write_i || idle_o)

endmodule
