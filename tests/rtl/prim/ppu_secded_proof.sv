// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What ppu_secded promises, for Yosys to prove: ok_o is high whatever comes in.

module ppu_secded_proof #(
  parameter int unsigned Width = 32,
  localparam int unsigned Checks = $clog2(Width + $clog2(Width + $clog2(Width) + 1) + 1) + 1,
  localparam int unsigned Places = $clog2(Width + Checks)
) (
  input  logic [Width-1:0]  data_i,    ///< A word.
  input  logic [1:0]        flips_i,   ///< How many bits flip, 0 to 2.
  input  logic [Places-1:0] first_i,   ///< The first one that flips.
  input  logic [Places-1:0] second_i,  ///< The second one.
  output logic              ok_o
);

  logic [Width-1:0]        read;
  logic [Checks-1:0]       checks;
  logic [Width+Checks-1:0] flips;
  logic                    corrected, bad, fits;

  assign fits = 32'(first_i) < Width + Checks && 32'(second_i) < Width + Checks &&
                first_i != second_i;
  assign flips = ((Width+Checks)'(flips_i >= 2'd1) << first_i) |
                 ((Width+Checks)'(flips_i >= 2'd2) << second_i);

  ppu_secded #(.Width(Width)) u_code (
    .data_i, .checks_o(checks), .read_i(data_i ^ flips[0 +: Width]),
    .checks_i(checks ^ flips[Width +: Checks]), .read_o(read), .corrected_o(corrected),
    .bad_o(bad));

  always_comb begin
    case (flips_i)
      2'd0: ok_o = read == data_i && !corrected && !bad;
      2'd1: ok_o = read == data_i && corrected && !bad;
      2'd2: ok_o = read == '0 && !corrected && bad;
      default: ok_o = 1'b1;
    endcase
    if (!fits) ok_o = 1'b1;
  end

endmodule
