// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: the modules of an engine that have assertions, what breaks their promises free.

module ppu_engine_assertion_bench (
  input logic        clk_i,
  input logic        rst_ni,
  // ppu_fifo
  input logic        fifo_push_i,
  input logic        fifo_pop_i,
  // ppu_ram: of three words, the fourth
  input logic        ram_write_i,
  // ppu_shared_ram: the same
  input logic        shared_ram_write_i,
  // ppu_pass_queue
  input logic        pass_push_i,
  input logic [3:0]  pass_count_i,
  input logic        pass_take_i,
  // ppu_beat_walk, ppu_row_walk
  input logic        walk_step_i,
  input logic        row_walk_step_i,
  // ppu_engine_transfer
  input logic        transfer_accept_i,
  // ppu_velocity_memory
  input logic [1:0]  velocity_read_i,
  input logic [1:0]  velocity_write_i,
  // ppu_impulse_memory
  input logic [1:0]  impulse_parent_i,
  input logic        impulse_read_i,
  input logic        impulse_line_read_i,
  // ppu_ahead
  input logic        ahead_start_i,
  // ppu_working_set
  input logic        set_settle_i,
  input logic        set_issue_i,
  // ppu_row_stream
  input logic        stream_clear_i,
  input logic        stream_free_i,
  // ppu_row_arrival: a row that is bad, and not one of the run
  input logic        arrival_pass_i,
  input logic        arrival_arrive_i,
  // ppu_engine_pipe: a pass over two rows, which issue when they are told to
  input logic        pipe_clear_i,
  input logic        pipe_pass_i,
  input logic        pipe_issue_i,
  input logic        pipe_unread_i,
  input logic        pipe_go_i,
  input logic        pipe_read_window_i,
  // ppu_row_scan
  input logic        scan_start_i,
  input logic        scan_gone_i,
  // ppu_tags
  input logic        tags_next_i,
  input logic        tags_set_i,
  // ppu_issue: a row with two bodies in one bank
  input logic        issue_pass_i,
  input logic        issue_head_i,
  input logic        issue_filter_i,
  input logic        issue_late_i,
  input logic        issue_passed_i,
  // ppu_row_queue
  input logic        queue_push_i,
  input logic        queue_pop_i,
  // ppu_flow_passes
  input logic        flow_pass_push_i,
  // ppu_flow_fault
  input logic        flow_fault_i,
  // ppu_row_linker: of a run of so many rows
  input logic        linker_begin_i,
  input logic        linker_arrive_i,
  input logic [31:0] linker_rows_i,
  // ppu_row_ends
  input logic        ends_read_i,
  // ppu_row_links
  input logic        links_issue_i,
  // ppu_row_places: of a pipe with one place
  input logic        places_gone_i,
  // ppu_row_station
  input logic        station_seed_i,
  input logic        station_limit_i,
  input logic [1:0]  station_take_i,
  // ppu_row_select: a row with bodies in two banks, which says that they are in one
  input logic        select_row_i,
  // ppu_token_network
  input logic        network_sent_i,
  // ppu_dataflow: two rows, which arrive when they are told to
  input logic        dataflow_push_i,
  input logic        dataflow_divides_i,
  input logic        dataflow_begin_i,
  input logic [1:0]  dataflow_arrive_i,
  input logic        dataflow_streamed_i,
  input logic        dataflow_enable_i,
  // ppu_row_feed: of passes of one row, which does not come
  input logic        feed_push_i,
  input logic        feed_take_i,
  // ppu_engine_rows
  input logic        rows_change_i,
  // ppu_row_activity
  input logic        activity_issue_i,
  input logic        activity_pass_over_i,
  // ppu_sequencer
  input logic        sequencer_start_i,
  input logic        sequencer_enable_i,
  // ppu_budget
  input logic        budget_set_i,
  // ppu_run_fault
  input logic        fault_status_i,
  // ppu_engine_counters
  input logic        counters_read_i,
  input logic        counters_write_i,
  // ppu_engine
  input logic        engine_start_i,
  input logic        engine_imem_write_i,
  input logic        engine_response_i
);

  ppu_engine_pkg::execution_t rows_execution;
  ppu_engine_pkg::pass_t   queue_pass, two_rows, one_row, row_one, row_five;
  ppu_engine_pkg::run_t    no_rows, streamed_rows;
  ppu_engine_pkg::search_t pipe_search;
  ppu_engine_pkg::step_t   pipe_step;
  ppu_engine_pkg::rows_status_t sequencer_rows;
  ppu_engine_pkg::head_t   issue_head;
  ppu_engine_pkg::kernel_t issue_kernel;
  ppu_spec_pkg::control_t  issue_control, dataflow_control;
  ppu_engine_pkg::kernel_t dataflow_kernel;
  ppu_engine_pkg::request_t dataflow_request;
  ppu_engine_pkg::run_t    linker_run, two_row_run, dataflow_run;
  ppu_engine_pkg::limit_t  station_limit;
  ppu_engine_pkg::seed_t   station_seed;
  ppu_engine_pkg::arrival_t linker_arrival, dataflow_arrival;
  ppu_engine_pkg::waiting_t   waiting_row;

  always_comb begin
    queue_pass = '0;
    queue_pass.count = 21'(pass_count_i);
    two_rows = '0;
    two_rows.count = 21'd2;
    one_row = '0;
    one_row.count = 21'd1;
    row_one = one_row;
    row_one.first = 21'd1;
    row_five = one_row;
    row_five.first = 21'd5;
    no_rows = '0;
    streamed_rows = '0;
    streamed_rows.streamed = 1'b1;
    pipe_search = '0;
    pipe_search.read = pipe_read_window_i;
    sequencer_rows = '0;
    sequencer_rows.room = 1'b1;
    sequencer_rows.joins = 1'b1;
    sequencer_rows.settled = 1'b1;
    pipe_step = '0;
    pipe_step.go = pipe_go_i;
    pipe_step.issue = pipe_issue_i;
    pipe_step.read = pipe_issue_i && !pipe_unread_i;
    issue_control = '0;
    if (issue_filter_i) issue_control.filter = ppu_spec_pkg::FilterOn;
    issue_kernel = '0;
    issue_kernel.control = issue_control;
    dataflow_control = '0;
    if (dataflow_divides_i) dataflow_control.resid = ppu_spec_pkg::ResidQuotient;
    dataflow_kernel = '0;
    dataflow_kernel.control = dataflow_control;
    dataflow_request.drain = 1'b0;
    dataflow_request.valid = dataflow_push_i;
    dataflow_request.kernel = dataflow_kernel;
    dataflow_request.pass = dataflow_divides_i ? row_one : one_row;
    linker_run = '0;
    linker_run.row_count = linker_rows_i;
    linker_run.body_count = 32'd8;
    two_row_run = '0;
    two_row_run.row_count = 32'd2;
    dataflow_run = two_row_run;
    dataflow_run.streamed = dataflow_streamed_i;
    dataflow_arrival = '0;
    dataflow_arrival.first = dataflow_begin_i;
    dataflow_arrival.valid = dataflow_arrive_i != '0;
    dataflow_arrival.slot = 20'(dataflow_arrive_i[1]);
    station_seed = '0;
    station_seed.valid = station_seed_i;
    linker_arrival = '0;
    linker_arrival.valid = linker_arrive_i;
    station_limit = '0;
    station_limit.moves = station_limit_i;
    waiting_row = '0;
    waiting_row.one_bank = 1'b1;
    waiting_row.has_a = 1'b1;
    waiting_row.has_b = 1'b1;
    waiting_row.body_b = 20'd1;
    rows_execution = '0;
    rows_execution.change = rows_change_i;
    // Bodies 1 and 3 of two banks.
    issue_head = '0;
    issue_head.live = 1'b1;
    issue_head.has_a = 1'b1;
    issue_head.body_a = 20'd1;
    issue_head.has_b = 1'b1;
    issue_head.body_b = 20'd3;
  end

  /* verilator lint_off PINCONNECTEMPTY */
  ppu_fifo #(.Width(1), .Depth(2)) u_fifo (
    .clk_i, .rst_ni, .push_i(fifo_push_i), .data_i(1'b0), .pop_i(fifo_pop_i), .data_o(),
    .valid_o(), .full_o(), .count_o());

  ppu_ram #(.PartWidth(1), .Words(3)) u_ram (
    .clk_i, .rst_ni, .write_i(ram_write_i), .write_address_i(2'd3), .write_data_i('0),
    .read_i(1'b0), .read_address_i('0), .read_data_o());

  ppu_shared_ram #(.Words(3)) u_shared_ram (
    .clk_i, .rst_ni, .write_i(shared_ram_write_i), .write_address_i(2'd3), .write_data_i('0),
    .read_i('0), .read_address_i('0), .read_data_o());

  ppu_pass_queue u_passes (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(pass_push_i), .pass_i(queue_pass),
    .payload_i(1'b0), .take_i(pass_take_i), .skip_i('0), .valid_o(), .another_o(), .pass_o(),
    .payload_o());

  ppu_beat_walk u_walk (
    .clk_i, .rst_ni, .set_i(1'b0), .beats_i('0), .step_i(walk_step_i), .valid_o(), .last_o(),
    .beat_o());

  ppu_row_walk u_row_walk (
    .clk_i, .rst_ni, .clear_i(1'b0), .reduced_i(1'b0), .pairs_i(1'b0), .pass_valid_i(1'b0),
    .pass_i('0), .step_i(row_walk_step_i), .valid_o(), .slot_o(), .begun_o(), .last_o(), .pair_o(),
    .beat_o());

  ppu_engine_transfer u_transfer (
    .clk_i, .rst_ni, .set_i(1'b0), .beats_i('0), .load_i(1'b0), .store_i(1'b0), .first_i('0),
    .run_i(no_rows), .request_o(), .beat_o(), .strobe_o(), .write_impulses_o(),
    .accept_i(transfer_accept_i), .read_o(), .response_i(1'b0), .loaded_o(), .done_o());

  // Bodies 1 and 3 of two banks.
  ppu_velocity_memory #(.Banks(2), .Bodies(64), .ReadPorts(2), .WritePorts(2)) u_velocities (
    .clk_i, .rst_ni, .flip_i('0), .corrected_o(), .bad_o(),
    .read_i(velocity_read_i), .read_body_i({6'd3, 6'd1}), .read_data_o(),
    .write_i(velocity_write_i), .write_body_i({6'd3, 6'd1}), .write_data_i('0));

  // Parents in slots 16 and 0 of one bank.
  ppu_impulse_memory #(.Pipes(2), .Rows(32)) u_impulses (
    .clk_i, .rst_ni, .flip_i('0), .line_corrected_o(), .line_bad_o(), .corrected_o(), .bad_o(),
    .parent_corrected_o(), .parent_bad_o(),
    .line_write_i(1'b0), .line_read_i(impulse_line_read_i), .line_i('0),
    .line_data_i('0), .line_data_o(), .read_i({1'b0, impulse_read_i}), .read_slot_i('0),
    .read_data_o(), .read_lead_o(), .read_parent_i(impulse_parent_i),
    .read_parent_slot_i({5'd16, 5'd0}), .read_parent_data_o(), .write_i('0), .write_slot_i('0),
    .write_data_i('0), .write_lead_i('0));

  ppu_ahead #(.Bodies(64)) u_ahead (
    .clk_i, .rst_ni, .flip_i('0), .keep_pair_o(), .kept_o(), .corrected_o(), .bad_o(),
    .enable_i(1'b1), .start_i(ahead_start_i), .ahead_i(1'b0), .factor_i('0),
    .body_count_i(32'd2), .moving_o(), .read_pair_o(), .velocity_i('0), .write_pair_o(),
    .velocity_o());

  ppu_working_set #(.VelocityBanks(2), .ImpulseMemoryRows(16), .BodyMemoryBodies(64)) u_set (
    .clk_i, .rst_ni, .flip_i('0), .corrected_o(), .flaw_o(),
    .load_i('0), .load_data_i('0), .store_i('0), .impulses_o(),
    .velocities_o(), .run_i(1'b1), .ahead_i(1'b0), .settle_i(set_settle_i), .lead_factor_i('0),
    .body_count_i(32'd1), .moving_o(), .issue_i(set_issue_i), .read_b_i('0), .at_once_i(1'b0),
    .rows_i('0), .operands_o(), .leave_i('0));

  ppu_row_stream #(.Places(4)) u_stream (
    .clk_i, .rst_ni, .clear_i(stream_clear_i), .run_i(streamed_rows), .pass_valid_i(1'b0),
    .pass_i('0), .free_i(stream_free_i), .read_o(), .accept_i(1'b0));

  ppu_row_arrival #(.Places(4)) u_arrival (
    .clk_i, .rst_ni, .flip_i('0), .clear_i(1'b0), .run_i(no_rows), .pass_valid_i(arrival_pass_i),
    .pass_i(row_five), .arrive_i(arrival_arrive_i), .data_i('0), .place_free_i('0),
    .read_o(), .accept_i(1'b0), .write_o(), .bad_o());

  ppu_engine_pipe #(
    .Lanes(6), .MulStages(1), .AddStages(1), .Latency(15), .Places(4), .SlotBits(4), .BodyBits(6)
  ) u_pipe (
    .clk_i, .rst_ni, .clear_i(pipe_clear_i), .streamed_i(1'b0), .enable_i(1'b1),
    .write_i('0), .pass_valid_i(pipe_pass_i), .pass_i(two_rows),
    .search_i(pipe_search), .take_i('0), .window_bodies_o(),
    .head_valid_o(), .head_o(), .row_i('0), .next_i('0), .step_i(pipe_step),
    .rows_i('0), .body_o(), .parent_o(), .impulse_o(), .lanes_o(), .at_once_i(1'b0),
    .operands_i('0), .leave_valid_o(), .leave_o(), .settings_i('0), .clear_max_residual_i('0),
    .status_o());

  ppu_row_scan u_scan (
    .clk_i, .rst_ni, .enable_i(1'b1), .start_i(scan_start_i), .count_i(21'd9), .search_o(),
    .present_o(), .live_i('0), .take_o(), .gone_i(scan_gone_i), .passed_o());

  ppu_tags #(.Bodies(64), .Rows(1), .Sets(1)) u_tags (
    .clk_i, .rst_ni, .clear_i(1'b0), .all_i(1'b0), .next_i(tags_next_i), .set_i(tags_set_i),
    .set_body_i('0), .bodies_i('0), .live_o());

  ppu_issue #(.VelocityBanks(2)) u_issue (
    .clk_i, .rst_ni, .clear_i(1'b0), .streamed_i(1'b1), .late_i(issue_late_i),
    .enable_i(1'b1), .pass_valid_i(issue_pass_i), .pass_i(one_row),
    .pass_kernel_i(issue_kernel), .passed_i({issue_passed_i, 21'd1}), .passes_o(),
    .kernel_o(), .head_valid_i(issue_head_i), .heads_i(issue_head), .next_rows_o(),
    .body_i(1'b0), .parent_i(1'b0), .lanes_i(1'b0), .heads_o(), .rows_o(),
    .issue_o(), .pass_over_o(), .read_b_o(),
    .bad_o(), .wait_o(), .conflict_o());

  ppu_row_queue u_row_queue (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(queue_push_i), .data_i(1'b0), .pop_i(queue_pop_i),
    .data_o(), .valid_o(), .count_o());

  ppu_flow_passes u_flow_passes (
    .clk_i, .rst_ni, .clear_i(1'b0), .late_i(1'b0), .row_count_i(32'd2),
    .open_i(1'b0), .push_i(flow_pass_push_i), .count_i(21'd1), .maximum_i(1'b0), .over_i('0),
    .issue_i(1'b0), .pass_i(1'b0),
    .pending_o(), .another_o(), .next_o(), .maxima_o(), .limit_o());

  ppu_flow_fault u_flow_fault (
    .clk_i, .rst_ni, .clear_i(1'b0), .fault_i(flow_fault_i), .leave_i('0), .turns_i('0),
    .limit_i('0), .found_o(), .slot_o(), .detail_o());

  ppu_row_linker #(.Bodies(64), .Slots(16)) u_linker (
    .clk_i, .rst_ni, .clear_i(1'b0), .begin_i(linker_begin_i), .arrival_i(linker_arrival),
    .run_i(linker_run), .apart_o(), .read_o(), .slot_o(), .ids_i('0), .open_i(1'b0),
    .rest_i(1'b0), .enable_i(1'b0), .fed_valid_i(1'b0), .fed_i('0), .take_o(),
    .reads_parents_i(1'b0), .start_i(1'b0), .bad_i(1'b0), .pending_i(1'b0), .flying_i(1'b0),
    .quiet_i(1'b0), .sents_i('0), .link_o(), .link_slots_o(), .link_data_o(), .old_marks_i('0),
    .linking_o());

  ppu_row_ends #(.Bodies(64), .Rows(16)) u_ends (
    .clk_i, .rst_ni, .clear_i(1'b0), .read_i(ends_read_i), .read_bodies_i('0),
    .enters_near_i(1'b0), .near_bodies_i('0), .far_valid_i(1'b1), .far_bodies_i('0),
    .advance_i(1'b0), .take_i(1'b0),
    .lanes_o(), .ends_o(), .has_i('0), .bodies_i('0), .ends_i('0), .write_i(1'b0));

  ppu_row_links #(.Places(4), .BodyBits(6)) u_links (
    .clk_i, .rst_ni, .clear_i(1'b0), .silent_i(1'b0), .open_i(1'b0), .issue_i(links_issue_i),
    .place_i('0), .lanes_i('0), .one_bank_i(1'b0), .flip_i('0), .flaw_o(),
    .link_i('0), .link_slots_i('0),
    .link_data_i('0), .linking_i('0), .old_marks_o(), .write_i(1'b0), .write_place_i('0),
    .bodies_i('0), .sent_o(), .send_o(), .send_tokens_o(), .gone_o(), .gone_place_o());

  ppu_row_places #(.Places(1)) u_places (
    .clk_i, .rst_ni, .clear_i(1'b0), .gone_i(places_gone_i), .gone_place_i('0), .over_i(1'b0),
    .over_place_i('0), .free_o());

  ppu_row_station #(.Places(4), .SlotBits(4), .BodyBits(6)) u_station (
    .clk_i, .rst_ni, .flip_i('0), .flaw_o(),
    .clear_i(1'b0), .arrival_i('0),
    .read_i(1'b0), .read_slot_i('0), .ids_o(), .link_i('0), .link_slots_i('0),
    .link_data_i('0), .linking_i('0), .old_marks_o(), .seed_i(station_seed), .open_i(1'b0),
    .free_o(), .token_valid_i('0), .tokens_i('0), .limit_i(station_limit), .waiting_o(),
    .rows_o(), .take_i(8'(station_take_i)), .silent_i(1'b0), .coming_o(), .sent_o(), .send_o(),
    .send_tokens_o());

  ppu_row_select #(.VelocityBanks(2)) u_select (
    .clk_i, .rst_ni, .clear_i(1'b0), .enable_i(1'b1), .reads_parents_i(1'b0), .lanes_i(1'b0),
    .room_i(1'b1),
    .waiting_i(8'(select_row_i)), .rows_i({8{waiting_row}}), .take_o(), .issue_o(), .rows_o(),
    .pass_o(), .turns_o(), .bank_o(), .busy_o(), .any_o(), .conflict_o());

  ppu_token_network #(.Pipes(2)) u_network (
    .clk_i, .rst_ni, .clear_i(1'b0), .issue_i('0), .sent_i({1'b0, network_sent_i}),
    .send_i({1'b0, network_sent_i}), .tokens_i('0), .room_o(), .valid_o(), .tokens_o());

  ppu_dataflow #(.RowMemoryRows(16), .ImpulseMemoryRows(16), .BodyMemoryBodies(64)) u_dataflow (
    .clk_i, .rst_ni, .flip_i('0), .flaw_o(),
    .clear_i(1'b0), .late_i(1'b0), .enable_i(dataflow_enable_i), .run_i(dataflow_run),
    .bad_i(1'b0), .arrival_i(dataflow_arrival), .linking_o(), .head_valid_i('0), .heads_i('0),
    .pop_o(), .flying_i(1'b0), .free_o(), .passed_i('0), .request_i(dataflow_request),
    .passes_o(), .kernel_o(), .lanes_i(1'b0), .issue_o(), .maxima_o(), .rows_o(),
    .leave_turns_o(), .wait_o(), .conflict_o());

  ppu_row_feed u_feed (
    .clk_i, .rst_ni, .clear_i(1'b0), .push_i(feed_push_i), .pass_i(one_row), .turn_i('0),
    .filtered_i(1'b0), .searched_i(1'b0), .passed_i('0), .head_valid_i('0), .heads_i('0),
    .left_o(), .valid_o(), .row_o(), .take_i(feed_take_i), .pop_o());

  ppu_engine_rows #(
    .VelocityBanks(2), .RowMemoryRows(16), .ImpulseMemoryRows(16), .BodyMemoryBodies(64),
    .Dataflow(1)
  ) u_engine_rows (
    .clk_i, .rst_ni, .flip_i('0), .flaw_o(),
    .clear_i(1'b0), .late_i(1'b0), .enable_i(1'b0), .active_i(1'b1),
    .run_i(two_row_run), .load_begin_i(1'b0), .load_i('0), .row_data_i('0), .data_i('0),
    .store_i('0), .stored_o(), .execution_i(rows_execution), .pass_i(one_row),
    .pass_kernel_i('0), .settings_i('0), .operand_i('0), .max_residual_o(), .status_o(),
    .moving_o(),
    .read_o(), .accept_i(1'b0), .response_i(1'b0), .end_o(),
    .activity_o());

  ppu_row_activity u_activity (
    .clk_i, .rst_ni, .kernel_i('0), .issue_i(activity_issue_i),
    .read_i(1'b0), .pass_over_i(activity_pass_over_i), .over_i(1'b0), .rows_i('0), .passed_i('0),
    .compliant_i(1'b0), .corrected_i('0), .leave_valid_i(1'b0), .leave_i('0), .wait_i('0),
    .conflict_i(1'b0), .activity_o());

  ppu_sequencer #(.InstructionMemoryWords(32)) u_sequencer (
    .clk_i, .rst_ni, .flip_i('0), .word_address_o(), .bad_o(), .corrected_o(),
    .imem_write_i(1'b0), .imem_i('0), .start_i(sequencer_start_i),
    .start_command_i('0), .entry_i('0), .program_words_i('0),
    .run_i(no_rows), .enable_i(sequencer_enable_i), .rows_idle_i(1'b1),
    .rows_i(sequencer_rows), .max_residual_i('0),
    .passes_cut_i('0), .execution_o(), .pass_o(), .operand_o(), .maximum_o(), .address_o(),
    .kernel_o(), .lead_factor_o(), .is_ahead_o());

  ppu_budget u_budget (
    .clk_i, .rst_ni, .clear_i(1'b0), .set_i(budget_set_i), .limit_i(32'd5),
    .run_i(1'b0), .pending_i(1'b0), .another_i(1'b0), .pass_i(1'b0), .late_o(), .late_next_o(),
    .cut_o());

  ppu_run_fault u_fault (
    .clk_i, .rst_ni, .active_i(1'b1),
    .status_i(fault_status_i ? ppu_spec_pkg::RunRowFault : ppu_spec_pkg::RunRunning),
    .row_end_i('0), .lost_i('0), .address_i('0), .word_address_i('0), .row_o(), .detail_o(),
    .value_o());

  ppu_engine_counters u_counters (
    .clk_i, .rst_ni, .word_corrected_i(1'b0), .clear_i(1'b0), .device_cycle_i('0), .phase_i('0),
    .first_i(1'b0),
    .execution_i('0), .late_i(1'b0), .cut_i('0), .pending_i(1'b0), .activity_i('0),
    .moving_i('0), .read_beats_i({1'b0, counters_read_i}), .captured_i('0),
    .write_beat_i(counters_write_i), .counters_o());

  ppu_engine #(
    .Lanes(1), .MulStages(1), .AddStages(1), .VelocityBanks(2), .RowMemoryRows(16),
    .ImpulseMemoryRows(16), .BodyMemoryBodies(64), .InstructionMemoryWords(32)
  ) u_engine (
    .clk_i, .rst_ni, .flip_valid_i(1'b0), .flip_i('0),
    .imem_write_i(engine_imem_write_i), .imem_i('0),
    .start_i(engine_start_i), .start_command_i('0), .start_number_i('0), .idle_o(),
    .cancel_i(1'b0), .device_cycle_i('0), .done_o(), .release_i(1'b0), .status_o(),
    .report_beat_i('0), .report_data_o(), .mem_req_valid_o(), .mem_req_ready_i(1'b1),
    .mem_req_o(), .mem_rsp_valid_i(engine_response_i), .mem_rsp_data_i('0),
    .mem_rsp_second_i('0),
    .written_valid_i(1'b0), .written_i('0),
    .progress_valid_o(), .progress_o());
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
