// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The counters of a run: what each cycle adds to each of them, and the class of each cycle of the
// program.

module ppu_engine_counters #(
  parameter int unsigned Pipes = 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   clear_i,  ///< A run begins.
  input  logic [63:0]            device_cycle_i,
  input  logic                   load_i,   ///< The phase of the run.
  input  logic                   run_i,
  input  logic                   store_i,
  input  logic                   first_i,  ///< The first cycle of the program.
  // The sequencer.
  input  logic                   instruction_i,
  input  logic                   kernel_word_i,
  input  logic                   rows_i,
  input  logic                   drain_i,
  // The budget.
  input  logic                   late_i,
  input  logic [1:0]             cut_i,
  // Rows: see ppu_engine_rows.
  input  logic                   pending_i,
  input  logic [Pipes-1:0]       pass_over_i,
  input  logic [31:0]            passed_i,
  input  logic [Pipes-1:0]       issue_i,
  input  logic [Pipes-1:0]       issue_has_a_i,
  input  logic [Pipes-1:0]       issue_has_b_i,
  input  logic [Pipes-1:0]       issue_has_parent_i,
  input  logic [Pipes-1:0]       issue_reads_parent_i,
  input  ppu_engine_pkg::kernel_t issue_kernel_i,
  input  logic [Pipes-1:0]       compliant_i,
  input  logic [Pipes-1:0]       retire_i,
  input  logic [Pipes-1:0]       skipped_i,
  input  logic [Pipes-1:0]       write_a_i,
  input  logic [Pipes-1:0]       write_b_i,
  input  logic [Pipes-1:0]       write_x_i,
  input  logic [Pipes-1:0]       write_y_i,
  input  logic [1:0]             moving_read_i,
  input  logic [1:0]             moving_write_i,
  input  ppu_engine_pkg::wait_t  wait_i,
  input  logic                   conflict_i,
  // Beats accepted by device memory.
  input  logic                   read_beat_i,
  input  logic                   write_beat_i,
  output ppu_spec_pkg::counters_t counters_o
);

  localparam int unsigned Count = ppu_spec_pkg::CounterCount;
  localparam int unsigned FlopsWidth = ppu_engine_pkg::FlopsWidth;

  // ---------------------------------------------------------------------------------------------
  // Sums over the pipes.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned ImpulseBytes = ppu_spec_pkg::ImpulseBytes;
  localparam int unsigned AheadFlops = 3 * 6;  // of a body

  logic [31:0] issued, filtered, impulses_read, velocities_read, skipped, impulses_written;
  logic [31:0] velocities_written, moved, flops;
  logic        leads;

  ppu_spec_pkg::control_t control;
  logic                   unused_control;

  assign control = issue_kernel_i.control;
  assign unused_control = ^control;
  assign leads = control.lead == ppu_spec_pkg::LeadOn;
  assign moved = 32'(moving_write_i[0]) + 32'(moving_write_i[1]);

  // Compliance is known in the cycle after the issue.
  logic [Pipes-1:0]      issue_q, has_parent_q;
  logic [FlopsWidth-1:0] flops_q, flops_cfm_q, flops_parent_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) issue_q <= '0;
    else issue_q <= issue_i;
  end

  always_ff @(posedge clk_i) begin
    has_parent_q <= issue_has_parent_i;
    flops_q <= issue_kernel_i.flops;
    flops_cfm_q <= issue_kernel_i.flops_cfm;
    flops_parent_q <= issue_kernel_i.flops_parent;
  end

  always_comb begin
    issued = '0;
    filtered = passed_i;
    impulses_read = '0;
    velocities_read = 32'(moving_read_i[0]) + 32'(moving_read_i[1]);
    skipped = '0;
    impulses_written = '0;
    velocities_written = moved;
    flops = moved * AheadFlops;
    for (int p = 0; p < Pipes; p++) begin
      if (issue_i[p]) begin
        issued = issued + 32'd1;
        impulses_read = impulses_read + 32'd1 + 32'(issue_reads_parent_i[p]) + 32'(leads);
        velocities_read = velocities_read + 32'(issue_has_a_i[p]) + 32'(issue_has_b_i[p]);
      end
      if (issue_q[p]) begin
        flops = flops + 32'(flops_q);
        if (compliant_i[p]) flops = flops + 32'(flops_cfm_q);
        if (has_parent_q[p]) flops = flops + 32'(flops_parent_q);
      end
      filtered = filtered + 32'(pass_over_i[p]);
      skipped = skipped + 32'(retire_i[p] && skipped_i[p]);
      impulses_written = impulses_written + 32'(write_x_i[p]) + 32'(write_y_i[p]);
      velocities_written = velocities_written + 32'(write_a_i[p]) + 32'(write_b_i[p]);
    end
  end

  // ---------------------------------------------------------------------------------------------
  // What this cycle adds.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::increments_t add;
  logic [32*Count-1:0]       adds;
  logic [64*Count-1:0]       counts;
  logic                      waiting;  // the next row waits

  assign waiting = pending_i && !late_i;

  always_comb begin
    add = '0;
    add.cycles = 32'(run_i);
    add.load_cycles = 32'(load_i);
    add.store_cycles = 32'(store_i);
    if (run_i) begin
      if (issued != '0) add.issue_cycles = 32'd1;
      else if (pass_over_i != '0) add.filter_cycles = 32'd1;
      else if (!waiting && drain_i) add.drain_cycles = 32'd1;
      else if (!waiting) add.control_cycles = 32'd1;
      else if (wait_i.search)
        add.filter_cycles = 32'd1;
      else if (wait_i.fetch)
        add.fetch_stall_cycles = 32'd1;
      else if (wait_i.lanes) add.lane_cycles = 32'd1;
      else if (wait_i.body)
        add.body_stall_cycles = 32'd1;
      else if (wait_i.parent)
        add.parent_stall_cycles = 32'd1;
      else add.bank_stall_cycles = 32'd1;
      add.bank_conflicts = 32'(conflict_i);
    end
    add.instructions = 32'(instruction_i);
    add.kernel_words = 32'(kernel_word_i);
    add.row_passes = 32'(rows_i);
    add.passes_cut = 32'(cut_i);
    add.row_updates = issued;
    add.rows_filtered = filtered;
    add.rows_skipped = skipped;
    add.flops = flops;
    add.row_bytes_on_chip =
      issued * ppu_spec_pkg::RowBytes + (impulses_read + impulses_written) * ImpulseBytes;
    if (run_i && read_beat_i)
      add.row_bytes_streamed = ppu_spec_pkg::BeatBytes;
    add.velocity_reads = velocities_read;
    add.velocity_writes = velocities_written;
    add.memory_read_beats = 32'(read_beat_i);
    add.memory_write_beats = 32'(write_beat_i);
  end

  // ---------------------------------------------------------------------------------------------
  // The counters.
  // ---------------------------------------------------------------------------------------------
  assign adds = add;
  assign counters_o = counts;

  for (genvar i = 0; i < Count; i++) begin : gen_counter
    logic [63:0] count_q;

    assign counts[64*i +: 64] = count_q;
    always_ff @(posedge clk_i) begin
      if (clear_i) count_q <= '0;
      else if (i == ppu_spec_pkg::CounterStartCycle && first_i) count_q <= device_cycle_i;
      else count_q <= count_q + 64'(adds[32*i +: 32]);
    end
  end

endmodule
