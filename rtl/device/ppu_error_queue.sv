// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The error queue behind the error_* registers: up to four entries a cycle, in the order of the
// ports; those that find it full are lost and counted.

`include "ppu_assert.svh"

module ppu_error_queue (
  /// Clock.
  input  logic                       clk_i,
  /// Reset, active low.
  input  logic                       rst_ni,
  /// The queue is as after reset in the next cycle.
  input  logic                       clear_i,

  // Entries, the first before the second, the third and the fourth.
  /// There is a first entry.
  input  logic                       first_valid_i,
  /// The first entry.
  input  ppu_spec_pkg::error_entry_t first_i,
  /// There is a second entry.
  input  logic                       second_valid_i,
  /// The second entry.
  input  ppu_spec_pkg::error_entry_t second_i,
  /// There is a third entry.
  input  logic                       third_valid_i,
  /// The third entry.
  input  ppu_spec_pkg::error_entry_t third_i,
  /// There is a fourth entry.
  input  logic                       fourth_valid_i,
  /// The fourth entry.
  input  ppu_spec_pkg::error_entry_t fourth_i,
  /// The queue takes an entry in this cycle.
  output logic                       raised_o,

  // What the registers show.
  /// Removes the oldest entry, if there is one.
  input  logic                       pop_i,
  /// Entries in the queue, 0 to ErrorQueueEntries.
  output logic [3:0]                 count_o,
  /// The oldest entry; 0 if there is none.
  output ppu_spec_pkg::error_entry_t oldest_o,
  /// Entries that were lost.
  output logic [31:0]                lost_o
);

  localparam int unsigned Entries = ppu_spec_pkg::ErrorQueueEntries;
  localparam int unsigned PlaceWidth = $clog2(Entries);

  logic [ppu_spec_pkg::ErrorEntryWidth-1:0] entries_q [0:Entries-1];

  logic [PlaceWidth-1:0] head_q, tail_q;
  logic [3:0]            count_q, kept, free;
  logic [31:0]           lost_q;
  logic                  pop;
  logic [3:0]            wanted, taken;
  logic [1:0]            before_second, before_third, before_fourth;
  logic [2:0]            wanted_count, taken_count;

  // ---------------------------------------------------------------------------------------------
  // What finds a place. An entry that is removed goes first.
  // ---------------------------------------------------------------------------------------------
  assign pop = pop_i && count_q != '0;
  assign kept = count_q - 4'(pop);
  assign free = 4'(Entries) - kept;
  assign wanted = {fourth_valid_i, third_valid_i, second_valid_i, first_valid_i};
  assign before_second = 2'(wanted[0]);
  assign before_third = 2'(wanted[0]) + 2'(wanted[1]);
  assign before_fourth = before_third + 2'(wanted[2]);
  assign wanted_count = 3'(before_fourth) + 3'(wanted[3]);
  assign taken[0] = wanted[0] && free != '0;
  assign taken[1] = wanted[1] && free > 4'(before_second);
  assign taken[2] = wanted[2] && free > 4'(before_third);
  assign taken[3] = wanted[3] && free > 4'(before_fourth);
  assign taken_count = 3'(taken[0]) + 3'(taken[1]) + 3'(taken[2]) + 3'(taken[3]);
  assign raised_o = taken != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      lost_q <= '0;
    end else if (clear_i) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      lost_q <= '0;
    end else begin
      if (pop) head_q <= head_q + PlaceWidth'(1);
      tail_q <= tail_q + PlaceWidth'(taken_count);
      count_q <= kept + 4'(taken_count);
      lost_q <= lost_q + 32'(wanted_count) - 32'(taken_count);
    end
  end

  always_ff @(posedge clk_i) begin
    if (taken[0]) entries_q[tail_q] <= first_i;
    if (taken[1]) entries_q[tail_q + PlaceWidth'(before_second)] <= second_i;
    if (taken[2]) entries_q[tail_q + PlaceWidth'(before_third)] <= third_i;
    if (taken[3]) entries_q[tail_q + PlaceWidth'(before_fourth)] <= fourth_i;
  end

  assign count_o = count_q;
  assign lost_o = lost_q;
  assign oldest_o = count_q == '0 ? '0 : entries_q[head_q];

  `PPU_ASSERT(EveryEntryHasAReason,
              (!first_valid_i || first_i.reason != ppu_spec_pkg::ErrorNone) &&
              (!second_valid_i || second_i.reason != ppu_spec_pkg::ErrorNone) &&
              (!third_valid_i || third_i.reason != ppu_spec_pkg::ErrorNone) &&
              (!fourth_valid_i || fourth_i.reason != ppu_spec_pkg::ErrorNone))

endmodule
