// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What happens in the device in this cycle, beside its ports, for whoever simulates it: see
// hw/contract/trace.hpp. Bound into ppu_top; no part of the hardware.

module ppu_top_trace #(
  parameter int unsigned Engines = 1,
  parameter int unsigned Pipes = 1,
  /// Requesters of device memory: the engines, then the DMA.
  localparam int unsigned RequesterWidth = $clog2(Engines + 1)
) (
  input logic                      command_begin_i,   ///< A command begins.
  input logic                      command_reject_i,  ///< A command is rejected.
  input logic [31:0]               command_number_i,  ///< The number of the one or the other.
  input logic [7:0]                command_opcode_i,  ///< The opcode of the one or the other.
  input logic [3:0]                command_reason_i,  ///< Why a command is rejected, a
                                                      ///< ppu_spec_pkg::command_error_e.
  input logic                      fence_i,           ///< A fence is written.
  input logic [63:0]               fence_value_i,     ///< The value of the fence that is written.
  input logic [Engines-1:0]        report_i,          ///< The report of an engine is written.
  input logic [1:0]                dma_phase_i,       ///< A ppu_device_pkg::dma_phase_e.
  input logic [RequesterWidth-1:0] requester_i        ///< Whose request to device memory is on the
                                                      ///< port.
);

  logic                        command_begin  /*verilator public_flat_rd*/;
  logic                        command_reject /*verilator public_flat_rd*/;
  logic [31:0]                 command_number /*verilator public_flat_rd*/;
  logic [7:0]                  command_opcode /*verilator public_flat_rd*/;
  logic [3:0]                  command_reason /*verilator public_flat_rd*/;
  logic                        fence          /*verilator public_flat_rd*/;
  logic [63:0]                 fence_value    /*verilator public_flat_rd*/;
  logic [Engines-1:0]          report         /*verilator public_flat_rd*/;
  logic [1:0]                  dma_phase      /*verilator public_flat_rd*/;
  logic [RequesterWidth-1:0]   requester      /*verilator public_flat_rd*/;
  // Of all engines, and of all pipes of an engine, side by side: see ppu_engine_trace.
  logic [3*Engines-1:0]        phase          /*verilator public_flat_rd*/;
  logic [Engines-1:0]          pass           /*verilator public_flat_rd*/;
  logic [32*Engines-1:0]       pass_first     /*verilator public_flat_rd*/;
  logic [32*Engines-1:0]       pass_count     /*verilator public_flat_rd*/;
  logic [2*Engines-1:0]        cut            /*verilator public_flat_rd*/;
  logic [Engines-1:0]          rdlate         /*verilator public_flat_rd*/;
  logic [32*Engines-1:0]       passes_cut     /*verilator public_flat_rd*/;
  logic [Engines*Pipes-1:0]    issue          /*verilator public_flat_rd*/;
  logic [32*Engines*Pipes-1:0] issue_slot     /*verilator public_flat_rd*/;
  logic [Engines*Pipes-1:0]    retire         /*verilator public_flat_rd*/;
  logic [32*Engines*Pipes-1:0] retire_slot    /*verilator public_flat_rd*/;

  assign command_begin = command_begin_i;
  assign command_reject = command_reject_i;
  assign command_number = command_number_i;
  assign command_opcode = command_opcode_i;
  assign command_reason = command_reason_i;
  assign fence = fence_i;
  assign fence_value = fence_value_i;
  assign report = report_i;
  assign dma_phase = dma_phase_i;
  assign requester = requester_i;

  // The names of the engines are those of ppu_top, around this module.
  for (genvar i = 0; i < Engines; i++) begin : gen_trace
    assign phase[3*i +: 3] = gen_engine[i].u_engine.u_trace.phase;
    assign pass[i] = gen_engine[i].u_engine.u_trace.pass;
    assign pass_first[32*i +: 32] = gen_engine[i].u_engine.u_trace.pass_first;
    assign pass_count[32*i +: 32] = gen_engine[i].u_engine.u_trace.pass_count;
    assign cut[2*i +: 2] = gen_engine[i].u_engine.u_trace.cut;
    assign rdlate[i] = gen_engine[i].u_engine.u_trace.rdlate;
    assign passes_cut[32*i +: 32] = gen_engine[i].u_engine.u_trace.passes_cut;
    assign issue[Pipes*i +: Pipes] = gen_engine[i].u_engine.u_trace.issue;
    assign issue_slot[32*Pipes*i +: 32*Pipes] = gen_engine[i].u_engine.u_trace.issue_slot;
    assign retire[Pipes*i +: Pipes] = gen_engine[i].u_engine.u_trace.retire;
    assign retire_slot[32*Pipes*i +: 32*Pipes] = gen_engine[i].u_engine.u_trace.retire_slot;
  end

endmodule
