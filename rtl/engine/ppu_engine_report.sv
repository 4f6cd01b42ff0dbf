// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a run, beat by beat: the header, then the counters. A run that did not end with ok
// has no counters, progress or residual.

module ppu_engine_report (
  input  logic [3:0]              beat_i,           ///< Beat of the report, 0: the header.
  input  logic [3:0]              status_i,         ///< A ppu_spec_pkg::run_status_e.
  input  logic [31:0]             fault_row_i,      ///< Slot of the row that ended the run.
  input  logic [31:0]             fault_detail_i,   ///< A ppu_spec_pkg::fault_detail_e, or an
                                                    ///< address.
  input  logic [31:0]             fault_value_i,    ///< The number that is wrong.
  input  logic [31:0]             progress_i,       ///< What `signal` said last.
  input  logic [31:0]             last_residual_i,  ///< What `rdmax` read last, binary32.
  input  logic [31:0]             command_i,        ///< Number of the command.
  input  logic [31:0]             engine_i,         ///< Number of the engine.
  input  ppu_spec_pkg::counters_t counters_i,       ///< The counters of the run.
  output logic [511:0]            data_o            ///< The beat; 0 behind the end.
);

  localparam int unsigned Count = ppu_spec_pkg::CounterCount;
  localparam int unsigned CounterBeats = (Count + 7) / 8;

  ppu_spec_pkg::report_header_t header;
  logic                         ok;
  logic [512*CounterBeats-1:0]  counters;

  assign ok = status_i == ppu_spec_pkg::RunOk;
  assign counters = (512 * CounterBeats)'(counters_i);

  always_comb begin
    header = '0;
    header.status = 32'(status_i);
    header.fault_row = fault_row_i;
    header.fault_detail = fault_detail_i;
    header.fault_value = fault_value_i;
    header.progress = ok ? progress_i : '0;
    header.last_residual = ok ? last_residual_i : '0;
    header.command = command_i;
    header.engine = engine_i;
  end

  always_comb begin
    data_o = beat_i == '0 ? header : '0;
    for (int i = 0; i < CounterBeats; i++)
      if (ok && beat_i == 4'(i + 1)) data_o = counters[512*i +: 512];
  end

endmodule
