// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // In every proof: the reset is low in the first cycle, and high from then on.
  logic formal_began_q;

  initial formal_began_q = 1'b0;
  always_ff @(posedge clk_i) formal_began_q <= 1'b1;
  always_comb assume (rst_ni == formal_began_q);
