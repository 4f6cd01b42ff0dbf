// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // A descriptor without a fault lies in the windows of its context, byte by byte: any one of its
  // bytes does.
  (* anyconst *) logic [31:0] formal_byte;
  logic [40:0] formal_host, formal_device, formal_host_end, formal_device_end;
  logic [40:0] formal_host_first, formal_device_first;

  assign formal_host = 41'(descriptor_i.host_address) + 41'(formal_byte);
  assign formal_device = 41'(descriptor_i.device_address) + 41'(formal_byte);
  assign formal_host_first = 41'(host_i.first) << 6;
  assign formal_host_end = 41'(host_i.behind) << 6;
  assign formal_device_first = 41'(device_i.first) << 6;
  assign formal_device_end = 41'(device_i.behind) << 6;

  always_comb begin
    if (faults_o == '0 && formal_byte < descriptor_i.bytes) begin
      EveryByteOfDeviceMemoryIsInItsWindow :
      assert (formal_device >= formal_device_first && formal_device < formal_device_end);
      EveryOtherByteIsInItsWindow :
      assert (formal_host >= (within_i ? formal_device_first : formal_host_first) &&
              formal_host < (within_i ? formal_device_end : formal_host_end));
    end
    if (faults_o == '0) begin
      SomethingMoves : assert (descriptor_i.bytes != '0);
      BothEndsLieAlike :
      assert (descriptor_i.host_address[5:0] == descriptor_i.device_address[5:0]);
    end
    // And no fault is made up.
    if (descriptor_i.bytes != '0 && faults_o.device_range && !within_i)
      ADeviceFaultHasAByteOutside :
      assert (41'(descriptor_i.device_address) + 41'(descriptor_i.bytes) > formal_device_end ||
              41'(descriptor_i.device_address) < formal_device_first);
  end
