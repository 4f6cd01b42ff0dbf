// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The counters of the device. What happens in a cycle shows in the next one.

module ppu_device_counters #(
  parameter int unsigned Engines = ppu_spec_pkg::DefaultEngines,
  localparam int unsigned Count = ppu_spec_pkg::DeviceCounterCount
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                clear_i,

  // What happens in this cycle.
  input  logic                command_i,           ///< A command is taken from the ring ...
  input  logic                reject_i,            ///< ... as it is malformed.
  input  logic                doorbell_i,
  input  logic                fence_written_i,
  input  logic                run_i,
  input  logic                carried_i,           ///< A descriptor has been carried out.
  input  logic                carried_in_i,
  input  logic                carried_out_i,
  input  logic [31:0]         carried_bytes_i,
  input  logic                dma_idle_i,
  input  logic                host_read_i,         ///< A beat is accepted.
  input  logic                host_write_i,
  input  logic                memory_i,
  input  logic                memory_wait_i,
  input  logic                command_wait_i,
  input  logic [Engines-1:0]  engine_idle_i,

  output logic [64*Count-1:0] counters_o
);

  logic [31:0] busy_engines;
  always_comb begin
    busy_engines = '0;
    for (int unsigned i = 0; i < Engines; i++) busy_engines = busy_engines + 32'(!engine_idle_i[i]);
  end

  logic [31:0] bytes;
  assign bytes = carried_i ? carried_bytes_i : '0;

  logic [32*Count-1:0] add;
  assign add[32*ppu_spec_pkg::DeviceCounterDeviceCycles +: 32] = 32'd1;
  assign add[32*ppu_spec_pkg::DeviceCounterCommands +: 32] = 32'(command_i);
  assign add[32*ppu_spec_pkg::DeviceCounterCommandsRejected +: 32] = 32'(reject_i);
  assign add[32*ppu_spec_pkg::DeviceCounterDoorbells +: 32] = 32'(doorbell_i);
  assign add[32*ppu_spec_pkg::DeviceCounterFences +: 32] = 32'(fence_written_i);
  assign add[32*ppu_spec_pkg::DeviceCounterRuns +: 32] = 32'(run_i);
  assign add[32*ppu_spec_pkg::DeviceCounterDescriptors +: 32] = 32'(carried_i);
  assign add[32*ppu_spec_pkg::DeviceCounterBytesIn +: 32] = carried_in_i ? bytes : '0;
  assign add[32*ppu_spec_pkg::DeviceCounterBytesOut +: 32] = carried_out_i ? bytes : '0;
  assign add[32*ppu_spec_pkg::DeviceCounterBytesWithin +: 32] =
      carried_in_i || carried_out_i ? '0 : bytes;
  assign add[32*ppu_spec_pkg::DeviceCounterDmaBusyCycles +: 32] = 32'(!dma_idle_i);
  assign add[32*ppu_spec_pkg::DeviceCounterHostReadBeats +: 32] = 32'(host_read_i);
  assign add[32*ppu_spec_pkg::DeviceCounterHostWriteBeats +: 32] = 32'(host_write_i);
  assign add[32*ppu_spec_pkg::DeviceCounterMemoryBeats +: 32] = 32'(memory_i);
  assign add[32*ppu_spec_pkg::DeviceCounterMemoryWaitCycles +: 32] = 32'(memory_wait_i);
  assign add[32*ppu_spec_pkg::DeviceCounterCommandWaitCycles +: 32] = 32'(command_wait_i);
  assign add[32*ppu_spec_pkg::DeviceCounterEngineBusyCycles +: 32] = busy_engines;

  for (genvar i = 0; i < Count; i++) begin : gen_counter
    logic [63:0] counter_q;

    assign counters_o[64*i +: 64] = counter_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) counter_q <= '0;
      else if (clear_i) counter_q <= '0;
      else counter_q <= counter_q + 64'(add[32*i +: 32]);
    end
  end

endmodule
