// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Bodies and parent of the rows of a station, with their slots: written when rows arrive or are
// linked, read for the linker, and for rows that leave a queue.

module ppu_row_bodies #(
  parameter int unsigned VelocityBanks = 4,  ///< Banks of velocities, which say one_bank.
  parameter int unsigned Places = 32768,     ///< Rows of this pipe.
  parameter int unsigned SlotBits = 16,      ///< Bits of a slot of this engine.
  parameter int unsigned BodyBits = 12,      ///< Bits of a body's number of this engine.
  parameter int unsigned MemoryProtection = 0,  ///< Words have check bits.
  /// Bits of a place, of a slot.
  localparam int unsigned PlaceWidth = Places > 1 ? $clog2(Places) : 1,
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth
) (
  input  logic                     clk_i,   ///< Clock; its rising edge counts.
  input  logic                     rst_ni,  ///< Low: promises are not checked.
  input  ppu_engine_pkg::flip_t    flip_i,  ///< Bits that flip when a word is written; a row is
                                            ///< named by its slot.

  input  logic                     write_i,        ///< A row is written.
  input  logic [PlaceWidth-1:0]    write_place_i,  ///< The place of the row that is written.
  input  logic [SlotWidth-1:0]     write_slot_i,   ///< The slot of the row that is written.
  input  logic                     corrected_i,    ///< A bit of the word that held the row was
                                                   ///< corrected.
  input  ppu_engine_pkg::row_ids_t ids_i,          ///< Bodies and parent of the row that is
                                                   ///< written; with a fault it has none.
  input  logic                     read_i,         ///< A row is read.
  input  logic [PlaceWidth-1:0]    read_place_i,   ///< The place of the row that is read.

  output ppu_engine_pkg::row_ids_t ids_o,          ///< What was read in the cycle before; a fault:
                                                   ///< the word is lost.
  output ppu_engine_pkg::waiting_t known_o,        ///< What was read two cycles before; pass, turn,
                                                   ///< place and after_same_bank are 0: the station
                                                   ///< knows them.
  output logic                     lost_o          ///< The word that was read two cycles before is
                                                   ///< lost.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam logic [BodyWidth-1:0] BankMask = BodyWidth'(VelocityBanks - 1);

  // As many bits as this engine needs.
  typedef struct packed {
    logic                corrected;
    logic [SlotBits-1:0] slot;
    logic                has_parent;
    logic [SlotBits-1:0] parent;
    logic                has_b;
    logic [BodyBits-1:0] body_b;
    logic                has_a;
    logic [BodyBits-1:0] body_a;
  } kept_t;

  localparam int unsigned KeptWidth = 4 + 2 * SlotBits + 2 * BodyBits;

  logic  good, flips, corrected, bad, corrected_q, bad_q, unused_ids;
  kept_t written, kept, kept_q;

  assign unused_ids = ^ids_i;
  // A run with a bad row never issues one.
  assign good = ids_i.fault == '0;

  always_comb begin
    written.corrected = corrected_i;
    written.slot = SlotBits'(write_slot_i);
    written.has_parent = good && ids_i.has_parent;
    written.parent = SlotBits'(ids_i.parent);
    written.has_b = good && ids_i.has_b;
    written.body_b = BodyBits'(ids_i.body_b);
    written.has_a = good && ids_i.has_a;
    written.body_a = BodyBits'(ids_i.body_a);
  end

  assign flips =
    flip_i.memory == ppu_spec_pkg::FaultRowBodies && flip_i.word == 32'(write_slot_i);

  ppu_safe_ram #(
    .PartWidth(KeptWidth), .Words(Places), .Protection(MemoryProtection != 0)
  ) u_words (
    .clk_i, .rst_ni, .write_i, .write_address_i(write_place_i), .write_data_i(written),
    .flip_i(flips), .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number),
    .flip_two_i(flip_i.two), .read_i, .read_address_i(read_place_i), .read_data_o(kept),
    .corrected_o(corrected), .bad_o(bad));

  always_ff @(posedge clk_i) begin
    kept_q <= kept;
    corrected_q <= corrected;
    bad_q <= bad;
  end

  assign lost_o = bad_q;

  always_comb begin
    ids_o.fault = bad ? 5'(ppu_spec_pkg::FaultRowBodies) : '0;
    ids_o.has_parent = kept.has_parent;
    ids_o.parent = SlotWidth'(kept.parent);
    ids_o.has_b = kept.has_b;
    ids_o.body_b = BodyWidth'(kept.body_b);
    ids_o.has_a = kept.has_a;
    ids_o.body_a = BodyWidth'(kept.body_a);
  end

  always_comb begin
    known_o = '0;
    known_o.corrected = corrected_q || kept_q.corrected;
    known_o.one_bank = kept_q.has_a && kept_q.has_b &&
                       ((BodyWidth'(kept_q.body_a) ^ BodyWidth'(kept_q.body_b)) & BankMask) == '0;
    known_o.has_parent = kept_q.has_parent;
    known_o.parent = SlotWidth'(kept_q.parent);
    known_o.slot = SlotWidth'(kept_q.slot);
    known_o.has_b = kept_q.has_b;
    known_o.body_b = BodyWidth'(kept_q.body_b);
    known_o.has_a = kept_q.has_a;
    known_o.body_a = BodyWidth'(kept_q.body_a);
  end

endmodule
