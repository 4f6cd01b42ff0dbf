// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Numbers the device cycles: clock cycles in which the device has something to do, or the host
// writes a register. While it is idle the number stands still, whether the clock runs or not.

`include "ppu_assert.svh"

module ppu_device_cycle (
  /// Clock.
  input  logic        clk_i,
  /// Reset, active low.
  input  logic        rst_ni,
  /// The device has nothing to do.
  input  logic        idle_i,
  /// The host writes a register in this cycle.
  input  logic        reg_write_i,
  /// A request to device memory or to the host link, or a response from there, is on the ports.
  input  logic        traffic_i,
  /// The clock cycle is a device cycle.
  output logic        counts_o,
  /// Number of the device cycle, from 0 on after reset.
  output logic [63:0] cycle_o
);

  logic [63:0] cycle_q;

  assign counts_o = !idle_i || reg_write_i;
  assign cycle_o = cycle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else if (counts_o) cycle_q <= cycle_q + 64'd1;
  end

  `PPU_ASSERT(PortsAreQuietWhileIdle, !idle_i || !traffic_i)

endmodule
