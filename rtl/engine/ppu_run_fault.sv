// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What ended a run that faulted, for its report: told from its status by what there was in the last
// cycle before it, as which of it counts is known late in that cycle.

`include "ppu_assert.svh"

module ppu_run_fault (
  input  logic                     clk_i,           ///< Clock; its rising edge counts.
  input  logic                     rst_ni,          ///< Low: there is no run.
  input  logic                     active_i,        ///< The run loads, runs or stores.
  input  logic [3:0]               status_i,        ///< A ppu_spec_pkg::run_status_e.
  input  ppu_engine_pkg::row_end_t row_end_i,       ///< How rows end the run.
  input  ppu_engine_pkg::flaw_t    lost_i,          ///< A word that is lost, not used by a row in
                                                    ///< its pipe or an instruction.
  input  logic [15:0]              address_i,       ///< Of the instruction, in the program.
  input  logic [31:0]              word_address_i,  ///< Of its word, in instruction memory.
  output logic [31:0]              row_o,           ///< The slot of a row, or
                                                    ///< ppu_spec_pkg::RowNone.
  output logic [31:0]              detail_o,        ///< A ppu_spec_pkg::fault_detail_e, or an
                                                    ///< address.
  output logic [31:0]              value_o          ///< The number that is wrong.
);

  logic                     unused_fields;
  logic [15:0]              address_q;
  logic [31:0]              word_address_q;
  ppu_engine_pkg::row_end_t row_end_q;
  ppu_engine_pkg::flaw_t    lost_q;

  assign unused_fields = ^{row_end_q, lost_q};

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      address_q <= address_i;
      word_address_q <= word_address_i;
      row_end_q <= row_end_i;
      lost_q <= lost_i;
    end
  end

  always_comb begin
    row_o = ppu_spec_pkg::RowNone;
    detail_o = '0;
    value_o = '0;
    case (status_i)
      ppu_spec_pkg::RunRowFault: begin
        row_o = row_end_q.slot;
        detail_o = 32'(row_end_q.detail);
      end
      ppu_spec_pkg::RunBadRow: begin
        row_o = row_end_q.slot;
        detail_o = 32'(row_end_q.detail);
        value_o = row_end_q.value;
      end
      ppu_spec_pkg::RunIllegalInstruction: detail_o = 32'(address_q);
      ppu_spec_pkg::RunMemoryFault: begin
        if (lost_q.found) begin
          if (lost_q.row) row_o = 32'(lost_q.word);
          detail_o = 32'(lost_q.memory);
          value_o = 32'(lost_q.word);
        end else if (row_end_q.fault || row_end_q.bad_next) begin
          row_o = row_end_q.slot;
          detail_o = 32'(row_end_q.detail);
          value_o = row_end_q.value;
        end else begin
          detail_o = 32'(ppu_spec_pkg::FaultInstructionMemory);
          value_o = word_address_q;
        end
      end
      default: ;
    endcase
  end

  `PPU_ASSERT(ARunThatARowEndsHasTheRow, status_i != ppu_spec_pkg::RunRowFault || row_end_q.fault)

endmodule
