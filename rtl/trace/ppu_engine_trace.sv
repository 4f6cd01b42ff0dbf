// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What happens in an engine in this cycle, for whoever simulates it. Bound into ppu_engine; no part
// of the hardware.

module ppu_engine_trace #(
  parameter int unsigned Pipes = 1,
  /// Bits of the structures of a pipe.
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input logic [2:0]                    phase_i,        ///< A ppu_spec_pkg::engine_phase_e.
  input logic                          begin_i,        ///< A `rows` executes.
  input ppu_engine_pkg::pass_t         pass_i,         ///< The rows of the `rows` that executes.
  input logic [1:0]                    cut_i,          ///< Passes that the budget cuts.
  input logic                          rdlate_i,       ///< An `rdlate` executes.
  input logic [31:0]                   passes_cut_i,   ///< What an `rdlate` reads.
  input logic [Pipes-1:0]              issue_i,        ///< The row at the issue stage issues.
  input logic [Pipes*RowWidth-1:0]     rows_i,         ///< A ppu_engine_pkg::issue_row_t of each
                                                       ///< pipe.
  input logic [Pipes-1:0]              leave_valid_i,  ///< A row leaves.
  input logic [Pipes*LeavingWidth-1:0] leave_i         ///< A ppu_engine_pkg::leaving_t of each
                                                       ///< pipe.
);

  logic [2:0]          phase       /*verilator public_flat_rd*/;  // ppu_spec_pkg::Phase*
  logic                pass        /*verilator public_flat_rd*/;  // a `rows` executes
  logic [31:0]         pass_first  /*verilator public_flat_rd*/;  // first slot of that pass
  logic [31:0]         pass_count  /*verilator public_flat_rd*/;  // rows of that pass, not 0
  logic [1:0]          cut         /*verilator public_flat_rd*/;  // passes that the budget cuts
  logic                rdlate      /*verilator public_flat_rd*/;  // an `rdlate` executes
  logic [31:0]         passes_cut  /*verilator public_flat_rd*/;  // what that `rdlate` reads
  logic [Pipes-1:0]    issue       /*verilator public_flat_rd*/;  // a row issues
  logic [32*Pipes-1:0] issue_slot  /*verilator public_flat_rd*/;  // slot of the row that issues
  logic [Pipes-1:0]    retire      /*verilator public_flat_rd*/;  // a row leaves
  logic [32*Pipes-1:0] retire_slot /*verilator public_flat_rd*/;  // slot of the row that leaves

  ppu_engine_pkg::issue_row_t row;
  ppu_engine_pkg::leaving_t   leaving;
  logic                       unused_fields;

  assign phase = phase_i;
  assign pass = begin_i;
  assign pass_first = 32'(pass_i.first);
  assign pass_count = 32'(pass_i.count);
  assign cut = phase_i == ppu_spec_pkg::PhaseRun ? cut_i : '0;
  assign rdlate = rdlate_i;
  assign passes_cut = passes_cut_i;
  assign issue = issue_i;
  assign retire = leave_valid_i;
  assign unused_fields = ^{row, leaving, pass_i};

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      issue_slot[32*p +: 32] = 32'(row.slot);
      retire_slot[32*p +: 32] = 32'(leaving.slot);
    end
  end

endmodule
