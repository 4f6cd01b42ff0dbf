// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The whole device: registers, command processor, DMA, writer, engines and the arbiter of device
// memory (docs/inside/device.md). Around it are device memory and the host link; every request on
// their ports gets one response, in order; under way are at most the largest dram_queue and
// link_queue. Everything is of one clock, which may stop while idle_o
// (docs/inside/device_clocking.md).

module ppu_top #(
  /// See ppu_shape_check, which says what each may be.
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
  parameter int unsigned Dataflow = ppu_spec_pkg::DefaultDataflow,
  parameter int unsigned ChoiceStages = ppu_spec_pkg::DefaultChoiceStages,
  parameter int unsigned MemoryProtection = ppu_spec_pkg::DefaultMemoryProtection,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  parameter int unsigned MemoryPortBeats = ppu_spec_pkg::DefaultMemoryPortBeats,
  parameter int unsigned DmaBufferBeats = ppu_spec_pkg::DefaultDmaBufferBeats,
  /// Requesters of device memory: the engines, then the DMA.
  localparam int unsigned Requesters = Engines + 1
) (
  /// Clock; every other port but rst_ni is of this clock.
  input  logic                          clk_i,
  /// Reset, active low: begins at any time, ends synchronously to clk_i.
  input  logic                          rst_ni,

  // What the device is and what it is attached to; constant from reset on.
  /// Hash of the configuration.
  input  logic [63:0]                   config_hash_i,
  /// Sizes of device memory and host memory in MiB.
  input  ppu_device_pkg::memory_sizes_t memory_sizes_i,

  // Registers.
  /// Writes a register at the end of this cycle; wakes the device.
  input  logic                          reg_write_i,
  /// The register to write or read: the context's page and the offset in it.
  input  logic [ppu_spec_pkg::RegisterAddressWidth-1:0] reg_address_i,
  /// What to write.
  input  logic [31:0]                   reg_wdata_i,
  /// The register at the address, combinational from reg_address_i.
  output logic [31:0]                   reg_rdata_o,
  /// Interrupt of each context, up until the host clears it.
  output logic [ppu_spec_pkg::Contexts-1:0] irq_o,
  /// Nothing to do: the clock may stop until reg_write_i.
  output logic                          idle_o,
  /// Number of this device cycle; it stands still while the device is idle.
  output logic [63:0]                   device_cycle_o,

  // Device memory.
  /// There is a request.
  output logic                          mem_req_valid_o,
  /// The request is accepted in this cycle.
  input  logic                          mem_req_ready_i,
  /// The request; stays until it is accepted.
  output ppu_spec_pkg::memory_request_t mem_req_o,
  /// The oldest request without a response gets it.
  input  logic                          mem_rsp_valid_i,
  /// What was read; anything for a write.
  input  ppu_spec_pkg::beat_t           mem_rsp_data_i,
  /// Where a pair is answered: what was read of the beat behind the first.
  input  ppu_spec_pkg::beat_t           mem_rsp_second_i,
  /// What the controller of device memory has found in the words of this response; 0 if nothing.
  input  ppu_device_pkg::memory_flaw_t  mem_rsp_flaw_i,
  /// Bits of device memory flip, by the command `flip`.
  output ppu_device_pkg::memory_flip_t  mem_flip_o,

  // Host link: reads.
  /// A beat is to be read.
  output logic                          host_read_valid_o,
  /// The read is accepted in this cycle.
  input  logic                          host_read_ready_i,
  /// The beat; stays until it is accepted.
  output ppu_spec_pkg::beat_number_t    host_read_beat_o,
  /// The oldest read without a response gets it.
  input  logic                          host_read_rsp_valid_i,
  /// What was read.
  input  ppu_spec_pkg::beat_t           host_read_rsp_data_i,

  // Host link: writes.
  /// A beat is to be written.
  output logic                          host_write_valid_o,
  /// The write is accepted in this cycle.
  input  logic                          host_write_ready_i,
  /// The write; stays until it is accepted.
  output ppu_spec_pkg::link_write_t     host_write_o,
  /// The oldest write is acknowledged.
  input  logic                          host_write_rsp_valid_i
);

  ppu_shape_check #(
    .Engines(Engines), .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages),
    .AddStages(AddStages), .DivStages(DivStages), .VelocityBanks(VelocityBanks),
    .RowMemoryRows(RowMemoryRows), .ImpulseMemoryRows(ImpulseMemoryRows),
    .BodyMemoryBodies(BodyMemoryBodies), .FilterWindow(FilterWindow),
    .Dataflow(Dataflow), .ChoiceStages(ChoiceStages),
    .MemoryProtection(MemoryProtection),
    .InstructionMemoryWords(InstructionMemoryWords), .MemoryPortBeats(MemoryPortBeats),
    .DmaBufferBeats(DmaBufferBeats)
  ) u_shape ();

  // ---------------------------------------------------------------------------------------------
  // The device cycle, registers and the error queue.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned Contexts = ppu_spec_pkg::Contexts;

  ppu_spec_pkg::context_error_t run_failed, bad_descriptor, rejected, word_lost;
  ppu_spec_pkg::error_entry_t     memory_error;
  logic                           counts, traffic, doorbell, fence_written, reject;
  logic [Contexts-1:0]            cancel, close, fence_irq;
  logic [32*Contexts-1:0]         tails, heads;
  logic [Engines-1:0]             progress_valid;
  logic [32*Engines-1:0]          progress;

  logic [ppu_spec_pkg::ContextWidth*Contexts-1:0]  contexts;
  logic [ppu_spec_pkg::ContextIdWidth*Engines-1:0] runs;

  assign traffic = mem_req_valid_o || mem_rsp_valid_i || host_read_valid_o ||
                   host_read_rsp_valid_i || host_write_valid_o || host_write_rsp_valid_i;

  ppu_device_cycle u_cycle (
    .clk_i, .rst_ni, .idle_i(idle_o), .reg_write_i, .traffic_i(traffic), .counts_o(counts),
    .cycle_o(device_cycle_o));

  ppu_registers #(
    .Engines(Engines), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_registers (
    .clk_i, .rst_ni, .config_hash_i, .sizes_i(memory_sizes_i), .write_i(reg_write_i),
    .address_i(reg_address_i), .wdata_i(reg_wdata_i), .rdata_o(reg_rdata_o), .irq_o,
    .contexts_o(contexts), .tails_o(tails), .cancel_o(cancel), .close_o(close),
    .doorbell_o(doorbell), .idle_i(idle_o), .heads_i(heads), .fence_irq_i(fence_irq),
    .run_failed_i(run_failed), .descriptor_i(bad_descriptor), .reject_i(rejected),
    .memory_i(word_lost), .progress_valid_i(progress_valid), .progress_i(progress),
    .runs_i(runs), .scrub_i(begins.scrub), .scrub_context_i(scrub_context),
    .scrubbed_i(dma_status.scrubbed));

  // ---------------------------------------------------------------------------------------------
  // Command processor.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_t      command;
  ppu_spec_pkg::beat_number_t  fetch_beat;
  ppu_device_pkg::begin_t      begins;
  ppu_device_pkg::dma_status_t dma_status;
  logic                        commands_idle, writer_idle;
  logic                        fetch_valid, fetch_ready, fetch_rsp_valid, command_wait;
  logic [Engines-1:0]          engine_idle, run;
  logic [31:0]                 number;
  ppu_spec_pkg::context_id_t whose, scrub_context, dma_context;

  ppu_command_processor #(
    .Engines(Engines), .ImpulseMemoryRows(ImpulseMemoryRows),
    .BodyMemoryBodies(BodyMemoryBodies), .MemoryProtection(MemoryProtection),
    .InstructionMemoryWords(InstructionMemoryWords)
  ) u_commands (
    .clk_i, .rst_ni, .sizes_i(memory_sizes_i), .contexts_i(contexts), .close_i(close),
    .tails_i(tails), .heads_o(heads), .idle_o(commands_idle), .read_valid_o(fetch_valid),
    .read_ready_i(fetch_ready),
    .read_beat_o(fetch_beat), .rsp_valid_i(fetch_rsp_valid), .rsp_data_i(host_read_rsp_data_i),
    .dma_i(dma_status), .engine_idle_i(engine_idle), .writer_idle_i(writer_idle),
    .command_o(command), .context_o(whose), .number_o(number), .scrub_context_o(scrub_context),
    .begin_o(begins), .run_o(run), .reject_o(reject), .error_o(rejected),
    .wait_o(command_wait));

  assign dma_context = begins.scrub ? scrub_context : whose;

  // A flip is of engines or of device memory.
  logic flips_memory;

  assign flips_memory = command.flip.flip_memory == 8'(ppu_spec_pkg::FaultDeviceMemory);
  assign mem_flip_o.valid = begins.flip && flips_memory;
  assign mem_flip_o.two = command.flip.flag_two;
  assign mem_flip_o.word = command.flip.flip_word[28:0];

  // A word of device memory that is lost is an error of its own: whose it is, nobody knows here.
  assign word_lost.valid = mem_rsp_valid_i && mem_rsp_flaw_i.lost;
  assign word_lost.id = '0;
  assign word_lost.entry = memory_error;
  assign memory_error.command = '0;
  assign memory_error.reason = ppu_spec_pkg::ErrorMemory;
  assign memory_error.detail = 32'(mem_rsp_flaw_i.word);

  assign idle_o = commands_idle && dma_status.idle && (&engine_idle) && writer_idle;

  // ---------------------------------------------------------------------------------------------
  // DMA.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RequestWidth = ppu_spec_pkg::MemoryRequestWidth;

  ppu_spec_pkg::beat_number_t     dma_read_beat;
  ppu_spec_pkg::link_write_t      dma_write;
  ppu_spec_pkg::program_line_t    imem;
  ppu_device_pkg::carried_t       carried;
  ppu_spec_pkg::memory_response_t dma_response;
  ppu_spec_pkg::memory_request_t  written;
  logic                           dma_read_valid, dma_read_ready, dma_read_rsp_valid;
  logic                           dma_write_valid, dma_write_ready, dma_write_rsp_valid;
  logic                           imem_write, rsp_write;

  // Device memory: of every engine, then of the DMA.
  logic [Requesters-1:0]              req_valid, req_ready, rsp_valid;
  logic [Requesters*RequestWidth-1:0] requests;

  assign dma_response.write = rsp_write;
  assign dma_response.data = mem_rsp_data_i;

  ppu_dma #(.BufferBeats(DmaBufferBeats)) u_dma (
    .clk_i, .rst_ni, .contexts_i(contexts), .start_i(begins.copy), .command_i(command),
    .context_i(dma_context), .number_i(number), .status_o(dma_status),
    .host_read_valid_o(dma_read_valid),
    .host_read_ready_i(dma_read_ready), .host_read_beat_o(dma_read_beat),
    .host_read_rsp_valid_i(dma_read_rsp_valid), .host_read_rsp_data_i,
    .host_write_valid_o(dma_write_valid), .host_write_ready_i(dma_write_ready),
    .host_write_o(dma_write), .host_write_rsp_valid_i(dma_write_rsp_valid),
    .mem_req_valid_o(req_valid[Engines]), .mem_req_ready_i(req_ready[Engines]),
    .mem_req_o(requests[RequestWidth*Engines +: RequestWidth]),
    .mem_rsp_valid_i(rsp_valid[Engines]), .mem_rsp_i(dma_response),
    .written_o(written), .imem_write_o(imem_write), .imem_o(imem),
    .carried_o(carried), .error_o(bad_descriptor));

  // ---------------------------------------------------------------------------------------------
  // Engines.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned Width = ppu_spec_pkg::BeatWidth;

  logic [Engines-1:0]       engine_done, engine_release, engine_cancel, spent;
  logic [4*Engines-1:0]     engine_status;
  logic [3:0]               report_beat;
  logic [Width*Engines-1:0] report_data;

  // The quota is the last word of a context.
  logic [31:0] quota;

  assign quota = contexts[ppu_spec_pkg::ContextWidth * 32'(whose) +: 32];

  ppu_run_quota #(.Engines(Engines)) u_quota (
    .clk_i, .rst_ni, .run_i(run), .context_i(whose), .quota_i(quota),
    .idle_i(engine_idle), .cancel_i(cancel), .runs_o(runs), .cancel_o(engine_cancel),
    .spent_o(spent));

  for (genvar i = 0; i < Engines; i++) begin : gen_engine
    ppu_engine #(
      .Index(i), .Pipes(Pipes), .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages),
      .DivStages(DivStages), .VelocityBanks(VelocityBanks), .RowMemoryRows(RowMemoryRows),
      .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
      .FilterWindow(FilterWindow), .Dataflow(Dataflow), .ChoiceStages(ChoiceStages),
      .MemoryProtection(MemoryProtection),
      .InstructionMemoryWords(InstructionMemoryWords), .MemoryPortBeats(MemoryPortBeats)
    ) u_engine (
      .clk_i, .rst_ni, .imem_write_i(imem_write), .imem_i(imem),
      .flip_valid_i(begins.flip && !flips_memory), .flip_i(command), .start_i(run[i]),
      .start_command_i(command), .start_number_i(number), .idle_o(engine_idle[i]),
      .cancel_i(engine_cancel[i]), .device_cycle_i(device_cycle_o), .done_o(engine_done[i]),
      .release_i(engine_release[i]), .status_o(engine_status[4*i +: 4]),
      .report_beat_i(report_beat), .report_data_o(report_data[Width*i +: Width]),
      .mem_req_valid_o(req_valid[i]), .mem_req_ready_i(req_ready[i]),
      .mem_req_o(requests[RequestWidth*i +: RequestWidth]), .mem_rsp_valid_i(rsp_valid[i]),
      .mem_rsp_data_i, .mem_rsp_second_i, .written_valid_i(written.write), .written_i(written),
      .progress_valid_o(progress_valid[i]), .progress_o(progress[32*i +: 32]));
  end

  ppu_memory_arbiter #(.Requesters(Requesters)) u_arbiter (
    .clk_i, .rst_ni, .req_valid_i(req_valid), .req_ready_o(req_ready), .req_i(requests),
    .rsp_valid_o(rsp_valid), .rsp_write_o(rsp_write), .mem_req_valid_o, .mem_req_ready_i,
    .mem_req_o, .mem_rsp_valid_i);

  // ---------------------------------------------------------------------------------------------
  // Writer and host link.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::device_counters_t counters;
  ppu_spec_pkg::link_write_t      writer_write;
  logic                           writer_valid, writer_ready, writer_ack;

  ppu_writer #(.Engines(Engines)) u_writer (
    .clk_i, .rst_ni, .device_cycle_i(device_cycle_o), .idle_o(writer_idle), .command_i(command),
    .number_i(number), .context_i(whose), .fence_i(begins.fence), .query_i(begins.query),
    .run_i(run),
    .counters_i(counters), .done_i(engine_done), .status_i(engine_status),
    .spent_i(spent), .runs_i(runs),
    .report_beat_o(report_beat), .report_data_i(report_data), .release_o(engine_release),
    .write_valid_o(writer_valid), .write_ready_i(writer_ready), .write_o(writer_write),
    .ack_i(writer_ack), .fence_written_o(fence_written), .fence_irq_o(fence_irq),
    .error_o(run_failed));

  ppu_host_port #(.Width(ppu_spec_pkg::BeatNumberWidth)) u_host_read (
    .clk_i, .rst_ni, .req_valid_i({dma_read_valid, fetch_valid}),
    .req_ready_o({dma_read_ready, fetch_ready}), .first_i(fetch_beat), .second_i(dma_read_beat),
    .rsp_valid_o({dma_read_rsp_valid, fetch_rsp_valid}), .link_valid_o(host_read_valid_o),
    .link_ready_i(host_read_ready_i), .link_o(host_read_beat_o),
    .link_rsp_valid_i(host_read_rsp_valid_i));

  ppu_host_port #(.Width(ppu_spec_pkg::LinkWriteWidth)) u_host_write (
    .clk_i, .rst_ni, .req_valid_i({dma_write_valid, writer_valid}),
    .req_ready_o({dma_write_ready, writer_ready}), .first_i(writer_write), .second_i(dma_write),
    .rsp_valid_o({dma_write_rsp_valid, writer_ack}), .link_valid_o(host_write_valid_o),
    .link_ready_i(host_write_ready_i), .link_o(host_write_o),
    .link_rsp_valid_i(host_write_rsp_valid_i));

  // What a read would write does not matter.
  ppu_request_check #(.Width(RequestWidth)) u_memory_check (
    .clk_i, .rst_ni, .valid_i(mem_req_valid_o), .ready_i(mem_req_ready_i),
    .request_i({mem_req_o.pair, mem_req_o.write, mem_req_o.beat,
                mem_req_o.write ? {mem_req_o.strobe, mem_req_o.data} : '0}));

  ppu_request_check #(.Width(ppu_spec_pkg::BeatNumberWidth)) u_host_read_check (
    .clk_i, .rst_ni, .valid_i(host_read_valid_o), .ready_i(host_read_ready_i),
    .request_i(host_read_beat_o));

  ppu_request_check #(.Width(ppu_spec_pkg::LinkWriteWidth)) u_host_write_check (
    .clk_i, .rst_ni, .valid_i(host_write_valid_o), .ready_i(host_write_ready_i),
    .request_i(host_write_o));

  // ---------------------------------------------------------------------------------------------
  // Counters.
  // ---------------------------------------------------------------------------------------------
  ppu_device_pkg::device_events_t events;

  assign events.cycle = counts;
  assign events.command = begins.command || reject;
  assign events.reject = reject;
  assign events.doorbell = doorbell;
  assign events.fence_written = fence_written;
  assign events.run = run != '0;
  assign events.carried = carried.valid;
  assign events.dma_busy = !dma_status.idle;
  assign events.host_read = host_read_valid_o && host_read_ready_i;
  assign events.host_write = host_write_valid_o && host_write_ready_i;
  assign events.memory = mem_req_valid_o && mem_req_ready_i;
  assign events.memory_pair = mem_req_valid_o && mem_req_ready_i && mem_req_o.pair;
  assign events.memory_wait = mem_req_valid_o && !mem_req_ready_i;
  assign events.memory_corrected = mem_rsp_valid_i ? mem_rsp_flaw_i.corrected : '0;
  assign events.command_wait = command_wait;

  ppu_device_counters #(.Engines(Engines)) u_counters (
    .clk_i, .rst_ni, .clear_i(begins.reset), .events_i(events), .carried_i(carried),
    .engine_idle_i(engine_idle), .counters_o(counters));

endmodule
