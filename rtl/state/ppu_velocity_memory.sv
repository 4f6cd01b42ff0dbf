// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Velocities: body i in bank i mod Banks. Each bank takes one write and one read per cycle; whoever
// uses the ports sees to it that no two of them want one bank. What is read in a cycle, the write
// of that cycle included, is there in the next, until the port reads again.

`include "ppu_assert.svh"

module ppu_velocity_memory #(
  parameter int unsigned Banks = 4,       ///< 2, 4, 8, 16, 32 or 64.
  parameter int unsigned Bodies = 4096,   ///< A multiple of 64.
  parameter int unsigned ReadPorts = 2,
  parameter int unsigned WritePorts = 3,
  parameter int unsigned MemoryProtection = 0,
  /// Bits of a body's number.
  localparam int unsigned BodyWidth = $clog2(Bodies)
) (
  input  logic                            clk_i,         ///< Clock; its rising edge counts.
  input  logic                            rst_ni,        ///< Low: promises are not checked.
  input  ppu_engine_pkg::flip_t           flip_i,        ///< Bits that flip when a velocity is
                                                         ///< written.
  input  logic [ReadPorts-1:0]            read_i,        ///< A velocity is read.
  input  logic [ReadPorts*BodyWidth-1:0]  read_body_i,   ///< The body whose velocity is read.
  output logic [ReadPorts*6*32-1:0]       read_data_o,   ///< The velocity that was read last, from
                                                         ///< the next cycle on; binary32.
  output logic [ReadPorts-1:0]            corrected_o,   ///< A bit of the velocity was corrected.
  output logic [ReadPorts-1:0]            bad_o,         ///< The velocity that was read is lost.
  input  logic [WritePorts-1:0]           write_i,       ///< A velocity is written.
  input  logic [WritePorts*BodyWidth-1:0] write_body_i,  ///< The body whose velocity is written.
  input  logic [WritePorts*6*32-1:0]      write_data_i   ///< The velocity that is written,
                                                         ///< binary32.
);

  localparam int unsigned Width = 6 * 32;
  localparam int unsigned BankBits = $clog2(Banks);
  localparam int unsigned Words = Bodies / Banks;
  localparam int unsigned AddressWidth = Words > 1 ? $clog2(Words) : 1;

  logic [Banks*Width-1:0] bank_data;
  logic [Banks-1:0]       read_clash, write_clash, bank_corrected, bank_bad;
  logic                   flips;

  assign flips = flip_i.memory == ppu_spec_pkg::FaultVelocityMemory;

  for (genvar k = 0; k < Banks; k++) begin : gen_bank
    logic                    read, write;
    logic [AddressWidth-1:0] read_address, write_address;
    logic [Width-1:0]        write_data;

    always_comb begin
      read = 1'b0;
      read_address = '0;
      read_clash[k] = 1'b0;
      for (int i = 0; i < ReadPorts; i++) begin
        if (read_i[i] && read_body_i[i*BodyWidth +: BankBits] == BankBits'(k)) begin
          read_clash[k] = read;
          read = 1'b1;
          read_address = AddressWidth'(read_body_i[i*BodyWidth +: BodyWidth] >> BankBits);
        end
      end
    end

    always_comb begin
      write = 1'b0;
      write_address = '0;
      write_data = '0;
      write_clash[k] = 1'b0;
      for (int i = 0; i < WritePorts; i++) begin
        if (write_i[i] && write_body_i[i*BodyWidth +: BankBits] == BankBits'(k)) begin
          write_clash[k] = write;
          write = 1'b1;
          write_address = AddressWidth'(write_body_i[i*BodyWidth +: BodyWidth] >> BankBits);
          write_data = write_data_i[i*Width +: Width];
        end
      end
    end

    ppu_safe_ram #(
      .PartWidth(Width), .Words(Words), .Bypass(1'b1), .Protection(MemoryProtection != 0),
      .GroupWidth(64)
    ) u_ram (
      .clk_i, .rst_ni, .write_i(write), .write_address_i(write_address), .write_data_i(write_data),
      .flip_i(flips && flip_i.word == (32'(write_address) << BankBits | k)),
      .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number), .flip_two_i(flip_i.two),
      .read_i(read), .read_address_i(read_address), .read_data_o(bank_data[k*Width +: Width]),
      .corrected_o(bank_corrected[k]), .bad_o(bank_bad[k]));
  end

  for (genvar i = 0; i < ReadPorts; i++) begin : gen_port
    logic [BankBits-1:0] bank_q;

    assign read_data_o[i*Width +: Width] = bank_data[Width*bank_q +: Width];
    assign corrected_o[i] = bank_corrected[bank_q];
    assign bad_o[i] = bank_bad[bank_q];
    always_ff @(posedge clk_i) begin
      if (read_i[i]) bank_q <= read_body_i[i*BodyWidth +: BankBits];
    end
  end

  `PPU_ASSERT(ABankReadsOnceInACycle, read_clash == '0)
  `PPU_ASSERT(ABankWritesOnceInACycle, write_clash == '0)

endmodule
