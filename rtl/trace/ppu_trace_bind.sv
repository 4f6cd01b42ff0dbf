// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Puts the traces into the engine and into the device, in simulation only.

bind ppu_engine ppu_engine_trace #(.Pipes(Pipes)) u_trace (
  .phase_i(phase), .begin_i(execution.pass), .pass_i(pass), .cut_i(cut),
  .rdlate_i(u_sequencer.execute && u_sequencer.opcode == ppu_spec_pkg::OpRdlate),
  .passes_cut_i(counters.passes_cut[31:0]), .issue_i(u_rows.issue), .rows_i(u_rows.rows),
  .leave_valid_i(u_rows.leave_valid), .leave_i(u_rows.leave));

bind ppu_top ppu_top_trace #(.Engines(Engines), .Pipes(Pipes)) u_trace (
  .command_begin_i(begins.command), .command_reject_i(reject), .command_number_i(number),
  .command_opcode_i(command.copy.opcode), .command_reason_i(u_commands.entry.reason),
  .fence_i(fence_written), .fence_value_i(u_writer.record_q.value),
  .report_i(engine_release), .dma_phase_i(u_dma.phase_q), .requester_i(u_arbiter.granted));
