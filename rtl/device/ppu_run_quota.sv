// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Whose run every engine has, and how many cycles it has left: a run is cancelled when its quota is
// spent, or when its context is cancelled.

`include "ppu_assert.svh"

module ppu_run_quota #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  /// Bits of the contexts of all engines.
  localparam int unsigned IdsWidth = ppu_spec_pkg::ContextIdWidth * Engines
) (
  /// Clock.
  input  logic                                clk_i,
  /// Reset, active low.
  input  logic                                rst_ni,
  /// A run begins on this engine.
  input  logic [Engines-1:0]                  run_i,
  /// Whose run it is.
  input  ppu_spec_pkg::context_id_t         context_i,
  /// Cycles that it may take; 0: any number.
  input  logic [31:0]                         quota_i,
  /// Engines without a run and a report.
  input  logic [Engines-1:0]                  idle_i,
  /// Contexts whose runs are cancelled.
  input  logic [ppu_spec_pkg::Contexts-1:0] cancel_i,
  /// Whose run each engine has, or had last.
  output logic [IdsWidth-1:0]                 runs_o,
  /// Engines whose run is cancelled.
  output logic [Engines-1:0]                  cancel_o,
  /// Engines whose run has spent its quota in an earlier cycle.
  output logic [Engines-1:0]                  spent_o
);

  localparam int unsigned IdWidth = ppu_spec_pkg::ContextIdWidth;

  for (genvar i = 0; i < Engines; i++) begin : gen_engine
    logic [IdWidth-1:0] id, id_q;
    logic [31:0]        left_q;
    logic               spends, spent_q;

    // From the cycle on in which it begins.
    assign id = run_i[i] ? context_i : id_q;
    assign spends = !idle_i[i] && left_q == 32'd1;
    assign runs_o[IdWidth*i +: IdWidth] = id_q;
    assign cancel_o[i] = cancel_i[id] || spends;
    assign spent_o[i] = spent_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        id_q <= '0;
        left_q <= '0;
        spent_q <= 1'b0;
      end else begin
        id_q <= id;
        if (run_i[i]) left_q <= quota_i;
        else if (left_q != '0) left_q <= left_q - 32'd1;
        if (run_i[i]) spent_q <= 1'b0;
        else if (spends) spent_q <= 1'b1;
      end
    end
  end

  `PPU_ASSERT(RunsBeginOnIdleEngines, (run_i & ~idle_i) == '0)

endmodule
