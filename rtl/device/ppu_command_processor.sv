// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Fetches commands from the rings of the contexts in host memory, one after another by turns,
// checks them, and begins one per cycle, in the order in which they were fetched, when what it
// needs is free (docs/inside/device.md).

`include "ppu_assert.svh"

module ppu_command_processor #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// See ppu_command_check.
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  parameter int unsigned MemoryProtection = ppu_spec_pkg::DefaultMemoryProtection,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  /// Contexts, the owner included.
  localparam int unsigned Contexts = ppu_spec_pkg::Contexts
) (
  /// Clock.
  input  logic                          clk_i,
  /// Reset, active low.
  input  logic                          rst_ni,
  /// Sizes of the memories; constant.
  input  ppu_device_pkg::memory_sizes_t sizes_i,

  // The rings.
  /// The contexts, as the owner has described them; they may change in any cycle.
  input  logic [ppu_spec_pkg::ContextWidth*Contexts-1:0] contexts_i,
  /// Contexts that are closed in the next cycle.
  input  logic [Contexts-1:0]           close_i,
  /// Commands written to each ring; 0 while its context is closed.
  input  logic [32*Contexts-1:0]        tails_i,
  /// Commands taken from each ring; 0 while its context is closed.
  output logic [32*Contexts-1:0]        heads_o,
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
  /// Whose command it is.
  output ppu_spec_pkg::context_id_t   context_o,
  /// The number of the command in its ring.
  output logic [31:0]                   number_o,
  /// The context that a `scrub` names.
  output ppu_spec_pkg::context_id_t   scrub_context_o,
  /// What begins.
  output ppu_device_pkg::begin_t        begin_o,
  /// The engine on which a run begins.
  output logic [Engines-1:0]            run_o,
  /// The command is malformed, or its context is gone, and it leaves the ring.
  output logic                          reject_o,
  /// The error of a malformed command.
  output ppu_spec_pkg::context_error_t error_o,
  /// The command is well formed and has to wait.
  output logic                          wait_o
);

  localparam int unsigned Depth = 4;
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  // ---------------------------------------------------------------------------------------------
  // Fetch.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned Width = ppu_spec_pkg::ContextWidth;
  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;

  logic [32*Contexts-1:0]     fetches_q, heads_q;
  logic [Contexts-1:0]        open, wanted, behind_q, turn, candidates;
  logic [CountWidth-1:0]      taken_q;  // in flight or in the queue
  logic [31:0]                place_of_next;
  logic [IdWidth-1:0]         next, reading, id_q;
  logic                       fetched, pop, valid, waits_q, lost, lost_q;
  logic                       unused_full, unused_place;
  logic [CountWidth-1:0]      unused_count;
  ppu_spec_pkg::beat_number_t beat_q;
  ppu_spec_pkg::context_t   asking;

  // Whose turn it is: behind_q marks the contexts after the last one that was served.
  for (genvar i = 0; i < Contexts; i++) begin : gen_ring
    assign open[i] = contexts_i[Width*i + Width - 1];
    assign wanted[i] = open[i] && fetches_q[32*i +: 32] != tails_i[32*i +: 32];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fetches_q[32*i +: 32] <= '0;
        heads_q[32*i +: 32] <= '0;
      end else if (close_i[i] || !open[i]) begin
        fetches_q[32*i +: 32] <= '0;
        heads_q[32*i +: 32] <= '0;
      end else begin
        if (fetched && !lost && reading == IdWidth'(i))
          fetches_q[32*i +: 32] <= fetches_q[32*i +: 32] + 32'd1;
        if (pop && !dropped && context_o == IdWidth'(i))
          heads_q[32*i +: 32] <= heads_q[32*i +: 32] + 32'd1;
      end
    end
  end

  assign candidates = (wanted & behind_q) != '0 ? wanted & behind_q : wanted;
  assign turn = candidates & (~candidates + Contexts'(1));

  always_comb begin
    next = '0;
    for (int unsigned i = 0; i < Contexts; i++) begin
      if (turn[i]) next = IdWidth'(i);
    end
  end

  // The host may change the registers of the ring while a read waits, or close its context.
  assign asking = contexts_i[Width * 32'(next) +: Width];
  assign place_of_next = fetches_q[32 * 32'(next) +: 32] & (asking.ring_entries - 32'd1);
  assign reading = waits_q ? id_q : next;
  assign lost = waits_q && (lost_q || !open[id_q]);
  assign read_valid_o = waits_q || (wanted != '0 && taken_q != CountWidth'(Depth));
  assign read_beat_o =
      waits_q ? beat_q : asking.ring_base + place_of_next[ppu_spec_pkg::BeatNumberWidth-1:0];
  assign fetched = read_valid_o && read_ready_i;
  assign pop = begin_o.command || reject_o;
  assign heads_o = heads_q;
  assign number_o = heads_q[32 * 32'(context_o) +: 32];
  assign idle_o = wanted == '0 && taken_q == '0 && !waits_q;
  assign unused_place = ^{place_of_next[31:ppu_spec_pkg::BeatNumberWidth], asking};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      behind_q <= '0;
      taken_q <= '0;
      waits_q <= 1'b0;
    end else begin
      waits_q <= read_valid_o && !read_ready_i;
      if (fetched) behind_q <= ~(Contexts'(2) << reading) + Contexts'(1);
      if (fetched != pop) taken_q <= fetched ? taken_q + CountWidth'(1) : taken_q - CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    beat_q <= read_beat_o;
    id_q <= reading;
    lost_q <= lost;
  end

  // ---------------------------------------------------------------------------------------------
  // Whose the commands in flight and in the queue are, and those whose context was closed since:
  // they are dropped.
  // ---------------------------------------------------------------------------------------------
  logic [IdWidth*Depth-1:0] ids_d, ids_q;
  logic [Depth-1:0]         lost_d, losts_q;
  logic [CountWidth-1:0]    place;
  logic                     dropped;

  assign place = taken_q - CountWidth'(pop);
  assign context_o = ids_q[IdWidth-1:0];
  assign dropped = losts_q[0] || !open[context_o];

  always_comb begin
    ids_d = pop ? ids_q >> IdWidth : ids_q;
    lost_d = pop ? losts_q >> 1 : losts_q;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (fetched && place == CountWidth'(i)) begin
        ids_d[IdWidth*i +: IdWidth] = reading;
        lost_d[i] = lost;
      end
      if (!open[ids_d[IdWidth*i +: IdWidth]]) lost_d[i] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    ids_q <= ids_d;
    losts_q <= lost_d;
  end

  ppu_fifo #(.Width(ppu_spec_pkg::CommandWidth), .Depth(Depth)) u_queue (
    .clk_i, .rst_ni, .push_i(rsp_valid_i), .data_i(rsp_data_i), .pop_i(pop), .data_o(command_o),
    .valid_o(valid), .full_o(unused_full), .count_o(unused_count));

  // ---------------------------------------------------------------------------------------------
  // Check.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_error_e reason;
  ppu_spec_pkg::context_t     owns, scrubbed;
  ppu_spec_pkg::error_entry_t   entry;
  logic                         unused_dma;

  assign unused_dma = ^dma_i;

  assign owns = contexts_i[Width * 32'(context_o) +: Width];
  assign scrubbed = contexts_i[Width * 32'(scrub_context_o) +: Width];

  ppu_command_check #(
    .ImpulseMemoryRows(ImpulseMemoryRows), .BodyMemoryBodies(BodyMemoryBodies),
    .MemoryProtection(MemoryProtection), .InstructionMemoryWords(InstructionMemoryWords)
  ) u_check (
    .command_i(command_o), .sizes_i, .owner_i(context_o == '0), .context_i(owns),
    .scrubbed_i(scrubbed), .scrub_context_o, .error_o(reason));

  assign error_o.valid = reject_o && !dropped;
  assign error_o.id = context_o;
  assign error_o.entry = entry;
  assign entry.command = number_o;
  assign entry.reason = dropped ? ppu_spec_pkg::ErrorNone : reason;
  assign entry.detail = '0;

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
      ppu_spec_pkg::CmdReset, ppu_spec_pkg::CmdFence, ppu_spec_pkg::CmdQuery,
      ppu_spec_pkg::CmdScrub:
        free = dma_i.idle && engines_idle && writer_idle_i;
      ppu_spec_pkg::CmdRun:
        free = engine_idle_i != '0 && !dma_i.loading;
      default:
        free = 1'b1;
    endcase
  end

  assign reject_o = valid && (dropped || reason != ppu_spec_pkg::ErrorNone);
  assign begins = valid && !reject_o && free;
  assign wait_o = valid && !reject_o && !free;
  assign run_o = begins && opcode == ppu_spec_pkg::CmdRun ? lowest_idle : '0;

  always_comb begin
    begin_o = '0;
    begin_o.command = begins;
    begin_o.scrub = begins && opcode == ppu_spec_pkg::CmdScrub;
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut, ppu_spec_pkg::CmdCopyWithin,
      ppu_spec_pkg::CmdLoadProgram, ppu_spec_pkg::CmdScrub: begin_o.copy = begins;
      ppu_spec_pkg::CmdFence: begin_o.fence = begins;
      ppu_spec_pkg::CmdQuery: begin_o.query = begins;
      ppu_spec_pkg::CmdReset: begin_o.reset = begins;
      ppu_spec_pkg::CmdFlip: begin_o.flip = begins;
      default: ;
    endcase
  end

  `PPU_ASSERT(ResponsesAreForReads, !rsp_valid_i || taken_q != '0)

endmodule
