// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The instructions that move all velocities: `settle` keeps them as the base, `ahead` sets each to
// v + factor * (v - base) and keeps the v before. `settle` reads two bodies per cycle, `ahead` two
// in each 12 / Lanes cycles: started in cycle c, the first two are read in c + 1, and what was read
// is kept in the cycle after, written in
// c + 1 + LeadCycles + MulStages + 2 * AddStages + 12 / Lanes and on.

`include "ppu_assert.svh"

module ppu_ahead #(
  parameter int unsigned Lanes = 12,     ///< 1, 2, 3, 4, 6 or 12.
  parameter int unsigned MulStages = 3,  ///< Cycles of a multiplication, 1 to 5.
  parameter int unsigned AddStages = 3,  ///< Cycles of an addition, 1 to 5.
  parameter int unsigned Bodies = 4096,  ///< A multiple of 64.
  parameter int unsigned MemoryProtection = 0,
  /// Bits of the number of a pair of bodies (2i and 2i+1), and of their velocities.
  localparam int unsigned PairWidth = $clog2(Bodies) - 1,
  localparam int unsigned Width = 2 * 6 * 32
) (
  input  logic                    clk_i,         ///< Clock; its rising edge counts.
  input  logic                    rst_ni,        ///< Low: nothing moves.
  input  ppu_engine_pkg::flip_t   flip_i,        ///< Bits that flip when a base is written.
  input  logic                    enable_i,      ///< Off: nothing goes on.
  input  logic                    start_i,       ///< An instruction executes; nothing moves.
  input  logic                    ahead_i,       ///< What executes is `ahead`, else `settle`.
  input  logic [31:0]             factor_i,      ///< Binary32; the number stays until the end.
  input  logic [31:0]             body_count_i,  ///< Bodies of the run; the number stays until the
                                                 ///< end.
  output ppu_engine_pkg::moving_t moving_o,      ///< What is read and written in this cycle.
  output logic [PairWidth-1:0]    read_pair_o,   ///< The pair that is read.
  output logic [PairWidth-1:0]    keep_pair_o,   ///< The pair that was read in the cycle before.
  output logic [1:0]              kept_o,        ///< The bodies of keep_pair_o that were read.
  output logic [1:0]              corrected_o,   ///< A bit of the base of a body was corrected.
  output logic [1:0]              bad_o,         ///< The base of a body is lost.
  input  logic [Width-1:0]        velocity_i,    ///< What was read in the cycle before.
  output logic [PairWidth-1:0]    write_pair_o,  ///< The pair that is written.
  output logic [Width-1:0]        velocity_o     ///< The velocities that are written.
);

  localparam int unsigned Beats = 12 / Lanes;  // of a pair in the lanes
  localparam int unsigned Latency =
    ppu_spec_pkg::LeadCycles + MulStages + 2 * AddStages + Beats - 1;
  localparam int unsigned CountWidth = $clog2(Bodies + 1);

  // ---------------------------------------------------------------------------------------------
  // Control: pairs are read one after another; valid_q[t] is a pair that came t cycles ago.
  // ---------------------------------------------------------------------------------------------
  logic                 reading_q, read, wait_beat, ahead_q, busy, last;
  logic [Latency:0]     valid_q, whole_q;  // whole: with two bodies
  logic                 flying_q;  // valid_q has one
  logic [PairWidth-1:0] read_q, keep_q, write_q;
  logic                 whole;  // the pair that may be read
  logic [1:0]           corrected, bad, flip;

  // The second body of the last pair may not exist.
  assign whole = CountWidth'({read_q, 1'b1}) < CountWidth'(body_count_i);
  assign last = CountWidth'({read_q, 1'b1}) + CountWidth'(1) >= CountWidth'(body_count_i);
  assign moving_o.busy = busy;
  assign busy = reading_q || flying_q;
  assign read = reading_q && !wait_beat;
  assign moving_o.read = {read && whole, read};
  assign read_pair_o = read_q;
  assign moving_o.write = {valid_q[Latency] && whole_q[Latency], valid_q[Latency]};
  assign write_pair_o = write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      valid_q <= '0;
      flying_q <= 1'b0;
    end else if (!enable_i) begin
      reading_q <= 1'b0;
      valid_q <= '0;
      flying_q <= 1'b0;
    end else begin
      reading_q <= start_i ? body_count_i != '0 : reading_q && !(read && last);
      valid_q <= {valid_q[Latency-1:1], valid_q[0] && ahead_q, read};
      flying_q <= valid_q[Latency-1:1] != '0 || (valid_q[0] && ahead_q) || read;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!busy) ahead_q <= ahead_i;
    keep_q <= read_q;
    whole_q <= {whole_q[Latency-1:0], whole};
    read_q <= busy ? read_q + PairWidth'(read) : '0;
    write_q <= busy ? write_q + PairWidth'(valid_q[Latency]) : '0;
  end

  if (Beats == 1) begin : gen_each_cycle
    assign wait_beat = 1'b0;
  end else begin : gen_beats
    logic [$clog2(Beats)-1:0] beat_q;  // of the lanes; 0: a pair may be read

    assign wait_beat = beat_q != '0;
    always_ff @(posedge clk_i) begin
      if (!reading_q || !ahead_q || 32'(beat_q) == Beats - 1) beat_q <= '0;
      else beat_q <= beat_q + 1'b1;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // The base, and the lead over it.
  // ---------------------------------------------------------------------------------------------
  logic [Width-1:0]    base, base_q, velocity_q;
  logic [Lanes*32-1:0] lead;

  // `settle` reads what may never have been written.
  assign kept_o = {valid_q[0] && whole_q[0], valid_q[0]};
  assign keep_pair_o = keep_q;
  assign corrected_o = ahead_q ? kept_o & corrected : '0;
  assign bad_o = ahead_q ? kept_o & bad : '0;
  assign flip = flip_i.memory == ppu_spec_pkg::FaultBaseMemory && flip_i.word[31:1] == 31'(keep_q)
    ? {flip_i.word[0], !flip_i.word[0]} : '0;

  ppu_safe_ram #(
    .PartWidth(Width / 2), .Parts(2), .Words(Bodies / 2), .Protection(MemoryProtection != 0),
    .GroupWidth(64)
  ) u_base (
    .clk_i, .rst_ni, .write_i({2{valid_q[0]}}), .write_address_i(keep_q), .write_data_i(velocity_i),
    .flip_i(flip), .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number),
    .flip_two_i(flip_i.two), .read_i(read), .read_address_i(read_q), .read_data_o(base),
    .corrected_o(corrected), .bad_o(bad));

  for (genvar i = 0; i < Lanes; i++) begin : gen_lane
    ppu_lead #(.MulStages(MulStages), .AddStages(AddStages)) u_lead (
      .clk_i, .value_i(velocity_q[32*i +: 32]), .before_i(base_q[32*i +: 32]),
      .factor_i, .lead_o(lead[32*i +: 32]));
  end

  if (Beats == 1) begin : gen_at_once
    assign velocity_o = lead;
    always_ff @(posedge clk_i) begin
      velocity_q <= velocity_i;
      base_q <= base;
    end
  end else begin : gen_in_beats
    logic [Width-Lanes*32-1:0] leads_q;  // of the beats before, the first one lowest

    assign velocity_o = {lead, leads_q};
    always_ff @(posedge clk_i) begin
      velocity_q <= valid_q[0] ? velocity_i : velocity_q >> (Lanes * 32);
      base_q <= valid_q[0] ? base : base_q >> (Lanes * 32);
      leads_q <= (Width-Lanes*32)'({lead, leads_q} >> (Lanes * 32));
    end
  end

  `PPU_ASSERT(NothingStartsWhileVelocitiesMove, !start_i || !busy)

endmodule
