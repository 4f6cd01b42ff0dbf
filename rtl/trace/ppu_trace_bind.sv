// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Puts the traces into the engine and into the device, in simulation only.

bind ppu_engine ppu_engine_trace #(.Pipes(Pipes)) u_trace (
  .phase_i(phase), .issue_i(u_rows.issue), .rows_i(u_rows.rows),
  .leave_valid_i(u_rows.leave_valid), .leave_i(u_rows.leave));

bind ppu_top ppu_top_trace #(.Engines(Engines), .Pipes(Pipes)) u_trace (
  .command_begin_i(command_begin), .command_reject_i(reject), .command_number_i(head),
  .command_opcode_i(command[ppu_spec_pkg::CmdOpcodeLsb +: ppu_spec_pkg::CmdOpcodeWidth]),
  .command_reason_i(reject_reason), .fence_i(fence_written), .fence_value_i(fence_value),
  .report_i(engine_release), .dma_phase_i(dma_phase), .requester_i(requester));
