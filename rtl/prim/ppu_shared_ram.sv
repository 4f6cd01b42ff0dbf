// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Memory with one write port and several read ports. What is read in a cycle is there in the next
// cycle and stays until the next read of its port; a read sees the write of its own cycle. What was
// never written is the same at all ports.

`include "ppu_assert.svh"

module ppu_shared_ram #(
  parameter int unsigned Width = 1,  ///< Bits of a word.
  parameter int unsigned Words = 2,  ///< Words.
  parameter int unsigned Reads = 2,  ///< Read ports.
  /// Bits of an address.
  localparam int unsigned AddressWidth = Words > 1 ? $clog2(Words) : 1
) (
  input  logic                          clk_i,            ///< Clock; its rising edge counts.
  input  logic                          rst_ni,           ///< Low: promises are not checked.
  input  logic                          write_i,          ///< A word is written.
  input  logic [AddressWidth-1:0]       write_address_i,  ///< The word that is written.
  input  logic [Width-1:0]              write_data_i,     ///< What is written.
  input  logic [Reads-1:0]              read_i,           ///< A word is read at this port.
  input  logic [Reads*AddressWidth-1:0] read_address_i,   ///< Where, by port.
  output logic [Reads*Width-1:0]        read_data_o       ///< In the cycle after read_i, by port.
);

  logic [Width-1:0] words_q [0:Words-1];

  always_ff @(posedge clk_i) begin
    if (write_i) words_q[write_address_i] <= write_data_i;
  end

  for (genvar i = 0; i < Reads; i++) begin : gen_port
    logic [AddressWidth-1:0] address;
    logic [Width-1:0]        read_q;

    assign address = read_address_i[i*AddressWidth +: AddressWidth];
    assign read_data_o[i*Width +: Width] = read_q;
    always_ff @(posedge clk_i) begin
      if (read_i[i])
        read_q <= write_i && write_address_i == address ? write_data_i : words_q[address];
    end
  end

  `PPU_ASSERT(OnlySharedWordsThatExistAreWritten, !write_i || 32'(write_address_i) < Words)

endmodule
