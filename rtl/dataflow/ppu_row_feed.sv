// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The rows of open passes on their way to the linker, one after another in slot order: the next row
// is the head of its pipe. A search takes groups of one row of each pipe.

`include "ppu_assert.svh"

module ppu_row_feed #(
  parameter int unsigned Pipes = 1,
  /// Bits of the head of a pipe.
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth
) (
  input  logic                       clk_i,    ///< Clock; its rising edge counts.
  input  logic                       rst_ni,   ///< Low: no passes.
  input  logic                       clear_i,  ///< No passes from the next cycle on.
  input  logic                       push_i,   ///< A pass begins; there is room for two.
  input  ppu_engine_pkg::pass_t      pass_i,   ///< The rows of the pass that begins.
  input  logic [1:0]                 turn_i,   ///< The number of the pass that begins, modulo
                                               ///< 4.
  input  logic                       filtered_i,    ///< Rows that are not live are passed over.
  input  logic                       searched_i,    ///< The rows of the pass are searched for.
  input  ppu_engine_pkg::left_out_t  passed_i,      ///< Rows that the search leaves out.
  input  logic [Pipes-1:0]           head_valid_i,  ///< The pipe has a next row.
  input  logic [Pipes*HeadWidth-1:0] heads_i,       ///< A ppu_engine_pkg::head_t of each pipe.
  output logic                       left_o,   ///< There are rows left.
  output logic                       valid_o,  ///< The next row is there.
  output ppu_engine_pkg::fed_t       row_o,    ///< The next row.
  input  logic                       take_i,   ///< The next row is taken.
  output logic [Pipes-1:0]           pop_o     ///< The head of this pipe is taken.
);

  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned PipeWidth = Pipes > 1 ? PipeBits : 1;
  localparam logic [SlotWidth-1:0] PipeMask = SlotWidth'(Pipes - 1);

  logic                     unused_another, unused_pass;
  logic [1:0]               turn;
  logic [PipeWidth-1:0]     pipe, group_pipe_q;
  ppu_engine_pkg::pass_t    pass;
  ppu_engine_pkg::head_t    head;
  ppu_engine_pkg::row_ids_t ids;

  ppu_pass_queue #(.PayloadWidth(2)) u_passes (
    .clk_i, .rst_ni, .clear_i, .push_i, .pass_i, .payload_i(turn_i), .take_i, .skip_i(passed_i),
    .valid_o(left_o), .another_o(unused_another), .pass_o(pass), .payload_o(turn));

  assign unused_pass = ^pass;
  assign pipe = searched_i ? group_pipe_q : PipeWidth'(SlotWidth'(pass.first) & PipeMask);
  assign head = heads_i[pipe*HeadWidth +: HeadWidth];
  assign valid_o = left_o && head_valid_i[pipe];

  always_comb begin
    ids.fault = head.fault;
    ids.has_parent = head.has_parent;
    ids.parent = head.parent;
    ids.has_b = head.has_b;
    ids.body_b = head.body_b;
    ids.has_a = head.has_a;
    ids.body_a = head.body_a;
    row_o.turn = turn;
    row_o.live = !filtered_i || head.live;
    row_o.place = (head.place << PipeBits) | SlotWidth'(pipe);
    row_o.slot = searched_i ? row_o.place : SlotWidth'(pass.first);
    row_o.corrected = head.corrected;
    row_o.ids = ids;
    pop_o = '0;
    pop_o[pipe] = take_i;
  end

  always_ff @(posedge clk_i) begin
    if (push_i || Pipes == 1) group_pipe_q <= '0;
    else if (take_i) group_pipe_q <= group_pipe_q + PipeWidth'(1);
  end

  // With a single pipe its number has a bit that is not used.
  if (Pipes == 1) begin : gen_single
    logic unused_pipe;
    assign unused_pipe = ^pipe;
  end

  `PPU_ASSERT(ARowIsTakenWhenItIsThere, !take_i || valid_o)

endmodule
