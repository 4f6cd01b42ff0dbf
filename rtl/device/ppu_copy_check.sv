// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checks one descriptor of a copy, in a command or in a list.

module ppu_copy_check (
  /// Both addresses are in device memory, as in copy_within.
  input  logic                           within_i,
  /// The descriptor.
  input  ppu_spec_pkg::copy_descriptor_t descriptor_i,
  /// Where the command may reach in device memory.
  input  ppu_spec_pkg::window_t        device_i,
  /// Where the command may reach in host memory.
  input  ppu_spec_pkg::window_t        host_i,
  /// What is wrong with it.
  output ppu_device_pkg::copy_faults_t   faults_o
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);

  logic [39:0] bytes;
  logic        host_in_device, host_in_host, device_in_device, unused_reserved;

  assign bytes = 40'(descriptor_i.bytes);
  assign host_in_device =
      ppu_spec_pkg::in_window(descriptor_i.host_address, bytes, device_i);
  assign host_in_host =
      ppu_spec_pkg::in_window(descriptor_i.host_address, bytes, host_i);
  assign device_in_device =
      ppu_spec_pkg::in_window(descriptor_i.device_address, bytes, device_i);

  assign faults_o.misaligned = descriptor_i.host_address[OffsetWidth-1:0] !=
                               descriptor_i.device_address[OffsetWidth-1:0];
  assign faults_o.empty = descriptor_i.bytes == '0;
  assign faults_o.device_range = !device_in_device || (within_i && !host_in_device);
  assign faults_o.host_range = !within_i && !host_in_host;

  // A list must leave the fourth word 0, a command has none.
  assign unused_reserved = ^descriptor_i;

endmodule
