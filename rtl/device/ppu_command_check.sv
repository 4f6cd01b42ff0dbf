// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Finds the first error of a command, in the order of hw/spec/commands.toml.

module ppu_command_check #(
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords,
  localparam int unsigned CommandWidth = 8 * ppu_spec_pkg::BeatBytes
) (
  input  logic [CommandWidth-1:0] command_i,
  input  logic [11:0]             device_memory_mib_i,
  input  logic [11:0]             host_memory_mib_i,
  output logic [3:0]              error_o  ///< A command error, or none.
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);
  // Programs lie on lines of instruction memory, fences on parts of a beat.
  localparam int unsigned LineWidth = $clog2(ppu_spec_pkg::BeatBytes / 4);
  localparam int unsigned FenceWidth = $clog2(ppu_spec_pkg::FenceBytes);
  localparam int unsigned ReportBytes =
      ppu_spec_pkg::ReportHeaderBytes + 8 * ppu_spec_pkg::CounterCount;
  localparam int unsigned CounterBytes = 8 * ppu_spec_pkg::DeviceCounterCount;

  // ---------------------------------------------------------------------------------------------
  // Fields.
  // ---------------------------------------------------------------------------------------------
  logic [7:0]  opcode;
  logic [31:0] host_address, device_address, bytes, list_address, list_count;
  logic [31:0] entry, row_count, body_count, rows, impulses, velocities, report;
  logic [15:0] program_words;
  logic [39:0] rows_bytes;

  assign opcode = command_i[ppu_spec_pkg::CmdOpcodeLsb +: ppu_spec_pkg::CmdOpcodeWidth];
  assign program_words =
      command_i[ppu_spec_pkg::CmdProgramWordsLsb +: ppu_spec_pkg::CmdProgramWordsWidth];
  assign host_address = command_i[ppu_spec_pkg::CmdHostAddressLsb +: 32];
  assign device_address = command_i[ppu_spec_pkg::CmdDeviceAddressLsb +: 32];
  assign bytes = command_i[ppu_spec_pkg::CmdBytesLsb +: 32];
  assign list_address = command_i[ppu_spec_pkg::CmdListAddressLsb +: 32];
  assign list_count = command_i[ppu_spec_pkg::CmdListCountLsb +: 32];
  assign entry = command_i[ppu_spec_pkg::CmdEntryLsb +: 32];
  assign row_count = command_i[ppu_spec_pkg::CmdRowCountLsb +: 32];
  assign body_count = command_i[ppu_spec_pkg::CmdBodyCountLsb +: 32];
  assign rows = command_i[ppu_spec_pkg::CmdRowsAddressLsb +: 32];
  assign impulses = command_i[ppu_spec_pkg::CmdImpulsesAddressLsb +: 32];
  assign velocities = command_i[ppu_spec_pkg::CmdVelocitiesAddressLsb +: 32];
  assign report = command_i[ppu_spec_pkg::CmdReportAddressLsb +: 32];

  // ---------------------------------------------------------------------------------------------
  // What is wrong with it. The last block of reduced rows ends behind its last head.
  // ---------------------------------------------------------------------------------------------
  logic [CommandWidth-1:0] allowed;
  logic copy_misaligned, copy_empty, copy_device_range, copy_host_range;
  logic misaligned, size, capacity, device_range, host_range, overlap;

  assign allowed = ppu_spec_pkg::command_mask(opcode);
  assign rows_bytes =
      command_i[ppu_spec_pkg::CmdFlagsLsb + ppu_spec_pkg::CmdFlagReduced]
          ? 40'(ppu_engine_pkg::reduced_beats(row_count)) * 40'(ppu_spec_pkg::BeatBytes)
          : 40'(row_count) * 40'(ppu_spec_pkg::RowBytes);

  ppu_copy_check u_copy (
    .within_i(opcode == ppu_spec_pkg::CmdCopyWithin), .host_address_i(host_address),
    .device_address_i(device_address), .bytes_i(bytes), .device_memory_mib_i, .host_memory_mib_i,
    .misaligned_o(copy_misaligned), .empty_o(copy_empty), .device_range_o(copy_device_range),
    .host_range_o(copy_host_range));

  always_comb begin
    misaligned = 1'b0;
    size = 1'b0;
    capacity = 1'b0;
    device_range = 1'b0;
    host_range = 1'b0;
    overlap = 1'b0;
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut: begin
        misaligned = copy_misaligned || list_address[OffsetWidth-1:0] != '0;
        size = copy_empty;
        device_range = copy_device_range;
        host_range = copy_host_range || !ppu_device_pkg::in_range(
            list_address, 40'(list_count) * 40'(ppu_spec_pkg::DescriptorBytes), host_memory_mib_i);
      end
      ppu_spec_pkg::CmdCopyWithin: begin
        misaligned = copy_misaligned;
        size = copy_empty;
        device_range = copy_device_range;
        overlap = 33'(host_address) < 33'(device_address) + 33'(bytes) &&
                  33'(device_address) < 33'(host_address) + 33'(bytes);
      end
      ppu_spec_pkg::CmdLoadProgram: begin
        misaligned = host_address[OffsetWidth-1:0] != '0 || device_address[LineWidth-1:0] != '0;
        size = copy_empty || bytes[1:0] != '0;
        capacity = 33'(device_address) + 33'(bytes[31:2]) > 33'(InstructionMemoryWords);
        host_range = copy_host_range;
      end
      ppu_spec_pkg::CmdRun: begin
        misaligned = entry[LineWidth-1:0] != '0 || rows[OffsetWidth-1:0] != '0 ||
                     impulses[OffsetWidth-1:0] != '0 || velocities[OffsetWidth-1:0] != '0 ||
                     report[OffsetWidth-1:0] != '0;
        size = program_words == '0;
        capacity = 33'(entry) + 33'(program_words) > 33'(InstructionMemoryWords) ||
                   row_count > ImpulseMemoryRows || body_count > BodyMemoryBodies;
        device_range =
            !ppu_device_pkg::in_range(rows, rows_bytes, device_memory_mib_i) ||
            !ppu_device_pkg::in_range(impulses, 40'(row_count) * 40'(ppu_spec_pkg::ImpulseBytes),
                                      device_memory_mib_i) ||
            !ppu_device_pkg::in_range(velocities,
                                      40'(body_count) * 40'(ppu_spec_pkg::VelocityBytes),
                                      device_memory_mib_i);
        host_range = !ppu_device_pkg::in_range(report, 40'(ReportBytes), host_memory_mib_i);
      end
      ppu_spec_pkg::CmdFence: begin
        misaligned = host_address[FenceWidth-1:0] != '0;
        host_range = !ppu_device_pkg::in_range(host_address, 40'(ppu_spec_pkg::FenceBytes),
                                               host_memory_mib_i);
      end
      ppu_spec_pkg::CmdQuery: begin
        misaligned = host_address[OffsetWidth-1:0] != '0;
        host_range = !ppu_device_pkg::in_range(host_address, 40'(CounterBytes), host_memory_mib_i);
      end
      default: ;
    endcase
  end

  always_comb begin
    error_o = ppu_spec_pkg::ErrorNone;
    if (allowed == '0) error_o = ppu_spec_pkg::ErrorOpcode;
    else if ((command_i & ~allowed) != '0) error_o = ppu_spec_pkg::ErrorReserved;
    else if (misaligned) error_o = ppu_spec_pkg::ErrorAlignment;
    else if (size) error_o = ppu_spec_pkg::ErrorSize;
    else if (capacity) error_o = ppu_spec_pkg::ErrorCapacity;
    else if (device_range) error_o = ppu_spec_pkg::ErrorDeviceRange;
    else if (host_range) error_o = ppu_spec_pkg::ErrorHostRange;
    else if (overlap) error_o = ppu_spec_pkg::ErrorOverlap;
  end

endmodule
