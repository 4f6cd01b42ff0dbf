// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Fetches commands from the ring in host memory, checks them, and begins one per cycle, in order,
// when what it needs is free (docs/inside/device.md).

`include "ppu_assert.svh"

module ppu_command_processor #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// See ppu_command_check.
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  parameter int unsigned MemoryProtection = ppu_spec_pkg::DefaultMemoryProtection,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords
) (
  /// Clock.
  input  logic                          clk_i,
  /// Reset, active low.
  input  logic                          rst_ni,
  /// Sizes of the memories; constant.
  input  ppu_device_pkg::memory_sizes_t sizes_i,

  // The ring.
  /// The ring as the host has described it; it may change in any cycle.
  input  ppu_spec_pkg::ring_t           ring_i,
  /// Number of the command at the head: of commands taken from the ring so far.
  output logic [31:0]                   number_o,
  /// There is no command, and none to fetch.
  output logic                          idle_o,

  // Reads of host memory; responses come in order.
  /// A command is to be read.
  output logic                          read_valid_o,
  /// The read is accepted in this cycle.
  input  logic                          read_ready_i,
  /// Where the command lies; stays until it is accepted.
  output ppu_spec_pkg::beat_number_t    read_beat_o,
  /// The oldest read that is under way gets its command.
  input  logic                          rsp_valid_i,
  /// The command that was read.
  input  ppu_spec_pkg::command_t        rsp_data_i,

  // What is free in this cycle.
  /// What the DMA is doing.
  input  ppu_device_pkg::dma_status_t   dma_i,
  /// Engines without a run and a report.
  input  logic [Engines-1:0]            engine_idle_i,
  /// Nothing is being written.
  input  logic                          writer_idle_i,

  // What becomes of the command at the head in this cycle.
  /// The command.
  output ppu_spec_pkg::command_t        command_o,
  /// What begins.
  output ppu_device_pkg::begin_t        begin_o,
  /// The engine on which a run begins.
  output logic [Engines-1:0]            run_o,
  /// The command is malformed and leaves the ring.
  output logic                          reject_o,
  /// The error that it then is.
  output ppu_spec_pkg::error_entry_t    error_o,
  /// The command is well formed and has to wait.
  output logic                          wait_o
);

  localparam int unsigned Depth = 4;
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  // ---------------------------------------------------------------------------------------------
  // Fetch.
  // ---------------------------------------------------------------------------------------------
  logic [31:0]           fetch_q, head_q;
  logic [CountWidth-1:0] taken_q;  // in flight or in the queue
  logic [31:0]           entry;
  logic                  fetched, pop, valid, waits_q, unused_full, unused_entry;
  logic [CountWidth-1:0] unused_count;

  ppu_spec_pkg::beat_number_t beat_q;

  // The host may change the registers of the ring while a read waits.
  assign entry = fetch_q & (ring_i.entries - 32'd1);
  assign read_valid_o = waits_q || (fetch_q != ring_i.tail && taken_q != CountWidth'(Depth));
  assign read_beat_o =
      waits_q ? beat_q : ring_i.base + entry[ppu_spec_pkg::BeatNumberWidth-1:0];
  assign fetched = read_valid_o && read_ready_i;
  assign pop = begin_o.command || reject_o;
  assign number_o = head_q;
  assign idle_o = fetch_q == ring_i.tail && taken_q == '0 && !waits_q;
  assign unused_entry = ^entry[31:ppu_spec_pkg::BeatNumberWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fetch_q <= '0;
      head_q <= '0;
      taken_q <= '0;
      waits_q <= 1'b0;
    end else begin
      waits_q <= read_valid_o && !read_ready_i;
      if (fetched) fetch_q <= fetch_q + 32'd1;
      if (pop) head_q <= head_q + 32'd1;
      if (fetched != pop) taken_q <= fetched ? taken_q + CountWidth'(1) : taken_q - CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) beat_q <= read_beat_o;

  ppu_fifo #(.Width(ppu_spec_pkg::CommandWidth), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .push_i(rsp_valid_i), .data_i(rsp_data_i), .pop_i(pop), .data_o(command_o),
    .valid_o(valid), .full_o(unused_full), .count_o(unused_count));

  // ---------------------------------------------------------------------------------------------
  // Check.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_error_e reason;

  ppu_command_check #(
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .MemoryProtection(MemoryProtection), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_check (
    .command_i(command_o), .sizes_i, .error_o(reason));

  assign error_o.command = head_q;
  assign error_o.reason = reason;
  assign error_o.detail = '0;

  // ---------------------------------------------------------------------------------------------
  // Execute.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_opcode_e opcode;
  logic [Engines-1:0]            lowest_idle;
  logic                          engines_idle, free, begins;

  assign opcode = command_o.copy.opcode;
  assign engines_idle = &engine_idle_i;
  assign lowest_idle = engine_idle_i & (~engine_idle_i + Engines'(1));

  always_comb begin
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut, ppu_spec_pkg::CmdCopyWithin:
        free = dma_i.idle;
      ppu_spec_pkg::CmdLoadProgram, ppu_spec_pkg::CmdBarrier, ppu_spec_pkg::CmdFlip:
        free = dma_i.idle && engines_idle;
      ppu_spec_pkg::CmdReset, ppu_spec_pkg::CmdFence, ppu_spec_pkg::CmdQuery:
        free = dma_i.idle && engines_idle && writer_idle_i;
      ppu_spec_pkg::CmdRun:
        free = engine_idle_i != '0 && !dma_i.loading;
      default:
        free = 1'b1;
    endcase
  end

  assign reject_o = valid && reason != ppu_spec_pkg::ErrorNone;
  assign begins = valid && !reject_o && free;
  assign wait_o = valid && !reject_o && !free;
  assign run_o = begins && opcode == ppu_spec_pkg::CmdRun ? lowest_idle : '0;

  always_comb begin
    begin_o = '0;
    begin_o.command = begins;
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut, ppu_spec_pkg::CmdCopyWithin,
      ppu_spec_pkg::CmdLoadProgram: begin_o.copy = begins;
      ppu_spec_pkg::CmdFence: begin_o.fence = begins;
      ppu_spec_pkg::CmdQuery: begin_o.query = begins;
      ppu_spec_pkg::CmdReset: begin_o.reset = begins;
      ppu_spec_pkg::CmdFlip: begin_o.flip = begins;
      default: ;
    endcase
  end

  `PPU_ASSERT(ResponsesAreForReads, !rsp_valid_i || taken_q != '0)

endmodule
