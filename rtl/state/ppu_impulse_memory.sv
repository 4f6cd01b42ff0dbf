// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Impulses and their leads: slot s in bank s mod Pipes. Each bank takes one write from its pipe,
// and gives its pipe both of the row's own and any pipe a parent's impulse, per cycle. What is read
// in a cycle, the write of that cycle included, is there in the next. A line is what a beat of
// device memory holds: impulses only, which are their own leads when they are loaded.

`include "ppu_assert.svh"

module ppu_impulse_memory #(
  parameter int unsigned Pipes = 1,     ///< 1, 2, 4, 8 or 16.
  parameter int unsigned Rows = 65536,  ///< Impulses; a multiple of 16.
  parameter int unsigned MemoryProtection = 0,
  /// Bits of a slot.
  localparam int unsigned SlotWidth = $clog2(Rows)
) (
  input  logic                       clk_i,               ///< Clock; its rising edge counts.
  input  logic                       rst_ni,              ///< Low: promises are not checked.
  input  ppu_engine_pkg::flip_t      flip_i,              ///< Bits that flip when a word is
                                                          ///< written.
  // Transfers; no row is under way then.
  input  logic                       line_write_i,        ///< A line is written.
  input  logic                       line_read_i,         ///< A line is read.
  input  logic [SlotWidth-1:0]       line_i,              ///< The number of the line, slot / 16.
  input  logic [16*32-1:0]           line_data_i,         ///< The impulses that are written,
                                                          ///< binary32.
  output logic [16*32-1:0]           line_data_o,         ///< The impulses of the line that was
                                                          ///< read a cycle ago.
  output logic [15:0]                line_corrected_o,    ///< Impulses of line_data_o with a
                                                          ///< corrected bit.
  output logic [15:0]                line_bad_o,          ///< Impulses of the line that are lost.
  // Rows, by pipe.
  input  logic [Pipes-1:0]           read_i,              ///< A row reads its impulse and lead.
  input  logic [Pipes*SlotWidth-1:0] read_slot_i,         ///< The slot of the row, one of its pipe.
  output logic [Pipes*32-1:0]        read_data_o,         ///< The impulse that was read a cycle
                                                          ///< ago.
  output logic [Pipes*32-1:0]        read_lead_o,         ///< The lead that was read a cycle ago.
  output logic [Pipes-1:0]           corrected_o,         ///< A bit of impulse and lead was
                                                          ///< corrected.
  output logic [Pipes-1:0]           bad_o,               ///< Impulse and lead are lost.
  input  logic [Pipes-1:0]           read_parent_i,       ///< A row reads its parent's impulse: no
                                                          ///< two of equal slot mod 16.
  input  logic [Pipes*SlotWidth-1:0] read_parent_slot_i,  ///< The slot of the parent.
  output logic [Pipes*32-1:0]        read_parent_data_o,  ///< The parent's impulse that was read a
                                                          ///< cycle ago.
  output logic [Pipes-1:0]           parent_corrected_o,  ///< A bit of the parent's impulse was
                                                          ///< corrected.
  output logic [Pipes-1:0]           parent_bad_o,        ///< The parent's impulse is lost.
  input  logic [Pipes-1:0]           write_i,             ///< A row writes its impulse and lead.
  input  logic [Pipes*SlotWidth-1:0] write_slot_i,        ///< The slot of the row, one of its pipe.
  input  logic [Pipes*32-1:0]        write_data_i,        ///< The impulse that is written.
  input  logic [Pipes*32-1:0]        write_lead_i         ///< The lead that is written.
);

  localparam int unsigned Parts = 16 / Pipes;  // words of a line in a bank
  localparam int unsigned PartBits = $clog2(Parts);
  localparam int unsigned PartWidth = Parts > 1 ? PartBits : 1;
  localparam int unsigned PipeBits = $clog2(Pipes);
  localparam int unsigned Lines = Rows / 16;
  localparam int unsigned LineWidth = Lines > 1 ? $clog2(Lines) : 1;

  // Parents: a word of a line is a bank of its own.
  logic [16*32-1:0]       parent_data;                // by word
  logic [Pipes*4-1:0]     parent_word;                // by pipe
  logic [15:0]            parent_clash, parent_write;
  logic [16*32-1:0]       parent_write_data;
  logic [16*LineWidth-1:0] parent_write_line;
  logic [15:0]            parent_corrected, parent_bad;  // by word
  logic                   flips_own, flips_parent;

  assign flips_own = flip_i.memory == ppu_spec_pkg::FaultImpulseMemory;
  assign flips_parent = flip_i.memory == ppu_spec_pkg::FaultParentMemory;

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [3:0] word_q;

    assign parent_word[4*p +: 4] = read_parent_slot_i[p*SlotWidth +: 4];
    assign read_parent_data_o[32*p +: 32] = parent_data[32*word_q +: 32];
    assign parent_corrected_o[p] = parent_corrected[word_q];
    assign parent_bad_o[p] = parent_bad[word_q];
    always_ff @(posedge clk_i) begin
      word_q <= parent_word[4*p +: 4];
    end
  end

  for (genvar w = 0; w < 16; w++) begin : gen_parent
    logic                 read;
    logic [SlotWidth-1:0] slot;

    always_comb begin
      read = 1'b0;
      parent_clash[w] = 1'b0;
      slot = '0;
      for (int i = 0; i < Pipes; i++) begin
        if (read_parent_i[i] && parent_word[4*i +: 4] == 4'(w)) begin
          parent_clash[w] = read;
          read = 1'b1;
          slot = read_parent_slot_i[i*SlotWidth +: SlotWidth];
        end
      end
    end

    ppu_safe_ram #(
      .PartWidth(32), .Words(Lines), .Bypass(1'b1), .Protection(MemoryProtection != 0)
    ) u_parent (
      .clk_i, .rst_ni, .write_i(parent_write[w]),
      .write_address_i(parent_write_line[w*LineWidth +: LineWidth]),
      .write_data_i(parent_write_data[32*w +: 32]),
      .flip_i(flips_parent &&
              flip_i.word == (32'(parent_write_line[w*LineWidth +: LineWidth]) << 4 | w)),
      .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number), .flip_two_i(flip_i.two),
      .read_i(read), .read_address_i(LineWidth'(slot >> 4)),
      .read_data_o(parent_data[32*w +: 32]), .corrected_o(parent_corrected[w]),
      .bad_o(parent_bad[w]));
  end

  for (genvar p = 0; p < Pipes; p++) begin : gen_bank
    // Transfers and the write of the pipe.
    logic [Parts*32-1:0]  line_in, write_data;
    logic [Parts*64-1:0]  line_out, write_both;  // lead, impulse
    logic [SlotWidth-1:0] write_slot, read_slot;
    logic [Parts-1:0]     write;
    logic [LineWidth-1:0] write_line;
    logic [Parts-1:0]     flip, corrected, bad;

    for (genvar i = 0; i < Parts; i++) begin : gen_part
      assign flip[i] = flips_own && flip_i.word == (32'(write_line) << 4 | (i * Pipes + p));
      assign line_corrected_o[i*Pipes+p] = corrected[i];
      assign line_bad_o[i*Pipes+p] = bad[i];
      assign line_in[32*i +: 32] = line_data_i[32*(i*Pipes+p) +: 32];
      assign line_data_o[32*(i*Pipes+p) +: 32] = line_out[64*i +: 32];
      assign write_both[64*i +: 64] =
        {line_write_i ? line_in[32*i +: 32] : write_lead_i[32*p +: 32], write_data[32*i +: 32]};
    end

    assign write_slot = write_slot_i[p*SlotWidth +: SlotWidth];
    assign write_data = line_write_i ? line_in : {Parts{write_data_i[32*p +: 32]}};
    assign write_line = LineWidth'(line_write_i ? line_i : write_slot >> 4);
    always_comb begin
      write = {Parts{line_write_i}};
      if (write_i[p]) write[PartWidth'((write_slot >> PipeBits) & SlotWidth'(Parts - 1))] = 1'b1;
    end

    // The row's own impulse and lead.
    logic [PartWidth-1:0] part_q;

    assign corrected_o[p] = corrected[part_q];
    assign bad_o[p] = bad[part_q];
    assign read_slot = read_slot_i[p*SlotWidth +: SlotWidth];
    assign {read_lead_o[32*p +: 32], read_data_o[32*p +: 32]} = line_out[64*part_q +: 64];
    always_ff @(posedge clk_i) begin
      part_q <= PartWidth'((read_slot >> PipeBits) & SlotWidth'(Parts - 1));
    end

    ppu_safe_ram #(
      .PartWidth(64), .Parts(Parts), .Words(Lines), .Bypass(1'b1),
      .Protection(MemoryProtection != 0)
    ) u_own (
      .clk_i, .rst_ni, .write_i(write), .write_address_i(write_line), .write_data_i(write_both),
      .flip_i(flip), .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number),
      .flip_two_i(flip_i.two), .read_i(read_i[p] || line_read_i),
      .read_address_i(LineWidth'(line_read_i ? line_i : read_slot >> 4)),
      .read_data_o(line_out), .corrected_o(corrected), .bad_o(bad));

    // The same for those who read it as a parent's.
    for (genvar i = 0; i < Parts; i++) begin : gen_parent_part
      assign parent_write[i*Pipes+p] = write[i];
      assign parent_write_line[(i*Pipes+p)*LineWidth +: LineWidth] = write_line;
      assign parent_write_data[32*(i*Pipes+p) +: 32] = write_data[32*i +: 32];
    end
  end

  `PPU_ASSERT(ABankReadsOneParentInACycle, parent_clash == '0)
  `PPU_ASSERT(LinesMoveWhenNoRowDoes, !(line_write_i || line_read_i) || (read_i | write_i) == '0)

endmodule
