// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Copies between host memory and device memory, within device memory, and from host memory into the
// instruction memories: the descriptor of the command, then those of its list in host memory.

`include "ppu_assert.svh"

module ppu_dma #(
  /// Beats that it holds.
  parameter int unsigned BufferBeats = ppu_spec_pkg::DefaultDmaBufferBeats,
  localparam int unsigned Width = 8 * ppu_spec_pkg::BeatBytes,
  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes,
  localparam int unsigned BeatNumberWidth = 32 - $clog2(ppu_spec_pkg::BeatBytes)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [11:0]                device_memory_mib_i,
  input  logic [11:0]                host_memory_mib_i,

  input  logic                       start_i,            ///< Begin this command; only while idle.
  input  logic [Width-1:0]           command_i,
  input  logic [31:0]                number_i,
  output logic                       idle_o,
  output logic                       loading_o,          ///< A program is under way.
  output logic [1:0]                 phase_o,

  output logic                       host_read_valid_o,
  input  logic                       host_read_ready_i,
  output logic [BeatNumberWidth-1:0] host_read_beat_o,
  input  logic                       host_read_rsp_valid_i,
  input  logic [Width-1:0]           host_read_rsp_data_i,

  output logic                       host_write_valid_o,
  input  logic                       host_write_ready_i,
  output logic [BeatNumberWidth-1:0] host_write_beat_o,
  output logic [Width-1:0]           host_write_data_o,
  output logic [Bytes-1:0]           host_write_strobe_o,
  input  logic                       host_write_rsp_valid_i,

  output logic                       mem_req_valid_o,
  input  logic                       mem_req_ready_i,
  output logic                       mem_req_write_o,
  output logic [BeatNumberWidth-1:0] mem_req_beat_o,
  output logic [Width-1:0]           mem_req_data_o,
  output logic [Bytes-1:0]           mem_req_strobe_o,
  input  logic                       mem_rsp_valid_i,
  input  logic                       mem_rsp_write_i,    ///< It acknowledges a write.
  input  logic [Width-1:0]           mem_rsp_data_i,

  output logic                       imem_write_o,
  output logic [15:0]                imem_line_o,        ///< Word address / 16.
  output logic [Width-1:0]           imem_data_o,

  // A descriptor has been carried out, or is malformed.
  output logic                       carried_o,
  output logic                       carried_in_o,       ///< It came from host memory ...
  output logic                       carried_out_o,      ///< ... went there, or neither.
  output logic [31:0]                carried_bytes_o,
  output logic                       bad_o,
  output logic [31:0]                bad_number_o,       ///< Of the command.
  output logic [31:0]                bad_index_o         ///< In its list.
);

  localparam int unsigned OffsetWidth = $clog2(Bytes);

  // ---------------------------------------------------------------------------------------------
  // State.
  // ---------------------------------------------------------------------------------------------
  logic [1:0]                 phase_q;
  logic [7:0]                 opcode_q;
  logic [31:0]                number_q, bytes_q;
  logic [31:0]                index_q, list_count_q;    // next descriptor of the list; all of them
  logic [BeatNumberWidth-1:0] list_beat_q;
  logic [Width-1:0]           held_data_q;              // the beat with the next descriptor
  logic                       held_q, requested_q;
  logic                       last, list_valid;

  assign phase_o = phase_q;
  assign idle_o = phase_q == ppu_device_pkg::DmaIdle;
  assign loading_o = !idle_o && opcode_q == ppu_spec_pkg::CmdLoadProgram;

  // ---------------------------------------------------------------------------------------------
  // The next descriptor: that of the command, or one from the held beat.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned DescriptorWidth = 8 * ppu_spec_pkg::DescriptorBytes;
  localparam int unsigned PlaceWidth = $clog2(Width / DescriptorWidth);

  logic [7:0]                 opcode;
  logic [DescriptorWidth-1:0] descriptor;
  logic [31:0]                host_address, device_address, bytes, source, destination;
  logic                       misaligned, empty, device_range, host_range, check, good, set;

  always_comb begin
    opcode = opcode_q;
    descriptor = held_data_q[DescriptorWidth * 32'(index_q[PlaceWidth-1:0]) +: DescriptorWidth];
    if (idle_o) begin
      opcode = command_i[ppu_spec_pkg::CmdOpcodeLsb +: ppu_spec_pkg::CmdOpcodeWidth];
      descriptor = {32'd0, command_i[ppu_spec_pkg::CmdBytesLsb +: 32],
                    command_i[ppu_spec_pkg::CmdDeviceAddressLsb +: 32],
                    command_i[ppu_spec_pkg::CmdHostAddressLsb +: 32]};
    end
    host_address = descriptor[31:0];
    device_address = descriptor[63:32];
    bytes = descriptor[95:64];
    source = opcode == ppu_spec_pkg::CmdCopyOut ? device_address : host_address;
    case (opcode)
      ppu_spec_pkg::CmdCopyOut: destination = host_address;
      ppu_spec_pkg::CmdLoadProgram: destination = {device_address[29:0], 2'b00};  // words
      default: destination = device_address;
    endcase
  end

  ppu_copy_check u_check (
    .within_i(1'b0), .host_address_i(host_address), .device_address_i(device_address),
    .bytes_i(bytes), .device_memory_mib_i, .host_memory_mib_i, .misaligned_o(misaligned),
    .empty_o(empty), .device_range_o(device_range), .host_range_o(host_range));

  assign check = phase_q == ppu_device_pkg::DmaList && held_q;
  assign good = !misaligned && !empty && !device_range && !host_range &&
                descriptor[127:96] == '0;
  assign set = start_i || (check && good);

  assign bad_o = check && !good;
  assign bad_number_o = number_q;
  assign bad_index_o = index_q;
  assign carried_o = last;
  assign carried_in_o = opcode_q == ppu_spec_pkg::CmdCopyIn || loading_o;
  assign carried_out_o = opcode_q == ppu_spec_pkg::CmdCopyOut;
  assign carried_bytes_o = bytes_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= ppu_device_pkg::DmaIdle;
      held_q <= 1'b0;
      requested_q <= 1'b0;
    end else begin
      if (set) phase_q <= ppu_device_pkg::DmaMove;
      else if (bad_o) phase_q <= ppu_device_pkg::DmaIdle;
      else if (last)
        phase_q <= index_q == list_count_q ? ppu_device_pkg::DmaIdle : ppu_device_pkg::DmaList;

      if (list_valid && host_read_ready_i) requested_q <= 1'b1;
      if (phase_q == ppu_device_pkg::DmaList && host_read_rsp_valid_i) begin
        requested_q <= 1'b0;
        held_q <= 1'b1;
      end
      if (start_i || bad_o || (check && &index_q[PlaceWidth-1:0])) held_q <= 1'b0;
    end
  end

  logic unused_command;
  assign unused_command = ^command_i;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      opcode_q <= opcode;
      number_q <= number_i;
      index_q <= '0;
      list_count_q <= command_i[ppu_spec_pkg::CmdListCountLsb +: 32];
      list_beat_q <= command_i[ppu_spec_pkg::CmdListAddressLsb + OffsetWidth +:
                               BeatNumberWidth];
    end else if (check) begin
      index_q <= index_q + 32'd1;
    end
    if (set) bytes_q <= bytes;
    if (phase_q == ppu_device_pkg::DmaList && host_read_rsp_valid_i)
      held_data_q <= host_read_rsp_data_i;
  end

  // ---------------------------------------------------------------------------------------------
  // The move, between the ports that the command names.
  // ---------------------------------------------------------------------------------------------
  logic                       reads_host, writes_host;
  logic                       read_valid, read_ready, write_valid, write_ready, ack;
  logic                       host_data_valid, mem_data_valid;
  logic [BeatNumberWidth-1:0] read_beat, write_beat;
  logic [Width-1:0]           write_data;
  logic [Bytes-1:0]           write_strobe;

  assign reads_host = carried_in_o;
  assign writes_host = carried_out_o;
  assign host_data_valid = phase_q == ppu_device_pkg::DmaMove && host_read_rsp_valid_i;
  assign mem_data_valid = mem_rsp_valid_i && !mem_rsp_write_i;

  ppu_dma_move #(.BufferBeats(BufferBeats)) u_move (
    .clk_i, .rst_ni, .set_i(set), .source_i(source), .destination_i(destination), .bytes_i(bytes),
    .last_o(last), .read_valid_o(read_valid), .read_ready_i(read_ready), .read_beat_o(read_beat),
    .data_valid_i(host_data_valid || mem_data_valid),
    .data_i(reads_host ? host_read_rsp_data_i : mem_rsp_data_i),
    .write_valid_o(write_valid), .write_ready_i(write_ready), .write_beat_o(write_beat),
    .write_data_o(write_data), .write_strobe_o(write_strobe), .ack_i(ack));

  assign list_valid = phase_q == ppu_device_pkg::DmaList && !held_q && !requested_q;
  assign host_read_valid_o = list_valid || (read_valid && reads_host);
  assign host_read_beat_o =
      list_valid ? list_beat_q + BeatNumberWidth'(index_q >> PlaceWidth) : read_beat;

  assign host_write_valid_o = write_valid && writes_host;
  assign host_write_beat_o = write_beat;
  assign host_write_data_o = write_data;
  assign host_write_strobe_o = write_strobe;

  assign imem_write_o = write_valid && loading_o;
  assign imem_line_o = write_beat[15:0];
  assign imem_data_o = write_data;

  // A write goes before a read that does not wait yet.
  logic read_waits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_waits_q <= 1'b0;
    else read_waits_q <= mem_req_valid_o && !mem_req_write_o && !mem_req_ready_i;
  end

  assign mem_req_write_o = write_valid && !writes_host && !loading_o && !read_waits_q;
  assign mem_req_valid_o = mem_req_write_o || (read_valid && !reads_host);
  assign mem_req_beat_o = mem_req_write_o ? write_beat : read_beat;
  assign mem_req_data_o = write_data;
  assign mem_req_strobe_o = write_strobe;

  assign read_ready = reads_host ? host_read_ready_i : mem_req_ready_i && !mem_req_write_o;
  always_comb begin
    write_ready = mem_req_ready_i && mem_req_write_o;
    ack = mem_rsp_valid_i && mem_rsp_write_i;
    if (writes_host) begin
      write_ready = host_write_ready_i;
      ack = host_write_rsp_valid_i;
    end else if (loading_o) begin
      write_ready = 1'b1;
      ack = write_valid;
    end
  end

  `PPU_ASSERT(CommandsBeginWhenIdle, !start_i || idle_o)
  `PPU_ASSERT(ListsAreOfCopiesThatMayHaveThem,
              phase_q != ppu_device_pkg::DmaList || opcode_q == ppu_spec_pkg::CmdCopyIn ||
              opcode_q == ppu_spec_pkg::CmdCopyOut)

endmodule
