// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Checks one descriptor of a copy, in a command or in a list.

module ppu_copy_check (
  input  logic        within_i,          ///< copy_within: both addresses are in device memory.
  input  logic [31:0] host_address_i,
  input  logic [31:0] device_address_i,
  input  logic [31:0] bytes_i,
  input  logic [11:0] device_memory_mib_i,
  input  logic [11:0] host_memory_mib_i,
  output logic        misaligned_o,      ///< Not at the same place of a beat.
  output logic        empty_o,           ///< No byte.
  output logic        device_range_o,    ///< Not in device memory.
  output logic        host_range_o       ///< Not in host memory.
);

  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);

  logic host_in_device;

  assign host_in_device =
      ppu_device_pkg::in_range(host_address_i, 40'(bytes_i), device_memory_mib_i);
  assign misaligned_o = host_address_i[OffsetWidth-1:0] != device_address_i[OffsetWidth-1:0];
  assign empty_o = bytes_i == '0;
  assign device_range_o =
      !ppu_device_pkg::in_range(device_address_i, 40'(bytes_i), device_memory_mib_i) ||
      (within_i && !host_in_device);
  assign host_range_o =
      !within_i && !ppu_device_pkg::in_range(host_address_i, 40'(bytes_i), host_memory_mib_i);

endmodule
