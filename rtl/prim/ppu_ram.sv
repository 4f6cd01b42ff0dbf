// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// A memory, or two of different sizes, with one write port and one read port, written part by part.
// What is read in a cycle is there in the next cycle and stays until the next read. A word that is
// read in the cycle in which it is written: the old one, or with Bypass the new one.

`include "ppu_assert.svh"

module ppu_ram #(
  /// Bits of a part of a word.
  parameter int unsigned PartWidth = 32,
  /// Parts of a word.
  parameter int unsigned Parts = 1,
  /// Words.
  parameter int unsigned Words = 2,
  /// A read sees the write of its own cycle.
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

  // More than SplitAbove words that fill at most three quarters of a power of two lie in two
  // memories: the lower half of that power in the first, the rest in the second, so that macros of
  // two sizes fit.
  localparam int unsigned SplitAbove = 1024;
  localparam int unsigned FirstWords =
    Words > SplitAbove && 4 * Words <= 3 * 2 ** AddressWidth ? 2 ** (AddressWidth - 1) : Words;
  localparam int unsigned FirstWidth = FirstWords > 1 ? $clog2(FirstWords) : 1;
  localparam int unsigned RestWidth = Words > FirstWords + 1 ? $clog2(Words - FirstWords) : 1;

  logic                  write_rest, read_rest, rest_read_q;  // rest_read: it was read last
  logic [FirstWidth-1:0] write_below, read_below;

  assign write_rest = Words > FirstWords && 32'(write_address_i) >= FirstWords;
  assign read_rest = Words > FirstWords && 32'(read_address_i) >= FirstWords;
  assign write_below = write_address_i[FirstWidth-1:0];
  assign read_below = read_address_i[FirstWidth-1:0];
  always_ff @(posedge clk_i) if (read_i) rest_read_q <= read_rest;

  for (genvar i = 0; i < Parts; i++) begin : gen_part
    logic [PartWidth-1:0] words_q [0:FirstWords-1];
    logic [PartWidth-1:0] read_q;
    logic                 write;

    assign write = write_i[i] && !write_rest;
    always_ff @(posedge clk_i) begin
      if (write) words_q[write_below] <= write_data_i[i*PartWidth +: PartWidth];
    end
    always_ff @(posedge clk_i) begin
      if (read_i && !read_rest) begin
        if (Bypass && write && write_below == read_below)
          read_q <= write_data_i[i*PartWidth +: PartWidth];
        else read_q <= words_q[read_below];
      end
    end

    if (Words > FirstWords) begin : gen_rest
      logic [PartWidth-1:0] others_q [0:Words-FirstWords-1];
      logic [PartWidth-1:0] rest_q;
      logic                 write_other;
      logic [RestWidth-1:0] write_place, read_place;

      assign write_other = write_i[i] && write_rest;
      assign write_place = write_below[RestWidth-1:0];
      assign read_place = read_below[RestWidth-1:0];
      assign read_data_o[i*PartWidth +: PartWidth] = rest_read_q ? rest_q : read_q;
      always_ff @(posedge clk_i) begin
        if (write_other) others_q[write_place] <= write_data_i[i*PartWidth +: PartWidth];
      end
      always_ff @(posedge clk_i) begin
        if (read_i && read_rest) begin
          if (Bypass && write_other && write_place == read_place)
            rest_q <= write_data_i[i*PartWidth +: PartWidth];
          else rest_q <= others_q[read_place];
        end
      end
    end else begin : gen_all
      logic unused_rest;

      assign unused_rest = rest_read_q;
      assign read_data_o[i*PartWidth +: PartWidth] = read_q;
    end
  end

  `PPU_ASSERT(OnlyWordsThatExistAreWritten, write_i == '0 || 32'(write_address_i) < Words)

endmodule
