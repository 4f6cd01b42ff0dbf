// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Moves the bytes of one descriptor, beat by beat; at most BufferBeats beats are read and not yet
// written. Source and destination have the same place in a beat, so beats move as they are.

`include "ppu_assert.svh"

module ppu_dma_move #(
  /// Beats that are read and not yet written, a power of two.
  parameter int unsigned BufferBeats = ppu_spec_pkg::DefaultDmaBufferBeats
) (
  /// Clock.
  input  logic                       clk_i,
  /// Reset, active low.
  input  logic                       rst_ni,

  // Moves.
  /// A move begins in the next cycle; only when there is none.
  input  logic                       set_i,
  /// The first byte to read.
  input  logic [31:0]                source_i,
  /// Where the first byte goes.
  input  logic [31:0]                destination_i,
  /// Bytes to move, 1 or more.
  input  logic [31:0]                bytes_i,
  /// The move ends in this cycle.
  output logic                       last_o,

  // Reads.
  /// A beat is to be read.
  output logic                       read_valid_o,
  /// The read is accepted in this cycle.
  input  logic                       read_ready_i,
  /// The beat; stays until it is accepted.
  output ppu_spec_pkg::beat_number_t read_beat_o,
  /// The oldest read gets its data.
  input  logic                       data_valid_i,
  /// What was read.
  input  ppu_spec_pkg::beat_t        data_i,

  // Writes.
  /// A beat is to be written.
  output logic                       write_valid_o,
  /// The write is accepted in this cycle.
  input  logic                       write_ready_i,
  /// The write; stays until it is accepted.
  output ppu_spec_pkg::link_write_t  write_o,
  /// The oldest write is acknowledged.
  input  logic                       ack_i
);

  localparam int unsigned Bytes = ppu_spec_pkg::BeatBytes;
  localparam int unsigned BeatNumberWidth = ppu_spec_pkg::BeatNumberWidth;
  localparam int unsigned BufferedWidth = $clog2(BufferBeats + 1);
  localparam int unsigned OffsetWidth = $clog2(ppu_spec_pkg::BeatBytes);
  localparam int unsigned LeftWidth = BeatNumberWidth + 1;

  ppu_spec_pkg::beat_number_t read_beat_q, write_beat_q;
  ppu_spec_pkg::beat_strobe_t strobe;
  logic [LeftWidth-1:0]       reads_left_q, writes_left_q, acks_left_q, beats;
  logic [OffsetWidth-1:0]     first_byte_q, last_byte_q;
  logic [BufferedWidth-1:0]   buffered_q, unused_count;
  logic [31:0]                last_byte;
  logic                       first_q, read, write, unused_full;

  // ---------------------------------------------------------------------------------------------
  // Reads and writes.
  // ---------------------------------------------------------------------------------------------
  assign read_valid_o = reads_left_q != '0 && buffered_q != BufferedWidth'(BufferBeats);
  assign read_beat_o = read_beat_q;
  assign write_o.beat = write_beat_q;
  assign write_o.strobe = strobe;
  assign read = read_valid_o && read_ready_i;
  assign write = write_valid_o && write_ready_i;
  assign last_o = ack_i && acks_left_q == LeftWidth'(1);

  ppu_fifo #(.Width(ppu_spec_pkg::BeatWidth), .Depth(BufferBeats), .Ram(1'b1)) u_data (
    .clk_i, .rst_ni, .push_i(data_valid_i), .data_i, .pop_i(write), .data_o(write_o.data),
    .valid_o(write_valid_o), .full_o(unused_full), .count_o(unused_count));

  always_comb begin
    strobe = '1;
    if (first_q) strobe = strobe << first_byte_q;
    if (writes_left_q == LeftWidth'(1)) strobe = strobe & ({Bytes{1'b1}} >> ~last_byte_q);
  end

  // ---------------------------------------------------------------------------------------------
  // What is left to do.
  // ---------------------------------------------------------------------------------------------
  assign last_byte = 32'(source_i[OffsetWidth-1:0]) + bytes_i - 32'd1;
  assign beats = LeftWidth'(last_byte[31:OffsetWidth]) + LeftWidth'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reads_left_q <= '0;
      writes_left_q <= '0;
      acks_left_q <= '0;
      buffered_q <= '0;
    end else if (set_i) begin
      reads_left_q <= beats;
      writes_left_q <= beats;
      acks_left_q <= beats;
    end else begin
      if (read) reads_left_q <= reads_left_q - LeftWidth'(1);
      if (write) writes_left_q <= writes_left_q - LeftWidth'(1);
      if (ack_i) acks_left_q <= acks_left_q - LeftWidth'(1);
      if (read != write)
        buffered_q <= read ? buffered_q + BufferedWidth'(1) : buffered_q - BufferedWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_i) begin
      read_beat_q <= source_i[31:OffsetWidth];
      write_beat_q <= destination_i[31:OffsetWidth];
      first_byte_q <= source_i[OffsetWidth-1:0];
      last_byte_q <= last_byte[OffsetWidth-1:0];
      first_q <= 1'b1;
    end else begin
      if (read) read_beat_q <= read_beat_q + BeatNumberWidth'(1);
      if (write) begin
        write_beat_q <= write_beat_q + BeatNumberWidth'(1);
        first_q <= 1'b0;
      end
    end
  end

  logic unused_destination;
  assign unused_destination = ^destination_i[OffsetWidth-1:0];

  `PPU_ASSERT(NothingIsLeftWhenAMoveBegins, !set_i || (acks_left_q == '0 && buffered_q == '0))
  `PPU_ASSERT(AcknowledgementsAreForWrites, !ack_i || acks_left_q != '0)

endmodule
