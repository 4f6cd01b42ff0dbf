// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The counters of a run: what each cycle adds to each of them, and the class of each cycle of the
// program. What happens is known late in the cycle: it goes into a register, and is counted from
// there. The counters that are shown have it already.

`include "ppu_assert.svh"

module ppu_engine_counters (
  input  logic                       clk_i,           ///< Clock; its rising edge counts.
  input  logic                       rst_ni,          ///< Low: promises are not checked.
  input  logic                       clear_i,         ///< A run begins.
  input  logic [63:0]                device_cycle_i,  ///< Cycle of the device.
  input  logic [2:0]                 phase_i,         ///< A ppu_spec_pkg::engine_phase_e.
  input  logic                       first_i,         ///< The first cycle of the program.
  input  ppu_engine_pkg::execution_t execution_i,     ///< What executes.
  input  logic                       late_i,          ///< The run is late.
  input  logic [1:0]                 cut_i,           ///< Passes that are cut short or dropped.
  input  logic                       pending_i,       ///< A pass has not fully issued.
  input  ppu_engine_pkg::activity_t  activity_i,      ///< What rows do.
  input  ppu_engine_pkg::moving_t    moving_i,        ///< Velocities that move without rows.
  input  logic                       word_corrected_i,  ///< A bit of the word that executes was
                                                        ///< corrected.
  input  logic [1:0]                 read_beats_i,    ///< Beats of the read that device memory
                                                      ///< accepts.
  input  logic [1:0]                 captured_i,      ///< Beats of streamed rows that are taken as
                                                      ///< a copy writes them.
  input  logic                       write_beat_i,    ///< Device memory accepts a write.
  output ppu_spec_pkg::counters_t    counters_o       ///< Of the run, up to the cycle before.
);

  localparam int unsigned Count = ppu_spec_pkg::CounterCount;
  localparam int unsigned AheadFlops = 3 * 6;  // of a body

  // ---------------------------------------------------------------------------------------------
  // What this cycle adds.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::increments_t add;
  ppu_engine_pkg::wait_t     waits;
  logic [31:0]               moved, moved_flops;
  logic [1:0]                row_beats;
  logic                      run, waiting;  // the next row waits

  assign run = phase_i == ppu_spec_pkg::PhaseRun;
  assign waits = activity_i.waits;
  assign waiting = pending_i && !late_i;
  assign row_beats = read_beats_i | captured_i;
  // There is no second body without a first one.
  assign moved = 32'(moving_i.write[0]) + 32'(moving_i.write[1]);
  assign moved_flops = moving_i.write[1] ? 2 * AheadFlops : moving_i.write[0] ? AheadFlops : 32'd0;

  always_comb begin
    add = '0;
    add.cycles = 32'(run);
    add.load_cycles = 32'(phase_i == ppu_spec_pkg::PhaseLoad);
    add.store_cycles = 32'(phase_i == ppu_spec_pkg::PhaseStore);
    if (run) begin
      if (activity_i.issues) add.issue_cycles = 32'd1;
      else if (activity_i.passes_over) add.filter_cycles = 32'd1;
      else if (!waiting && execution_i.drain) add.drain_cycles = 32'd1;
      else if (!waiting) add.control_cycles = 32'd1;
      else if (waits.search) add.filter_cycles = 32'd1;
      else if (waits.fetch) add.fetch_stall_cycles = 32'd1;
      else if (waits.lanes) add.lane_cycles = 32'd1;
      else if (waits.body) add.body_stall_cycles = 32'd1;
      else if (waits.parent) add.parent_stall_cycles = 32'd1;
      else add.bank_stall_cycles = 32'd1;
      add.bank_conflicts = 32'(activity_i.conflict);
    end
    add.instructions = 32'(execution_i.instruction);
    add.kernel_words = 32'(execution_i.kernel_word);
    add.row_passes = 32'(execution_i.rows);
    add.passes_cut = 32'(cut_i);
    add.row_updates = activity_i.issued;
    add.rows_filtered = activity_i.filtered;
    add.rows_skipped = activity_i.skipped;
    add.flops = activity_i.flops + moved_flops;
    add.row_bytes_on_chip = activity_i.issued * ppu_spec_pkg::RowBytes +
                            activity_i.impulses * ppu_spec_pkg::ImpulseBytes;
    if (run) add.row_bytes_streamed = 32'(row_beats) * ppu_spec_pkg::BeatBytes;
    add.velocity_reads =
      activity_i.velocities_read + 32'(moving_i.read[0]) + 32'(moving_i.read[1]);
    add.velocity_writes = activity_i.velocities_written + moved;
    add.words_corrected = activity_i.corrected + 32'(word_corrected_i);
    add.memory_read_beats = 32'(read_beats_i);
    add.memory_write_beats = 32'(write_beat_i);
  end

  // ---------------------------------------------------------------------------------------------
  // The counters.
  // ---------------------------------------------------------------------------------------------
  logic [32*Count-1:0] adds_q;
  logic [64*Count-1:0] counts;
  logic                clear_q;  // what the cycle before added is of no run
  logic                unused_fields;

  assign unused_fields = ^{execution_i, moving_i};
  assign counters_o = counts;

  always_ff @(posedge clk_i) begin
    adds_q <= add;
    clear_q <= clear_i;
  end

  for (genvar i = 0; i < Count; i++) begin : gen_counter
    logic [63:0] count_q;

    assign counts[64*i +: 64] = count_q + 64'(adds_q[32*i +: 32]);
    always_ff @(posedge clk_i) begin
      if (clear_i || clear_q) count_q <= '0;
      else if (i == ppu_spec_pkg::CounterStartCycle && first_i) count_q <= device_cycle_i;
      else count_q <= counts[64*i +: 64];
    end
  end

  `PPU_ASSERT(ABeatIsReadOrWritten, !(read_beats_i != '0 && write_beat_i))

endmodule
