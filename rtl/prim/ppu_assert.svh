// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The only assertion macro: PPU_ASSERT(Name, condition) is checked at every rising clock edge out
// of reset, in a module that has clk_i and rst_ni. The name is the sentence that must be true. It
// is live under Verilator, proved by tests/formal, and nothing for synthesis.
`ifndef PPU_ASSERT_SVH
`define PPU_ASSERT_SVH

`ifdef VERILATOR
`define PPU_ASSERT(Name, Condition) \
  always_ff @(posedge clk_i) begin \
    if (rst_ni) Name : assert (Condition) else $error("assertion Name failed in %m"); \
  end
`elsif FORMAL
`define PPU_ASSERT(Name, Condition) \
  always_comb begin \
    if (rst_ni) Name : assert (Condition); \
  end
`else
`define PPU_ASSERT(Name, Condition)
`endif

`endif
