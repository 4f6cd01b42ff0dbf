// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of the device and its interrupt line. A write takes the cycle in which it is on the
// port; reads are combinational.

`include "ppu_assert.svh"

module ppu_registers #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines
) (
  /// Clock.
  input  logic                       clk_i,
  /// Reset, active low.
  input  logic                       rst_ni,
  /// Hash of the configuration; constant.
  input  logic [63:0]                config_hash_i,

  // The host.
  /// Writes a register at the end of this cycle.
  input  logic                       write_i,
  /// Offset of the register to write or read.
  input  logic [7:0]                 address_i,
  /// What to write.
  input  logic [31:0]                wdata_i,
  /// The register at the address; 0 if there is none.
  output logic [31:0]                rdata_o,
  /// An interrupt is up and not masked.
  output logic                       irq_o,

  // Written by the host.
  /// The host cancels the runs under way.
  output logic                       cancel_o,
  /// The host writes the tail of the ring.
  output logic                       doorbell_o,
  /// The host removes the oldest error.
  output logic                       error_pop_o,
  /// The ring.
  output ppu_spec_pkg::ring_t        ring_o,

  // Shown to the host.
  /// The device has nothing to do.
  input  logic                       idle_i,
  /// Commands taken from the ring.
  input  logic [31:0]                ring_head_i,
  /// A fence raises its interrupt, bit 0.
  input  logic                       fence_irq_i,
  /// An error raises its interrupt, bit 1.
  input  logic                       error_irq_i,
  /// Entries in the error queue.
  input  logic [3:0]                 error_count_i,
  /// The oldest entry; 0 if there is none.
  input  ppu_spec_pkg::error_entry_t error_i,
  /// Errors that were lost.
  input  logic [31:0]                error_lost_i,
  /// Engines that say how far they are.
  input  logic [Engines-1:0]         progress_valid_i,
  /// What each says, 32 bits of engine 0 first.
  input  logic [32*Engines-1:0]      progress_i
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);

  ppu_spec_pkg::ring_t ring_q;
  logic [31:0]         progress_q;
  logic [1:0]          irq_status_q, irq_mask_q, irq_clear;

  assign irq_o = (irq_status_q & irq_mask_q) != '0;
  assign ring_o = ring_q;

  // ---------------------------------------------------------------------------------------------
  // Writes.
  // ---------------------------------------------------------------------------------------------
  assign cancel_o = write_i && address_i == ppu_spec_pkg::RegControl && wdata_i == 32'd1;
  assign doorbell_o = write_i && address_i == ppu_spec_pkg::RegRingTail;
  assign error_pop_o = write_i && address_i == ppu_spec_pkg::RegErrorPop;
  assign irq_clear = write_i && address_i == ppu_spec_pkg::RegIrqStatus ? wdata_i[1:0] : 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_q <= '0;
      irq_status_q <= '0;
      irq_mask_q <= '0;
      progress_q <= '0;
    end else begin
      irq_status_q <= (irq_status_q & ~irq_clear) | {error_irq_i, fence_irq_i};
      for (int unsigned i = 0; i < Engines; i++) begin
        if (progress_valid_i[i]) progress_q <= progress_i[32*i +: 32];
      end
      if (write_i) begin
        case (address_i)
          ppu_spec_pkg::RegRingBase: ring_q.base <= wdata_i[31:OffsetWidth];
          ppu_spec_pkg::RegRingEntries: ring_q.entries <= wdata_i;
          ppu_spec_pkg::RegRingTail: ring_q.tail <= wdata_i;
          ppu_spec_pkg::RegIrqMask: irq_mask_q <= wdata_i[1:0];
          default: ;
        endcase
      end
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Reads.
  // ---------------------------------------------------------------------------------------------
  always_comb begin
    case (address_i)
      ppu_spec_pkg::RegMagic: rdata_o = ppu_spec_pkg::Magic;
      ppu_spec_pkg::RegSpecHash: rdata_o = ppu_spec_pkg::SpecHash;
      ppu_spec_pkg::RegConfigHashLo: rdata_o = config_hash_i[31:0];
      ppu_spec_pkg::RegConfigHashHi: rdata_o = config_hash_i[63:32];
      ppu_spec_pkg::RegStatus: rdata_o = {30'd0, irq_o, !idle_i};
      ppu_spec_pkg::RegRingBase: rdata_o = {ring_q.base, OffsetWidth'(0)};
      ppu_spec_pkg::RegRingEntries: rdata_o = ring_q.entries;
      ppu_spec_pkg::RegRingTail: rdata_o = ring_q.tail;
      ppu_spec_pkg::RegRingHead: rdata_o = ring_head_i;
      ppu_spec_pkg::RegIrqStatus: rdata_o = {30'd0, irq_status_q};
      ppu_spec_pkg::RegIrqMask: rdata_o = {30'd0, irq_mask_q};
      ppu_spec_pkg::RegErrorCount: rdata_o = {28'd0, error_count_i};
      ppu_spec_pkg::RegErrorCommand: rdata_o = error_i.command;
      ppu_spec_pkg::RegErrorReason: rdata_o = {28'd0, error_i.reason};
      ppu_spec_pkg::RegErrorDetail: rdata_o = error_i.detail;
      ppu_spec_pkg::RegErrorLost: rdata_o = error_lost_i;
      ppu_spec_pkg::RegProgress: rdata_o = progress_q;
      default: rdata_o = '0;  // lockstep_rows too: nothing runs beside the RTL
    endcase
  end

  `PPU_ASSERT(NothingIsReportedWhileIdle,
              !idle_i || !(fence_irq_i || error_irq_i || progress_valid_i != '0))

endmodule
