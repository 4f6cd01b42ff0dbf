// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules around the engines share: widths of the ports, and when a range lies in a memory.

package ppu_device_pkg;

  // A beat, a command, a line of instruction memory.
  localparam int unsigned BeatWidth = 8 * ppu_spec_pkg::BeatBytes;
  // Bits of the place of a byte in its beat; of the number of a beat.
  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);
  localparam int unsigned BeatNumberWidth = 32 - OffsetWidth;
  // The most requests under way on the memory port, and on each channel of the host link: the
  // largest dram_queue and link_queue.
  localparam int unsigned MaxUnderWay = 64;

  // States of the DMA, as the traces name them (kDmaPhase in hw/include/ppu/hw/trace.hpp).
  localparam logic [1:0] DmaIdle = 2'd0;
  localparam logic [1:0] DmaMove = 2'd1;
  localparam logic [1:0] DmaList = 2'd2;

  // Beats of the reports and of the device counters in host memory.
  localparam int unsigned ReportBeats =
      (ppu_spec_pkg::ReportHeaderBytes + 8 * ppu_spec_pkg::CounterCount +
       ppu_spec_pkg::BeatBytes - 1) / ppu_spec_pkg::BeatBytes;
  localparam int unsigned CounterBeats =
      (8 * ppu_spec_pkg::DeviceCounterCount + ppu_spec_pkg::BeatBytes - 1) / ppu_spec_pkg::BeatBytes;

  // `bytes` from `address` on lie in a memory of `mib` MiB.
  function automatic logic in_range(input logic [31:0] address, input logic [39:0] bytes,
                                    input logic [11:0] mib);
    in_range = 41'(address) + 41'(bytes) <= {9'd0, mib, 20'd0};
  endfunction

endpackage
