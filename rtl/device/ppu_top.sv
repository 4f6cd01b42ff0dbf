// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The whole device: registers, command processor, DMA, writer, engines and the arbiter of device
// memory (docs/device.md). Around it are device memory and the host link; every request on their
// ports gets one response, in order; under way are at most the largest dram_queue and link_queue.

module ppu_top #(
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
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
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  parameter int unsigned DmaBufferBeats = ppu_spec_pkg::DefaultDmaBufferBeats,
  localparam int unsigned Width = 8 * ppu_spec_pkg::BeatBytes,
  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes),
  /// Requesters of device memory: the engines, then the DMA.
  localparam int unsigned Requesters = Engines + 1,
  localparam int unsigned RequesterWidth = $clog2(Requesters)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Constant: what the device is and what it is attached to.
  input  logic [63:0]                 config_hash_i,
  input  logic [11:0]                 device_memory_mib_i,
  input  logic [11:0]                 host_memory_mib_i,

  // Registers: a write takes the cycle in which it is on the port, reads are combinational.
  input  logic                        reg_write_i,
  input  logic [7:0]                  reg_address_i,
  input  logic [31:0]                 reg_wdata_i,
  output logic [31:0]                 reg_rdata_o,
  output logic                        irq_o,
  output logic                        idle_o,  ///< Nothing to do: the clock may stop.

  // Device memory.
  output logic                        mem_req_valid_o,
  input  logic                        mem_req_ready_i,
  output logic                        mem_req_write_o,
  output logic [BeatNumberWidth-1:0]  mem_req_beat_o,
  output logic [Width-1:0]            mem_req_data_o,
  output logic [Bytes-1:0]            mem_req_strobe_o,
  input  logic                        mem_rsp_valid_i,
  input  logic [Width-1:0]            mem_rsp_data_i,

  // Host link: reads.
  output logic                        host_read_valid_o,
  input  logic                        host_read_ready_i,
  output logic [BeatNumberWidth-1:0]  host_read_beat_o,
  input  logic                        host_read_rsp_valid_i,
  input  logic [Width-1:0]            host_read_rsp_data_i,

  // Host link: writes.
  output logic                        host_write_valid_o,
  input  logic                        host_write_ready_i,
  output logic [BeatNumberWidth-1:0]  host_write_beat_o,
  output logic [Width-1:0]            host_write_data_o,
  output logic [Bytes-1:0]            host_write_strobe_o,
  input  logic                        host_write_rsp_valid_i
);

  ppu_shape_check #(
    .Engines(Engines), .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages),
    .AddStages(AddStages), .DivStages(DivStages), .VelocityBanks(VelocityBanks),
    .RowMemoryRows(RowMemoryRows), .ImpulseMemoryRows(ImpulseMemoryRows),
    .BodyMemoryBodies(BodyMemoryBodies), .FilterWindow(FilterWindow),
    .InstructionMemoryWords(InstructionMemoryWords), .DmaBufferBeats(DmaBufferBeats)
  ) u_shape ();

  logic [63:0] device_cycle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) device_cycle_q <= '0;
    else device_cycle_q <= device_cycle_q + 64'd1;
  end

  // ---------------------------------------------------------------------------------------------
  // Registers and the error queue.
  // ---------------------------------------------------------------------------------------------
  // For the traces: see ppu_top_trace.
  logic [RequesterWidth-1:0]  requester;
  logic [1:0]                 dma_phase;
  logic [63:0]                fence_value;
  logic                       unused_traces;

  assign unused_traces = ^{requester, dma_phase, fence_value};

  logic                       cancel, doorbell, error_pop, error_raised;
  logic [BeatNumberWidth-1:0] ring_beat;
  logic [31:0]                ring_entries, ring_tail, head;
  logic [3:0]                 error_count, error_reason, reject_reason, run_failed_status;
  logic [31:0]                error_number, error_detail, error_lost;
  logic [31:0]                bad_number, bad_index, run_failed_number;
  logic                       reset, reject, bad_descriptor, run_failed;
  logic                       fence_written, fence_interrupt;
  logic [Engines-1:0]         progress_valid;
  logic [32*Engines-1:0]      progress;

  ppu_registers #(.Engines(Engines)) u_registers (
    .clk_i, .rst_ni, .config_hash_i, .write_i(reg_write_i), .address_i(reg_address_i),
    .wdata_i(reg_wdata_i), .rdata_o(reg_rdata_o), .irq_o, .cancel_o(cancel),
    .doorbell_o(doorbell), .error_pop_o(error_pop), .ring_beat_o(ring_beat),
    .ring_entries_o(ring_entries), .ring_tail_o(ring_tail), .idle_i(idle_o), .ring_head_i(head),
    .fence_irq_i(fence_written && fence_interrupt), .error_irq_i(error_raised),
    .error_count_i(error_count), .error_number_i(error_number), .error_reason_i(error_reason),
    .error_detail_i(error_detail), .error_lost_i(error_lost), .progress_valid_i(progress_valid),
    .progress_i(progress));

  ppu_error_queue u_errors (
    .clk_i, .rst_ni, .clear_i(reset), .run_failed_i(run_failed),
    .run_failed_number_i(run_failed_number), .run_failed_status_i(run_failed_status),
    .descriptor_i(bad_descriptor), .descriptor_number_i(bad_number),
    .descriptor_index_i(bad_index), .reject_i(reject), .reject_number_i(head),
    .reject_reason_i(reject_reason), .raised_o(error_raised), .pop_i(error_pop),
    .count_o(error_count), .number_o(error_number), .reason_o(error_reason),
    .detail_o(error_detail), .lost_o(error_lost));

  // ---------------------------------------------------------------------------------------------
  // Command processor.
  // ---------------------------------------------------------------------------------------------
  logic                       commands_idle, dma_idle, dma_loading, writer_idle;
  logic                       command_begin, copy, fence, query, command_wait;
  logic [Engines-1:0]         engine_idle, run;
  logic [Width-1:0]           command;
  logic                       fetch_valid, fetch_ready, fetch_rsp_valid;
  logic [BeatNumberWidth-1:0] fetch_beat;

  ppu_command_processor #(
    .Engines(Engines), .ImpulseMemoryRows(ImpulseMemoryRows),
    .BodyMemoryBodies(BodyMemoryBodies), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_commands (
    .clk_i, .rst_ni, .device_memory_mib_i, .host_memory_mib_i, .ring_beat_i(ring_beat),
    .ring_entries_i(ring_entries), .ring_tail_i(ring_tail), .head_o(head),
    .idle_o(commands_idle), .read_valid_o(fetch_valid), .read_ready_i(fetch_ready),
    .read_beat_o(fetch_beat), .rsp_valid_i(fetch_rsp_valid), .rsp_data_i(host_read_rsp_data_i),
    .dma_idle_i(dma_idle), .dma_loading_i(dma_loading), .engine_idle_i(engine_idle),
    .writer_idle_i(writer_idle), .command_o(command), .begin_o(command_begin), .copy_o(copy),
    .run_o(run), .fence_o(fence), .query_o(query), .reset_o(reset), .reject_o(reject),
    .reject_reason_o(reject_reason), .wait_o(command_wait));

  assign idle_o = commands_idle && dma_idle && (&engine_idle) && writer_idle;

  // ---------------------------------------------------------------------------------------------
  // DMA.
  // ---------------------------------------------------------------------------------------------
  logic                       dma_read_valid, dma_read_ready, dma_read_rsp_valid;
  logic                       dma_write_valid, dma_write_ready, dma_write_rsp_valid;
  logic [BeatNumberWidth-1:0] dma_read_beat, dma_write_beat;
  logic [Width-1:0]           dma_write_data, imem_data;
  logic [Bytes-1:0]           dma_write_strobe;
  logic                       imem_write, carried, carried_in, carried_out;
  logic [15:0]                imem_line;
  logic [31:0]                carried_bytes;

  logic [Requesters-1:0]                 req_valid, req_ready, req_write, rsp_valid;
  logic [Requesters*BeatNumberWidth-1:0] req_beat;
  logic [Requesters*Width-1:0]           req_data;
  logic [Requesters*Bytes-1:0]           req_strobe;
  logic                                  rsp_write;

  ppu_dma #(.BufferBeats(DmaBufferBeats)) u_dma (
    .clk_i, .rst_ni, .device_memory_mib_i, .host_memory_mib_i, .start_i(copy),
    .command_i(command), .number_i(head), .idle_o(dma_idle), .loading_o(dma_loading),
    .phase_o(dma_phase), .host_read_valid_o(dma_read_valid),
    .host_read_ready_i(dma_read_ready), .host_read_beat_o(dma_read_beat),
    .host_read_rsp_valid_i(dma_read_rsp_valid), .host_read_rsp_data_i,
    .host_write_valid_o(dma_write_valid), .host_write_ready_i(dma_write_ready),
    .host_write_beat_o(dma_write_beat), .host_write_data_o(dma_write_data),
    .host_write_strobe_o(dma_write_strobe), .host_write_rsp_valid_i(dma_write_rsp_valid),
    .mem_req_valid_o(req_valid[Engines]), .mem_req_ready_i(req_ready[Engines]),
    .mem_req_write_o(req_write[Engines]),
    .mem_req_beat_o(req_beat[Engines*BeatNumberWidth +: BeatNumberWidth]),
    .mem_req_data_o(req_data[Engines*Width +: Width]),
    .mem_req_strobe_o(req_strobe[Engines*Bytes +: Bytes]), .mem_rsp_valid_i(rsp_valid[Engines]),
    .mem_rsp_write_i(rsp_write), .mem_rsp_data_i, .imem_write_o(imem_write),
    .imem_line_o(imem_line), .imem_data_o(imem_data), .carried_o(carried),
    .carried_in_o(carried_in), .carried_out_o(carried_out), .carried_bytes_o(carried_bytes),
    .bad_o(bad_descriptor), .bad_number_o(bad_number), .bad_index_o(bad_index));

  // ---------------------------------------------------------------------------------------------
  // Engines.
  // ---------------------------------------------------------------------------------------------
  logic [Engines-1:0]       engine_done, engine_release;
  logic [4*Engines-1:0]     engine_status;
  logic [3:0]               report_beat;
  logic [Width*Engines-1:0] report_data;

  for (genvar i = 0; i < Engines; i++) begin : gen_engine
    ppu_engine #(
      .Index(i), .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
      .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
      .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
      .FilterWindow(FilterWindow), .InstructionMemoryWords(InstructionMemoryWords)
    ) u_engine (
      .clk_i, .rst_ni, .imem_write_i(imem_write), .imem_line_i(imem_line),
      .imem_data_i(imem_data), .start_i(run[i]), .start_command_i(command),
      .start_number_i(head), .idle_o(engine_idle[i]), .cancel_i(cancel),
      .device_cycle_i(device_cycle_q), .done_o(engine_done[i]), .release_i(engine_release[i]),
      .status_o(engine_status[4*i +: 4]), .report_beat_i(report_beat),
      .report_data_o(report_data[Width*i +: Width]), .mem_req_valid_o(req_valid[i]),
      .mem_req_ready_i(req_ready[i]), .mem_req_write_o(req_write[i]),
      .mem_req_beat_o(req_beat[BeatNumberWidth*i +: BeatNumberWidth]),
      .mem_req_data_o(req_data[Width*i +: Width]),
      .mem_req_strobe_o(req_strobe[Bytes*i +: Bytes]), .mem_rsp_valid_i(rsp_valid[i]),
      .mem_rsp_data_i, .progress_valid_o(progress_valid[i]),
      .progress_o(progress[32*i +: 32]));
  end

  ppu_memory_arbiter #(.Requesters(Requesters)) u_arbiter (
    .clk_i, .rst_ni, .req_valid_i(req_valid), .req_ready_o(req_ready), .req_write_i(req_write),
    .req_beat_i(req_beat), .req_data_i(req_data), .req_strobe_i(req_strobe),
    .rsp_valid_o(rsp_valid), .rsp_write_o(rsp_write), .mem_req_valid_o, .mem_req_ready_i,
    .mem_req_write_o, .mem_req_beat_o, .mem_req_data_o, .mem_req_strobe_o, .mem_rsp_valid_i,
    .requester_o(requester));

  // ---------------------------------------------------------------------------------------------
  // Writer, host link, counters.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned CountersWidth = 64 * ppu_spec_pkg::DeviceCounterCount;

  logic                       writer_valid, writer_ready, writer_ack, read_dma, write_dma;
  logic [BeatNumberWidth-1:0] writer_beat;
  logic [Width-1:0]           writer_data;
  logic [Bytes-1:0]           writer_strobe;
  logic [CountersWidth-1:0]   counters;

  ppu_writer #(.Engines(Engines)) u_writer (
    .clk_i, .rst_ni, .device_cycle_i(device_cycle_q), .idle_o(writer_idle), .command_i(command),
    .number_i(head), .fence_i(fence), .query_i(query), .run_i(run), .counters_i(counters),
    .done_i(engine_done), .status_i(engine_status), .report_beat_o(report_beat),
    .report_data_i(report_data), .release_o(engine_release), .write_valid_o(writer_valid),
    .write_ready_i(writer_ready), .write_beat_o(writer_beat), .write_data_o(writer_data),
    .write_strobe_o(writer_strobe), .ack_i(writer_ack), .fence_written_o(fence_written),
    .fence_interrupt_o(fence_interrupt), .fence_value_o(fence_value),
    .run_failed_o(run_failed), .run_failed_number_o(run_failed_number),
    .run_failed_status_o(run_failed_status));

  ppu_host_port u_host_read (
    .clk_i, .rst_ni, .req_valid_i({dma_read_valid, fetch_valid}),
    .req_ready_o({dma_read_ready, fetch_ready}),
    .rsp_valid_o({dma_read_rsp_valid, fetch_rsp_valid}), .link_valid_o(host_read_valid_o),
    .link_ready_i(host_read_ready_i), .second_o(read_dma),
    .link_rsp_valid_i(host_read_rsp_valid_i));
  assign host_read_beat_o = read_dma ? dma_read_beat : fetch_beat;

  ppu_host_port u_host_write (
    .clk_i, .rst_ni, .req_valid_i({dma_write_valid, writer_valid}),
    .req_ready_o({dma_write_ready, writer_ready}),
    .rsp_valid_o({dma_write_rsp_valid, writer_ack}), .link_valid_o(host_write_valid_o),
    .link_ready_i(host_write_ready_i), .second_o(write_dma),
    .link_rsp_valid_i(host_write_rsp_valid_i));
  assign host_write_beat_o = write_dma ? dma_write_beat : writer_beat;
  assign host_write_data_o = write_dma ? dma_write_data : writer_data;
  assign host_write_strobe_o = write_dma ? dma_write_strobe : writer_strobe;

  // What a read would write does not matter.
  ppu_request_check #(.Width(1 + BeatNumberWidth + Width + Bytes)) u_memory_check (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_o), .ready_i(mem_req_ready_i),
    .request_i({mem_req_write_o, mem_req_beat_o,
                mem_req_write_o ? {mem_req_data_o, mem_req_strobe_o} : '0}));

  ppu_request_check #(.Width(BeatNumberWidth)) u_host_read_check (
    .clk_i, .rst_ni, .valid_i(host_read_valid_o), .ready_i(host_read_ready_i),
    .request_i(host_read_beat_o));

  ppu_request_check #(.Width(BeatNumberWidth + Width + Bytes)) u_host_write_check (
    .clk_i, .rst_ni, .valid_i(host_write_valid_o), .ready_i(host_write_ready_i),
    .request_i({host_write_beat_o, host_write_data_o, host_write_strobe_o}));

  ppu_device_counters #(.Engines(Engines)) u_counters (
    .clk_i, .rst_ni, .clear_i(reset), .command_i(command_begin || reject), .reject_i(reject),
    .doorbell_i(doorbell), .fence_written_i(fence_written), .run_i(run != '0),
    .carried_i(carried), .carried_in_i(carried_in), .carried_out_i(carried_out),
    .carried_bytes_i(carried_bytes), .dma_idle_i(dma_idle),
    .host_read_i(host_read_valid_o && host_read_ready_i),
    .host_write_i(host_write_valid_o && host_write_ready_i),
    .memory_i(mem_req_valid_o && mem_req_ready_i),
    .memory_wait_i(mem_req_valid_o && !mem_req_ready_i), .command_wait_i(command_wait),
    .engine_idle_i(engine_idle), .counters_o(counters));

endmodule
