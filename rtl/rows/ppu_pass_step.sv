// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What is left of a pass behind the items that are taken. Combinational: what it would be for each
// number of items is made ready, and which of it holds is told last.

module ppu_pass_step #(
  parameter int unsigned Most = 2,  ///< 2, 4, 8 or 16.
  /// Bits of a number of items.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth
) (
  input  logic [CountWidth-1:0] first_i,     ///< The next item.
  input  logic [CountWidth-1:0] count_i,     ///< Items that are left if none is taken.
  input  logic [Most-1:0]       take_i,      ///< Bit n: the one of the next Most items whose number
                                             ///< modulo Most is n is taken, if all before it are.
  output logic [CountWidth-1:0] first_o,     ///< The next item behind the ones taken.
  output logic [CountWidth-1:0] count_o,     ///< Items that are left of count_i.
  output logic                  none_left_o  ///< No item is left of count_i.
);

  localparam int unsigned LowWidth = $clog2(Most);
  localparam int unsigned HighWidth = CountWidth - LowWidth;

  logic [LowWidth-1:0]  first_low, count_low, end_low, next_low, left_low;
  logic [HighWidth-1:0] first_high, count_high, first_behind, count_less;
  logic [Most-1:0]      turn, stop, wrapped, below_end, among, at_end;  // by number modulo Most
  logic                 all, wraps, few, most, carry, borrow;

  assign {first_high, first_low} = first_i;
  assign {count_high, count_low} = count_i;
  assign first_behind = first_high + HighWidth'(1);
  assign count_less = count_high - HighWidth'(1);
  assign {wraps, end_low} = {1'b0, first_low} + {1'b0, count_low};
  assign few = count_high == '0;
  assign most = count_high == HighWidth'(1) && count_low == '0;

  // The item where taking stops, if not all are taken.
  ppu_in_turn #(.Things(Most)) u_turn (
    .first_i(first_low), .go_i(take_i), .turn_o(turn), .all_o(all));

  assign stop = turn & ~take_i;

  // Among the next count_low items, and the one behind these.
  assign wrapped = ~({Most{1'b1}} << first_low);
  assign below_end = ~({Most{1'b1}} << end_low);
  assign among = wraps ? ~wrapped | below_end : ~wrapped & below_end;
  assign at_end = Most'(1) << end_low;

  assign none_left_o = few ? ((~among | take_i) & ~(at_end & take_i)) == '1 : most && all;
  assign carry = all || (stop & wrapped) != '0;
  assign borrow = all || (stop & ~among & ~at_end) != '0;

  always_comb begin
    next_low = all ? first_low : '0;
    left_low = all ? count_low : '0;
    for (int n = 0; n < Most; n++) begin
      next_low = next_low | (stop[n] ? LowWidth'(n) : '0);
      left_low = left_low | (stop[n] ? end_low - LowWidth'(n) : '0);
    end
  end

  assign first_o = {carry ? first_behind : first_high, next_low};
  assign count_o = {borrow ? count_less : count_high, left_low};

endmodule
