// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows of the windows issue: of each pipe the first one that lies in no bank of a row of the
// pipes before it. First comes the first pipe or the last one, by turns.

`include "ppu_assert.svh"

module ppu_row_select #(
  parameter int unsigned Pipes = 1,          ///< 1, 2, 4, 8 or 16.
  parameter int unsigned VelocityBanks = 4,  ///< 2, 4, 8, 16, 32 or 64.
  /// Rows of a window, bits of the structures.
  localparam int unsigned Window = 8,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned WaitingWidth = ppu_engine_pkg::WaitingWidth
) (
  input  logic                                 clk_i,            ///< Clock; its rising edge counts.
  input  logic                                 rst_ni,           ///< Low: no row issued before.
  input  logic                                 clear_i,          ///< A run begins: the first pipe
                                                                 ///< comes first.
  input  logic                                 enable_i,         ///< Rows may issue.
  input  logic                                 reads_parents_i,  ///< The kernel reads parents.
  input  logic [Pipes-1:0]                     lanes_i,          ///< The pipe takes no row.
  input  logic [Pipes-1:0]                     room_i,           ///< There is room for the tokens
                                                                 ///< of a row of this pipe.
  input  logic [Pipes*Window-1:0]              waiting_i,        ///< There is a row at this place
                                                                 ///< of a window.
  input  logic [Pipes*Window*WaitingWidth-1:0] rows_i,           ///< A ppu_engine_pkg::waiting_t of
                                                                 ///< each place.
  output logic [Pipes*Window-1:0]              take_o,           ///< The row at this place issues.
  output logic [Pipes-1:0]                     issue_o,          ///< A row of this pipe issues.
  output logic [Pipes*RowWidth-1:0]            rows_o,           ///< A ppu_engine_pkg::issue_row_t
                                                                 ///< of each pipe: the row that
                                                                 ///< issues.
  output logic [Pipes-1:0]                     pass_o,           ///< The number of the pass of the
                                                                 ///< row that issues, modulo 2.
  output logic [2*Pipes-1:0]                   turns_o,          ///< The turn of the row that
                                                                 ///< issues.
  output logic                                 bank_o,           ///< A pipe could take a row that
                                                                 ///< is here.
  output logic                                 busy_o,           ///< A pipe could take a row that
                                                                 ///< is here, but for its lanes.
  output logic                                 any_o,            ///< There is a row.
  output logic                                 conflict_o        ///< A pipe could take a row and
                                                                 ///< takes none.
);

  localparam int unsigned BankBits = $clog2(VelocityBanks);
  localparam int unsigned Group = Pipes < 4 ? Pipes : 4;
  localparam int unsigned Rows = Group * Window;

  logic                       from_last_q;
  ppu_engine_pkg::waiting_t   row, issued;
  ppu_engine_pkg::issue_row_t chosen;
  logic                       unused_rows;

  assign unused_rows = ^{row, issued};

  // ---------------------------------------------------------------------------------------------
  // What rows need, which could issue alone, and which two of a group of pipes could not issue in
  // one cycle.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0]                      ready;
  logic [Pipes*Window-1:0]               alone, one_bank;
  logic [Pipes*Window*VelocityBanks-1:0] banks;
  logic [Pipes*Window*16-1:0]            parents;  // by slot mod 16
  logic [Pipes*Window*Rows-1:0]          meets;
  logic [VelocityBanks-1:0]              row_banks;
  logic                                  blocked_d, blocked_q;  // the bank must not be used
  logic [BankBits-1:0]                   blocked_bank_d, blocked_bank_q;
  logic [15:0]                           row_parents;

  assign ready = ~lanes_i & room_i & {Pipes{enable_i}};

  always_comb begin
    row = '0;
    row_banks = '0;
    row_parents = '0;
    for (int at = 0; at < Pipes * Window; at++) begin
      row = rows_i[at*WaitingWidth +: WaitingWidth];
      row_banks = '0;
      if (row.has_a) row_banks[row.body_a[BankBits-1:0]] = 1'b1;
      if (row.has_b) row_banks[row.body_b[BankBits-1:0]] = 1'b1;
      row_parents = '0;
      if (row.has_parent && reads_parents_i) row_parents[row.parent[3:0]] = 1'b1;
      banks[at*VelocityBanks +: VelocityBanks] = row_banks;
      parents[at*16 +: 16] = row_parents;
      one_bank[at] = row.one_bank;
      alone[at] = waiting_i[at] && !row.after_same_bank &&
                  !(blocked_q && row.has_a && row.body_a[BankBits-1:0] == blocked_bank_q) &&
                  !(blocked_q && row.has_b && row.body_b[BankBits-1:0] == blocked_bank_q);
    end
  end

  // By comparing numbers, as is the fastest.
  ppu_engine_pkg::waiting_t one, other;
  logic                     unused_pair;

  assign unused_pair = ^{one, other};

  always_comb begin
    one = '0;
    other = '0;
    meets = '0;
    for (int p = 0; p < Pipes; p++)
      for (int q = p - p % Group; q < p; q++)
        for (int i = 0; i < Window; i++)
          for (int j = 0; j < Window; j++) begin
            one = rows_i[(p*Window+i)*WaitingWidth +: WaitingWidth];
            other = rows_i[(q*Window+j)*WaitingWidth +: WaitingWidth];
            meets[(p*Window+i)*Rows+(q%Group)*Window+j] =
              (one.has_a && other.has_a &&
               one.body_a[BankBits-1:0] == other.body_a[BankBits-1:0]) ||
              (one.has_a && other.has_b &&
               one.body_a[BankBits-1:0] == other.body_b[BankBits-1:0]) ||
              (one.has_b && other.has_a &&
               one.body_b[BankBits-1:0] == other.body_a[BankBits-1:0]) ||
              (one.has_b && other.has_b &&
               one.body_b[BankBits-1:0] == other.body_b[BankBits-1:0]) ||
              (one.has_parent && other.has_parent && reads_parents_i &&
               one.parent[3:0] == other.parent[3:0]) || (one.one_bank && other.one_bank);
            meets[(q*Window+j)*Rows+(p%Group)*Window+i] =
              meets[(p*Window+i)*Rows+(q%Group)*Window+j];
          end
  end

  // ---------------------------------------------------------------------------------------------
  // The choice, from the first pipe and from the last one.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Window-1:0] from_first, from_last;

  ppu_row_choice #(.Pipes(Pipes), .VelocityBanks(VelocityBanks)) u_from_first (
    .ready_i(ready), .waiting_i(alone), .banks_i(banks), .parents_i(parents),
    .one_bank_i(one_bank), .meets_i(meets), .take_o(from_first));

  if (Pipes == 1) begin : gen_one
    assign from_last = from_first;
  end else begin : gen_more
    logic [Pipes-1:0]                      back_ready;
    logic [Pipes*Window-1:0]               back_alone, back_one_bank, back_take;
    logic [Pipes*Window*VelocityBanks-1:0] back_banks;
    logic [Pipes*Window*16-1:0]            back_parents;
    logic [Pipes*Window*Rows-1:0]          back_meets;

    for (genvar p = 0; p < Pipes; p++) begin : gen_back
      localparam int unsigned Back = Pipes - 1 - p;

      assign back_ready[p] = ready[Back];
      assign back_alone[p*Window +: Window] = alone[Back*Window +: Window];
      assign back_one_bank[p*Window +: Window] = one_bank[Back*Window +: Window];
      assign back_banks[p*Window*VelocityBanks +: Window*VelocityBanks] =
        banks[Back*Window*VelocityBanks +: Window*VelocityBanks];
      assign back_parents[p*Window*16 +: Window*16] = parents[Back*Window*16 +: Window*16];
      assign from_last[p*Window +: Window] = back_take[Back*Window +: Window];

      for (genvar at = 0; at < Window * Group; at++) begin : gen_pair
        assign back_meets[p*Window*Rows+at*Window +: Window] =
          meets[Back*Window*Rows+((at/Group)*Group+Group-1-at%Group)*Window +: Window];
      end
    end

    ppu_row_choice #(.Pipes(Pipes), .VelocityBanks(VelocityBanks)) u_from_last (
      .ready_i(back_ready), .waiting_i(back_alone), .banks_i(back_banks),
      .parents_i(back_parents), .one_bank_i(back_one_bank), .meets_i(back_meets),
      .take_o(back_take));
  end

  assign take_o = from_last_q ? from_last : from_first;

  // At most one row with both bodies in one bank is taken.
  ppu_engine_pkg::waiting_t same_bank;
  logic                     splits, unused_same_bank;  // splits: its bodies lie in two

  assign unused_same_bank = ^same_bank;

  always_comb begin
    same_bank = '0;
    blocked_d = 1'b0;
    blocked_bank_d = '0;
    splits = 1'b0;
    for (int at = 0; at < Pipes * Window; at++) begin
      same_bank = rows_i[at*WaitingWidth +: WaitingWidth];
      if (take_o[at] && same_bank.one_bank) begin
        blocked_d = 1'b1;
        blocked_bank_d = blocked_bank_d | same_bank.body_a[BankBits-1:0];
        splits = same_bank.body_a[BankBits-1:0] != same_bank.body_b[BankBits-1:0];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      blocked_q <= 1'b0;
      from_last_q <= 1'b0;
    end else if (clear_i) begin
      blocked_q <= 1'b0;
      from_last_q <= 1'b0;
    end else begin
      blocked_q <= blocked_d;
      from_last_q <= from_last_q ^ (issue_o != '0);
    end
  end

  always_ff @(posedge clk_i) blocked_bank_q <= blocked_bank_d;

  // ---------------------------------------------------------------------------------------------
  // The rows that issue, by pipe.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes-1:0] here;

  assign any_o = waiting_i != '0;
  assign bank_o = (here & ~lanes_i) != '0;
  assign busy_o = here != '0;
  assign conflict_o = enable_i && (here & ~lanes_i & ~issue_o) != '0;

  always_comb begin
    issued = '0;
    here = '0;
    for (int p = 0; p < Pipes; p++) begin
      chosen = '0;
      issue_o[p] = take_o[p*Window +: Window] != '0;
      pass_o[p] = 1'b0;
      turns_o[2*p +: 2] = '0;
      for (int i = 0; i < Window; i++) begin
        issued = rows_i[(p*Window+i)*WaitingWidth +: WaitingWidth];
        if (waiting_i[p*Window+i] && !issued.after_same_bank) here[p] = 1'b1;
        // One row at most: all are put together, as none comes first.
        if (take_o[p*Window+i]) begin
          pass_o[p] = pass_o[p] | issued.pass;
          turns_o[2*p +: 2] = turns_o[2*p +: 2] | issued.turn;
          chosen.corrected = chosen.corrected | issued.corrected;
          chosen.one_bank = chosen.one_bank | issued.one_bank;
          chosen.reads_parent = chosen.reads_parent | (issued.has_parent && reads_parents_i);
          chosen.has_parent = chosen.has_parent | issued.has_parent;
          chosen.parent = chosen.parent | issued.parent;
          chosen.place = chosen.place | issued.place;
          chosen.slot = chosen.slot | issued.slot;
          chosen.has_b = chosen.has_b | issued.has_b;
          chosen.body_b = chosen.body_b | issued.body_b;
          chosen.has_a = chosen.has_a | issued.has_a;
          chosen.body_a = chosen.body_a | issued.body_a;
        end
      end
      rows_o[p*RowWidth +: RowWidth] = chosen;
    end
  end

  `PPU_ASSERT(BodiesOfASameBankRowShareABank, !splits)

endmodule
