// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the owner says of every context, itself included.

`include "ppu_assert.svh"

module ppu_context_table #(
  /// Words of instruction memory.
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

  // The registers of the owner's page.
  /// Writes a register at the end of this cycle.
  input  logic                          write_i,
  /// Offset of the register to write or read.
  input  logic [7:0]                    address_i,
  /// What to write.
  input  logic [31:0]                   wdata_i,
  /// What the register at the address shows; 0 if it is none of these.
  output logic [31:0]                   rdata_o,

  // What has become of scrubs.
  /// A scrub begins, of a context that is closed; one at a time.
  input  logic                          scrub_i,
  /// The context that is scrubbed.
  input  ppu_spec_pkg::context_id_t     scrub_context_i,
  /// A scrub ends.
  input  logic                          scrubbed_i,

  // The contexts.
  /// Number 0 in the low bits: its windows are the memories, it is open, and it has no quota.
  output logic [ppu_spec_pkg::ContextWidth*Contexts-1:0] contexts_o,
  /// Contexts that the write in this cycle closes.
  output logic [Contexts-1:0]           close_o
);

  localparam int unsigned ByteWidth = $clog2(ppu_spec_pkg::BeatBytes);
  localparam int unsigned WordWidth = $clog2(ppu_spec_pkg::BeatBytes / 4);
  localparam int unsigned Width = ppu_spec_pkg::ContextWidth;
  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;
  localparam int unsigned LineWidth = ppu_spec_pkg::LineNumberWidth;

  logic [IdWidth-1:0]       selected_q;
  logic [Contexts-1:0]      clean;
  logic [Width*Contexts-1:0] contexts;
  ppu_spec_pkg::context_t shown;
  logic                     describes, states, unused_shown;

  assign contexts_o = contexts;
  assign shown = contexts[Width * 32'(selected_q) +: Width];
  assign unused_shown = shown.open;
  assign states = write_i && address_i == ppu_spec_pkg::RegContextState;

  always_comb begin
    case (address_i)
      ppu_spec_pkg::RegRingBase, ppu_spec_pkg::RegRingEntries, ppu_spec_pkg::RegDeviceFirst,
      ppu_spec_pkg::RegDeviceEnd, ppu_spec_pkg::RegHostFirst, ppu_spec_pkg::RegHostEnd,
      ppu_spec_pkg::RegProgramFirst, ppu_spec_pkg::RegProgramEnd, ppu_spec_pkg::RegQuota:
        describes = write_i;
      default: describes = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) selected_q <= '0;
    else if (write_i && address_i == ppu_spec_pkg::RegContext) selected_q <= wdata_i[IdWidth-1:0];
  end

  // ---------------------------------------------------------------------------------------------
  // The owner: its ring alone is written.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::beat_number_t owner_base_q;
  logic [31:0]                owner_entries_q;
  ppu_spec_pkg::context_t   owner;

  always_comb begin
    owner = '0;
    owner.open = 1'b1;
    owner.ring_base = owner_base_q;
    owner.ring_entries = owner_entries_q;
    owner.device.behind = {sizes_i.device_mib, 14'd0};
    owner.host.behind = {sizes_i.host_mib, 14'd0};
    owner.lines.behind = LineWidth'(InstructionMemoryWords >> WordWidth);
  end

  assign contexts[Width-1:0] = owner;
  assign clean[0] = 1'b1;
  assign close_o[0] = 1'b0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owner_base_q <= '0;
      owner_entries_q <= '0;
    end else if (describes && selected_q == '0) begin
      if (address_i == ppu_spec_pkg::RegRingBase) owner_base_q <= wdata_i[31:ByteWidth];
      if (address_i == ppu_spec_pkg::RegRingEntries) owner_entries_q <= wdata_i;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The clients.
  // ---------------------------------------------------------------------------------------------
  for (genvar i = 1; i < Contexts; i++) begin : gen_client
    ppu_context_client u_client (
      .clk_i, .rst_ni, .describe_i(describes && selected_q == IdWidth'(i)),
      .state_i(states && selected_q == IdWidth'(i)), .address_i, .wdata_i,
      .scrub_i(scrub_i && scrub_context_i == IdWidth'(i)), .scrubbed_i,
      .context_o(contexts[Width*i +: Width]), .clean_o(clean[i]), .close_o(close_o[i]));
  end

  // ---------------------------------------------------------------------------------------------
  // Reads.
  // ---------------------------------------------------------------------------------------------
  always_comb begin
    case (address_i)
      ppu_spec_pkg::RegContext: rdata_o = 32'(selected_q);
      ppu_spec_pkg::RegContextState: rdata_o = {30'd0, clean[selected_q], shown.open};
      ppu_spec_pkg::RegRingBase: rdata_o = {shown.ring_base, ByteWidth'(0)};
      ppu_spec_pkg::RegRingEntries: rdata_o = shown.ring_entries;
      ppu_spec_pkg::RegDeviceFirst: rdata_o = {shown.device.first, ByteWidth'(0)};
      ppu_spec_pkg::RegDeviceEnd: rdata_o = {shown.device.behind, ByteWidth'(0)};
      ppu_spec_pkg::RegHostFirst: rdata_o = {shown.host.first, ByteWidth'(0)};
      ppu_spec_pkg::RegHostEnd: rdata_o = {shown.host.behind, ByteWidth'(0)};
      ppu_spec_pkg::RegProgramFirst: rdata_o = 32'({shown.lines.first, WordWidth'(0)});
      ppu_spec_pkg::RegProgramEnd: rdata_o = 32'({shown.lines.behind, WordWidth'(0)});
      ppu_spec_pkg::RegQuota: rdata_o = shown.quota;
      default: rdata_o = '0;
    endcase
  end

  `PPU_ASSERT(TheOwnerIsNotScrubbed, !scrub_i || scrub_context_i != '0)

endmodule
