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
  input logic [2:0]                    phase_i,        ///< ppu_spec_pkg::Phase*.
  input logic                          begin_i,        ///< A `rows` executes, ...
  input ppu_engine_pkg::pass_t         pass_i,         ///< ... of these rows.
  input logic [1:0]                    cut_i,          ///< Passes that the budget cuts.
  input logic                          rdlate_i,       ///< A `rdlate` executes ...
  input logic [31:0]                   passes_cut_i,   ///< ... and reads this.
  input logic [Pipes-1:0]              issue_i,        ///< A row issues, ...
  input logic [Pipes*RowWidth-1:0]     rows_i,         ///< ... this ppu_engine_pkg::issue_row_t.
  input logic [Pipes-1:0]              leave_valid_i,  ///< A row leaves, ...
  input logic [Pipes*LeavingWidth-1:0] leave_i         ///< ... this ppu_engine_pkg::leaving_t.
);

  logic [2:0]          phase       /*verilator public_flat_rd*/;  // ppu_spec_pkg::Phase*
  logic                pass        /*verilator public_flat_rd*/;  // a `rows` executes, ...
  logic [31:0]         pass_first  /*verilator public_flat_rd*/;  // ... from this slot on, ...
  logic [31:0]         pass_count  /*verilator public_flat_rd*/;  // ... of so many rows, not 0
  logic [1:0]          cut         /*verilator public_flat_rd*/;  // passes that the budget cuts
  logic                rdlate      /*verilator public_flat_rd*/;  // a `rdlate` executes ...
  logic [31:0]         passes_cut  /*verilator public_flat_rd*/;  // ... and reads this
  logic [Pipes-1:0]    issue       /*verilator public_flat_rd*/;  // a row issues, ...
  logic [32*Pipes-1:0] issue_slot  /*verilator public_flat_rd*/;  // ... the one in this slot
  logic [Pipes-1:0]    retire      /*verilator public_flat_rd*/;  // a row leaves, ...
  logic [32*Pipes-1:0] retire_slot /*verilator public_flat_rd*/;  // ... the one in this slot

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
  assign unused_fields = ^{row, leaving};

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      issue_slot[32*p +: 32] = 32'(row.slot);
      retire_slot[32*p +: 32] = 32'(leaving.slot);
    end
  end

endmodule
