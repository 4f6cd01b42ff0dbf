// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
  // While the owner alone is open, commands are carried out in the order of its ring: the one with
  // any one number is followed from its response to the head. Of its bits, those of the opcode are:
  // all go the same way.
  (* anyconst *) logic [2:0] formal_number;
  logic [31:0] formal_answered_q;
  logic [7:0]  formal_opcode_q;

  always_comb begin
    assume (open == Contexts'(1) && close_i == '0);
    assume (!rsp_valid_i || formal_answered_q != fetches_q[31:0]);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) formal_answered_q <= '0;
    else formal_answered_q <= formal_answered_q + 32'(rsp_valid_i);
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i && formal_answered_q == 32'(formal_number))
      formal_opcode_q <= 8'(rsp_data_i.copy.opcode);
  end

  `PPU_ASSERT(TheCommandAtTheHeadIsTheOneOfItsNumber,
              !valid || heads_q[31:0] != 32'(formal_number) || 8'(opcode) == formal_opcode_q)
  `PPU_ASSERT(NumbersAreOfCommandsThatAreThere, !pop || formal_answered_q != heads_q[31:0])
