// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes to host memory what is not data: fences, device counters and the reports of engines.

`include "ppu_assert.svh"

module ppu_writer #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// Bits of a beat.
  localparam int unsigned Width = ppu_spec_pkg::BeatWidth
) (
  /// Clock.
  input  logic                           clk_i,
  /// Reset, active low.
  input  logic                           rst_ni,
  /// Number of this device cycle.
  input  logic [63:0]                    device_cycle_i,
  /// Nothing is being written.
  output logic                           idle_o,

  // The command that begins in this cycle.
  /// The command.
  input  ppu_spec_pkg::command_t         command_i,
  /// The number of the command.
  input  logic [31:0]                    number_i,
  /// Whose command it is.
  input  ppu_spec_pkg::context_id_t    context_i,
  /// The command is a fence to write; only while idle.
  input  logic                           fence_i,
  /// The command is a query to answer; only while idle.
  input  logic                           query_i,
  /// The command is a run, on this engine; the report is written when it is done.
  input  logic [Engines-1:0]             run_i,

  // What is written.
  /// Counters of the device in this cycle.
  input  ppu_spec_pkg::device_counters_t counters_i,
  /// Engines whose report is complete; they stay so until they are released.
  input  logic [Engines-1:0]             done_i,
  /// How their runs ended, a run_status_e each.
  input  logic [4*Engines-1:0]           status_i,
  /// Engines whose run has spent its quota.
  input  logic [Engines-1:0]             spent_i,
  /// Whose run each has.
  input  logic [ppu_spec_pkg::ContextIdWidth*Engines-1:0] runs_i,
  /// Beat of the reports to show.
  output logic [3:0]                     report_beat_o,
  /// The beat of each engine's report that report_beat_o names, in that cycle.
  input  logic [Width*Engines-1:0]       report_data_i,
  /// The engine whose report has been written.
  output logic [Engines-1:0]             release_o,

  // Host link.
  /// A beat is to be written.
  output logic                           write_valid_o,
  /// The write is accepted in this cycle.
  input  logic                           write_ready_i,
  /// The write; stays until it is accepted.
  output ppu_spec_pkg::link_write_t      write_o,
  /// The oldest write is acknowledged.
  input  logic                           ack_i,

  // What has been written in this cycle.
  /// A fence.
  output logic                           fence_written_o,
  /// Whose fence it is, if it asks for an interrupt.
  output logic [ppu_spec_pkg::Contexts-1:0] fence_irq_o,
  /// The error, if it is the report of a run that did not end with ok.
  output ppu_spec_pkg::context_error_t error_o
);

  localparam int unsigned Contexts = ppu_spec_pkg::Contexts;
  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;
  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes;
  localparam int unsigned OffsetWidth = $clog2(Bytes);
  localparam int unsigned BeatNumberWidth = ppu_spec_pkg::BeatNumberWidth;
  localparam int unsigned ReportBeats =
      (ppu_spec_pkg::ReportHeaderBytes + 8 * ppu_spec_pkg::CounterCount + Bytes - 1) / Bytes;
  localparam int unsigned CounterBeats = (8 * ppu_spec_pkg::DeviceCounterCount + Bytes - 1) / Bytes;
  localparam int unsigned FenceBytes = ppu_spec_pkg::FenceBytes;
  localparam int unsigned FencesPerBeat = Bytes / FenceBytes;
  localparam int unsigned FenceLsb = $clog2(FenceBytes);
  localparam int unsigned FencePlaceWidth = $clog2(FencesPerBeat);

  typedef enum logic [1:0] {
    StIdle,
    StFence,
    StQuery,
    StReport
  } state_e;

  ppu_spec_pkg::run_command_t   run;
  ppu_spec_pkg::fence_command_t fence;
  ppu_spec_pkg::query_command_t query;
  logic                         unused_command;

  assign run = command_i.run;
  assign fence = command_i.fence;
  assign query = command_i.query;
  assign unused_command = ^{run, fence, query};

  // ---------------------------------------------------------------------------------------------
  // Where the reports go, noted when a run is begun.
  // ---------------------------------------------------------------------------------------------
  logic [BeatNumberWidth*Engines-1:0] report_address_q;
  logic [32*Engines-1:0]              run_number_q;

  for (genvar i = 0; i < Engines; i++) begin : gen_run
    always_ff @(posedge clk_i) begin
      if (run_i[i]) begin
        report_address_q[BeatNumberWidth*i +: BeatNumberWidth] <=
            run.report_address[31:OffsetWidth];
        run_number_q[32*i +: 32] <= number_i;
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The lowest engine that is done.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned EngineWidth = Engines > 1 ? $clog2(Engines) : 1;
  logic [EngineWidth-1:0] lowest_done;

  always_comb begin
    lowest_done = '0;
    for (int unsigned i = 0; i < Engines; i++) begin
      if (done_i[Engines-1-i]) lowest_done = EngineWidth'(Engines - 1 - i);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // State.
  // ---------------------------------------------------------------------------------------------
  state_e                      state_q;
  ppu_spec_pkg::beat_number_t  address_q;
  ppu_spec_pkg::fence_record_t record_q;
  logic [EngineWidth-1:0]      engine_q;
  logic [3:0]                  beat_q, beats_q, acks_left_q;
  logic [FencePlaceWidth-1:0]  place_q;
  logic                        interrupt_q, take_report, last;
  ppu_spec_pkg::context_id_t id_q;

  assign idle_o = state_q == StIdle;
  assign take_report = idle_o && !fence_i && !query_i && done_i != '0;
  assign last = ack_i && acks_left_q == 4'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      beat_q <= '0;
      beats_q <= '0;
      acks_left_q <= '0;
    end else begin
      if (write_valid_o && write_ready_i) beat_q <= beat_q + 4'd1;
      if (ack_i) acks_left_q <= acks_left_q - 4'd1;
      if (last) state_q <= StIdle;
      if (fence_i || query_i || take_report) begin
        state_q <= fence_i ? StFence : query_i ? StQuery : StReport;
        beat_q <= '0;
        beats_q <= fence_i ? 4'd1 : query_i ? 4'(CounterBeats) : 4'(ReportBeats);
        acks_left_q <= fence_i ? 4'd1 : query_i ? 4'(CounterBeats) : 4'(ReportBeats);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (idle_o) begin
      engine_q <= lowest_done;
      if (take_report)
        address_q <= report_address_q[BeatNumberWidth * 32'(lowest_done) +: BeatNumberWidth];
      else if (query_i) address_q <= query.host_address[31:OffsetWidth];
      else address_q <= fence.host_address[31:OffsetWidth];
      place_q <= fence.host_address[FenceLsb +: FencePlaceWidth];
      record_q.value <= {fence.value_hi, fence.value_lo};
      record_q.device_cycle <= device_cycle_i;
      interrupt_q <= fence.flag_interrupt;
      id_q <= context_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Beats.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::beat_t           data, counters_q;
  ppu_spec_pkg::beat_strobe_t    strobe;
  logic [Width*CounterBeats-1:0] counters;
  logic                          waits_q;

  // What waits is as of its first cycle on the port.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= write_valid_o && !write_ready_i;
  end

  always_ff @(posedge clk_i) begin
    if (!waits_q) counters_q <= counters[Width * 32'(beat_q) +: Width];
  end

  assign counters = (Width * CounterBeats)'(counters_i);
  assign report_beat_o = beat_q;
  assign write_valid_o = !idle_o && beat_q != beats_q;
  assign write_o.beat = address_q + BeatNumberWidth'(beat_q);
  assign write_o.strobe = strobe;
  assign write_o.data = data;

  always_comb begin
    data = {FencesPerBeat{record_q}};
    strobe = '1;
    if (state_q == StFence) strobe = Bytes'({FenceBytes{1'b1}}) << {place_q, FenceLsb'(0)};
    if (state_q == StQuery) data = waits_q ? counters_q : counters[Width * 32'(beat_q) +: Width];
    if (state_q == StReport) data = report_data_i[Width * 32'(engine_q) +: Width];
  end

  // ---------------------------------------------------------------------------------------------
  // At the last acknowledgement.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::error_entry_t entry;
  logic [3:0]                 status;

  assign fence_written_o = last && state_q == StFence;
  assign fence_irq_o = fence_written_o && interrupt_q ? Contexts'(1) << id_q : '0;
  assign release_o = last && state_q == StReport ? Engines'(1) << engine_q : '0;
  assign status = status_i[4 * 32'(engine_q) +: 4];
  assign error_o.valid = release_o != '0 && status != 4'(ppu_spec_pkg::RunOk);
  assign error_o.id = runs_i[IdWidth * 32'(engine_q) +: IdWidth];
  assign error_o.entry = entry;
  assign entry.command = run_number_q[32 * 32'(engine_q) +: 32];
  assign entry.reason = spent_i[engine_q] && status == 4'(ppu_spec_pkg::RunCancelled)
                        ? ppu_spec_pkg::ErrorQuota : ppu_spec_pkg::ErrorRunFailed;
  assign entry.detail = 32'(status);

  `PPU_ASSERT(FencesAndQueriesBeginWhenIdle, !(fence_i || query_i) || idle_o)
  `PPU_ASSERT(AcknowledgementsAreForWrites, !ack_i || acks_left_q != '0)
  `PPU_ASSERT(EnginesStayDoneUntilReleased, state_q != StReport || done_i[engine_q])

endmodule
