// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the rows of all pipes do in a cycle, summed up for the counters.

`include "ppu_assert.svh"

module ppu_row_activity #(
  parameter int unsigned Pipes = 1,
  /// Bits of a number of rows, and of the structures of a pipe.
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth,
  localparam int unsigned LeavingWidth = ppu_engine_pkg::LeavingWidth
) (
  input  logic                          clk_i,          ///< Clock; its rising edge counts.
  input  logic                          rst_ni,         ///< Low: no row issued in the cycle before.
  input  ppu_engine_pkg::kernel_t       kernel_i,       ///< The kernel of the pass that issues.
  input  logic [Pipes-1:0]              issue_i,        ///< The row at the issue stage issues.
  input  logic [Pipes-1:0]              pass_over_i,    ///< The row at the issue stage is passed
                                                        ///< over.
  input  logic [Pipes*RowWidth-1:0]     rows_i,         ///< A ppu_engine_pkg::issue_row_t of each
                                                        ///< pipe.
  input  logic                          over_i,         ///< A row is passed over by the linker.
  input  logic [CountWidth-1:0]         passed_i,       ///< Rows of groups that a search does not
                                                        ///< take.
  input  logic [Pipes-1:0]              compliant_i,    ///< The row that issued in the cycle before
                                                        ///< has cfm.
  input  logic [31:0]                   corrected_i,    ///< Words with a bit that was corrected.
  input  logic [Pipes-1:0]              leave_valid_i,  ///< A row leaves.
  input  logic [Pipes*LeavingWidth-1:0] leave_i,        ///< A ppu_engine_pkg::leaving_t of each
                                                        ///< pipe.
  input  ppu_engine_pkg::wait_t         wait_i,         ///< What the next row waits for.
  input  logic                          conflict_i,     ///< A row stays, though all before it go,
                                                        ///< for want of a bank alone.
  output ppu_engine_pkg::activity_t     activity_o      ///< The sums.
);

  localparam int unsigned FlopsWidth = ppu_engine_pkg::FlopsWidth;

  ppu_spec_pkg::control_t     control;
  ppu_engine_pkg::issue_row_t row;
  ppu_engine_pkg::leaving_t   leaving;
  logic [Pipes-1:0]           has_parent;
  logic                       extrapolates, unused_fields;

  assign control = kernel_i.control;
  assign extrapolates = control.lead == ppu_spec_pkg::LeadOn;
  assign unused_fields = ^{control, row, leaving};

  // Compliance is known in the cycle after the issue, and late in it.
  logic [Pipes-1:0]      issue_q, issued_q, has_parent_q, had_parent_q, compliant_q;
  logic [FlopsWidth-1:0] flops_q, flops_cfm_q, flops_parent_q;
  logic [FlopsWidth-1:0] done_flops_q, done_flops_cfm_q, done_flops_parent_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issue_q <= '0;
      issued_q <= '0;
    end else begin
      issue_q <= issue_i;
      issued_q <= issue_q;
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
  end

  always_comb begin
    row = '0;
    leaving = '0;
    activity_o = '0;
    activity_o.waits = wait_i;
    activity_o.conflict = conflict_i;
    activity_o.passes_over = over_i || pass_over_i != '0;
    activity_o.corrected = corrected_i;
    activity_o.filtered = 32'(passed_i) + 32'(over_i);
    for (int p = 0; p < Pipes; p++) begin
      row = rows_i[p*RowWidth +: RowWidth];
      leaving = leave_i[p*LeavingWidth +: LeavingWidth];
      has_parent[p] = row.has_parent;
      if (issue_i[p]) begin
        activity_o.issued = activity_o.issued + 32'd1;
        activity_o.impulses =
          activity_o.impulses + 32'd1 + 32'(row.reads_parent) + 32'(extrapolates);
        activity_o.velocities_read =
          activity_o.velocities_read + 32'(row.has_a) + 32'(row.has_b);
      end
      if (issued_q[p]) begin
        activity_o.flops = activity_o.flops + 32'(done_flops_q);
        if (compliant_q[p]) activity_o.flops = activity_o.flops + 32'(done_flops_cfm_q);
        if (had_parent_q[p]) activity_o.flops = activity_o.flops + 32'(done_flops_parent_q);
      end
      activity_o.filtered = activity_o.filtered + 32'(pass_over_i[p]);
      activity_o.skipped = activity_o.skipped + 32'(leave_valid_i[p] && leaving.skipped);
      activity_o.impulses =
        activity_o.impulses + 32'(leaving.write_x) + 32'(leaving.write_y);
      activity_o.velocities_written =
        activity_o.velocities_written + 32'(leaving.write_a) + 32'(leaving.write_b);
    end
  end

  `PPU_ASSERT(NoRowIssuesAndIsPassedOver, (issue_i & pass_over_i) == '0)

endmodule
