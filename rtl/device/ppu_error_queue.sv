// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The error queue behind the error_* registers: up to three entries a cycle, in the order of the
// ports; those that find it full are lost and counted.

module ppu_error_queue (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,              ///< Empty, nothing lost.

  input  logic        run_failed_i,
  input  logic [31:0] run_failed_number_i,  ///< Number of the command.
  input  logic [3:0]  run_failed_status_i,
  input  logic        descriptor_i,
  input  logic [31:0] descriptor_number_i,
  input  logic [31:0] descriptor_index_i,
  input  logic        reject_i,
  input  logic [31:0] reject_number_i,
  input  logic [3:0]  reject_reason_i,
  output logic        raised_o,             ///< The queue takes an entry.

  input  logic        pop_i,                ///< Removes the oldest entry, if there is one.
  output logic [3:0]  count_o,
  output logic [31:0] number_o,             ///< Of the oldest entry; 0 if there is none.
  output logic [3:0]  reason_o,
  output logic [31:0] detail_o,
  output logic [31:0] lost_o
);

  localparam int unsigned Entries = ppu_spec_pkg::ErrorQueueEntries;
  localparam int unsigned PlaceWidth = $clog2(Entries);
  localparam int unsigned Width = 32 + 4 + 32;

  logic [Width-1:0]      entries_q [0:Entries-1];
  logic [PlaceWidth-1:0] head_q, tail_q;
  logic [3:0]            count_q, kept, free;
  logic [31:0]           lost_q;
  logic                  pop;
  logic [2:0]            wanted, taken;
  logic [1:0]            before_second, before_third, wanted_count, taken_count;

  // ---------------------------------------------------------------------------------------------
  // What finds a place. An entry that is removed goes first.
  // ---------------------------------------------------------------------------------------------
  assign pop = pop_i && count_q != '0;
  assign kept = count_q - 4'(pop);
  assign free = 4'(Entries) - kept;
  assign wanted = {reject_i, descriptor_i, run_failed_i};
  assign before_second = 2'(wanted[0]);
  assign before_third = 2'(wanted[0]) + 2'(wanted[1]);
  assign wanted_count = before_third + 2'(wanted[2]);
  assign taken[0] = wanted[0] && free != '0;
  assign taken[1] = wanted[1] && free > 4'(before_second);
  assign taken[2] = wanted[2] && free > 4'(before_third);
  assign taken_count = 2'(taken[0]) + 2'(taken[1]) + 2'(taken[2]);
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
    if (taken[0])
      entries_q[tail_q] <=
          {run_failed_number_i, ppu_spec_pkg::ErrorRunFailed, 28'd0, run_failed_status_i};
    if (taken[1])
      entries_q[tail_q + PlaceWidth'(before_second)] <=
          {descriptor_number_i, ppu_spec_pkg::ErrorDescriptor, descriptor_index_i};
    if (taken[2])
      entries_q[tail_q + PlaceWidth'(before_third)] <= {reject_number_i, reject_reason_i, 32'd0};
  end

  assign count_o = count_q;
  assign lost_o = lost_q;
  assign {number_o, reason_o, detail_o} = count_q == '0 ? '0 : entries_q[head_q];

endmodule
