// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the rows of all pipes do in a cycle, summed up for the counters.

`include "ppu_assert.svh"

module ppu_row_activity #(
  parameter int unsigned Pipes = 1,
  /// Bits of the structures of a pipe.
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input  logic                          clk_i,          ///< Clock; its rising edge counts.
  input  logic                          rst_ni,         ///< Low: no row issued in the cycle before.
  input  ppu_engine_pkg::kernel_t       kernel_i,       ///< The kernel of the rows that are read.
  input  logic [Pipes-1:0]              issue_i,        ///< A row of this pipe issues.
  input  logic [Pipes-1:0]              read_i,         ///< The operands of the row are read.
  input  logic [Pipes-1:0]              pass_over_i,    ///< The row at the issue stage is passed
                                                        ///< over.
  input  logic [Pipes*RowWidth-1:0]     rows_i,         ///< A ppu_engine_pkg::issue_row_t of each
                                                        ///< pipe.
  input  logic                          over_i,         ///< A row is passed over by the linker.
  input  ppu_engine_pkg::left_out_t     passed_i,       ///< Rows of groups that a search does not
                                                        ///< take.
  input  logic [Pipes-1:0]              compliant_i,    ///< The row that was read in the cycle
                                                        ///< before has cfm.
  input  logic [31:0]                   corrected_i,    ///< Words with a bit that was corrected, in
                                                        ///< the cycle before.
  input  logic [Pipes-1:0]              leave_valid_i,  ///< A row leaves.
  input  logic [Pipes*LeavingWidth-1:0] leave_i,        ///< A ppu_engine_pkg::leaving_t of each
                                                        ///< pipe.
  input  ppu_engine_pkg::wait_t         wait_i,         ///< What the next row waits for.
  input  logic                          conflict_i,     ///< A row stays, though all before it go,
                                                        ///< for want of a bank alone.
  output ppu_engine_pkg::activity_t     activity_o      ///< The sums.
);

  localparam int unsigned FlopsWidth = ppu_engine_pkg::FlopsWidth;
  // Bits of a number of rows, of impulses (three that a row reads, two that one writes), of flops.
  localparam int unsigned RowsWidth = $clog2(Pipes + 1);
  localparam int unsigned ImpulsesWidth = RowsWidth + 3;
  localparam int unsigned SumWidth = FlopsWidth + RowsWidth + 2;

  ppu_spec_pkg::control_t     control;
  ppu_engine_pkg::issue_row_t row;
  ppu_engine_pkg::leaving_t   leaving;
  logic [Pipes-1:0]           has_parent;
  logic                       extrapolates, unused_fields;

  assign control = kernel_i.control;
  assign extrapolates = control.lead == ppu_spec_pkg::LeadOn;
  assign unused_fields = ^{control, row, leaving};

  // Compliance is known in the cycle after the read, and late in it. Rows are counted in the next
  // cycle, then their operations of each kind, then all. All rows that are read in a cycle are of
  // one kernel.
  logic [Pipes-1:0]      read_q, done_q, has_parent_q, had_parent_q, compliant_q;
  logic [FlopsWidth-1:0] flops_q, flops_cfm_q, flops_parent_q;
  logic [FlopsWidth-1:0] done_flops_q, done_flops_cfm_q, done_flops_parent_q;
  logic [FlopsWidth-1:0] rows_flops_q, rows_flops_cfm_q, rows_flops_parent_q;
  logic [RowsWidth-1:0]  done, compliant, with_parent;
  logic [RowsWidth-1:0]  rows_done_q, rows_compliant_q, rows_with_parent_q;
  logic [SumWidth-1:0]   flops_of_all_q, flops_of_cfm_q, flops_of_parents_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      done_q <= '0;
      rows_done_q <= '0;
      rows_compliant_q <= '0;
      rows_with_parent_q <= '0;
    end else begin
      read_q <= read_i;
      done_q <= read_q;
      rows_done_q <= done;
      rows_compliant_q <= compliant;
      rows_with_parent_q <= with_parent;
    end
  end

  always_ff @(posedge clk_i) begin
    has_parent_q <= has_parent;
    flops_q <= kernel_i.flops;
    flops_cfm_q <= kernel_i.flops_cfm;
    flops_parent_q <= kernel_i.flops_parent;
    had_parent_q <= has_parent_q;
    compliant_q <= compliant_i;
    done_flops_q <= flops_q;
    done_flops_cfm_q <= flops_cfm_q;
    done_flops_parent_q <= flops_parent_q;
    flops_of_all_q <= SumWidth'(rows_done_q) * SumWidth'(rows_flops_q);
    flops_of_cfm_q <= SumWidth'(rows_compliant_q) * SumWidth'(rows_flops_cfm_q);
    flops_of_parents_q <= SumWidth'(rows_with_parent_q) * SumWidth'(rows_flops_parent_q);
    rows_flops_q <= done_flops_q;
    rows_flops_cfm_q <= done_flops_cfm_q;
    rows_flops_parent_q <= done_flops_parent_q;
  end

  logic [RowsWidth-1:0]     issued, over, skipped;
  logic [RowsWidth:0]       velocities_read, velocities_written;
  logic [ImpulsesWidth-1:0] impulses;

  always_comb begin
    row = '0;
    leaving = '0;
    has_parent = '0;
    issued = '0;
    over = '0;
    skipped = '0;
    done = '0;
    compliant = '0;
    with_parent = '0;
    velocities_read = '0;
    velocities_written = '0;
    impulses = '0;
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      has_parent[p] = row.has_parent;
      issued = issued + RowsWidth'(issue_i[p]);
      over = over + RowsWidth'(pass_over_i[p]);
      skipped = skipped + RowsWidth'(leave_valid_i[p] && leaving.skipped);
      done = done + RowsWidth'(done_q[p]);
      compliant = compliant + RowsWidth'(done_q[p] && compliant_q[p]);
      with_parent = with_parent + RowsWidth'(done_q[p] && had_parent_q[p]);
      velocities_read = velocities_read + (RowsWidth+1)'(read_i[p] && row.has_a) +
                        (RowsWidth+1)'(read_i[p] && row.has_b);
      velocities_written = velocities_written + (RowsWidth+1)'(leaving.write_a) +
                           (RowsWidth+1)'(leaving.write_b);
      impulses = impulses + ImpulsesWidth'(read_i[p]) +
                 ImpulsesWidth'(read_i[p] && row.reads_parent) +
                 ImpulsesWidth'(read_i[p] && extrapolates) + ImpulsesWidth'(leaving.write_x) +
                 ImpulsesWidth'(leaving.write_y);
    end
  end

  always_comb begin
    activity_o.waits = wait_i;
    activity_o.conflict = conflict_i;
    activity_o.passes_over = over_i || pass_over_i != '0;
    activity_o.corrected = corrected_i;
    activity_o.filtered = (passed_i.now ? 32'(passed_i.rows) : '0) + 32'(over_i) + 32'(over);
    activity_o.issues = issue_i != '0;
    activity_o.issued = 32'(issued);
    activity_o.skipped = 32'(skipped);
    activity_o.flops =
      32'(flops_of_all_q) + 32'(flops_of_cfm_q) + 32'(flops_of_parents_q);
    activity_o.impulses = 32'(impulses);
    activity_o.velocities_read = 32'(velocities_read);
    activity_o.velocities_written = 32'(velocities_written);
  end

  `PPU_ASSERT(NoRowIssuesAndIsPassedOver, (issue_i & pass_over_i) == '0)

endmodule
