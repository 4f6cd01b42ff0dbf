// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of one context that are its own: doorbell, interrupts, errors, progress. While it
// is closed they are as after reset.

`include "ppu_assert.svh"

module ppu_context_page #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// The context.
  parameter int unsigned Index = 0
) (
  /// Clock.
  input  logic                           clk_i,
  /// Reset, active low.
  input  logic                           rst_ni,
  /// The context is open.
  input  logic                           open_i,
  /// The context is closed by what the host writes in this cycle.
  input  logic                           close_i,

  // The host.
  /// Writes a register of this page at the end of this cycle.
  input  logic                           write_i,
  /// Offset of the register to write or read.
  input  logic [7:0]                     address_i,
  /// What to write.
  input  logic [31:0]                    wdata_i,
  /// The register at the address; 0 if there is none.
  output logic [31:0]                    rdata_o,
  /// An interrupt is up and not masked.
  output logic                           irq_o,
  /// The host cancels the runs of the context.
  output logic                           cancel_o,
  /// Commands written to the ring.
  output logic [31:0]                    tail_o,

  // Shown to the host.
  /// Something of the context is waiting or under way.
  input  logic                           busy_i,
  /// Commands taken from the ring.
  input  logic [31:0]                    head_i,
  /// A fence of the context raises its interrupt, bit 0.
  input  logic                           fence_irq_i,
  /// The report of a failed run; errors of other contexts do not count.
  input  ppu_spec_pkg::context_error_t run_failed_i,
  /// An error of the DMA.
  input  ppu_spec_pkg::context_error_t descriptor_i,
  /// A rejected command.
  input  ppu_spec_pkg::context_error_t reject_i,
  /// A lost word of device memory, of nobody in particular.
  input  ppu_spec_pkg::context_error_t memory_i,
  /// Engines that say how far they are.
  input  logic [Engines-1:0]             progress_valid_i,
  /// What each says, 32 bits of engine 0 first.
  input  logic [32*Engines-1:0]          progress_i,
  /// Whose run each has.
  input  logic [ppu_spec_pkg::ContextIdWidth*Engines-1:0] runs_i
);

  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;
  localparam logic [IdWidth-1:0] Own = IdWidth'(Index);

  ppu_spec_pkg::error_entry_t memory_error, oldest;
  logic [31:0]                tail_q, progress_q, lost;
  logic [3:0]                 count;
  logic [1:0]                 irq_status_q, irq_mask_q, irq_clear;
  logic                       clear, pop, raised, unused_id;

  assign clear = close_i || !open_i;
  assign irq_o = (irq_status_q & irq_mask_q) != '0;
  assign tail_o = tail_q;
  assign cancel_o = write_i && address_i == ppu_spec_pkg::RegControl && wdata_i == 32'd1;
  assign pop = write_i && address_i == ppu_spec_pkg::RegErrorPop;
  assign irq_clear = write_i && address_i == ppu_spec_pkg::RegIrqStatus ? wdata_i[1:0] : 2'b00;

  // A lost word may have been read by the last command of every context.
  always_comb begin
    memory_error = memory_i.entry;
    memory_error.command = head_i - 32'd1;
  end
  assign unused_id = ^memory_i.id;

  ppu_error_queue u_errors (
    .clk_i, .rst_ni, .clear_i(clear),
    .first_valid_i(run_failed_i.valid && run_failed_i.id == Own), .first_i(run_failed_i.entry),
    .second_valid_i(descriptor_i.valid && descriptor_i.id == Own),
    .second_i(descriptor_i.entry), .third_valid_i(reject_i.valid && reject_i.id == Own),
    .third_i(reject_i.entry), .fourth_valid_i(memory_i.valid), .fourth_i(memory_error),
    .raised_o(raised), .pop_i(pop), .count_o(count), .oldest_o(oldest), .lost_o(lost));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tail_q <= '0;
      irq_status_q <= '0;
      irq_mask_q <= '0;
      progress_q <= '0;
    end else if (clear) begin
      tail_q <= '0;
      irq_status_q <= '0;
      irq_mask_q <= '0;
      progress_q <= '0;
    end else begin
      irq_status_q <= (irq_status_q & ~irq_clear) | {raised, fence_irq_i};
      for (int unsigned i = 0; i < Engines; i++) begin
        if (progress_valid_i[i] && runs_i[IdWidth*i +: IdWidth] == Own)
          progress_q <= progress_i[32*i +: 32];
      end
      if (write_i && address_i == ppu_spec_pkg::RegRingTail) tail_q <= wdata_i;
      if (write_i && address_i == ppu_spec_pkg::RegIrqMask) irq_mask_q <= wdata_i[1:0];
    end
  end

  always_comb begin
    case (address_i)
      ppu_spec_pkg::RegStatus: rdata_o = {30'd0, irq_o, busy_i};
      ppu_spec_pkg::RegRingTail: rdata_o = tail_q;
      ppu_spec_pkg::RegRingHead: rdata_o = head_i;
      ppu_spec_pkg::RegIrqStatus: rdata_o = {30'd0, irq_status_q};
      ppu_spec_pkg::RegIrqMask: rdata_o = {30'd0, irq_mask_q};
      ppu_spec_pkg::RegErrorCount: rdata_o = {28'd0, count};
      ppu_spec_pkg::RegErrorCommand: rdata_o = oldest.command;
      ppu_spec_pkg::RegErrorReason: rdata_o = {28'd0, oldest.reason};
      ppu_spec_pkg::RegErrorDetail: rdata_o = oldest.detail;
      ppu_spec_pkg::RegErrorLost: rdata_o = lost;
      ppu_spec_pkg::RegProgress: rdata_o = progress_q;
      default: rdata_o = '0;
    endcase
  end

  `PPU_ASSERT(AClosedContextHasTakenNoCommands, open_i || head_i == '0)

endmodule
