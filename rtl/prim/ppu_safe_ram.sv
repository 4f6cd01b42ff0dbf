// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// ppu_ram, with check bits if it is protected: one flipped bit of a group is corrected, two make
// the part bad. Check bits are made in front of the memory and looked at behind its read register:
// a read takes as long as without. What was never written may look like anything.

module ppu_safe_ram #(
  parameter int unsigned PartWidth = 32,         ///< See ppu_ram.
  parameter int unsigned Parts = 1,              ///< See ppu_ram.
  parameter int unsigned Words = 2,              ///< See ppu_ram.
  parameter bit          Bypass = 1'b0,          ///< See ppu_ram.
  parameter bit          Protection = 1'b0,      ///< There are check bits.
  parameter int unsigned GroupWidth = PartWidth, ///< Bits that share check bits, at most 120.
  /// Bits of an address, of a word.
  localparam int unsigned AddressWidth = Words > 1 ? $clog2(Words) : 1,
  localparam int unsigned Width = Parts * PartWidth
) (
  input  logic                    clk_i,            ///< Clock; its rising edge counts.
  input  logic                    rst_ni,           ///< Low: promises are not checked.
  input  logic [Parts-1:0]        write_i,          ///< Parts to write.
  input  logic [AddressWidth-1:0] write_address_i,  ///< Word that is written.
  input  logic [Width-1:0]        write_data_i,     ///< What is written, in its parts.
  input  logic [Parts-1:0]        flip_i,           ///< Parts that are stored with flipped bits.
  input  logic [3:0]              flip_group_i,     ///< Group of flip_i, at most the last one.
  input  logic [6:0]              flip_bit_i,       ///< Bit of the group that flips, at most the
                                                    ///< last one.
  input  logic                    flip_two_i,       ///< A second bit flips: bit 0, or else bit 1.
  input  logic                    read_i,           ///< A word is read.
  input  logic [AddressWidth-1:0] read_address_i,   ///< Where the word is read.
  output logic [Width-1:0]        read_data_o,      ///< In the cycle after read_i; a bad part is 0.
  output logic [Parts-1:0]        corrected_o,      ///< Parts of read_data_o with a corrected bit.
  output logic [Parts-1:0]        bad_o             ///< Parts that are lost, with read_data_o.
);

  if (Protection) begin : gen_safe
    localparam int unsigned Groups = PartWidth / GroupWidth;
    localparam int unsigned Checks =
      $clog2(GroupWidth + $clog2(GroupWidth + $clog2(GroupWidth) + 1) + 1) + 1;
    localparam int unsigned SafeWidth = GroupWidth + Checks;
    localparam int unsigned SafePart = Groups * SafeWidth;

    logic [Parts*SafePart-1:0] written, stored, got;

    ppu_ram #(
      .PartWidth(SafePart), .Parts(Parts), .Words(Words), .Bypass(Bypass)
    ) u_ram (
      .clk_i, .rst_ni, .write_i, .write_address_i, .write_data_i(stored), .read_i,
      .read_address_i, .read_data_o(got));

    for (genvar p = 0; p < Parts; p++) begin : gen_part
      logic [Groups-1:0] corrected, bad;

      assign corrected_o[p] = corrected != '0 && bad == '0;
      assign bad_o[p] = bad != '0;

      for (genvar g = 0; g < Groups; g++) begin : gen_group
        localparam int unsigned Data = p * PartWidth + g * GroupWidth;
        localparam int unsigned Safe = p * SafePart + g * SafeWidth;

        logic [GroupWidth-1:0] read;
        logic [SafeWidth-1:0]  flips;
        logic [6:0]            first, second;
        logic                  mine;

        ppu_secded #(.Width(GroupWidth)) u_code (
          .data_i(write_data_i[Data +: GroupWidth]),
          .checks_o(written[Safe + GroupWidth +: Checks]), .read_i(got[Safe +: GroupWidth]),
          .checks_i(got[Safe + GroupWidth +: Checks]), .read_o(read), .corrected_o(corrected[g]),
          .bad_o(bad[g]));

        assign written[Safe +: GroupWidth] = write_data_i[Data +: GroupWidth];
        assign read_data_o[Data +: GroupWidth] = bad == '0 ? read : '0;
        assign mine = flip_i[p] && (32'(flip_group_i) == g ||
                                    (g == Groups - 1 && 32'(flip_group_i) > g));

        assign first = 32'(flip_bit_i) < SafeWidth ? flip_bit_i : 7'(SafeWidth - 1);
        assign second = flip_bit_i == '0 ? 7'd1 : 7'd0;
        assign flips = SafeWidth'(1) << first | SafeWidth'(flip_two_i) << second;
        assign stored[Safe +: SafeWidth] =
          mine ? written[Safe +: SafeWidth] ^ flips : written[Safe +: SafeWidth];
      end
    end
  end else begin : gen_plain
    logic unused_flips;

    assign unused_flips = ^{flip_i, flip_group_i, flip_bit_i, flip_two_i};
    assign corrected_o = '0;
    assign bad_o = '0;

    ppu_ram #(
      .PartWidth(PartWidth), .Parts(Parts), .Words(Words), .Bypass(Bypass)
    ) u_ram (
      .clk_i, .rst_ni, .write_i, .write_address_i, .write_data_i, .read_i, .read_address_i,
      .read_data_o);
  end

endmodule
