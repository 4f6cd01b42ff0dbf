// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Writes to host memory what is not data: fences, device counters and the reports of engines.

`include "ppu_assert.svh"

module ppu_writer #(
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  localparam int unsigned Width = 8 * ppu_spec_pkg::BeatBytes,
  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes),
  localparam int unsigned CountersWidth = 64 * ppu_spec_pkg::DeviceCounterCount
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [63:0]                device_cycle_i,
  output logic                       idle_o,

  // The command that is begun in this cycle.
  input  logic [Width-1:0]           command_i,
  input  logic [31:0]                number_i,
  input  logic                       fence_i,
  input  logic                       query_i,
  input  logic [Engines-1:0]         run_i,            ///< Its report is written when it is done.

  input  logic [CountersWidth-1:0]   counters_i,

  // Engines that are done.
  input  logic [Engines-1:0]         done_i,
  input  logic [4*Engines-1:0]       status_i,
  output logic [3:0]                 report_beat_o,    ///< Beat to show ...
  input  logic [Width*Engines-1:0]   report_data_i,    ///< ... in this cycle.
  output logic [Engines-1:0]         release_o,        ///< The report is written.

  // Writes to host memory; acknowledgements come in order.
  output logic                       write_valid_o,
  input  logic                       write_ready_i,
  output logic [BeatNumberWidth-1:0] write_beat_o,
  output logic [Width-1:0]           write_data_o,
  output logic [Bytes-1:0]           write_strobe_o,
  input  logic                       ack_i,

  output logic                       fence_written_o,
  output logic                       fence_interrupt_o,  ///< It asks for an interrupt.
  output logic [63:0]                fence_value_o,
  output logic                       run_failed_o,       ///< With a report written.
  output logic [31:0]                run_failed_number_o,
  output logic [3:0]                 run_failed_status_o
);

  localparam int unsigned OffsetWidth = $clog2(Bytes);
  localparam int unsigned ReportBeats =
      (ppu_spec_pkg::ReportHeaderBytes + 8 * ppu_spec_pkg::CounterCount + Bytes - 1) / Bytes;
  localparam int unsigned CounterBeats = (8 * ppu_spec_pkg::DeviceCounterCount + Bytes - 1) / Bytes;
  localparam int unsigned FenceBytes = ppu_spec_pkg::FenceBytes;
  localparam int unsigned FencesPerBeat = Bytes / FenceBytes;
  localparam int unsigned FenceLsb = $clog2(FenceBytes);
  localparam int unsigned FencePlaceWidth = $clog2(FencesPerBeat);

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StFence = 2'd1;
  localparam logic [1:0] StQuery = 2'd2;
  localparam logic [1:0] StReport = 2'd3;

  // ---------------------------------------------------------------------------------------------
  // Where the reports go, noted when a run is begun.
  // ---------------------------------------------------------------------------------------------
  logic [BeatNumberWidth*Engines-1:0] report_address_q;
  logic [32*Engines-1:0]              run_number_q;

  for (genvar i = 0; i < Engines; i++) begin : gen_run
    always_ff @(posedge clk_i) begin
      if (run_i[i]) begin
        report_address_q[BeatNumberWidth*i +: BeatNumberWidth] <=
            command_i[ppu_spec_pkg::CmdReportAddressLsb + OffsetWidth +: BeatNumberWidth];
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
  logic [1:0]                 state_q;
  logic [EngineWidth-1:0]     engine_q;
  logic [BeatNumberWidth-1:0] address_q;
  logic [3:0]                 beat_q, beats_q, acks_left_q;
  logic [63:0]                value_q, cycle_q;
  logic [FencePlaceWidth-1:0] place_q;
  logic                       interrupt_q, take_report, last;

  logic unused_command;
  assign unused_command = ^command_i;

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
      address_q <= take_report
          ? report_address_q[BeatNumberWidth * 32'(lowest_done) +: BeatNumberWidth]
          : command_i[ppu_spec_pkg::CmdHostAddressLsb + OffsetWidth +:
                      BeatNumberWidth];
      place_q <= command_i[ppu_spec_pkg::CmdHostAddressLsb + FenceLsb +: FencePlaceWidth];
      value_q <= {command_i[ppu_spec_pkg::CmdValueHiLsb +: 32],
                  command_i[ppu_spec_pkg::CmdValueLoLsb +: 32]};
      cycle_q <= device_cycle_i;
      interrupt_q <= command_i[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagInterrupt];
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Beats.
  // ---------------------------------------------------------------------------------------------
  logic [Width*CounterBeats-1:0] counters;
  logic [Width-1:0]              counters_q;
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
  assign write_beat_o = address_q + BeatNumberWidth'(beat_q);

  always_comb begin
    write_data_o = {FencesPerBeat{cycle_q, value_q}};
    write_strobe_o = '1;
    if (state_q == StFence)
      write_strobe_o = Bytes'({FenceBytes{1'b1}}) << {place_q, FenceLsb'(0)};
    if (state_q == StQuery)
      write_data_o = waits_q ? counters_q : counters[Width * 32'(beat_q) +: Width];
    if (state_q == StReport) write_data_o = report_data_i[Width * 32'(engine_q) +: Width];
  end

  // ---------------------------------------------------------------------------------------------
  // At the last acknowledgement.
  // ---------------------------------------------------------------------------------------------
  assign fence_written_o = last && state_q == StFence;
  assign fence_interrupt_o = interrupt_q;
  assign fence_value_o = value_q;
  assign release_o = last && state_q == StReport ? Engines'(1) << engine_q : '0;
  assign run_failed_status_o = status_i[4 * 32'(engine_q) +: 4];
  assign run_failed_number_o = run_number_q[32 * 32'(engine_q) +: 32];
  assign run_failed_o = release_o != '0 && run_failed_status_o != ppu_spec_pkg::RunOk;

  `PPU_ASSERT(FencesAndQueriesBeginWhenIdle, !(fence_i || query_i) || idle_o)
  `PPU_ASSERT(AcknowledgementsAreForWrites, !ack_i || acks_left_q != '0)
  `PPU_ASSERT(EnginesStayDoneUntilReleased, state_q != StReport || done_i[engine_q])

endmodule
