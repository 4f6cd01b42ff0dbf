// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // What a command without an error moves, byte by byte or word by word: any one of each range lies
  // in the window of its context.
  (* anyconst *) logic [39:0] formal_byte;
  logic formal_good, formal_runs, formal_copies;
  logic [40:0] formal_host_first, formal_host_end, formal_device_first, formal_device_end;
  logic [40:0] formal_first_word, formal_end_word;

  assign formal_good = error_o == ppu_spec_pkg::ErrorNone;
  assign formal_runs = formal_good && opcode == ppu_spec_pkg::CmdRun;
  assign formal_copies = formal_good && (opcode == ppu_spec_pkg::CmdCopyIn ||
                                         opcode == ppu_spec_pkg::CmdCopyOut);
  assign formal_host_first = 41'(context_i.host.first) << 6;
  assign formal_host_end = 41'(context_i.host.behind) << 6;
  assign formal_device_first = 41'(context_i.device.first) << 6;
  assign formal_device_end = 41'(context_i.device.behind) << 6;
  assign formal_first_word = 41'(context_i.lines.first) << LineWidth;
  assign formal_end_word = 41'(context_i.lines.behind) << LineWidth;

  function automatic logic formal_outside(input logic [31:0] address, input logic [39:0] bytes,
                                          input logic [40:0] first, input logic [40:0] behind);
    logic [40:0] place;
    place = 41'(address) + 41'(formal_byte);
    formal_outside = formal_byte < bytes && (place < first || place >= behind);
  endfunction

  always_comb begin
    if (formal_copies) begin
      EveryByteOfTheListIsInTheHostsWindow :
      assert (!formal_outside(copy.list_address, list_bytes, formal_host_first, formal_host_end));
      EveryByteOfACopyIsInItsWindows :
      assert (!formal_outside(copy.host_address, 40'(copy.bytes), formal_host_first,
                              formal_host_end) &&
              !formal_outside(copy.device_address, 40'(copy.bytes), formal_device_first,
                              formal_device_end));
    end
    if (formal_good && opcode == ppu_spec_pkg::CmdCopyWithin)
      EveryByteOfACopyWithinIsInTheDevicesWindow :
      assert (!formal_outside(copy.host_address, 40'(copy.bytes), formal_device_first,
                              formal_device_end) &&
              !formal_outside(copy.device_address, 40'(copy.bytes), formal_device_first,
                              formal_device_end));
    if (formal_good && opcode == ppu_spec_pkg::CmdLoadProgram) begin
      EveryByteOfAProgramIsInTheHostsWindow :
      assert (!formal_outside(copy.host_address, 40'(copy.bytes), formal_host_first,
                              formal_host_end));
      EveryWordThatIsLoadedIsInItsWindow :
      assert (!formal_outside(copy.device_address, 40'(copy.bytes >> 2), formal_first_word,
                              formal_end_word));
    end
    if (formal_runs) begin
      EveryWordOfTheProgramIsInItsWindow :
      assert (!formal_outside(run.entry, 40'(run.program_words), formal_first_word,
                              formal_end_word));
      EveryByteOfRowsAndStateIsInTheDevicesWindow :
      assert (!formal_outside(run.rows_address, rows_bytes, formal_device_first,
                              formal_device_end) &&
              !formal_outside(run.impulses_address, 40'(run.row_count) * 40'd4, formal_device_first,
                              formal_device_end) &&
              !formal_outside(run.velocities_address, 40'(run.body_count) * 40'd32,
                              formal_device_first, formal_device_end));
      EveryByteOfTheReportIsInTheHostsWindow :
      assert (!formal_outside(run.report_address, 40'(ReportBytes), formal_host_first,
                              formal_host_end));
    end
    if (formal_good && opcode == ppu_spec_pkg::CmdFence)
      EveryByteOfAFenceIsInTheHostsWindow :
      assert (!formal_outside(fence.host_address, 40'(ppu_spec_pkg::FenceBytes), formal_host_first,
                              formal_host_end));
    if (formal_good && opcode == ppu_spec_pkg::CmdQuery)
      EveryByteOfAQueryIsInTheHostsWindow :
      assert (!formal_outside(query.host_address, 40'(CounterBytes), formal_host_first,
                              formal_host_end));
    if (formal_good && (opcode == ppu_spec_pkg::CmdQuery || opcode == ppu_spec_pkg::CmdReset ||
                        opcode == ppu_spec_pkg::CmdFlip || opcode == ppu_spec_pkg::CmdScrub))
      OnlyTheOwnerDoesIt : assert (owner_i);
  end
