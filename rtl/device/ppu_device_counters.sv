// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The counters of the device. What happens in a cycle shows in the next one.

`include "ppu_assert.svh"

module ppu_device_counters #(
  /// Engines, 1 or more.
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines
) (
  /// Clock.
  input  logic                           clk_i,
  /// Reset, active low.
  input  logic                           rst_ni,
  /// Every counter is 0 in the next cycle, whatever happens in this one.
  input  logic                           clear_i,
  /// What happens in this cycle.
  input  ppu_device_pkg::device_events_t events_i,
  /// The descriptor that has been carried out, if one has.
  input  ppu_device_pkg::carried_t       carried_i,
  /// Engines without a run and a report.
  input  logic [Engines-1:0]             engine_idle_i,
  /// The counters.
  output ppu_spec_pkg::device_counters_t counters_o
);

  ppu_spec_pkg::device_counters_t counters_d, counters_q;

  logic [31:0] bytes, busy_engines;
  logic        from_host, to_host;

  assign counters_o = counters_q;

  always_comb begin
    busy_engines = '0;
    for (int unsigned i = 0; i < Engines; i++) busy_engines = busy_engines + 32'(!engine_idle_i[i]);
  end

  assign bytes = carried_i.valid ? carried_i.bytes : '0;
  assign from_host = carried_i.from_host;
  assign to_host = carried_i.to_host;

  always_comb begin
    counters_d.device_cycles = counters_q.device_cycles + 64'(events_i.cycle);
    counters_d.commands = counters_q.commands + 64'(events_i.command);
    counters_d.commands_rejected = counters_q.commands_rejected + 64'(events_i.reject);
    counters_d.doorbells = counters_q.doorbells + 64'(events_i.doorbell);
    counters_d.fences = counters_q.fences + 64'(events_i.fence_written);
    counters_d.runs = counters_q.runs + 64'(events_i.run);
    counters_d.descriptors = counters_q.descriptors + 64'(events_i.carried);
    counters_d.bytes_in = counters_q.bytes_in + (from_host ? 64'(bytes) : '0);
    counters_d.bytes_out = counters_q.bytes_out + (to_host ? 64'(bytes) : '0);
    counters_d.bytes_within =
        counters_q.bytes_within + (from_host || to_host ? '0 : 64'(bytes));
    counters_d.dma_busy_cycles = counters_q.dma_busy_cycles + 64'(events_i.dma_busy);
    counters_d.host_read_beats = counters_q.host_read_beats + 64'(events_i.host_read);
    counters_d.host_write_beats = counters_q.host_write_beats + 64'(events_i.host_write);
    counters_d.memory_beats = counters_q.memory_beats + 64'(events_i.memory) +
        64'(events_i.memory_pair);
    counters_d.memory_wait_cycles = counters_q.memory_wait_cycles + 64'(events_i.memory_wait);
    counters_d.memory_words_corrected =
        counters_q.memory_words_corrected + 64'(events_i.memory_corrected);
    counters_d.command_wait_cycles = counters_q.command_wait_cycles + 64'(events_i.command_wait);
    counters_d.engine_busy_cycles = counters_q.engine_busy_cycles + 64'(busy_engines);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) counters_q <= '0;
    else if (clear_i) counters_q <= '0;
    else counters_q <= counters_d;
  end

  `PPU_ASSERT(EverythingHappensInADeviceCycle, events_i == '0 || events_i.cycle)

endmodule
