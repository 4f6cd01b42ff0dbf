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

  logic                       from_last_q;
  ppu_engine_pkg::waiting_t   row, issued;
  ppu_engine_pkg::issue_row_t chosen;
  logic                       unused_rows;

  assign unused_rows = ^{row, issued};

  // ---------------------------------------------------------------------------------------------
  // The pipes in the order in which they choose.
  // ---------------------------------------------------------------------------------------------
  logic [Pipes*Window-1:0]              waiting, take;
  logic [Pipes*Window*WaitingWidth-1:0] rows;
  logic [Pipes-1:0]                     ready, ordered;  // A row could issue, but for its banks.

  assign ready = ~lanes_i & room_i;

  for (genvar p = 0; p < Pipes; p++) begin : gen_order
    localparam int unsigned Other = Pipes - 1 - p;

    assign ordered[p] = from_last_q ? ready[Other] : ready[p];
    assign waiting[p*Window +: Window] =
      from_last_q ? waiting_i[Other*Window +: Window] : waiting_i[p*Window +: Window];
    assign rows[p*Window*WaitingWidth +: Window*WaitingWidth] =
      from_last_q ? rows_i[Other*Window*WaitingWidth +: Window*WaitingWidth]
                  : rows_i[p*Window*WaitingWidth +: Window*WaitingWidth];
    assign take_o[p*Window +: Window] =
      from_last_q ? take[Other*Window +: Window] : take[p*Window +: Window];
  end

  // ---------------------------------------------------------------------------------------------
  // The choice.
  // ---------------------------------------------------------------------------------------------
  logic [VelocityBanks-1:0] used, banks, taken_banks, blocked_d, blocked_q;
  logic [15:0]              parents_used, parents, taken_parents;  // by slot mod 16
  logic                     one_bank_used, taken_one_bank, free, earlier;

  always_comb begin
    row = '0;
    banks = '0;
    taken_banks = '0;
    parents = '0;
    taken_parents = '0;
    taken_one_bank = 1'b0;
    free = 1'b0;
    earlier = 1'b0;
    used = blocked_q;
    blocked_d = '0;
    parents_used = '0;
    one_bank_used = 1'b0;
    take = '0;
    for (int p = 0; p < Pipes; p++) begin
      taken_banks = '0;
      taken_parents = '0;
      taken_one_bank = 1'b0;
      earlier = 1'b0;  // a row before this one could issue
      for (int i = 0; i < Window; i++) begin
        row = rows[(p*Window+i)*WaitingWidth +: WaitingWidth];
        banks = '0;
        if (row.has_a) banks[row.body_a[BankBits-1:0]] = 1'b1;
        if (row.has_b) banks[row.body_b[BankBits-1:0]] = 1'b1;
        parents = '0;
        if (row.has_parent && reads_parents_i) parents[row.parent[3:0]] = 1'b1;
        free = waiting[p*Window+i] && !row.after_same_bank && (banks & used) == '0 &&
               (parents & parents_used) == '0 && !(row.one_bank && one_bank_used);
        take[p*Window+i] = enable_i && ordered[p] && free && !earlier;
        earlier = earlier || free;
        if (take[p*Window+i]) begin
          taken_banks = taken_banks | banks;
          taken_parents = taken_parents | parents;
          taken_one_bank = taken_one_bank || row.one_bank;
        end
      end
      used = used | taken_banks;
      parents_used = parents_used | taken_parents;
      one_bank_used = one_bank_used || taken_one_bank;
      if (taken_one_bank) blocked_d = blocked_d | taken_banks;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      blocked_q <= '0;
      from_last_q <= 1'b0;
    end else if (clear_i) begin
      blocked_q <= '0;
      from_last_q <= 1'b0;
    end else begin
      blocked_q <= blocked_d;
      from_last_q <= from_last_q ^ (issue_o != '0);
    end
  end

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

  `PPU_ASSERT(BodiesOfASameBankRowShareABank,
              (blocked_d & (blocked_d - VelocityBanks'(1))) == '0)

endmodule
