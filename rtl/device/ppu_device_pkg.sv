// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules around the engines share.

package ppu_device_pkg;

  // States of the DMA, as the traces name them (kDmaPhase in hw/include/ppu/hw/trace.hpp).
  localparam logic [1:0] DmaIdle = 2'd0;
  localparam logic [1:0] DmaMove = 2'd1;
  localparam logic [1:0] DmaList = 2'd2;

  // `bytes` from `address` on lie in a memory of `mib` MiB.
  function automatic logic in_range(input logic [31:0] address, input logic [39:0] bytes,
                                    input logic [11:0] mib);
    in_range = 41'(address) + 41'(bytes) <= {9'd0, mib, 20'd0};
  endfunction

endpackage
