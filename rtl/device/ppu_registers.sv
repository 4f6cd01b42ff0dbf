// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The registers of the device and its interrupt line. A write takes the cycle in which it is on the
// port; reads are combinational.

module ppu_registers #(
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [63:0]                config_hash_i,

  input  logic                       write_i,
  input  logic [7:0]                 address_i,
  input  logic [31:0]                wdata_i,
  output logic [31:0]                rdata_o,
  output logic                       irq_o,

  // Written by the host.
  output logic                       cancel_o,          ///< In the cycle of the write.
  output logic                       doorbell_o,        ///< The same.
  output logic                       error_pop_o,       ///< The same.
  output logic [BeatNumberWidth-1:0] ring_beat_o,
  output logic [31:0]                ring_entries_o,
  output logic [31:0]                ring_tail_o,

  // Shown to the host.
  input  logic                       idle_i,
  input  logic [31:0]                ring_head_i,
  input  logic                       fence_irq_i,       ///< Raises interrupt bit 0.
  input  logic                       error_irq_i,       ///< Raises interrupt bit 1.
  input  logic [3:0]                 error_count_i,
  input  logic [31:0]                error_number_i,
  input  logic [3:0]                 error_reason_i,
  input  logic [31:0]                error_detail_i,
  input  logic [31:0]                error_lost_i,
  input  logic [Engines-1:0]         progress_valid_i,
  input  logic [32*Engines-1:0]      progress_i
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);

  logic [BeatNumberWidth-1:0] ring_beat_q;
  logic [31:0]                ring_entries_q, ring_tail_q, progress_q;
  logic [1:0]                 irq_status_q, irq_mask_q, irq_clear;

  assign irq_o = (irq_status_q & irq_mask_q) != '0;
  assign ring_beat_o = ring_beat_q;
  assign ring_entries_o = ring_entries_q;
  assign ring_tail_o = ring_tail_q;

  // ---------------------------------------------------------------------------------------------
  // Writes.
  // ---------------------------------------------------------------------------------------------
  assign cancel_o = write_i && address_i == ppu_spec_pkg::RegControl && wdata_i == 32'd1;
  assign doorbell_o = write_i && address_i == ppu_spec_pkg::RegRingTail;
  assign error_pop_o = write_i && address_i == ppu_spec_pkg::RegErrorPop;
  assign irq_clear = write_i && address_i == ppu_spec_pkg::RegIrqStatus ? wdata_i[1:0] : 2'b00;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_beat_q <= '0;
      ring_entries_q <= '0;
      ring_tail_q <= '0;
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
          ppu_spec_pkg::RegRingBase: ring_beat_q <= wdata_i[31:OffsetWidth];
          ppu_spec_pkg::RegRingEntries: ring_entries_q <= wdata_i;
          ppu_spec_pkg::RegRingTail: ring_tail_q <= wdata_i;
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
      ppu_spec_pkg::RegRingBase: rdata_o = {ring_beat_q, OffsetWidth'(0)};
      ppu_spec_pkg::RegRingEntries: rdata_o = ring_entries_q;
      ppu_spec_pkg::RegRingTail: rdata_o = ring_tail_q;
      ppu_spec_pkg::RegRingHead: rdata_o = ring_head_i;
      ppu_spec_pkg::RegIrqStatus: rdata_o = {30'd0, irq_status_q};
      ppu_spec_pkg::RegIrqMask: rdata_o = {30'd0, irq_mask_q};
      ppu_spec_pkg::RegErrorCount: rdata_o = {28'd0, error_count_i};
      ppu_spec_pkg::RegErrorCommand: rdata_o = error_number_i;
      ppu_spec_pkg::RegErrorReason: rdata_o = {28'd0, error_reason_i};
      ppu_spec_pkg::RegErrorDetail: rdata_o = error_detail_i;
      ppu_spec_pkg::RegErrorLost: rdata_o = error_lost_i;
      ppu_spec_pkg::RegProgress: rdata_o = progress_q;
      default: rdata_o = '0;  // lockstep_rows too: nothing runs beside the RTL
    endcase
  end

endmodule
