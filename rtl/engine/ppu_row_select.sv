// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows of the windows issue: of each pipe the first one that lies in no bank of a row of the
// pipes before it.

`include "ppu_assert.svh"

module ppu_row_select #(
  parameter int unsigned Pipes = 1,          ///< 1, 2, 4, 8 or 16.
  parameter int unsigned VelocityBanks = 8,  ///< 2, 4, 8, 16, 32 or 64.
  /// Rows of a window, bits of the structures.
  localparam int unsigned Window = 8,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned WaitingWidth = ppu_engine_pkg::WaitingWidth
) (
  input  logic                                 clk_i,            ///< Clock; its rising edge counts.
  input  logic                                 rst_ni,           ///< Low: no row issued before.
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

  logic [VelocityBanks-1:0]   used, banks, blocked_d, blocked_q;
  logic [15:0]                parents_used, parents;  // by slot mod 16
  logic [Pipes-1:0]           here;
  logic                       one_bank_used, free, unused_rows;
  ppu_engine_pkg::waiting_t   row;
  ppu_engine_pkg::issue_row_t chosen;

  assign unused_rows = ^row;
  assign any_o = waiting_i != '0;
  assign bank_o = (here & ~lanes_i) != '0;
  assign busy_o = here != '0;
  assign conflict_o = enable_i && (here & ~lanes_i & ~issue_o) != '0;

  always_comb begin
    row = '0;
    chosen = '0;
    banks = '0;
    parents = '0;
    free = 1'b0;
    used = blocked_q;
    blocked_d = '0;
    parents_used = '0;
    one_bank_used = 1'b0;
    take_o = '0;
    issue_o = '0;
    here = '0;
    pass_o = '0;
    turns_o = '0;
    for (int p = 0; p < Pipes; p++) begin
      chosen = '0;
      for (int i = 0; i < Window; i++) begin
        row = rows_i[(p*Window+i)*WaitingWidth +: WaitingWidth];
        banks = '0;
        if (row.has_a) banks[row.body_a[BankBits-1:0]] = 1'b1;
        if (row.has_b) banks[row.body_b[BankBits-1:0]] = 1'b1;
        parents = '0;
        if (row.has_parent && reads_parents_i)
          parents[row.parent[3:0]] = 1'b1;
        free = (banks & used) == '0 && (parents & parents_used) == '0 &&
               !(row.one_bank && one_bank_used);
        if (waiting_i[p*Window+i] && !row.after_same_bank) begin
          here[p] = 1'b1;
          if (enable_i && free && !lanes_i[p] && room_i[p] && !issue_o[p]) begin
            issue_o[p] = 1'b1;
            take_o[p*Window+i] = 1'b1;
            pass_o[p] = row.pass;
            turns_o[2*p +: 2] = row.turn;
            used = used | banks;
            parents_used = parents_used | parents;
            if (row.one_bank) begin
              one_bank_used = 1'b1;
              blocked_d = banks;
            end
            chosen.one_bank = row.one_bank;
            chosen.reads_parent = row.has_parent && reads_parents_i;
            chosen.has_parent = row.has_parent;
            chosen.parent = row.parent;
            chosen.slot = row.slot;
            chosen.has_b = row.has_b;
            chosen.body_b = row.body_b;
            chosen.has_a = row.has_a;
            chosen.body_a = row.body_a;
          end
        end
      end
      rows_o[p*RowWidth +: RowWidth] = chosen;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) blocked_q <= '0;
    else blocked_q <= blocked_d;
  end

  `PPU_ASSERT(BodiesOfASameBankRowShareABank,
              (blocked_d & (blocked_d - VelocityBanks'(1))) == '0)

endmodule
