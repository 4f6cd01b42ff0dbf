// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // What the induction needs beside fifo.svh, of a queue whose words are registers: where the word
  // lies.
  logic [7:0] formal_from_head, formal_place, formal_behind, formal_end;

  assign formal_from_head = 8'(gen_memory.head_q) + formal_ahead;
  assign formal_place = formal_from_head - (formal_from_head < 8'(Depth) ? 8'd0 : 8'(Depth));
  assign formal_behind = 8'(gen_memory.head_q) + 8'(count_q);
  assign formal_end = formal_behind - (formal_behind < 8'(Depth) ? 8'd0 : 8'(Depth));

  `PPU_ASSERT(BothEndsArePlaces,
              32'(gen_memory.head_q) < Depth && 32'(gen_memory.tail_q) < Depth)
  `PPU_ASSERT(TheEndsAreAsFarApartAsThereAreWords, 8'(gen_memory.tail_q) == formal_end)
  `PPU_ASSERT(TheWordLiesInItsPlace,
              formal_ahead >= 8'(count_q) ||
              gen_memory.gen_words.data_q[formal_place[$clog2(Depth)-1:0]] == formal_word_q)
