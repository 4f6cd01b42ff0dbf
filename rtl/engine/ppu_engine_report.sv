// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The report of a run, beat by beat: the header, then the counters. A run that did not end with ok
// has no counters, progress or residual.

module ppu_engine_report #(
  localparam int unsigned Count = ppu_spec_pkg::CounterCount
) (
  input  logic [3:0]          beat_i,
  input  logic [3:0]          status_i,
  input  logic [31:0]         fault_row_i,
  input  logic [31:0]         fault_detail_i,
  input  logic [31:0]         fault_value_i,
  input  logic [31:0]         progress_i,
  input  logic [31:0]         last_residual_i,
  input  logic [31:0]         command_i,
  input  logic [31:0]         engine_i,
  input  logic [64*Count-1:0] counters_i,
  output logic [511:0]        data_o
);

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
