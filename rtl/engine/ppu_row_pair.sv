// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What a row means for one behind it that would issue in the same cycle: it writes what the other
// reads, or both need one bank.

module ppu_row_pair #(
  parameter int unsigned Pipes = 2,         ///< Banks of impulses.
  parameter int unsigned VelocityBanks = 4  ///< Banks of velocities.
) (
  input  logic                       stores_velocity_i,  ///< Rows of the pass write velocities.
  input  logic                       stores_impulse_i,   ///< Rows of the pass write impulses.
  input  ppu_engine_pkg::issue_row_t front_i,            ///< The row in front.
  input  ppu_engine_pkg::issue_row_t behind_i,           ///< The row behind.
  output logic                       body_o,    ///< The front one writes a velocity it reads.
  output logic                       parent_o,  ///< The front one writes the impulse it reads.
  output logic                       bank_o     ///< Both need one bank of velocities or impulses.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam logic [BodyWidth-1:0] BankMask = BodyWidth'(VelocityBanks - 1);

  logic                 aa, ab, ba, bb, same_body, same_bank, same_parent_bank, unused_fields;
  logic [BodyWidth-1:0] aa_difference, ab_difference, ba_difference, bb_difference;

  assign unused_fields = ^{front_i, behind_i};
  assign aa = behind_i.has_a && front_i.has_a;
  assign ab = behind_i.has_a && front_i.has_b;
  assign ba = behind_i.has_b && front_i.has_a;
  assign bb = behind_i.has_b && front_i.has_b;
  assign aa_difference = behind_i.body_a ^ front_i.body_a;
  assign ab_difference = behind_i.body_a ^ front_i.body_b;
  assign ba_difference = behind_i.body_b ^ front_i.body_a;
  assign bb_difference = behind_i.body_b ^ front_i.body_b;

  assign same_body = (aa && aa_difference == '0) || (ab && ab_difference == '0) ||
                     (ba && ba_difference == '0) || (bb && bb_difference == '0);
  assign same_bank = (aa && (aa_difference & BankMask) == '0) ||
                     (ab && (ab_difference & BankMask) == '0) ||
                     (ba && (ba_difference & BankMask) == '0) ||
                     (bb && (bb_difference & BankMask) == '0);
  assign same_parent_bank = behind_i.reads_parent && front_i.reads_parent &&
                            ((behind_i.parent ^ front_i.parent) & SlotWidth'(Pipes - 1)) == '0;

  assign body_o = stores_velocity_i && same_body;
  assign parent_o =
    stores_impulse_i && behind_i.reads_parent && behind_i.parent == front_i.slot;
  assign bank_o = same_bank || same_parent_bank;

endmodule
