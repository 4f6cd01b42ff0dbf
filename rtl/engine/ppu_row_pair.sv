// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What two rows that would issue in one cycle have in common: a body, or a bank. Combinational.

module ppu_row_pair #(
  parameter int unsigned Pipes = 2,         ///< Banks of impulses.
  parameter int unsigned VelocityBanks = 4  ///< Banks of velocities.
) (
  input  ppu_engine_pkg::issue_row_t row_i,    ///< A row.
  input  ppu_engine_pkg::issue_row_t other_i,  ///< The row of another pipe.
  output logic                       body_o,   ///< Both have one body.
  output logic                       bank_o    ///< Both need one bank of velocities or impulses.
);

  localparam int unsigned BodyWidth = ppu_spec_pkg::BodyWidth;
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth;
  localparam logic [BodyWidth-1:0] BankMask = BodyWidth'(VelocityBanks - 1);

  logic                 aa, ab, ba, bb, same_bank, same_parent_bank, unused_fields;
  logic [BodyWidth-1:0] aa_difference, ab_difference, ba_difference, bb_difference;

  assign unused_fields = ^{row_i, other_i};
  assign aa = row_i.has_a && other_i.has_a;
  assign ab = row_i.has_a && other_i.has_b;
  assign ba = row_i.has_b && other_i.has_a;
  assign bb = row_i.has_b && other_i.has_b;
  assign aa_difference = row_i.body_a ^ other_i.body_a;
  assign ab_difference = row_i.body_a ^ other_i.body_b;
  assign ba_difference = row_i.body_b ^ other_i.body_a;
  assign bb_difference = row_i.body_b ^ other_i.body_b;

  assign body_o = (aa && aa_difference == '0) || (ab && ab_difference == '0) ||
                  (ba && ba_difference == '0) || (bb && bb_difference == '0);
  assign same_bank = (aa && (aa_difference & BankMask) == '0) ||
                     (ab && (ab_difference & BankMask) == '0) ||
                     (ba && (ba_difference & BankMask) == '0) ||
                     (bb && (bb_difference & BankMask) == '0);
  assign same_parent_bank = row_i.reads_parent && other_i.reads_parent &&
                            ((row_i.parent ^ other_i.parent) & SlotWidth'(Pipes - 1)) == '0;
  assign bank_o = same_bank || same_parent_bank;

endmodule
