// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // A descriptor without a fault lies in its memories, byte by byte: any one of its bytes does.
  (* anyconst *) logic [31:0] formal_byte;
  logic [40:0] formal_host, formal_device, formal_host_size, formal_device_size;

  assign formal_host = 41'(descriptor_i.host_address) + 41'(formal_byte);
  assign formal_device = 41'(descriptor_i.device_address) + 41'(formal_byte);
  assign formal_host_size = 41'(sizes_i.host_mib) << 20;
  assign formal_device_size = 41'(sizes_i.device_mib) << 20;

  always_comb begin
    if (faults_o == '0 && formal_byte < descriptor_i.bytes) begin
      EveryByteOfDeviceMemoryIsThere : assert (formal_device < formal_device_size);
      EveryOtherByteIsThere :
      assert (formal_host < (within_i ? formal_device_size : formal_host_size));
    end
    if (faults_o == '0) begin
      SomethingMoves : assert (descriptor_i.bytes != '0);
      BothEndsLieAlike :
      assert (descriptor_i.host_address[5:0] == descriptor_i.device_address[5:0]);
    end
    // And no fault is made up.
    if (descriptor_i.bytes != '0 && faults_o.device_range && !within_i)
      ADeviceFaultHasAByteOutside :
      assert (41'(descriptor_i.device_address) + 41'(descriptor_i.bytes) > formal_device_size);
  end
