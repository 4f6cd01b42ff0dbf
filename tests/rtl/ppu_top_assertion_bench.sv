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
  input logic [7:0] request_i
);

  localparam int unsigned CountersWidth = 64 * ppu_spec_pkg::DeviceCounterCount;
  logic [511:0] dma_command;

  always_comb begin
    dma_command = '0;
    dma_command[ppu_spec_pkg::CmdOpcodeLsb +: 8] = dma_opcode_i;
    dma_command[ppu_spec_pkg::CmdBytesLsb +: 32] = 32'd4;
    dma_command[ppu_spec_pkg::CmdListCountLsb +: 32] = 32'd1;
  end

  /* verilator lint_off PINCONNECTEMPTY */
  ppu_command_processor u_commands (
    .clk_i, .rst_ni, .device_memory_mib_i(12'd1), .host_memory_mib_i(12'd1), .ring_beat_i('0),
    .ring_entries_i(32'd1), .ring_tail_i('0), .head_o(), .idle_o(), .read_valid_o(),
    .read_ready_i(1'b1), .read_beat_o(), .rsp_valid_i(command_response_i), .rsp_data_i('0),
    .dma_idle_i(1'b1), .dma_loading_i(1'b0), .engine_idle_i('1), .writer_idle_i(1'b1),
    .command_o(), .begin_o(), .copy_o(), .run_o(), .fence_o(), .query_o(), .reset_o(),
    .reject_o(), .reject_reason_o(), .wait_o());

  ppu_dma_move u_move (
    .clk_i, .rst_ni, .set_i(move_set_i), .source_i('0), .destination_i('0), .bytes_i(32'd1),
    .last_o(), .read_valid_o(), .read_ready_i(1'b0), .read_beat_o(), .data_valid_i(1'b0),
    .data_i('0), .write_valid_o(), .write_ready_i(1'b0), .write_beat_o(), .write_data_o(),
    .write_strobe_o(), .ack_i(move_ack_i));

  ppu_dma u_dma (
    .clk_i, .rst_ni, .device_memory_mib_i(12'd1), .host_memory_mib_i(12'd1),
    .start_i(dma_start_i), .command_i(dma_command), .number_i('0), .idle_o(), .loading_o(),
    .phase_o(), .host_read_valid_o(), .host_read_ready_i(1'b1), .host_read_beat_o(),
    .host_read_rsp_valid_i(dma_response_i), .host_read_rsp_data_i('0), .host_write_valid_o(),
    .host_write_ready_i(1'b0), .host_write_beat_o(), .host_write_data_o(),
    .host_write_strobe_o(), .host_write_rsp_valid_i(1'b0), .mem_req_valid_o(),
    .mem_req_ready_i(1'b1), .mem_req_write_o(), .mem_req_beat_o(), .mem_req_data_o(),
    .mem_req_strobe_o(), .mem_rsp_valid_i(dma_ack_i), .mem_rsp_write_i(1'b1),
    .mem_rsp_data_i('0), .imem_write_o(), .imem_line_o(), .imem_data_o(), .carried_o(),
    .carried_in_o(), .carried_out_o(), .carried_bytes_o(), .bad_o(), .bad_number_o(),
    .bad_index_o());

  ppu_writer u_writer (
    .clk_i, .rst_ni, .device_cycle_i('0), .idle_o(), .command_i('0), .number_i('0),
    .fence_i(writer_fence_i), .query_i(1'b0), .run_i(1'b0), .counters_i(CountersWidth'(0)),
    .done_i(writer_done_i), .status_i('0), .report_beat_o(), .report_data_i('0), .release_o(),
    .write_valid_o(), .write_ready_i(1'b0), .write_beat_o(), .write_data_o(), .write_strobe_o(),
    .ack_i(writer_ack_i), .fence_written_o(), .fence_interrupt_o(), .fence_value_o(),
    .run_failed_o(), .run_failed_number_o(), .run_failed_status_o());

  ppu_request_check #(.Width(8)) u_request (
    .clk_i, .rst_ni, .valid_i(request_valid_i), .ready_i(request_ready_i), .request_i);
  /* verilator lint_on PINCONNECTEMPTY */

endmodule
