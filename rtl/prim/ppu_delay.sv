// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A word delayed by Depth clock cycles. Depth 0 is a wire. Data only, hence no reset: a
// valid bit that travels beside it says when the word means something.

module ppu_delay #(
  /// Bits of the word.
  parameter int unsigned Width = 1,
  /// Cycles of delay, 0 or more.
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,   ///< Clock; its rising edge counts.
  input  logic [Width-1:0] data_i,  ///< The word.
  output logic [Width-1:0] data_o   ///< The word of Depth cycles ago.
);

  if (Depth == 0) begin : gen_wire
    logic unused_clocking;
    assign unused_clocking = clk_i;
    assign data_o = data_i;
  end else begin : gen_registers
    for (genvar i = 0; i < Depth; i++) begin : gen_stage
      logic [Width-1:0] data_d, data_q;
      if (i == 0) begin : gen_first
        assign data_d = data_i;
      end else begin : gen_next
        assign data_d = gen_stage[i-1].data_q;
      end
      always_ff @(posedge clk_i) data_q <= data_d;
    end
    assign data_o = gen_stage[Depth-1].data_q;
  end

endmodule
