// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The phase of an engine and the status of its run: load, run, store, or abort when the run ends
// before `halt`; then done until the report was taken.

`include "ppu_assert.svh"

module ppu_engine_phase (
  input  logic       clk_i,            ///< Clock; its rising edge counts.
  input  logic       rst_ni,           ///< Low: idle.
  input  logic       start_i,          ///< A run begins; the engine is idle.
  input  logic       transfer_done_i,  ///< Load or store ends in this cycle.
  input  logic       halt_i,           ///< `halt` executes.
  // What ends a run before `halt`: the first of these.
  input  logic       cancel_i,         ///< With start_i or later; `halt` then does not count.
  input  logic       bad_resident_i,   ///< A row that was loaded is bad, and all have come.
  input  logic       flaw_i,           ///< A word that is used is lost, not by a row in its pipe;
                                       ///< one that the linker has read until the next run.
  input  logic       fault_i,          ///< A row leaves with a fault.
  input  logic       bad_next_i,       ///< The next row to issue is bad.
  input  logic       row_memory_i,     ///< What is wrong with the row is a word that is
                                       ///< lost.
  input  logic       illegal_i,        ///< The program does not end by `halt`.
  input  logic       bad_word_i,       ///< The word of the instruction is lost.
  input  logic       store_flaw_i,     ///< A word that was stored is lost.
  input  logic       busy_i,           ///< Rows, requests or responses of the run are under way.
  input  logic       release_i,        ///< The report was taken.
  output logic [2:0] phase_o,          ///< A ppu_spec_pkg::engine_phase_e.
  output logic       load_o,           ///< The phase is load.
  output logic       run_o,            ///< The phase is run.
  output logic       store_o,          ///< The phase is store.
  output logic       run_next_o,       ///< The phase is run in the next cycle.
  output logic [3:0] status_o          ///< A ppu_spec_pkg::run_status_e.
);

  logic [2:0] phase_d, phase_q;
  logic [3:0] status_d, status_q;
  logic       load_stops, run_stops;

  assign phase_o = phase_q;
  assign run_next_o = phase_d == ppu_spec_pkg::PhaseRun;
  assign status_o = status_q;

  // The run ends before `halt`: known as soon as why.
  assign load_stops = cancel_i || (transfer_done_i && (bad_resident_i || flaw_i));
  assign run_stops = cancel_i || bad_resident_i ||
                     (!halt_i && (flaw_i || fault_i || bad_next_i || illegal_i));

  always_comb begin
    phase_d = phase_q;
    status_d = status_q;
    case (phase_q)
      ppu_spec_pkg::PhaseLoad: begin
        if (transfer_done_i) phase_d = ppu_spec_pkg::PhaseRun;
        if (cancel_i) status_d = ppu_spec_pkg::RunCancelled;
        else if (transfer_done_i && bad_resident_i) status_d = ppu_spec_pkg::RunBadRow;
        else if (transfer_done_i && flaw_i) status_d = ppu_spec_pkg::RunMemoryFault;
      end
      ppu_spec_pkg::PhaseRun: begin
        if (cancel_i) status_d = ppu_spec_pkg::RunCancelled;
        else if (bad_resident_i) status_d = ppu_spec_pkg::RunBadRow;
        else if (halt_i) begin
          phase_d = ppu_spec_pkg::PhaseStore;
          status_d = ppu_spec_pkg::RunOk;
        end else if (flaw_i) status_d = ppu_spec_pkg::RunMemoryFault;
        else if (fault_i)
          status_d = row_memory_i ? ppu_spec_pkg::RunMemoryFault : ppu_spec_pkg::RunRowFault;
        else if (bad_next_i)
          status_d = row_memory_i ? ppu_spec_pkg::RunMemoryFault : ppu_spec_pkg::RunBadRow;
        else if (illegal_i)
          status_d =
            bad_word_i ? ppu_spec_pkg::RunMemoryFault : ppu_spec_pkg::RunIllegalInstruction;
      end
      ppu_spec_pkg::PhaseStore: if (transfer_done_i) begin
        phase_d = ppu_spec_pkg::PhaseDone;
        if (store_flaw_i) status_d = ppu_spec_pkg::RunMemoryFault;
      end
      ppu_spec_pkg::PhaseAbort: if (!busy_i) phase_d = ppu_spec_pkg::PhaseDone;
      ppu_spec_pkg::PhaseDone: if (release_i) phase_d = ppu_spec_pkg::PhaseIdle;
      default: begin
        if (start_i) phase_d = ppu_spec_pkg::PhaseLoad;
        status_d = ppu_spec_pkg::RunRunning;
        if (start_i && cancel_i) begin
          phase_d = ppu_spec_pkg::PhaseAbort;
          status_d = ppu_spec_pkg::RunCancelled;
        end
      end
    endcase
    if ((load_o && load_stops) || (run_o && run_stops)) phase_d = ppu_spec_pkg::PhaseAbort;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= ppu_spec_pkg::PhaseIdle;
      load_o <= 1'b0;
      run_o <= 1'b0;
      store_o <= 1'b0;
      status_q <= ppu_spec_pkg::RunRunning;
    end else begin
      phase_q <= phase_d;
      load_o <= phase_d == ppu_spec_pkg::PhaseLoad;
      run_o <= run_next_o;
      store_o <= phase_d == ppu_spec_pkg::PhaseStore;
      status_q <= status_d;
    end
  end

  `PPU_ASSERT(RunsStartOnlyWhenIdle, !start_i || phase_q == ppu_spec_pkg::PhaseIdle)

endmodule
