// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: the modules of an engine that have assertions, what breaks their promises free.

module ppu_engine_assertion_bench #(
  localparam int unsigned SlotWidth = 4,
  localparam int unsigned BodyWidth = 6,
  localparam int unsigned PipeIdsWidth = 4 + 1 + SlotWidth + 2 * (1 + BodyWidth)
) (
  input logic       clk_i,
  input logic       rst_ni,
  // ppu_fifo
  input logic       fifo_push_i,
  input logic       fifo_pop_i,
  // ppu_pass_queue
  input logic       pass_push_i,
  input logic [3:0] pass_count_i,
  input logic       pass_take_i,
  // ppu_beat_walk
  input logic       walk_step_i,
  // ppu_velocity_memory
  input logic [1:0] velocity_read_i,
  input logic [1:0] velocity_write_i,
  // ppu_ahead
  input logic       ahead_start_i,
  // ppu_working_set
  input logic       set_settle_i,
  input logic       set_issue_i,
  // ppu_engine_pipe: a pass over two rows, which issue when they are told to
  input logic       pipe_clear_i,
  input logic       pipe_pass_i,
  input logic       pipe_issue_i,
  input logic       pipe_go_i,
  input logic       pipe_read_window_i,
  // ppu_row_scan
  input logic       scan_start_i,
  input logic       scan_gone_i,
  // ppu_tags
  input logic       tags_next_i,
  input logic       tags_set_i,
  // ppu_issue: a row with two bodies in one bank
  input logic       issue_pass_i,
  input logic       issue_head_i,
  // ppu_engine
  input logic       engine_start_i,
  input logic       engine_imem_write_i,
  input logic       engine_response_i
);

  /* verilator lint_off PINCONNECTEMPTY */
  ppu_fifo #(.Width(1), .Depth(2)) u_fifo (
    .clk_i, .rst_ni, .push_i(fifo_push_i), .data_i(1'b0), .pop_i(fifo_pop_i), .data_o(),
    .valid_o(), .full_o(), .count_o());

  ppu_pass_queue #(.Width(4)) u_passes (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(pass_push_i), .first_i('0), .count_i(pass_count_i),
    .payload_i(1'b0), .take_i(pass_take_i), .skip_i('0), .valid_o(), .two_o(), .next_o(), .left_o(),
    .payload_o());

  ppu_beat_walk u_walk (
    .clk_i, .rst_ni, .set_i(1'b0), .rows_i('0), .impulses_i('0), .velocities_i('0),
    .step_i(walk_step_i), .valid_o(), .last_o(), .rows_o(), .impulses_o(), .velocities_o(),
    .index_o());

  // Bodies 1 and 3 of two banks.
  ppu_velocity_memory #(.Banks(2), .Bodies(64), .ReadPorts(2), .WritePorts(2)) u_velocities (
    .clk_i, .rst_ni, .read_i(velocity_read_i), .read_body_i({6'd3, 6'd1}), .read_data_o(),
    .write_i(velocity_write_i), .write_body_i({6'd3, 6'd1}), .write_data_i('0));

  ppu_ahead #(.Bodies(64)) u_ahead (
    .clk_i, .rst_ni, .enable_i(1'b1), .start_i(ahead_start_i), .ahead_i(1'b0), .factor_i('0),
    .body_count_i(32'd2), .busy_o(), .read_o(), .read_pair_o(), .velocity_i('0), .write_o(),
    .write_pair_o(), .velocity_o());

  ppu_working_set #(.VelocityBanks(2), .ImpulseMemoryRows(16), .BodyMemoryBodies(64)) u_set (
    .clk_i, .rst_ni, .load_impulses_i(1'b0), .load_velocities_i(1'b0), .load_index_i('0),
    .load_data_i('0), .read_impulses_i(1'b0), .read_velocities_i(1'b0), .read_index_i('0),
    .impulses_o(), .velocities_o(), .run_i(1'b1), .ahead_i(1'b0), .settle_i(set_settle_i),
    .lead_factor_i('0), .body_count_i(32'd1), .moving_o(), .moving_read_o(), .moving_write_o(),
    .issue_i(set_issue_i), .read_b_i('0), .twice_i('0), .slot_i('0), .has_a_i('0), .a_i('0),
    .has_b_i('0), .b_i('0), .reads_parent_i('0), .parent_i('0), .velocity_o(), .impulse_o(),
    .lead_o(), .parent_impulse_o(), .write_a_i('0), .write_b_i('0), .write_twice_i('0),
    .write_body_a_i('0), .write_body_b_i('0), .write_velocity_i('0), .write_x_i('0),
    .write_slot_i('0), .write_impulse_i('0), .write_lead_i('0));

  ppu_engine_pipe #(
    .Lanes(6), .MulStages(1), .AddStages(1), .Places(4), .SlotWidth(SlotWidth),
    .BodyWidth(BodyWidth)
  ) u_pipe (
    .clk_i, .rst_ni, .clear_i(pipe_clear_i), .streamed_i(1'b0), .enable_i(1'b1),
    .write_first_i(1'b0), .write_second_i(1'b0), .write_place_i('0), .write_record_i('0),
    .write_ids_i(PipeIdsWidth'(0)), .pass_i(pipe_pass_i), .pass_first_i('0),
    .pass_count_i(3'd2), .place_free_o(), .read_window_i(pipe_read_window_i), .window_i('0),
    .move_i(1'b0), .take_i(1'b0), .take_live_i(1'b0), .take_window_i('0), .take_part_i('0),
    .window_bodies_o(), .window_live_i('0), .head_valid_o(), .head_live_o(), .head_place_o(),
    .head_ids_o(), .slot_i('0), .twice_i(1'b0), .go_i(pipe_go_i), .issue_i(pipe_issue_i),
    .control_i('0), .all_has_a_i('0), .all_a_i('0), .all_has_b_i('0), .all_b_i('0),
    .all_reads_parent_i('0), .all_parent_i('0), .body_o(), .parent_o(), .impulse_o(),
    .lanes_o(), .velocity_a_i('0), .velocity_b_i('0), .impulse_i('0), .lead_i('0),
    .parent_impulse_i('0), .leave_o(), .leave_slot_o(), .leave_a_o(), .leave_b_o(),
    .leave_twice_o(), .mark_a_o(), .mark_b_o(), .write_a_o(), .write_b_o(), .write_x_o(),
    .write_y_o(), .impulse_x_o(), .lead_y_o(), .velocity_o(), .skipped_o(), .fault_o(),
    .fault_detail_o(), .mark_threshold_i('0), .lead_factor_i('0), .is_ahead_i(1'b0),
    .clear_max_residual_i(1'b0), .max_residual_o(), .compliant_o(), .busy_o(), .dividing_o(),
    .empty_o());

  ppu_row_scan #(.WordWidth(2), .CountWidth(5)) u_scan (
    .clk_i, .rst_ni, .enable_i(1'b1), .start_i(scan_start_i), .count_i(5'd9), .read_o(),
    .read_window_o(), .live_i('0), .move_o(), .take_o(), .take_live_o(), .take_window_o(),
    .take_part_o(), .gone_i(scan_gone_i), .passed_o());

  ppu_tags #(.Bodies(64), .Rows(1), .Sets(1)) u_tags (
    .clk_i, .rst_ni, .clear_i(1'b0), .all_i(1'b0), .next_i(tags_next_i), .set_i(tags_set_i),
    .set_body_i('0), .bodies_i('0), .live_o());

  ppu_issue #(.VelocityBanks(2), .SlotWidth(SlotWidth), .BodyWidth(BodyWidth)) u_issue (
    .clk_i, .rst_ni, .clear_i(1'b0), .streamed_i(1'b1), .late_i(1'b0), .enable_i(1'b1),
    .pass_i(issue_pass_i), .pass_first_i('0), .pass_count_i(5'd1), .pass_kernel_i('0),
    .passed_i('0), .room_o(), .pending_o(), .two_o(), .kernel_o(), .head_valid_i(issue_head_i),
    .head_live_i(1'b1), .head_place_i('0), .head_bad_i(1'b0), .head_has_a_i(1'b1),
    .head_a_i(6'd1), .head_has_b_i(1'b1), .head_b_i(6'd3), .head_reads_parent_i(1'b0),
    .head_parent_i('0), .slot_o(), .twice_o(), .lanes_i(1'b0), .body_i(1'b0), .parent_i(1'b0),
    .issue_o(), .pass_over_o(), .read_b_o(), .bad_o(), .wait_o(), .conflict_o());

  ppu_engine #(
    .Lanes(1), .MulStages(1), .AddStages(1), .VelocityBanks(2), .RowMemoryRows(16),
    .ImpulseMemoryRows(16), .BodyMemoryBodies(64), .InstructionMemoryWords(32)
  ) u_engine (
    .clk_i, .rst_ni, .imem_write_i(engine_imem_write_i), .imem_i('0),
    .start_i(engine_start_i), .start_command_i('0), .start_number_i('0), .idle_o(),
    .cancel_i(1'b0), .device_cycle_i('0), .done_o(), .release_i(1'b0), .status_o(),
    .report_beat_i('0), .report_data_o(), .mem_req_valid_o(), .mem_req_ready_i(1'b1),
    .mem_req_o(), .mem_rsp_valid_i(engine_response_i), .mem_rsp_data_i('0),
    .progress_valid_o(), .progress_o(), .trace_phase_o(), .trace_issue_o(), .trace_issue_slot_o(),
    .trace_retire_o(), .trace_retire_slot_o());
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
