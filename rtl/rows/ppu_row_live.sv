// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Which rows are live: those of the windows that a search reads, and the heads of the pipes. A row
// is live if a body of it has its tag set; one whose bodies are lost counts as live. With
// Stages = 1 what changes the tags goes through a register.

module ppu_row_live #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Window = 4,     ///< Rows of a pipe in a window: 1, 2, 4 or 8.
  parameter int unsigned Bodies = 4096,  ///< Bodies that fit on chip.
  parameter int unsigned Stages = 0,     ///< Cycles until the tags change: 0 or 1.
  /// Rows of a window of all pipes; bits of a body, of the structures.
  localparam int unsigned Rows = Pipes * Window,
  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth,
  localparam int unsigned BodiesWidth = ppu_engine_pkg::BodiesWidth,
  localparam int unsigned HeadWidth = ppu_engine_pkg::HeadWidth
) (
  input  logic                         clk_i,        ///< Clock; its rising edge counts.
  input  logic                         rst_ni,       ///< Low: nothing changes the tags.
  input  logic                         clear_i,      ///< A run begins: no tag is set.
  input  logic                         all_i,        ///< Set all next tags.
  input  logic                         next_i,       ///< The next tags become the current ones.
  input  logic [2*Pipes-1:0]           mark_i,       ///< A next tag is set.
  input  logic [2*Pipes*BodyWidth-1:0] mark_body_i,  ///< The body whose next tag is set.
  input  logic [Rows*BodiesWidth-1:0]  window_i,     ///< A ppu_engine_pkg::bodies_t of each row of
                                                     ///< a window, in slot order.
  input  logic [Rows-1:0]              present_i,    ///< Rows of the window that are of the pass.
  output logic [Rows-1:0]              live_o,       ///< Rows of present_i that are live.
  input  logic [Pipes*HeadWidth-1:0]   heads_i,      ///< A ppu_engine_pkg::head_t of each pipe.
  output logic [Pipes*HeadWidth-1:0]   heads_o       ///< What is in heads_i, with live filled in.
);

  ppu_engine_pkg::bodies_t      of_window, of_head;
  ppu_engine_pkg::head_t        queued, head;
  logic [Rows*BodiesWidth-1:0]  window;
  logic [Pipes*BodiesWidth-1:0] heads;
  logic [Pipes-1:0]             live;
  logic                         unused_heads;

  assign unused_heads = ^{queued, head};

  always_comb begin
    for (int i = 0; i < Rows; i++) begin
      of_window = window_i[i*BodiesWidth +: BodiesWidth];
      of_window.lost = of_window.lost && present_i[i];
      of_window.has_b = of_window.has_b && present_i[i];
      of_window.has_a = of_window.has_a && present_i[i];
      window[i*BodiesWidth +: BodiesWidth] = of_window;
    end
  end

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      queued = heads_i[p*HeadWidth +: HeadWidth];
      of_head.lost = queued.fault == 5'(ppu_spec_pkg::FaultRowBodies);
      of_head.has_b = queued.has_b;
      of_head.body_b = queued.body_b;
      of_head.has_a = queued.has_a;
      of_head.body_a = queued.body_a;
      heads[p*BodiesWidth +: BodiesWidth] = of_head;
    end
  end

  // What changes the tags.
  logic                         clear, all, next;
  logic [2*Pipes-1:0]           mark;
  logic [2*Pipes*BodyWidth-1:0] mark_body;

  if (Stages == 0) begin : gen_change_at_once
    assign {clear, all, next, mark} = {clear_i, all_i, next_i, mark_i};
    assign mark_body = mark_body_i;
  end else begin : gen_change_later
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {clear, all, next, mark} <= '0;
      else {clear, all, next, mark} <= {clear_i, all_i, next_i, mark_i};
    end
    ppu_delay #(.Width(2 * Pipes * BodyWidth)) u_mark_body (
      .clk_i, .data_i(mark_body_i), .data_o(mark_body));
  end

  ppu_tags #(.Bodies(Bodies), .Rows(Rows + Pipes), .Sets(2 * Pipes)) u_tags (
    .clk_i, .rst_ni, .clear_i(clear), .all_i(all), .next_i(next), .set_i(mark),
    .set_body_i(mark_body), .bodies_i({heads, window}), .live_o({live, live_o}));

  always_comb begin
    for (int p = 0; p < Pipes; p++) begin
      head = heads_i[p*HeadWidth +: HeadWidth];
      head.live = live[p];
      heads_o[p*HeadWidth +: HeadWidth] = head;
    end
  end

endmodule
