// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// An engine: runs one program on the rows of one command, as docs/inside/device.md says. Rows,
// impulses and velocities are loaded from device memory, the sequencer executes the program,
// impulses and velocities are stored; then the report waits until somebody has taken it.

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
  parameter int unsigned Dataflow = ppu_spec_pkg::DefaultDataflow,
  parameter int unsigned ChoiceStages = ppu_spec_pkg::DefaultChoiceStages,
  parameter int unsigned MemoryProtection = ppu_spec_pkg::DefaultMemoryProtection,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  parameter int unsigned MemoryPortBeats = ppu_spec_pkg::DefaultMemoryPortBeats
) (
  /// Clock; every port but rst_ni is of this clock.
  input  logic                          clk_i,
  /// Reset, active low: begins at any time, ends synchronously to clk_i.
  input  logic                          rst_ni,

  // Instruction memory.
  /// A line is written; only while the engine is idle.
  input  logic                          imem_write_i,
  /// The line.
  input  ppu_spec_pkg::program_line_t   imem_i,

  /// A `flip` executes; only while the engine is idle.
  input  logic                          flip_valid_i,
  /// The command.
  input  ppu_spec_pkg::flip_command_t   flip_i,

  // Runs.
  /// A run begins; only while the engine is idle.
  input  logic                          start_i,
  /// The command of the run, which has been checked.
  input  ppu_spec_pkg::run_command_t    start_command_i,
  /// The number of its command.
  input  logic [31:0]                   start_number_i,
  /// Nothing is under way, and no report waits.
  output logic                          idle_o,
  /// Ends the run that is under way, or that begins in this cycle.
  input  logic                          cancel_i,
  /// Number of this device cycle.
  input  logic [63:0]                   device_cycle_i,
  /// The report is complete, until it is released.
  output logic                          done_o,
  /// The report was taken: idle in the next cycle.
  input  logic                          release_i,
  /// How the run ended; steady while done_o.
  output ppu_spec_pkg::run_status_e     status_o,
  /// Beat of the report to show.
  input  logic [3:0]                    report_beat_i,
  /// The beat of the report that is shown, combinational; 0 behind the end.
  output ppu_spec_pkg::beat_t           report_data_o,

  // Device memory: a request stays until it is accepted, responses come in order.
  /// There is a request.
  output logic                          mem_req_valid_o,
  /// The request, if there is one, is accepted in this cycle.
  input  logic                          mem_req_ready_i,
  /// The request.
  output ppu_spec_pkg::memory_request_t mem_req_o,
  /// The oldest request that has none yet gets its response.
  input  logic                          mem_rsp_valid_i,
  /// What was read; nothing for a write.
  input  ppu_spec_pkg::beat_t           mem_rsp_data_i,
  /// Where a pair is answered: what was read of the beat behind the first.
  input  ppu_spec_pkg::beat_t           mem_rsp_second_i,

  // What copies write to device memory: a chained run takes its rows from there, or waits for them.
  /// A beat was written in the cycle before.
  input  logic                          written_valid_i,
  /// The beat that was written.
  input  ppu_spec_pkg::memory_request_t written_i,

  // Progress of the program.
  /// `signal` executes.
  output logic                          progress_valid_o,
  /// The value of `signal`.
  output logic [31:0]                   progress_o
);

  ppu_shape_check #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow), .Dataflow(Dataflow), .ChoiceStages(ChoiceStages),
    .MemoryProtection(MemoryProtection),
    .InstructionMemoryWords(InstructionMemoryWords), .MemoryPortBeats(MemoryPortBeats)
  ) u_shape ();

  ppu_width_check u_widths ();

  // ---------------------------------------------------------------------------------------------
  // The command.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::run_command_t command_q;
  ppu_engine_pkg::run_t       this_run;
  logic [31:0]                number_q;
  logic                       start_streamed, streamed_q, early_q, unused_command;

  // In the cycle of the start it is still that of the run before: the transfer and the sequencer,
  // which need the new one then, take start_command_i.
  assign this_run.row_count = command_q.row_count;
  assign this_run.body_count = command_q.body_count;
  assign this_run.streamed = streamed_q;
  assign this_run.early = early_q && !streamed_q;
  assign this_run.reduced = command_q.flag_reduced;
  assign start_streamed = start_command_i.row_count > RowMemoryRows || start_command_i.flag_stream;
  assign unused_command = ^{start_command_i, command_q};

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      command_q <= start_command_i;
      number_q <= start_number_i;
      streamed_q <= start_streamed;
      early_q <= Dataflow != 0 && MemoryProtection == 0 && start_command_i.flag_early &&
                 start_command_i.flag_chained && start_command_i.row_count != '0;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Flips: until the next run has ended.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::flip_t flip_q;
  logic                  unused_flip;

  assign unused_flip = ^{flip_valid_i, flip_i, flip_q};

  if (MemoryProtection != 0) begin : gen_flip
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        flip_q <= '0;
      end else if (flip_valid_i) begin
        flip_q.two <= flip_i.flag_two;
        flip_q.bit_number <= flip_i.flip_bit[7] ? '1 : flip_i.flip_bit[6:0];
        flip_q.code <= flip_i.flip_code[7:4] != '0 ? '1 : flip_i.flip_code[3:0];
        flip_q.word <= flip_i.flip_word;
        flip_q.memory <= flip_i.flip_memory[7:5] != '0 ? '0 : flip_i.flip_memory[4:0];
      end else if (done_o && release_i) begin
        flip_q.memory <= ppu_spec_pkg::FaultNone;
      end
    end
  end else begin : gen_no_flip
    assign flip_q = '0;
  end

  // ---------------------------------------------------------------------------------------------
  // Phases.
  // ---------------------------------------------------------------------------------------------
  logic [2:0]  phase;             // a ppu_spec_pkg::engine_phase_e
  logic        load, run, store;  // what it is
  logic        run_next;          // it is run in the next cycle
  logic        begun_q, first_q;  // the cycle before was that of the start, or of a load
  logic        waits_q;           // a request that was not accepted in the cycle before
  logic        transfer_done, abort_busy;
  logic [31:0] outstanding_q;

  ppu_engine_pkg::execution_t   execution;
  ppu_engine_pkg::rows_status_t rows_status;
  ppu_engine_pkg::row_end_t     row_end;
  ppu_engine_pkg::flaw_t        flaw, store_flaw_q;
  logic                         bad_word, word_corrected, unused_flaw;
  logic [31:0]                  word_address;

  assign unused_flaw = ^{flaw, store_flaw_q, lost};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) store_flaw_q <= '0;
    else if (start_i) store_flaw_q <= '0;
    else if (store && flaw.found && !store_flaw_q.found) store_flaw_q <= flaw;
  end

  assign idle_o = phase == ppu_spec_pkg::PhaseIdle;
  assign done_o = phase == ppu_spec_pkg::PhaseDone;
  assign abort_busy = rows_status.flying || rows_status.dividing || !rows_status.empty ||
                      outstanding_q != '0 || waits_q;

  ppu_engine_phase u_phase (
    .clk_i, .rst_ni, .start_i,
    .transfer_done_i(transfer_done &&
                     (store || early_q ||
                      (rows_there && (rows_status.linked || row_end.bad_resident)))),
    .halt_i(execution.halt),
    .cancel_i, .bad_resident_i(row_end.bad_resident && rows_there), .flaw_i(flaw.found),
    .fault_i(row_end.fault), .bad_next_i(row_end.bad_next),
    .row_memory_i(row_end.memory), .illegal_i(execution.illegal), .bad_word_i(bad_word),
    .store_flaw_i(store_flaw_q.found), .busy_i(abort_busy),
    .release_i, .phase_o(phase), .load_o(load), .run_o(run), .store_o(store),
    .run_next_o(run_next), .status_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begun_q <= 1'b0;
      first_q <= 1'b0;
      outstanding_q <= '0;
      waits_q <= 1'b0;
    end else begin
      begun_q <= start_i;
      first_q <= load;
      // Whether a request is accepted is known late.
      if (accept != mem_rsp_valid_i)
        outstanding_q <= accept ? outstanding_q + 32'd1 : outstanding_q - 32'd1;
      waits_q <= mem_req_valid_o && !mem_req_ready_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Load and store.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned BeatLsb = $clog2(ppu_spec_pkg::BeatBytes);

  logic                   request, write_impulses, load_begin, accept, chained, take, rows_there;
  logic [25:0]            request_beat;
  logic [25:0]            row_beats_q, taken_q, wanted_q;  // wanted: where the next beat lies
  logic [31:0]            transfer_rows, transfer_bodies;
  logic                   unused_written;
  logic [511:0]           impulses, velocities;
  ppu_engine_pkg::beats_t beats, first_beats;
  ppu_engine_pkg::beat_t  loaded, load_beat, store_beat;

  assign first_beats.rows = command_q.rows_address[31:BeatLsb];
  assign first_beats.impulses = command_q.impulses_address[31:BeatLsb];
  assign first_beats.velocities = command_q.velocities_address[31:BeatLsb];
  assign load_begin = begun_q && !this_run.streamed && this_run.row_count != '0;
  assign accept = mem_req_valid_o && mem_req_ready_i;

  function automatic logic [25:0] beats_of_rows(input logic reduced, input logic [31:0] rows);
    beats_of_rows = reduced ? 26'(ppu_spec_pkg::reduced_beats(rows))
                            : 26'(rows * ppu_spec_pkg::RowBytes / ppu_spec_pkg::BeatBytes);
  endfunction

  // The register has the command from the cycle after the start on.
  assign transfer_rows = start_i ? start_command_i.row_count : this_run.row_count;
  assign transfer_bodies = start_i ? start_command_i.body_count : this_run.body_count;

  // A load has rows, if they are neither streamed nor chained; a store has none.
  always_comb begin
    beats.velocities = 26'((transfer_bodies + 1) / 2);
    beats.impulses = 26'((transfer_rows + 15) / 16);
    beats.rows = '0;
    if (start_i && !start_streamed && !start_command_i.flag_chained)
      beats.rows = beats_of_rows(start_command_i.flag_reduced, start_command_i.row_count);
  end

  // A chained run takes the beats of its rows one after another, others pass by.
  assign chained = command_q.flag_chained;
  assign take = (load || run) && !begun_q && chained && written_valid_i && !rows_there &&
                written_i.beat == wanted_q;
  assign rows_there = !chained || taken_q == row_beats_q;
  assign unused_written = ^{written_i.pair, written_i.write, written_i.strobe};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) taken_q <= '0;
    else if (start_i) taken_q <= '0;
    else taken_q <= taken_q + 26'(take);
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      row_beats_q <= beats_of_rows(start_command_i.flag_reduced, start_command_i.row_count);
      wanted_q <= start_command_i.rows_address[31:BeatLsb];
    end else if (take) begin
      wanted_q <= wanted_q + 26'd1;
    end
  end

  always_comb begin
    load_beat = loaded;
    load_beat.rows = chained ? take && !streamed_q : loaded.rows;
  end

  ppu_engine_transfer u_transfer (
    .clk_i, .rst_ni, .set_i(start_i || execution.halt), .beats_i(beats), .load_i(load),
    .store_i(store), .first_i(first_beats), .run_i(this_run), .request_o(request),
    .beat_o(request_beat), .strobe_o(mem_req_o.strobe), .write_impulses_o(write_impulses),
    // As accept, but without the mux for streamed rows, which is late.
    .accept_i((load || store) && request && mem_req_ready_i), .read_o(store_beat),
    .response_i(mem_rsp_valid_i), .loaded_o(loaded), .done_o(transfer_done));

  // ---------------------------------------------------------------------------------------------
  // Device memory.
  // ---------------------------------------------------------------------------------------------
  logic        mem_pair, pair_q, stream_response, late, late_next;
  logic        rows_enable;  // run && !late
  logic [25:0] mem_beat, beat_q;

  ppu_engine_pkg::row_read_t stream_read;

  // All that issues asks for it: it comes from a register.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rows_enable <= 1'b0;
    else rows_enable <= run_next && !late_next;
  end

  // A beat of a streamed row that is wanted when a copy writes it is captured: it needs no request,
  // if none is to be answered before it. Of a pair the first one waits for the second. What was
  // written before it was wanted is requested.
  logic                stream_written, comes, half_q, captured, from_copy;
  ppu_spec_pkg::beat_t half_data_q, row_first, row_second;

  assign stream_written =
    stream_read.pair ? stream_read.beat + 26'd1 < taken_q : stream_read.beat < taken_q;
  assign comes = take && streamed_q && rows_enable && stream_read.valid &&
                 (half_q || (stream_read.beat == taken_q && outstanding_q == '0));
  assign captured = comes && (half_q || !stream_read.pair);
  // What is captured is known late. Nothing is answered in that cycle, for nothing was requested.
  assign from_copy = chained && !(streamed_q && mem_rsp_valid_i);
  assign row_first = !from_copy ? mem_rsp_data_i : half_q ? half_data_q : written_i.data;
  assign row_second = from_copy ? written_i.data : mem_rsp_second_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) half_q <= 1'b0;
    else half_q <= rows_enable && (comes ? !captured : half_q);
  end

  always_ff @(posedge clk_i) begin
    // Whether a first one comes is known late.
    if (written_valid_i && !half_q) half_data_q <= written_i.data;
  end

  // A read that waits when the run becomes late or is aborted stays until it is accepted.
  always_comb begin
    mem_req_valid_o = (load || store) && request;
    mem_pair = 1'b0;
    mem_beat = request_beat;
    if (rows_enable) begin
      mem_req_valid_o = stream_read.valid && (!chained || stream_written);
      mem_pair = stream_read.pair;
      mem_beat = first_beats.rows + stream_read.beat;
    end else if (!load && !store) begin
      mem_req_valid_o = waits_q;
      mem_pair = pair_q;
      mem_beat = beat_q;
    end
  end

  always_ff @(posedge clk_i) begin
    beat_q <= mem_beat;
    pair_q <= mem_pair;
  end

  assign mem_req_o.pair = mem_pair;
  assign mem_req_o.write = store;
  assign mem_req_o.beat = mem_beat;
  assign mem_req_o.data = write_impulses ? impulses : velocities;
  assign stream_response = mem_rsp_valid_i && this_run.streamed && rows_enable;

  // What a read would write does not matter.
  ppu_request_check #(.Width(ppu_spec_pkg::MemoryRequestWidth)) u_request_check (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_o), .ready_i(mem_req_ready_i),
    .request_i({mem_pair, mem_req_o.write, mem_req_o.beat,
                mem_req_o.write ? {mem_req_o.strobe, mem_req_o.data} : '0}));

  // ---------------------------------------------------------------------------------------------
  // Sequencer.
  // ---------------------------------------------------------------------------------------------
  logic        rows_idle;
  logic [31:0] max_residual, operand, progress_q, last_residual_q, mark_threshold_q, lead_factor;
  logic [15:0] address;
  logic        is_ahead, maximum;

  ppu_engine_pkg::pass_t     pass;
  ppu_engine_pkg::kernel_t   kernel;
  ppu_engine_pkg::moving_t   moving;
  ppu_engine_pkg::settings_t settings;
  ppu_spec_pkg::counters_t   counters;

  ppu_sequencer #(
    .InstructionMemoryWords(InstructionMemoryWords),
    .Stages(Dataflow == 0 ? ChoiceStages : 0), .MemoryProtection(MemoryProtection)
  ) u_sequencer (
    .clk_i, .rst_ni, .imem_write_i, .imem_i, .flip_i(flip_q), .start_i, .start_command_i,
    .entry_i(command_q.entry), .program_words_i(command_q.program_words), .run_i(this_run),
    .enable_i(run && !moving.busy && !rows_status.faulted), .rows_idle_i(rows_idle),
    .rows_i(rows_status), .max_residual_i(max_residual),
    .passes_cut_i(counters.passes_cut[31:0]), .execution_o(execution), .pass_o(pass),
    .operand_o(operand), .maximum_o(maximum), .address_o(address), .word_address_o(word_address),
    .bad_o(bad_word), .corrected_o(word_corrected), .kernel_o(kernel), .lead_factor_o(lead_factor),
    .is_ahead_o(is_ahead));

  assign progress_valid_o = execution.signal;
  assign progress_o = operand;
  assign rows_idle = !rows_status.pending && !rows_status.flying && !rows_status.dividing &&
                     outstanding_q == '0 && !waits_q && !rows_status.coming;
  assign settings.maximum = maximum;
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
    .run_i(run), .pending_i(rows_status.pending), .another_i(rows_status.another),
    .pass_i(execution.pass), .late_o(late), .late_next_o(late_next), .cut_o(cut));

  // ---------------------------------------------------------------------------------------------
  // Rows.
  // ---------------------------------------------------------------------------------------------
  ppu_engine_pkg::activity_t activity;

  ppu_engine_rows #(
    .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
    .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .FilterWindow(FilterWindow), .Dataflow(Dataflow), .ChoiceStages(ChoiceStages),
    .MemoryProtection(MemoryProtection),
    .MemoryPortBeats(MemoryPortBeats)
  ) u_rows (
    .clk_i, .rst_ni, .flip_i(flip_q), .clear_i(start_i), .late_i(late), .enable_i(rows_enable),
    .active_i(run), .run_i(this_run), .load_begin_i(load_begin), .load_i(load_beat),
    .row_data_i({row_second, row_first}), .data_i(mem_rsp_data_i),
    .store_i(store_beat), .stored_o({velocities, impulses}),
    .execution_i(execution), .pass_i(pass), .pass_kernel_i(kernel), .settings_i(settings),
    .operand_i(operand), .max_residual_o(max_residual), .status_o(rows_status), .moving_o(moving),
    .read_o(stream_read), .accept_i((accept && rows_enable) || captured),
    .response_i(stream_response || captured), .end_o(row_end), .flaw_o(flaw),
    .activity_o(activity));

  // ---------------------------------------------------------------------------------------------
  // Report.
  // ---------------------------------------------------------------------------------------------
  logic [31:0]           fault_row, fault_detail, fault_value;
  ppu_engine_pkg::flaw_t lost;  // what ends the run if not a row in its pipe or an instruction

  assign lost = store ? store_flaw_q : flaw;

  ppu_run_fault u_fault (
    .clk_i, .rst_ni, .active_i(load || run || store), .status_i(status_o), .row_end_i(row_end),
    .lost_i(lost), .address_i(address), .word_address_i(word_address), .row_o(fault_row),
    .detail_o(fault_detail), .value_o(fault_value));

  ppu_engine_counters u_counters (
    .clk_i, .rst_ni, .clear_i(start_i), .device_cycle_i, .phase_i(phase), .first_i(first_q && run),
    .execution_i(execution), .late_i(late), .cut_i(cut), .pending_i(rows_status.pending),
    .activity_i(activity), .moving_i(moving), .word_corrected_i(word_corrected),
    .read_beats_i({accept && mem_pair, accept && !store && !mem_pair}),
    .captured_i({captured && stream_read.pair, captured && !stream_read.pair}),
    .write_beat_i(accept && store), .counters_o(counters));

  ppu_engine_report u_report (
    .beat_i(report_beat_i), .status_i(status_o), .fault_row_i(fault_row),
    .fault_detail_i(fault_detail), .fault_value_i(fault_value), .progress_i(progress_q),
    .last_residual_i(last_residual_q), .command_i(number_q), .engine_i(Index),
    .counters_i(counters), .data_o(report_data_o));

  `PPU_ASSERT(NoResponseWithoutARequest, !mem_rsp_valid_i || outstanding_q != '0)
  `PPU_ASSERT(ProgramsAreLoadedOnlyWhenIdle, !imem_write_i || idle_o)

endmodule
