// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the owner says of one client, written while it is closed. It opens only when its windows
// have been scrubbed since: what they hold is then of nobody before it, and they lie in the
// memories, which is checked when a scrub begins.

`include "ppu_assert.svh"

module ppu_context_client #(
  /// Bits of a context.
  localparam int unsigned Width = ppu_spec_pkg::ContextWidth
) (
  /// Clock.
  input  logic             clk_i,
  /// Reset, active low.
  input  logic             rst_ni,

  // The registers of the owner's page that describe it.
  /// Writes one at the end of this cycle.
  input  logic             describe_i,
  /// Writes its state at the end of this cycle.
  input  logic             state_i,
  /// Offset of the register.
  input  logic [7:0]       address_i,
  /// What to write.
  input  logic [31:0]      wdata_i,

  // Scrubs, one at a time.
  /// A scrub of this client begins.
  input  logic             scrub_i,
  /// A scrub ends.
  input  logic             scrubbed_i,

  // What it is.
  /// The client, a context_t.
  output logic [Width-1:0] context_o,
  /// The client has been scrubbed since it was written and since it was open.
  output logic             clean_o,
  /// The write in this cycle closes the client.
  output logic             close_o
);

  localparam int unsigned ByteWidth = $clog2(ppu_spec_pkg::BeatBytes);
  localparam int unsigned WordWidth = $clog2(ppu_spec_pkg::BeatBytes / 4);
  localparam int unsigned LineWidth = ppu_spec_pkg::LineNumberWidth;

  ppu_spec_pkg::context_t context_q;
  logic                   clean_q, scrubbing_q, writes, opens;

  assign writes = describe_i && !context_q.open;
  assign opens = state_i && wdata_i[0] && clean_q;
  assign close_o = state_i && !wdata_i[0] && context_q.open;
  assign context_o = context_q;
  assign clean_o = clean_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      context_q <= '0;
      clean_q <= 1'b0;
      scrubbing_q <= 1'b0;
    end else begin
      if (opens) context_q.open <= 1'b1;
      if (close_o) context_q.open <= 1'b0;
      // What is written during a scrub has not been scrubbed.
      if (writes || opens || scrubbed_i) scrubbing_q <= 1'b0;
      else if (scrub_i) scrubbing_q <= 1'b1;
      if (writes || opens) clean_q <= 1'b0;
      else if (scrubbed_i && scrubbing_q) clean_q <= 1'b1;
      if (writes) begin
        case (address_i)
          ppu_spec_pkg::RegRingBase: context_q.ring_base <= wdata_i[31:ByteWidth];
          ppu_spec_pkg::RegRingEntries: context_q.ring_entries <= wdata_i;
          ppu_spec_pkg::RegDeviceFirst: context_q.device.first <= wdata_i[31:ByteWidth];
          ppu_spec_pkg::RegDeviceEnd: context_q.device.behind <= wdata_i[31:ByteWidth];
          ppu_spec_pkg::RegHostFirst: context_q.host.first <= wdata_i[31:ByteWidth];
          ppu_spec_pkg::RegHostEnd: context_q.host.behind <= wdata_i[31:ByteWidth];
          ppu_spec_pkg::RegProgramFirst:
            context_q.lines.first <= wdata_i[WordWidth +: LineWidth];
          ppu_spec_pkg::RegProgramEnd: context_q.lines.behind <= wdata_i[WordWidth +: LineWidth];
          default: context_q.quota <= wdata_i;
        endcase
      end
    end
  end

  `PPU_ASSERT(OnlyClosedContextsAreScrubbed, !scrub_i || !context_q.open)

endmodule
