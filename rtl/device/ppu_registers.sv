// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of the device, a page for each context, and its interrupt lines. A write takes the
// cycle in which it is on the port; reads are combinational.

`include "ppu_assert.svh"

module ppu_registers #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// Words of instruction memory.
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  /// Contexts, the owner included.
  localparam int unsigned Contexts = ppu_spec_pkg::Contexts
) (
  /// Clock.
  input  logic                           clk_i,
  /// Reset, active low.
  input  logic                           rst_ni,
  /// Hash of the configuration; constant.
  input  logic [63:0]                    config_hash_i,
  /// Sizes of the memories; constant.
  input  ppu_device_pkg::memory_sizes_t  sizes_i,

  // The host.
  /// Writes a register at the end of this cycle.
  input  logic                           write_i,
  /// The register to write or read: page and offset.
  input  logic [ppu_spec_pkg::RegisterAddressWidth-1:0] address_i,
  /// What to write.
  input  logic [31:0]                    wdata_i,
  /// The register at the address; 0 if there is none.
  output logic [31:0]                    rdata_o,
  /// An interrupt of each context is up and not masked.
  output logic [Contexts-1:0]            irq_o,

  // Written by the host.
  /// The contexts, see ppu_context_table.
  output logic [ppu_spec_pkg::ContextWidth*Contexts-1:0] contexts_o,
  /// Commands written to each ring.
  output logic [32*Contexts-1:0]         tails_o,
  /// The host cancels the runs of these contexts, or closes them.
  output logic [Contexts-1:0]            cancel_o,
  /// The host closes these contexts.
  output logic [Contexts-1:0]            close_o,
  /// The host writes the tail of a ring.
  output logic                           doorbell_o,

  // Shown to the host.
  /// The device has nothing to do.
  input  logic                           idle_i,
  /// Commands taken from each ring.
  input  logic [32*Contexts-1:0]         heads_i,
  /// Fences of these contexts raise their interrupt, bit 0.
  input  logic [Contexts-1:0]            fence_irq_i,
  /// The report of a failed run.
  input  ppu_spec_pkg::context_error_t run_failed_i,
  /// An error of the DMA.
  input  ppu_spec_pkg::context_error_t descriptor_i,
  /// A rejected command.
  input  ppu_spec_pkg::context_error_t reject_i,
  /// A lost word of device memory.
  input  ppu_spec_pkg::context_error_t memory_i,
  /// Engines that say how far they are.
  input  logic [Engines-1:0]             progress_valid_i,
  /// What each says, 32 bits of engine 0 first.
  input  logic [32*Engines-1:0]          progress_i,
  /// Whose run each has.
  input  logic [ppu_spec_pkg::ContextIdWidth*Engines-1:0] runs_i,
  /// A scrub begins.
  input  logic                           scrub_i,
  /// The context that is scrubbed.
  input  ppu_spec_pkg::context_id_t      scrub_context_i,
  /// A scrub ends.
  input  logic                           scrubbed_i
);

  localparam int unsigned OffsetWidth = ppu_spec_pkg::RegisterOffsetWidth;
  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;
  localparam int unsigned Width = ppu_spec_pkg::ContextWidth;

  logic [OffsetWidth-1:0] offset;
  logic [IdWidth-1:0]     page;
  logic [31:0]            table_data, page_data, ids;
  logic [32*Contexts-1:0] pages;
  logic [Contexts-1:0]    cancel, close, busy;

  assign offset = address_i[OffsetWidth-1:0];
  assign page = address_i[OffsetWidth +: IdWidth];
  assign doorbell_o = write_i && offset == ppu_spec_pkg::RegRingTail;
  assign close_o = close;
  assign cancel_o = cancel | close;

  ppu_context_table #(.InstructionMemoryWords(InstructionMemoryWords)) u_table (
    .clk_i, .rst_ni, .sizes_i, .write_i(write_i && page == '0), .address_i(offset), .wdata_i,
    .rdata_o(table_data), .scrub_i, .scrub_context_i, .scrubbed_i, .contexts_o, .close_o(close));

  assign busy[0] = !idle_i;
  for (genvar i = 1; i < Contexts; i++) begin : gen_busy
    assign busy[i] = heads_i[32*i +: 32] != tails_o[32*i +: 32];
  end

  for (genvar i = 0; i < Contexts; i++) begin : gen_page
    ppu_context_page #(.Engines(Engines), .Index(i)) u_page (
      .clk_i, .rst_ni, .open_i(contexts_o[Width*i + Width - 1]), .close_i(close[i]),
      .write_i(write_i && page == IdWidth'(i)), .address_i(offset), .wdata_i,
      .rdata_o(pages[32*i +: 32]), .irq_o(irq_o[i]), .cancel_o(cancel[i]),
      .tail_o(tails_o[32*i +: 32]), .busy_i(busy[i]), .head_i(heads_i[32*i +: 32]),
      .fence_irq_i(fence_irq_i[i]), .run_failed_i, .descriptor_i, .reject_i, .memory_i,
      .progress_valid_i, .progress_i, .runs_i);
  end

  // ---------------------------------------------------------------------------------------------
  // Reads. No two of the three know the same register.
  // ---------------------------------------------------------------------------------------------
  always_comb begin
    case (offset)
      ppu_spec_pkg::RegMagic: ids = ppu_spec_pkg::Magic;
      ppu_spec_pkg::RegSpecHash: ids = ppu_spec_pkg::SpecHash;
      ppu_spec_pkg::RegConfigHashLo: ids = config_hash_i[31:0];
      ppu_spec_pkg::RegConfigHashHi: ids = config_hash_i[63:32];
      default: ids = '0;  // lockstep_rows too: nothing runs beside the RTL
    endcase
  end

  assign page_data = pages[32 * 32'(page) +: 32];
  assign rdata_o = ids | page_data | (page == '0 ? table_data : '0);

  `PPU_ASSERT(NothingIsReportedWhileIdle,
              !idle_i || !(fence_irq_i != '0 || run_failed_i.valid || descriptor_i.valid ||
                           reject_i.valid || memory_i.valid || progress_valid_i != '0))

endmodule
