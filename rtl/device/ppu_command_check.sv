// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Finds the first error of a command, in the order of hw/spec/commands.toml.

module ppu_command_check #(
  /// Slots that a run may have.
  parameter int unsigned ImpulseMemoryRows = ppu_spec_pkg::DefaultImpulseMemoryRows,
  /// Bodies that a run may have.
  parameter int unsigned BodyMemoryBodies = ppu_spec_pkg::DefaultBodyMemoryBodies,
  /// There is a `flip`.
  parameter int unsigned MemoryProtection = ppu_spec_pkg::DefaultMemoryProtection,
  /// Words of instruction memory.
  parameter int unsigned InstructionMemoryWords = ppu_spec_pkg::DefaultInstructionMemoryWords
) (
  /// The command.
  input  ppu_spec_pkg::command_t        command_i,
  /// Sizes of the memories; constant.
  input  ppu_device_pkg::memory_sizes_t sizes_i,
  /// The command is of the owner.
  input  logic                          owner_i,
  /// The context of the command.
  input  ppu_spec_pkg::context_t      context_i,
  /// The context that scrub_context_o names.
  input  ppu_spec_pkg::context_t      scrubbed_i,
  /// The context that a `scrub` names.
  output ppu_spec_pkg::context_id_t   scrub_context_o,
  /// The first error of the command, or ErrorNone.
  output ppu_spec_pkg::command_error_e  error_o
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);
  // Programs lie on lines of instruction memory, fences on parts of a beat.
  localparam int unsigned LineWidth = $clog2(ppu_spec_pkg::BeatBytes / 4);
  localparam int unsigned FenceWidth = $clog2(ppu_spec_pkg::FenceBytes);
  localparam int unsigned ReportBytes =
      ppu_spec_pkg::ReportHeaderBytes + 8 * ppu_spec_pkg::CounterCount;
  localparam int unsigned CounterBytes = 8 * ppu_spec_pkg::DeviceCounterCount;

  // ---------------------------------------------------------------------------------------------
  // The command in each layout. The last block of reduced rows ends behind its last head.
  // ---------------------------------------------------------------------------------------------
  ppu_spec_pkg::command_opcode_e  opcode;
  ppu_spec_pkg::copy_command_t    copy;
  ppu_spec_pkg::run_command_t     run;
  ppu_spec_pkg::fence_command_t   fence;
  ppu_spec_pkg::query_command_t   query;
  ppu_spec_pkg::scrub_command_t   scrub;
  ppu_spec_pkg::copy_descriptor_t descriptor;
  ppu_device_pkg::copy_faults_t   faults;
  logic [39:0]                    list_bytes, rows_bytes, impulses_bytes, velocities_bytes;
  logic                           unused_layouts;

  assign opcode = command_i.copy.opcode;
  assign copy = command_i.copy;
  assign run = command_i.run;
  assign fence = command_i.fence;
  assign query = command_i.query;
  assign scrub = command_i.scrub;
  assign unused_layouts = ^{copy, run, fence, query, scrub, context_i, scrubbed_i};

  assign descriptor.reserved_96 = '0;
  assign descriptor.bytes = copy.bytes;
  assign descriptor.device_address = copy.device_address;
  assign descriptor.host_address = copy.host_address;

  assign list_bytes = 40'(copy.list_count) * 40'(ppu_spec_pkg::DescriptorBytes);
  assign rows_bytes =
      run.flag_reduced
          ? 40'(ppu_spec_pkg::reduced_beats(run.row_count)) * 40'(ppu_spec_pkg::BeatBytes)
          : 40'(run.row_count) * 40'(ppu_spec_pkg::RowBytes);
  assign impulses_bytes = 40'(run.row_count) * 40'(ppu_spec_pkg::ImpulseBytes);
  assign velocities_bytes = 40'(run.body_count) * 40'(ppu_spec_pkg::VelocityBytes);

  ppu_copy_check u_copy (
    .within_i(opcode == ppu_spec_pkg::CmdCopyWithin), .descriptor_i(descriptor),
    .device_i(context_i.device), .host_i(context_i.host), .faults_o(faults));

  // ---------------------------------------------------------------------------------------------
  // What is wrong with it.
  // ---------------------------------------------------------------------------------------------
  logic [ppu_spec_pkg::CommandWidth-1:0] allowed;
  logic misaligned, size, capacity, device_range, host_range, overlap, no_owner, no_context;

  // Words of instruction memory: of the program, or of what is loaded.
  logic [32:0] words_behind;
  logic        lines_outside;

  assign words_behind = opcode == ppu_spec_pkg::CmdRun
                        ? 33'(run.entry) + 33'(run.program_words)
                        : 33'(copy.device_address) + 33'(copy.bytes[31:2]);
  assign lines_outside =
      words_behind > 33'({context_i.lines.behind, LineWidth'(0)}) ||
      (opcode == ppu_spec_pkg::CmdRun ? run.entry : copy.device_address) <
          32'({context_i.lines.first, LineWidth'(0)});

  assign scrub_context_o = scrub.scrub_context[ppu_spec_pkg::ContextIdWidth-1:0];
  assign allowed = MemoryProtection == 0 && opcode == ppu_spec_pkg::CmdFlip
    ? '0 : ppu_spec_pkg::command_mask(opcode);

  always_comb begin
    misaligned = 1'b0;
    size = 1'b0;
    capacity = 1'b0;
    device_range = 1'b0;
    host_range = 1'b0;
    overlap = 1'b0;
    no_owner = 1'b0;
    no_context = 1'b0;
    case (opcode)
      ppu_spec_pkg::CmdCopyIn, ppu_spec_pkg::CmdCopyOut: begin
        misaligned = faults.misaligned || copy.list_address[OffsetWidth-1:0] != '0;
        size = faults.empty;
        device_range = faults.device_range;
        host_range = faults.host_range ||
                     !ppu_spec_pkg::in_window(copy.list_address, list_bytes, context_i.host);
      end
      ppu_spec_pkg::CmdCopyWithin: begin
        misaligned = faults.misaligned;
        size = faults.empty;
        device_range = faults.device_range;
        overlap = 33'(copy.host_address) < 33'(copy.device_address) + 33'(copy.bytes) &&
                  33'(copy.device_address) < 33'(copy.host_address) + 33'(copy.bytes);
      end
      ppu_spec_pkg::CmdLoadProgram: begin
        misaligned = copy.host_address[OffsetWidth-1:0] != '0 ||
                     copy.device_address[LineWidth-1:0] != '0;
        size = faults.empty || copy.bytes[1:0] != '0;
        capacity = lines_outside;
        host_range = faults.host_range;
      end
      ppu_spec_pkg::CmdRun: begin
        misaligned = run.entry[LineWidth-1:0] != '0 || run.rows_address[OffsetWidth-1:0] != '0 ||
                     run.impulses_address[OffsetWidth-1:0] != '0 ||
                     run.velocities_address[OffsetWidth-1:0] != '0 ||
                     run.report_address[OffsetWidth-1:0] != '0;
        size = run.program_words == '0;
        capacity = lines_outside || run.row_count > ImpulseMemoryRows ||
                   run.body_count > BodyMemoryBodies;
        device_range =
            !ppu_spec_pkg::in_window(run.rows_address, rows_bytes, context_i.device) ||
            !ppu_spec_pkg::in_window(run.impulses_address, impulses_bytes, context_i.device) ||
            !ppu_spec_pkg::in_window(run.velocities_address, velocities_bytes, context_i.device);
        host_range = !ppu_spec_pkg::in_window(run.report_address, 40'(ReportBytes),
                                                context_i.host);
      end
      ppu_spec_pkg::CmdFence: begin
        misaligned = fence.host_address[FenceWidth-1:0] != '0;
        host_range = !ppu_spec_pkg::in_window(
            fence.host_address, 40'(ppu_spec_pkg::FenceBytes), context_i.host);
      end
      ppu_spec_pkg::CmdQuery: begin
        misaligned = query.host_address[OffsetWidth-1:0] != '0;
        host_range = !ppu_spec_pkg::in_window(query.host_address, 40'(CounterBytes),
                                                context_i.host);
        no_owner = !owner_i;
      end
      ppu_spec_pkg::CmdReset, ppu_spec_pkg::CmdFlip: no_owner = !owner_i;
      ppu_spec_pkg::CmdScrub: begin
        size = scrubbed_i.device.first >= scrubbed_i.device.behind ||
               scrubbed_i.host.first >= scrubbed_i.host.behind ||
               scrubbed_i.lines.first >= scrubbed_i.lines.behind;
        capacity = 32'({scrubbed_i.lines.behind, LineWidth'(0)}) > InstructionMemoryWords;
        device_range =
            scrubbed_i.device.behind > {sizes_i.device_mib, 14'd0};
        host_range = scrubbed_i.host.behind > {sizes_i.host_mib, 14'd0};
        no_owner = !owner_i;
        no_context = scrub.scrub_context == '0 || scrub.scrub_context >= ppu_spec_pkg::Contexts ||
                     scrubbed_i.open;
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
    else if (no_owner) error_o = ppu_spec_pkg::ErrorOwner;
    else if (no_context) error_o = ppu_spec_pkg::ErrorContext;
  end

endmodule
