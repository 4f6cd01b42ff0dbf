// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows that pipes choose, one after the other: each the first one that can issue beside those
// that were chosen before it. Combinational. Pipes of a group ask pair by pair, which is known
// before anything is chosen; of groups before theirs they ask by banks.

module ppu_row_choice #(
  parameter int unsigned Pipes = 1,          ///< 1, 2, 4, 8 or 16.
  parameter int unsigned VelocityBanks = 4,  ///< 2, 4, 8, 16, 32 or 64.
  /// Rows of a window, pipes of a group, pairs of rows of a group.
  localparam int unsigned Window = 8,
  localparam int unsigned Group = Pipes < 4 ? Pipes : 4,
  localparam int unsigned Rows = Group * Window
) (
  input  logic [Pipes-1:0]                      ready_i,     ///< The pipe takes a row.
  input  logic [Pipes*Window-1:0]               waiting_i,   ///< The row could issue alone.
  input  logic [Pipes*Window*VelocityBanks-1:0] banks_i,     ///< The banks of each row.
  input  logic [Pipes*Window*16-1:0]            parents_i,   ///< The slot mod 16 of the parent
                                                             ///< that each row reads.
  input  logic [Pipes*Window-1:0]               one_bank_i,  ///< Both bodies of the row lie in one
                                                             ///< bank.
  input  logic [Pipes*Window*Rows-1:0]          meets_i,     ///< By two rows of a group: they
                                                             ///< cannot issue in one cycle.
  output logic [Pipes*Window-1:0]               take_o       ///< The row is chosen.
);

  logic [VelocityBanks-1:0] used, banks;           // by groups before this one
  logic [15:0]              parents_used, parents;
  logic                     one_bank_used;
  logic [Rows-1:0]          meets;
  logic [Window-1:0]        free, taken;
  logic [Pipes*Window-1:0]  take;

  assign take_o = take;

  // Whether a row is free is told by those of the pipe just before it last.
  always_comb begin
    used = '0;
    banks = '0;
    parents_used = '0;
    parents = '0;
    one_bank_used = 1'b0;
    meets = '0;
    taken = '0;
    take = '0;
    for (int p = 0; p < Pipes; p++) begin
      free = waiting_i[p*Window +: Window];
      for (int i = 0; i < Window; i++) begin
        banks = banks_i[(p*Window+i)*VelocityBanks +: VelocityBanks];
        parents = parents_i[(p*Window+i)*16 +: 16];
        meets = meets_i[(p*Window+i)*Rows +: Rows];
        if (p >= Group)
          free[i] = free[i] && (banks & used) == '0 && (parents & parents_used) == '0 &&
                    !(one_bank_i[p*Window+i] && one_bank_used);
        for (int q = p - p % Group; q < p; q++) begin
          taken = take[q*Window +: Window];
          free[i] = free[i] && (taken & meets[(q%Group)*Window +: Window]) == '0;
        end
      end
      for (int i = 0; i < Window; i++)
        take[p*Window+i] = ready_i[p] && free[i] && (free & ~({Window{1'b1}} << i)) == '0;
      // What the pipes of the group take, for the groups behind it.
      if (p % Group == Group - 1) begin
        for (int at = (p + 1 - Group) * Window; at < (p + 1) * Window; at++) begin
          if (take[at]) begin
            used = used | banks_i[at*VelocityBanks +: VelocityBanks];
            parents_used = parents_used | parents_i[at*16 +: 16];
            one_bank_used = one_bank_used || one_bank_i[at];
          end
        end
      end
    end
  end

endmodule
