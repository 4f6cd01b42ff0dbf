// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a row means for one behind it that would issue in the same cycle: it writes what the other
// reads, or both need one bank.

module ppu_row_pair #(
  parameter int unsigned Pipes = 2,
  parameter int unsigned VelocityBanks = 8,
  parameter int unsigned SlotWidth = 16,
  parameter int unsigned BodyWidth = 12
) (
  input  logic                 stores_velocity_i,
  input  logic                 stores_impulse_i,
  // The row in front.
  input  logic [SlotWidth-1:0] front_slot_i,
  input  logic                 front_has_a_i,
  input  logic [BodyWidth-1:0] front_a_i,
  input  logic                 front_has_b_i,
  input  logic [BodyWidth-1:0] front_b_i,
  input  logic                 front_reads_parent_i,
  input  logic [SlotWidth-1:0] front_parent_i,
  // The one behind.
  input  logic                 has_a_i,
  input  logic [BodyWidth-1:0] a_i,
  input  logic                 has_b_i,
  input  logic [BodyWidth-1:0] b_i,
  input  logic                 reads_parent_i,
  input  logic [SlotWidth-1:0] parent_i,
  output logic                 body_o,    ///< It reads a velocity that the one in front writes.
  output logic                 parent_o,  ///< It reads the impulse that the one in front writes.
  output logic                 bank_o     ///< Both need one bank of velocities or impulses.
);

  localparam logic [BodyWidth-1:0] BankMask = BodyWidth'(VelocityBanks - 1);

  logic                 aa, ab, ba, bb, same_body, same_bank, same_parent_bank;
  logic [BodyWidth-1:0] aa_difference, ab_difference, ba_difference, bb_difference;

  assign aa = has_a_i && front_has_a_i;
  assign ab = has_a_i && front_has_b_i;
  assign ba = has_b_i && front_has_a_i;
  assign bb = has_b_i && front_has_b_i;
  assign aa_difference = a_i ^ front_a_i;
  assign ab_difference = a_i ^ front_b_i;
  assign ba_difference = b_i ^ front_a_i;
  assign bb_difference = b_i ^ front_b_i;

  assign same_body = (aa && aa_difference == '0) || (ab && ab_difference == '0) ||
                     (ba && ba_difference == '0) || (bb && bb_difference == '0);
  assign same_bank = (aa && (aa_difference & BankMask) == '0) ||
                     (ab && (ab_difference & BankMask) == '0) ||
                     (ba && (ba_difference & BankMask) == '0) ||
                     (bb && (bb_difference & BankMask) == '0);
  assign same_parent_bank = reads_parent_i && front_reads_parent_i &&
                            ((parent_i ^ front_parent_i) & SlotWidth'(Pipes - 1)) == '0;

  assign body_o = stores_velocity_i && same_body;
  assign parent_o = stores_impulse_i && reads_parent_i && parent_i == front_slot_i;
  assign bank_o = same_bank || same_parent_bank;

endmodule
