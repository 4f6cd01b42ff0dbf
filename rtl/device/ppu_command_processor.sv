// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Fetches commands from the ring in host memory, checks them, and begins one per cycle, in order,
// when what it needs is free (docs/inside/device.md).

`include "ppu_assert.svh"

module ppu_command_processor #(
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  localparam int unsigned CommandWidth = 8 * ppu_spec_pkg::BeatBytes,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [11:0]                device_memory_mib_i,
  input  logic [11:0]                host_memory_mib_i,

  // The ring.
  input  logic [BeatNumberWidth-1:0] ring_beat_i,     ///< Beat of entry 0.
  input  logic [31:0]                ring_entries_i,
  input  logic [31:0]                ring_tail_i,
  output logic [31:0]                head_o,          ///< Number of the command at the head.
  output logic                       idle_o,          ///< No command, none to fetch.

  // Reads of host memory; responses come in order.
  output logic                       read_valid_o,
  input  logic                       read_ready_i,
  output logic [BeatNumberWidth-1:0] read_beat_o,
  input  logic                       rsp_valid_i,
  input  logic [CommandWidth-1:0]    rsp_data_i,

  // What is free in this cycle.
  input  logic                       dma_idle_i,
  input  logic                       dma_loading_i,   ///< The DMA loads a program.
  input  logic [Engines-1:0]         engine_idle_i,
  input  logic                       writer_idle_i,

  // What is begun in this cycle, for the command at the head.
  output logic [CommandWidth-1:0]    command_o,
  output logic                       begin_o,
  output logic                       copy_o,          ///< For the DMA, programs included.
  output logic [Engines-1:0]         run_o,           ///< For this engine.
  output logic                       fence_o,
  output logic                       query_o,
  output logic                       reset_o,
  output logic                       reject_o,        ///< It is malformed ...
  output logic [3:0]                 reject_reason_o, ///< ... for this reason.
  output logic                       wait_o           ///< It has to wait.
);

  localparam int unsigned Depth = 4;
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  // ---------------------------------------------------------------------------------------------
  // Fetch.
  // ---------------------------------------------------------------------------------------------
  logic [31:0]           fetch_q, head_q;
  logic [CountWidth-1:0] taken_q;  // in flight or in the queue
  logic [31:0]           entry;
  logic                  fetched, pop, valid, waits_q, unused_full;
  logic [CountWidth-1:0] unused_count;
  logic [BeatNumberWidth-1:0] beat_q;

  // The host may change the registers of the ring while a read waits.
  assign entry = fetch_q & (ring_entries_i - 32'd1);
  assign read_valid_o = waits_q || (fetch_q != ring_tail_i && taken_q != CountWidth'(Depth));
  assign read_beat_o = waits_q ? beat_q : ring_beat_i + entry[BeatNumberWidth-1:0];
  assign fetched = read_valid_o && read_ready_i;
  assign pop = begin_o || reject_o;
  assign head_o = head_q;
  assign idle_o = fetch_q == ring_tail_i && taken_q == '0 && !waits_q;

  logic unused_entry;
  assign unused_entry = ^entry[31:BeatNumberWidth];

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

  ppu_fifo #(.Width(CommandWidth), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .push_i(rsp_valid_i), .data_i(rsp_data_i), .pop_i(pop), .data_o(command_o),
    .valid_o(valid), .full_o(unused_full), .count_o(unused_count));

  // ---------------------------------------------------------------------------------------------
  // Check.
  // ---------------------------------------------------------------------------------------------
  ppu_command_check #(
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .InstructionMemoryWords(InstructionMemoryWords)
  ) u_check (
    .command_i(command_o), .device_memory_mib_i, .host_memory_mib_i, .error_o(reject_reason_o));

  // ---------------------------------------------------------------------------------------------
  // Execute.
  // ---------------------------------------------------------------------------------------------
  logic [7:0]         opcode;
  logic [Engines-1:0] lowest_idle;
  logic               engines_idle, is_copy, is_load, free;

  assign opcode = command_o[ppu_spec_pkg::CmdOpcodeLsb +: ppu_spec_pkg::CmdOpcodeWidth];
  assign is_load = opcode == ppu_spec_pkg::CmdLoadProgram;
  assign is_copy = opcode == ppu_spec_pkg::CmdCopyIn || opcode == ppu_spec_pkg::CmdCopyOut ||
                   opcode == ppu_spec_pkg::CmdCopyWithin;
  assign engines_idle = &engine_idle_i;
  assign lowest_idle = engine_idle_i & (~engine_idle_i + Engines'(1));

  always_comb begin
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut, ppu_spec_pkg::CmdCopyWithin:
        free = dma_idle_i;
      ppu_spec_pkg::CmdLoadProgram, ppu_spec_pkg::CmdBarrier:
        free = dma_idle_i && engines_idle;
      ppu_spec_pkg::CmdReset, ppu_spec_pkg::CmdFence, ppu_spec_pkg::CmdQuery:
        free = dma_idle_i && engines_idle && writer_idle_i;
      ppu_spec_pkg::CmdRun:
        free = engine_idle_i != '0 && !dma_loading_i;
      default:
        free = 1'b1;
    endcase
  end

  assign reject_o = valid && reject_reason_o != ppu_spec_pkg::ErrorNone;
  assign begin_o = valid && !reject_o && free;
  assign wait_o = valid && !reject_o && !free;
  assign copy_o = begin_o && (is_copy || is_load);
  assign run_o = begin_o && opcode == ppu_spec_pkg::CmdRun ? lowest_idle : '0;
  assign fence_o = begin_o && opcode == ppu_spec_pkg::CmdFence;
  assign query_o = begin_o && opcode == ppu_spec_pkg::CmdQuery;
  assign reset_o = begin_o && opcode == ppu_spec_pkg::CmdReset;

  `PPU_ASSERT(ResponsesAreForReads, !rsp_valid_i || taken_q != '0)

endmodule
