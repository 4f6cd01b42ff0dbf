// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The two tables of tags, a bit for each body: the current ones say which rows a filtered pass
// updates, the next ones are set by rows that leave the pipes. What changes in a cycle is visible
// in the next.

`include "ppu_assert.svh"

module ppu_tags #(
  parameter int unsigned Bodies = 4096,
  parameter int unsigned Rows = 4,  ///< Rows whose tags are read in a cycle.
  parameter int unsigned Sets = 2,  ///< Next tags that are set in a cycle, at most.
  /// Bits of a body, and of the bodies of a row.
  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth,
  localparam int unsigned BodiesWidth = ppu_engine_pkg::BodiesWidth
) (
  input  logic                        clk_i,       ///< Clock; its rising edge counts.
  input  logic                        rst_ni,      ///< Low: promises are not checked.
  input  logic                        clear_i,     ///< A run begins: no tag is set.
  input  logic                        all_i,       ///< Set all next tags.
  input  logic                        next_i,      ///< The next tags become the current ones.
  input  logic [Sets-1:0]             set_i,       ///< A next tag is set.
  input  logic [Sets*BodyWidth-1:0]   set_body_i,  ///< The body whose next tag is set.
  input  logic [Rows*BodiesWidth-1:0] bodies_i,    ///< A ppu_engine_pkg::bodies_t of each row.
  output logic [Rows-1:0]             live_o       ///< A body of the row has its current tag set,
                                                   ///< or may have.
);

  localparam int unsigned IndexWidth = $clog2(Bodies);

  logic [Bodies-1:0]          current_q, next_q;
  logic [Sets*IndexWidth-1:0] set_at;

  ppu_engine_pkg::bodies_t    bodies;
  logic [Rows-1:0]            lost, has_a, has_b, tag_a, tag_b;
  logic [Rows*IndexWidth-1:0] body_a, body_b;

  always_comb begin
    for (int i = 0; i < Rows; i++) begin
      bodies = bodies_i[i*BodiesWidth +: BodiesWidth];
      lost[i] = bodies.lost;
      has_b[i] = bodies.has_b;
      body_b[i*IndexWidth +: IndexWidth] = IndexWidth'(bodies.body_b);
      has_a[i] = bodies.has_a;
      body_a[i*IndexWidth +: IndexWidth] = IndexWidth'(bodies.body_a);
    end
  end

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    ppu_flag_read #(.Flags(Bodies)) u_a (
      .flags_i(current_q), .at_i(body_a[i*IndexWidth +: IndexWidth]), .flag_o(tag_a[i]));
    ppu_flag_read #(.Flags(Bodies)) u_b (
      .flags_i(current_q), .at_i(body_b[i*IndexWidth +: IndexWidth]), .flag_o(tag_b[i]));
  end

  assign live_o = lost | (has_a & tag_a) | (has_b & tag_b);

  always_ff @(posedge clk_i) begin
    if (clear_i) current_q <= '0;
    else if (next_i) current_q <= next_q;
  end

  always_comb begin
    for (int i = 0; i < Sets; i++)
      set_at[i*IndexWidth +: IndexWidth] = IndexWidth'(set_body_i[i*BodyWidth +: BodyWidth]);
  end

  ppu_flags #(.Flags(Bodies), .Clears(1), .Sets(Sets)) u_next (
    .clk_i, .clear_all_i(clear_i || next_i), .set_all_i(all_i), .clear_i('0), .clear_at_i('0),
    .set_i, .set_at_i(set_at), .flags_o(next_q));

  `PPU_ASSERT(NoRowMarksWhileTheTablesChange, !(all_i || next_i) || set_i == '0)

endmodule
