// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Test top: the modules around the engines that have assertions, what breaks their promises free.

module ppu_top_assertion_bench (
  input logic       clk_i,
  input logic       rst_ni,
  // ppu_command_processor
  input logic       command_response_i,
  // ppu_dma_move: of one beat
  input logic       move_set_i,
  input logic       move_ack_i,
  // ppu_dma: copies of one beat and one more descriptor
  input logic       dma_start_i,
  input logic [7:0] dma_opcode_i,
  input logic       dma_response_i,
  input logic       dma_ack_i,
  // ppu_writer
  input logic       writer_fence_i,
  input logic       writer_done_i,
  input logic       writer_ack_i,
  // ppu_request_check
  input logic       request_valid_i,
  input logic       request_ready_i,
  input logic [7:0] request_i,
  // ppu_memory_arbiter: requests that wait
  input logic [1:0] memory_valid_i,
  // ppu_host_port: a request of the second requester that waits
  input logic       link_valid_i,
  // ppu_error_queue: entries without a reason
  input logic [2:0] error_valid_i,
  // ppu_registers, ppu_device_counters and ppu_device_cycle of an idle device
  input logic       idle_fence_i,
  input logic       idle_error_i,
  input logic       idle_progress_i,
  input logic       idle_doorbell_i,
  input logic       idle_traffic_i,
  // ppu_registers: a context that is open, and its scrub
  input logic       open_write_i,
  input logic [7:0] open_address_i,
  input logic       open_scrub_i,
  input logic       open_scrubbed_i,
  input logic       open_owner_i,
  // ppu_context_page of a closed context
  input logic       page_taken_i,
  // ppu_run_quota of an engine that is not idle
  input logic       quota_run_i
);

  localparam ppu_device_pkg::memory_sizes_t Sizes = '{device_mib: 12'd1, host_mib: 12'd1};
  localparam ppu_device_pkg::dma_status_t IdleDma =
      '{loading: 1'b0, idle: 1'b1, scrubbed: 1'b0};

  ppu_spec_pkg::memory_response_t dma_response;
  ppu_spec_pkg::copy_command_t    dma_command;
  ppu_device_pkg::device_events_t idle_events;
  ppu_spec_pkg::context_t       owner;
  ppu_spec_pkg::context_error_t idle_error;
  ppu_spec_pkg::error_entry_t     idle_entry;

  // Contexts of which the owner alone is open.
  logic [ppu_spec_pkg::ContextWidth*ppu_spec_pkg::Contexts-1:0] contexts;

  always_comb begin
    owner = '0;
    owner.open = 1'b1;
    contexts = '0;
    contexts[ppu_spec_pkg::ContextWidth-1:0] = owner;
    idle_error = '0;
    idle_error.valid = idle_error_i;
    idle_entry = '{reason: ppu_spec_pkg::ErrorOpcode, default: '0};
    idle_error.entry = idle_entry;
    dma_response = '0;
    dma_response.write = 1'b1;
    dma_command = '0;
    dma_command.opcode = ppu_spec_pkg::command_opcode_e'(dma_opcode_i);
    dma_command.bytes = 32'd4;
    dma_command.list_count = 32'd1;
    idle_events = '0;
    idle_events.doorbell = idle_doorbell_i;
  end

  /* verilator lint_off PINCONNECTEMPTY */
  ppu_command_processor u_commands (
    .clk_i, .rst_ni, .sizes_i(Sizes), .contexts_i(contexts), .close_i('0), .tails_i('0),
    .heads_o(), .idle_o(), .read_valid_o(), .read_ready_i(1'b1), .read_beat_o(),
    .rsp_valid_i(command_response_i), .rsp_data_i('0),
    .dma_i(IdleDma), .engine_idle_i('1), .writer_idle_i(1'b1),
    .command_o(), .context_o(), .number_o(), .scrub_context_o(), .begin_o(), .run_o(),
    .reject_o(), .error_o(), .wait_o());

  ppu_dma_move u_move (
    .clk_i, .rst_ni, .set_i(move_set_i), .source_i('0), .destination_i('0), .bytes_i(32'd1),
    .last_o(), .read_valid_o(), .read_ready_i(1'b0), .read_beat_o(), .data_valid_i(1'b0),
    .data_i('0), .write_valid_o(), .write_ready_i(1'b0), .write_o(),
    .ack_i(move_ack_i));

  ppu_dma u_dma (
    .clk_i, .rst_ni, .contexts_i(contexts), .start_i(dma_start_i), .command_i(dma_command),
    .context_i('0), .number_i('0), .status_o(), .host_read_valid_o(),
    .host_read_ready_i(1'b1), .host_read_beat_o(), .host_read_rsp_valid_i(dma_response_i),
    .host_read_rsp_data_i('0), .host_write_valid_o(), .host_write_ready_i(1'b0),
    .host_write_o(), .host_write_rsp_valid_i(1'b0), .mem_req_valid_o(), .mem_req_ready_i(1'b1),
    .mem_req_o(), .mem_rsp_valid_i(dma_ack_i), .mem_rsp_i(dma_response),
    .written_o(), .imem_write_o(), .imem_o(), .carried_o(), .error_o());

  ppu_writer u_writer (
    .clk_i, .rst_ni, .device_cycle_i('0), .idle_o(), .command_i('0), .number_i('0),
    .context_i('0), .spent_i('0), .runs_i('0), .fence_i(writer_fence_i),
    .query_i(1'b0), .run_i(1'b0), .counters_i('0),
    .done_i(writer_done_i), .status_i('0), .report_beat_o(), .report_data_i('0), .release_o(),
    .write_valid_o(), .write_ready_i(1'b0), .write_o(), .ack_i(writer_ack_i),
    .fence_written_o(), .fence_irq_o(), .error_o());

  ppu_memory_arbiter #(.Requesters(2)) u_arbiter (
    .clk_i, .rst_ni, .req_valid_i(memory_valid_i), .req_ready_o(), .req_i('0), .rsp_valid_o(),
    .rsp_write_o(), .mem_req_valid_o(), .mem_req_ready_i(1'b0), .mem_req_o(),
    .mem_rsp_valid_i(1'b0));

  ppu_host_port u_port (
    .clk_i, .rst_ni, .req_valid_i({link_valid_i, 1'b0}), .req_ready_o(), .first_i('0),
    .second_i('0), .rsp_valid_o(), .link_valid_o(), .link_ready_i(1'b0), .link_o(),
    .link_rsp_valid_i(1'b0));

  ppu_error_queue u_errors (
    .clk_i, .rst_ni, .clear_i(1'b0), .first_valid_i(error_valid_i[0]), .first_i('0),
    .second_valid_i(error_valid_i[1]), .second_i('0), .third_valid_i(error_valid_i[2]),
    .third_i('0), .fourth_valid_i(1'b0), .fourth_i('0), .raised_o(), .pop_i(1'b0),
    .count_o(), .oldest_o(), .lost_o());

  ppu_registers u_registers (
    .clk_i, .rst_ni, .config_hash_i('0), .sizes_i(Sizes), .write_i(open_write_i),
    .address_i({2'd0, open_address_i}), .wdata_i(32'd1), .rdata_o(), .irq_o(), .contexts_o(),
    .tails_o(), .cancel_o(), .close_o(), .doorbell_o(), .idle_i(!open_write_i && !open_scrub_i),
    .heads_i('0), .fence_irq_i({3'd0, idle_fence_i}), .run_failed_i('0), .descriptor_i('0),
    .reject_i(idle_error), .memory_i('0), .progress_valid_i(idle_progress_i), .progress_i('0),
    .runs_i('0), .scrub_i(open_scrub_i), .scrub_context_i({1'b0, !open_owner_i}),
    .scrubbed_i(open_scrubbed_i));

  ppu_context_page u_page (
    .clk_i, .rst_ni, .open_i(1'b0), .close_i(1'b0), .write_i(1'b0), .address_i('0), .wdata_i('0),
    .rdata_o(), .irq_o(), .cancel_o(), .tail_o(), .busy_i(1'b0), .head_i({31'd0, page_taken_i}),
    .fence_irq_i(1'b0), .run_failed_i('0), .descriptor_i('0), .reject_i('0), .memory_i('0),
    .progress_valid_i('0), .progress_i('0), .runs_i('0));

  ppu_run_quota u_quota (
    .clk_i, .rst_ni, .run_i(quota_run_i), .context_i('0), .quota_i('0), .idle_i(1'b0),
    .cancel_i('0), .runs_o(), .cancel_o(), .spent_o());

  ppu_device_counters u_counters (
    .clk_i, .rst_ni, .clear_i(1'b0), .events_i(idle_events), .carried_i('0),
    .engine_idle_i('1), .counters_o());

  ppu_device_cycle u_cycle (
    .clk_i, .rst_ni, .idle_i(1'b1), .reg_write_i(1'b0), .traffic_i(idle_traffic_i), .counts_o(),
    .cycle_o());

  ppu_request_check #(.Width(8)) u_request (
    .clk_i, .rst_ni, .valid_i(request_valid_i), .ready_i(request_ready_i), .request_i);
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
