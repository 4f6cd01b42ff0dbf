// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The first fault in program and slot order of rows that issue by dataflow. Rows before one that
// faults may fault later, so the run goes on until none is left. A turn is known modulo 4, so that
// turns are compared by how far they are behind the limit.

`include "ppu_assert.svh"

module ppu_flow_fault #(
  parameter int unsigned Pipes = 1,
  /// Bits of the structure of a pipe.
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input  logic                          clk_i,    ///< Clock; its rising edge counts.
  input  logic                          rst_ni,   ///< Low: no fault.
  input  logic                          clear_i,  ///< A run begins: no fault.
  input  logic [Pipes-1:0]              fault_i,  ///< The row that leaves faults.
  input  logic [Pipes*LeavingWidth-1:0] leave_i,  ///< A ppu_engine_pkg::leaving_t of each pipe.
  input  logic [2*Pipes-1:0]            turns_i,  ///< The turn of the row that leaves.
  input  logic [1:0]                    limit_i,  ///< The turn in which the next pass begins, at
                                                  ///< most three after that of any that leaves.
  output logic                          found_o,  ///< There was a fault.
  output logic [31:0]                   slot_o,   ///< The slot of the row.
  output logic [4:0]                    detail_o  ///< What is wrong, a fault_detail_e.
);

  logic                     found_q, found_d, earlier, unused_leaving;
  logic [1:0]               limit_q, behind;
  logic [2:0]               behind_q, behind_d;  // turns of the fault behind the limit, 4: or more
  logic [31:0]              slot_q, slot_d;
  logic [4:0]               detail_q, detail_d;
  ppu_engine_pkg::leaving_t leaving;

  assign found_o = found_q;
  assign slot_o = slot_q;
  assign detail_o = detail_q;
  assign unused_leaving = ^leaving;

  always_comb begin
    found_d = found_q;
    behind_d = limit_i != limit_q && !behind_q[2] ? behind_q + 3'd1 : behind_q;
    slot_d = slot_q;
    detail_d = detail_q;
    leaving = '0;
    behind = '0;
    earlier = 1'b0;
    for (int p = 0; p < Pipes; p++) begin
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      behind = limit_i - turns_i[2*p +: 2];
      earlier = 3'(behind) > behind_d ||
                (3'(behind) == behind_d && 32'(leaving.slot) < slot_d);
      if (fault_i[p] && (!found_d || earlier)) begin
        found_d = 1'b1;
        behind_d = 3'(behind);
        slot_d = 32'(leaving.slot);
        detail_d = leaving.detail;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) found_q <= 1'b0;
    else if (clear_i) found_q <= 1'b0;
    else found_q <= found_d;
  end

  always_ff @(posedge clk_i) begin
    limit_q <= limit_i;
    behind_q <= behind_d;
    slot_q <= slot_d;
    detail_q <= detail_d;
  end

  `PPU_ASSERT(FaultsHaveADetail, fault_i == '0 || !found_d || detail_d != '0)

endmodule
