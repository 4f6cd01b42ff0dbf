// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Memory with one write port and one read port, written part by part. What is read in a cycle is
// there in the next cycle and stays until the next read. A word that is read in the cycle in which
// it is written: the old one, or with Bypass the new one.

`include "ppu_assert.svh"

module ppu_ram #(
  /// Bits of a part of a word.
  parameter int unsigned PartWidth = 32,
  /// Parts of a word.
  parameter int unsigned Parts = 1,
  /// Words.
  parameter int unsigned Words = 2,
  /// A read sees the write of the same cycle.
  parameter bit          Bypass = 1'b0,
  /// Bits of an address.
  localparam int unsigned AddressWidth = Words > 1 ? $clog2(Words) : 1,
  /// Bits of a word.
  localparam int unsigned Width = Parts * PartWidth
) (
  input  logic                    clk_i,            ///< Clock; its rising edge counts.
  input  logic                    rst_ni,           ///< Low: promises are not checked.
  input  logic [Parts-1:0]        write_i,          ///< Parts to write.
  input  logic [AddressWidth-1:0] write_address_i,  ///< Word that is written.
  input  logic [Width-1:0]        write_data_i,     ///< What is written, in its parts.
  input  logic                    read_i,           ///< A word is read.
  input  logic [AddressWidth-1:0] read_address_i,   ///< Where the word is read.
  output logic [Width-1:0]        read_data_o       ///< In the cycle after read_i.
);

  for (genvar i = 0; i < Parts; i++) begin : gen_part
    logic [PartWidth-1:0] words_q [0:Words-1];
    logic [PartWidth-1:0] read_q;

    assign read_data_o[i*PartWidth +: PartWidth] = read_q;
    always_ff @(posedge clk_i) begin
      if (write_i[i]) words_q[write_address_i] <= write_data_i[i*PartWidth +: PartWidth];
    end
    always_ff @(posedge clk_i) begin
      if (read_i) begin
        if (Bypass && write_i[i] && write_address_i == read_address_i)
          read_q <= write_data_i[i*PartWidth +: PartWidth];
        else read_q <= words_q[read_address_i];
      end
    end
  end

  `PPU_ASSERT(OnlyWordsThatExistAreWritten, write_i == '0 || 32'(write_address_i) < Words)

endmodule
