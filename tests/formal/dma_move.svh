// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // A move touches the bytes of its ranges and no other, each once: any one byte of the destination
  // is followed. Addresses are of the first 256 bytes here; ranges end within them.
  logic [31:0] formal_source_q, formal_destination_q, formal_bytes_q;
  logic [31:0] formal_read_q, formal_written_q;  // beats read, beats written, of this move
  logic [31:0] formal_got_q, formal_acked_q;     // beats that came, acknowledgements
  logic        formal_moving_q;

  always_comb begin
    assume (source_i[31:8] == '0 && destination_i[31:8] == '0 && bytes_i[31:9] == '0);
    assume (source_i[OffsetWidth-1:0] == destination_i[OffsetWidth-1:0]);
    if (set_i) begin
      assume (!formal_moving_q);
      assume (bytes_i != '0);
      assume (source_i + bytes_i <= 32'h100 && destination_i + bytes_i <= 32'h100);
    end
    assume (!data_valid_i || formal_got_q != formal_read_q);
    assume (!ack_i || formal_acked_q != formal_written_q + 32'(write));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      formal_moving_q <= 1'b0;
      formal_read_q <= '0;
      formal_written_q <= '0;
      formal_got_q <= '0;
      formal_acked_q <= '0;
    end else if (set_i) begin
      formal_moving_q <= 1'b1;
      formal_read_q <= '0;
      formal_written_q <= '0;
      formal_got_q <= '0;
      formal_acked_q <= '0;
    end else begin
      if (last_o) formal_moving_q <= 1'b0;
      formal_read_q <= formal_read_q + 32'(read);
      formal_written_q <= formal_written_q + 32'(write);
      formal_got_q <= formal_got_q + 32'(data_valid_i);
      formal_acked_q <= formal_acked_q + 32'(ack_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (set_i) begin
      formal_source_q <= source_i;
      formal_destination_q <= destination_i;
      formal_bytes_q <= bytes_i;
    end
  end

  (* anyconst *) logic [OffsetWidth-1:0] formal_lane;
  logic [31:0] formal_beats, formal_byte, formal_first;

  // Beats of the move; the byte that is written on the lane that is followed.
  assign formal_first = 32'(formal_source_q[OffsetWidth-1:0]);
  assign formal_beats = (formal_first + formal_bytes_q + 32'(Bytes - 1)) >> OffsetWidth;
  assign formal_byte = {write_o.beat, formal_lane};

  `PPU_ASSERT(OnlyBeatsOfTheSourceAreRead,
              !read_valid_o || (formal_moving_q &&
              {read_beat_o, OffsetWidth'(0)} + 32'(Bytes - 1) >= formal_source_q &&
              {read_beat_o, OffsetWidth'(0)} < formal_source_q + formal_bytes_q))
  `PPU_ASSERT(OnlyBytesOfTheDestinationAreWritten,
              !write_valid_o || !write_o.strobe[formal_lane] ||
              (formal_moving_q && formal_byte >= formal_destination_q &&
               formal_byte < formal_destination_q + formal_bytes_q))
  `PPU_ASSERT(EveryByteOfTheBeatIsWritten,
              !write_valid_o || write_o.strobe[formal_lane] ||
              formal_byte < formal_destination_q ||
              formal_byte >= formal_destination_q + formal_bytes_q)
  `PPU_ASSERT(BeatsAreWrittenOneAfterTheOther,
              !formal_moving_q || 32'(write_beat_q) ==
              (formal_destination_q >> OffsetWidth) + formal_written_q)
  `PPU_ASSERT(AMoveEndsWithItsLastByte, !last_o || formal_written_q + 32'(write) == formal_beats)
  // What the induction needs.
  `PPU_ASSERT(WhatIsLeftIsWhatWasNotDone,
              formal_moving_q ? 32'(reads_left_q) + formal_read_q == formal_beats &&
                  32'(writes_left_q) + formal_written_q == formal_beats &&
                  32'(acks_left_q) + formal_acked_q == formal_beats && acks_left_q != '0
              : reads_left_q == '0 && writes_left_q == '0 && acks_left_q == '0 && !write_valid_o &&
                  formal_read_q == formal_got_q && formal_got_q == formal_written_q &&
                  formal_acked_q == formal_written_q)
  `PPU_ASSERT(TheSourceIsReadOneBeatAfterTheOther,
              !formal_moving_q || 32'(read_beat_q) ==
              (formal_source_q >> OffsetWidth) + formal_read_q)
  `PPU_ASSERT(TheBufferHoldsWhatWasReadAndNotWritten,
              32'(buffered_q) == formal_read_q - formal_written_q &&
              32'(unused_count) == formal_got_q - formal_written_q &&
              32'(buffered_q) <= BufferBeats)
  `PPU_ASSERT(NothingComesBeforeItIsAskedFor,
              formal_got_q <= formal_read_q && formal_written_q <= formal_got_q &&
              formal_acked_q <= formal_written_q && formal_read_q <= formal_beats)
  `PPU_ASSERT(TheEndsAreThoseOfTheMove,
              !formal_moving_q ||
              (first_byte_q == formal_source_q[OffsetWidth-1:0] &&
               first_q == (formal_written_q == '0) &&
               last_byte_q == OffsetWidth'(formal_first + formal_bytes_q - 32'd1) &&
               formal_bytes_q != '0 && formal_source_q + formal_bytes_q <= 32'h100 &&
               formal_destination_q + formal_bytes_q <= 32'h100 &&
               formal_source_q <= 32'h100 && formal_destination_q <= 32'h100 &&
               formal_bytes_q <= 32'h100 &&
               formal_source_q[OffsetWidth-1:0] == formal_destination_q[OffsetWidth-1:0]))
