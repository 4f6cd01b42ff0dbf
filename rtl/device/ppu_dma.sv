// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Copies between host memory and device memory, within device memory, and from host memory into the
// instruction memories: the descriptor of the command, then those of its list in host memory. A
// scrub is two moves of zeros: into the context's window in device memory, then into that of the
// instruction memories.

`include "ppu_assert.svh"

module ppu_dma #(
  /// Beats that are read and not yet written, a power of two.
  parameter int unsigned BufferBeats = ppu_spec_pkg::DefaultDmaBufferBeats
) (
  /// Clock.
  input  logic                            clk_i,
  /// Reset, active low.
  input  logic                            rst_ni,
  /// The contexts, number 0 in the low bits.
  input  logic [ppu_spec_pkg::ContextWidth*ppu_spec_pkg::Contexts-1:0] contexts_i,

  // Commands.
  /// Begins a command; only while idle.
  input  logic                            start_i,
  /// The command: a copy, a program to load or a scrub, which has been checked.
  input  ppu_spec_pkg::command_t          command_i,
  /// The context of the command, or that it scrubs.
  input  ppu_spec_pkg::context_id_t     context_i,
  /// Number of the command.
  input  logic [31:0]                     number_i,
  /// What is under way.
  output ppu_device_pkg::dma_status_t     status_o,

  // Host link.
  /// A beat is to be read.
  output logic                            host_read_valid_o,
  /// The read is accepted in this cycle.
  input  logic                            host_read_ready_i,
  /// The beat; stays until it is accepted.
  output ppu_spec_pkg::beat_number_t      host_read_beat_o,
  /// The oldest read gets its data.
  input  logic                            host_read_rsp_valid_i,
  /// What was read.
  input  ppu_spec_pkg::beat_t             host_read_rsp_data_i,
  /// A beat is to be written.
  output logic                            host_write_valid_o,
  /// The write is accepted in this cycle.
  input  logic                            host_write_ready_i,
  /// The write; stays until it is accepted.
  output ppu_spec_pkg::link_write_t       host_write_o,
  /// The oldest write is acknowledged.
  input  logic                            host_write_rsp_valid_i,

  // Device memory.
  /// There is a request.
  output logic                            mem_req_valid_o,
  /// The request is accepted in this cycle.
  input  logic                            mem_req_ready_i,
  /// The request; stays until it is accepted.
  output ppu_spec_pkg::memory_request_t   mem_req_o,
  /// The oldest request gets its response.
  input  logic                            mem_rsp_valid_i,
  /// The response.
  input  ppu_spec_pkg::memory_response_t  mem_rsp_i,

  // What goes to device memory, for engines that take rows from there.
  /// The beat that was written in the cycle before; its flag `write` says that there was one.
  output ppu_spec_pkg::memory_request_t   written_o,

  // Instruction memories of all engines.
  /// A line is written.
  output logic                            imem_write_o,
  /// The line.
  output ppu_spec_pkg::program_line_t     imem_o,

  // What becomes of descriptors.
  /// The descriptor that has been carried out, if one has.
  output ppu_device_pkg::carried_t        carried_o,
  /// A descriptor of the list is malformed, the quota is spent, or a program does not have its
  /// checksum: the command ends.
  output ppu_spec_pkg::context_error_t  error_o
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);
  localparam int unsigned DescriptorWidth = ppu_spec_pkg::CopyDescriptorWidth;
  /// Descriptors lie in a beat side by side.
  localparam int unsigned PlaceWidth = $clog2(ppu_spec_pkg::BeatWidth / DescriptorWidth);

  // ---------------------------------------------------------------------------------------------
  // State.
  // ---------------------------------------------------------------------------------------------
  ppu_device_pkg::dma_phase_e    phase_q;
  ppu_spec_pkg::command_opcode_e opcode_q;
  ppu_spec_pkg::beat_number_t    list_beat_q;
  ppu_spec_pkg::beat_t           held_data_q;  // the beat with the next descriptor

  logic [31:0] number_q, bytes_q;
  logic [31:0] index_q, list_count_q;  // next descriptor of the list; all of them
  logic        held_q, requested_q;
  logic        idle, loads, scrubs, loading, last, list_valid;

  ppu_spec_pkg::context_id_t id, id_q;
  ppu_spec_pkg::context_t    owns;

  // Into instruction memory: a program, or zeros behind those of device memory.
  assign idle = phase_q == ppu_device_pkg::DmaIdle;
  assign loads = !idle && opcode_q == ppu_spec_pkg::CmdLoadProgram;
  assign scrubs = !idle && opcode_q == ppu_spec_pkg::CmdScrub;
  assign loading = loads || (scrubs && index_q != '0);
  assign status_o.idle = idle;
  assign status_o.loading = loads || scrubs;
  assign status_o.scrubbed = last && scrubs && index_q != '0;

  // Of a closed context nothing is changed while it is scrubbed, or it has to be scrubbed again.
  assign id = idle ? context_i : id_q;
  assign owns =
      contexts_i[ppu_spec_pkg::ContextWidth * 32'(id) +: ppu_spec_pkg::ContextWidth];

  // ---------------------------------------------------------------------------------------------
  // The next descriptor: that of the command, or one from the held beat.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_opcode_e  opcode;
  ppu_spec_pkg::copy_command_t    command;
  ppu_spec_pkg::load_command_t    load;
  ppu_spec_pkg::copy_descriptor_t descriptor;
  ppu_device_pkg::copy_faults_t   faults;
  logic [31:0]                    source, destination;
  logic                           check, good, spent, set, unused_command;

  assign command = command_i.copy;
  assign load = command_i.load;
  assign unused_command = ^{command, load, owns};

  always_comb begin
    opcode = opcode_q;
    descriptor = held_data_q[DescriptorWidth * 32'(index_q[PlaceWidth-1:0]) +: DescriptorWidth];
    if (idle) begin
      opcode = command.opcode;
      descriptor = {32'd0, command.bytes, command.device_address, command.host_address};
    end
    if (opcode == ppu_spec_pkg::CmdScrub) begin
      descriptor = '0;
      descriptor.device_address = {owns.device.first, OffsetWidth'(0)};
      descriptor.bytes = {owns.device.behind - owns.device.first, OffsetWidth'(0)};
      if (!idle) begin
        descriptor.device_address = 32'({owns.lines.first, OffsetWidth'(0)});
        descriptor.bytes = 32'({owns.lines.behind - owns.lines.first, OffsetWidth'(0)});
      end
    end
    source = descriptor.host_address;
    if (opcode == ppu_spec_pkg::CmdCopyOut) source = descriptor.device_address;
    case (opcode)
      ppu_spec_pkg::CmdCopyOut: destination = descriptor.host_address;
      ppu_spec_pkg::CmdLoadProgram: destination = {descriptor.device_address[29:0], 2'b00};
      default: destination = descriptor.device_address;
    endcase
  end

  ppu_copy_check u_check (
    .within_i(1'b0), .descriptor_i(descriptor), .device_i(owns.device), .host_i(owns.host),
    .faults_o(faults));

  assign check = phase_q == ppu_device_pkg::DmaList && (held_q || scrubs);
  assign good = scrubs || (faults == '0 && descriptor.reserved_96 == '0 && owns.open);
  assign set = start_i || (check && good && !spent);

  // Cycles that the command has taken, as far as there is a quota.
  logic [31:0] taken_q;

  assign spent = !scrubs && owns.quota != '0 && taken_q >= owns.quota;

  always_ff @(posedge clk_i) begin
    if (start_i) taken_q <= 32'd1;
    else if (taken_q != '1) taken_q <= taken_q + 32'd1;
  end

  // What a load has written is compared in the cycle of its last line.
  logic [31:0] checksum_q, crc_q, crc_d;
  logic        checked_q, damaged, bad;

  ppu_spec_pkg::error_entry_t entry;

  ppu_crc32c #(.Width(ppu_spec_pkg::BeatWidth)) u_crc (
    .valid_i(imem_write_o), .data_i(imem_o.data), .remainder_i(crc_q), .remainder_o(crc_d));

  assign damaged = last && loads && checked_q && ~crc_d != checksum_q;

  always_ff @(posedge clk_i) begin
    crc_q <= start_i ? '1 : crc_d;
    if (start_i) begin
      checked_q <= load.flag_checked;
      checksum_q <= load.checksum;
    end
  end

  assign bad = (check && (!good || spent)) || damaged;
  assign error_o.valid = bad;
  assign error_o.id = id_q;
  assign error_o.entry = entry;
  always_comb begin
    entry.command = number_q;
    entry.detail = damaged ? ~crc_d : index_q;
    entry.reason = ppu_spec_pkg::ErrorDescriptor;
    if (good) entry.reason = ppu_spec_pkg::ErrorQuota;
    if (damaged) entry.reason = ppu_spec_pkg::ErrorChecksum;
  end
  assign carried_o.valid = last && !scrubs;
  assign carried_o.from_host = opcode_q == ppu_spec_pkg::CmdCopyIn || loads;
  assign carried_o.to_host = opcode_q == ppu_spec_pkg::CmdCopyOut;
  assign carried_o.bytes = bytes_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= ppu_device_pkg::DmaIdle;
      held_q <= 1'b0;
      requested_q <= 1'b0;
    end else begin
      if (set) phase_q <= ppu_device_pkg::DmaMove;
      else if (bad) phase_q <= ppu_device_pkg::DmaIdle;
      else if (last)
        phase_q <= index_q == list_count_q ? ppu_device_pkg::DmaIdle : ppu_device_pkg::DmaList;

      if (list_valid && host_read_ready_i) requested_q <= 1'b1;
      if (phase_q == ppu_device_pkg::DmaList && host_read_rsp_valid_i) begin
        requested_q <= 1'b0;
        held_q <= 1'b1;
      end
      if (start_i || bad || (check && &index_q[PlaceWidth-1:0])) held_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      opcode_q <= opcode;
      number_q <= number_i;
      id_q <= context_i;
      index_q <= '0;
      list_count_q <= opcode == ppu_spec_pkg::CmdScrub ? 32'd1 : command.list_count;
      list_beat_q <= command.list_address[31:OffsetWidth];
    end else if (check) begin
      index_q <= index_q + 32'd1;
    end
    if (set) bytes_q <= descriptor.bytes;
    if (phase_q == ppu_device_pkg::DmaList && host_read_rsp_valid_i)
      held_data_q <= host_read_rsp_data_i;
  end

  // ---------------------------------------------------------------------------------------------
  // The move, between the ports that the command names.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::beat_number_t read_beat;
  ppu_spec_pkg::link_write_t  write;
  ppu_spec_pkg::beat_t        data;

  logic reads_host, writes_host;
  logic read_valid, read_ready, write_valid, write_ready, ack;
  logic host_data_valid, mem_data_valid;

  assign reads_host = carried_o.from_host;
  assign writes_host = carried_o.to_host;
  assign host_data_valid = phase_q == ppu_device_pkg::DmaMove && host_read_rsp_valid_i;
  assign mem_data_valid = mem_rsp_valid_i && !mem_rsp_i.write;

  always_comb begin
    data = reads_host ? host_read_rsp_data_i : mem_rsp_i.data;
    if (scrubs) data = '0;
  end

  ppu_dma_move #(.BufferBeats(BufferBeats)) u_move (
    .clk_i, .rst_ni, .set_i(set), .source_i(source), .destination_i(destination),
    .bytes_i(descriptor.bytes), .last_o(last), .read_valid_o(read_valid),
    .read_ready_i(read_ready), .read_beat_o(read_beat),
    .data_valid_i(host_data_valid || mem_data_valid || (scrubs && read_valid)),
    .data_i(data), .write_valid_o(write_valid),
    .write_ready_i(write_ready), .write_o(write), .ack_i(ack));

  assign list_valid = phase_q == ppu_device_pkg::DmaList && !scrubs && !held_q && !requested_q;
  assign host_read_valid_o = list_valid || (read_valid && reads_host);
  assign host_read_beat_o =
      list_valid ? list_beat_q + ppu_spec_pkg::BeatNumberWidth'(index_q >> PlaceWidth) : read_beat;

  assign host_write_valid_o = write_valid && writes_host;
  assign host_write_o = write;

  assign imem_write_o = write_valid && loading;
  assign imem_o.line = write.beat[15:0];
  assign imem_o.data = write.data;

  // A write goes before a read that does not wait yet.
  logic read_waits_q, mem_write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_waits_q <= 1'b0;
    else read_waits_q <= mem_req_valid_o && !mem_write && !mem_req_ready_i;
  end

  assign mem_write = write_valid && !writes_host && !loading && !read_waits_q;
  assign mem_req_valid_o = mem_write || (read_valid && !reads_host && !scrubs);
  assign mem_req_o.pair = 1'b0;
  assign mem_req_o.write = mem_write;
  assign mem_req_o.beat = mem_write ? write.beat : read_beat;
  assign mem_req_o.strobe = write.strobe;
  assign mem_req_o.data = write.data;

  logic                           written_q;
  ppu_spec_pkg::memory_request_t  last_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) written_q <= 1'b0;
    else written_q <= mem_write && mem_req_ready_i;
  end

  always_ff @(posedge clk_i) last_q <= mem_req_o;

  always_comb begin
    written_o = last_q;
    written_o.write = written_q;
  end

  always_comb begin
    read_ready = reads_host ? host_read_ready_i : mem_req_ready_i && !mem_write;
    if (scrubs) read_ready = 1'b1;
  end

  always_comb begin
    write_ready = mem_req_ready_i && mem_write;
    ack = mem_rsp_valid_i && mem_rsp_i.write;
    if (writes_host) begin
      write_ready = host_write_ready_i;
      ack = host_write_rsp_valid_i;
    end else if (loading) begin
      write_ready = 1'b1;
      ack = write_valid;
    end
  end

  `PPU_ASSERT(CommandsBeginWhenIdle, !start_i || idle)
  `PPU_ASSERT(ListsAreOfCopiesThatMayHaveThem,
              phase_q != ppu_device_pkg::DmaList || opcode_q == ppu_spec_pkg::CmdCopyIn ||
              opcode_q == ppu_spec_pkg::CmdCopyOut || scrubs)

endmodule
