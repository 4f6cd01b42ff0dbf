// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One lane of the network that brings tokens to the pipes of their rows: a step for each bit of a
// pipe's number, a switch for each pair of pipes that differ in it. Tokens wait in queues at the
// inputs of a step; with a single pipe there is no step.

`include "ppu_assert.svh"

module ppu_token_network #(
  parameter int unsigned Pipes = 1,  ///< 1, 2, 4, 8 or 16.
  /// Bits of ppu_engine_pkg::token_t.
  localparam int unsigned Width = ppu_engine_pkg::TokenWidth
) (
  input  logic                   clk_i,     ///< Clock; its rising edge counts.
  input  logic                   rst_ni,    ///< Low: no tokens are under way.
  input  logic                   clear_i,   ///< No tokens are under way from the next cycle on.
  input  logic [Pipes-1:0]       issue_i,   ///< A row of this pipe issues, and may send a token
                                            ///< later.
  input  logic [Pipes-1:0]       sent_i,    ///< The links of a row of this pipe have been read.
  input  logic [Pipes-1:0]       send_i,    ///< The row whose links have been read sends a token on
                                            ///< this lane.
  input  logic [Pipes*Width-1:0] tokens_i,  ///< A ppu_engine_pkg::token_t of each pipe: the token
                                            ///< that is sent.
  output logic [Pipes-1:0]       room_o,    ///< A row of this pipe may issue.
  output logic [Pipes-1:0]       valid_o,   ///< A token comes to this pipe.
  output logic [Pipes*Width-1:0] tokens_o   ///< A ppu_engine_pkg::token_t of each pipe: the token
                                            ///< that comes.
);

  localparam int unsigned Steps = $clog2(Pipes);
  localparam int unsigned FirstPlaces = 64;
  localparam int unsigned Places = 4;

  if (Steps == 0) begin : gen_wire
    logic unused_inputs;

    assign unused_inputs = ^{clk_i, rst_ni, clear_i, issue_i, sent_i};
    assign room_o = '1;
    assign valid_o = send_i;
    assign tokens_o = tokens_i;
  end else begin : gen_steps
    // Heads before and outputs behind each step.
    logic [Steps*Pipes-1:0]       head_valid, pop;
    logic [Steps*Pipes*Width-1:0] heads;
    logic [(Steps+1)*Pipes-1:0]   push, full;
    logic [(Steps+1)*Pipes*Width-1:0] pushed;

    assign push[0 +: Pipes] = send_i;
    assign pushed[0 +: Pipes*Width] = tokens_i;
    assign valid_o = push[Steps*Pipes +: Pipes];
    assign tokens_o = pushed[Steps*Pipes*Width +: Pipes*Width];
    assign full[Steps*Pipes +: Pipes] = '0;

    for (genvar s = 0; s < Steps; s++) begin : gen_step
      for (genvar p = 0; p < Pipes; p++) begin : gen_queue
        if (s == 0) begin : gen_first
          logic [$clog2(FirstPlaces+1)-1:0] unused_count;

          assign full[p] = 1'b0;
          ppu_row_queue #(.Width(Width), .Depth(FirstPlaces)) u_queue (
            .clk_i, .rst_ni, .clear_i, .push_i(push[p]), .data_i(pushed[p*Width +: Width]),
            .pop_i(pop[p]), .data_o(heads[p*Width +: Width]), .valid_o(head_valid[p]),
            .count_o(unused_count));
        end else begin : gen_next
          logic [$clog2(Places+1)-1:0] count;

          assign full[s*Pipes+p] = count == 3'(Places);
          ppu_row_queue #(.Width(Width), .Depth(Places)) u_queue (
            .clk_i, .rst_ni, .clear_i, .push_i(push[s*Pipes+p]),
            .data_i(pushed[(s*Pipes+p)*Width +: Width]), .pop_i(pop[s*Pipes+p]),
            .data_o(heads[(s*Pipes+p)*Width +: Width]), .valid_o(head_valid[s*Pipes+p]),
            .count_o(count));
        end
      end

      for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
        if ((p >> s) % 2 == 0) begin : gen_switch
          localparam int unsigned Low = s * Pipes + p;
          localparam int unsigned High = Low + (1 << s);

          logic                   low_wants, high_wants;  // the upper output
          logic [1:0]             want_low, want_high, go_low, go_high, upper_q;
          logic [Width-1:0]       low, high;

          // Slots are in the low bits of tokens.
          assign low = heads[Low*Width +: Width];
          assign high = heads[High*Width +: Width];
          assign low_wants = low[s];
          assign high_wants = high[s];
          // By output: what wants it, and what goes there.
          assign want_low = {head_valid[Low] && low_wants, head_valid[Low] && !low_wants};
          assign want_high = {head_valid[High] && high_wants, head_valid[High] && !high_wants};

          for (genvar o = 0; o < 2; o++) begin : gen_output
            localparam int unsigned To = Low + Pipes + o * (1 << s);
            logic conflict;

            assign conflict = want_low[o] && want_high[o];
            assign go_low[o] = want_low[o] && !(conflict && upper_q[o]) && !full[To];
            assign go_high[o] = want_high[o] && !(conflict && !upper_q[o]) && !full[To];
            assign push[To] = go_low[o] || go_high[o];
            assign pushed[To*Width +: Width] = go_low[o] ? low : high;

            always_ff @(posedge clk_i or negedge rst_ni) begin
              if (!rst_ni) upper_q[o] <= 1'b0;
              else if (clear_i) upper_q[o] <= 1'b0;
              else if (conflict && push[To]) upper_q[o] <= go_low[o];
            end
          end

          assign pop[Low] = go_low != '0;
          assign pop[High] = go_high != '0;
        end
      end
    end

    // Rows whose token has not left the first step, or may come there.
    for (genvar p = 0; p < Pipes; p++) begin : gen_room
      localparam int unsigned OwedWidth = $clog2(FirstPlaces + 1);
      logic [OwedWidth-1:0] owed_q, less;  // less: if no row issues, which is known late

      assign room_o[p] = 32'(owed_q) < FirstPlaces;
      assign less = owed_q - OwedWidth'(sent_i[p] && !send_i[p]) - OwedWidth'(pop[p]);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) owed_q <= '0;
        else if (clear_i) owed_q <= '0;
        else owed_q <= issue_i[p] ? less + OwedWidth'(1) : less;
      end

      `PPU_ASSERT(OnlyRowsThatIssuedSendTokens, !sent_i[p] || owed_q != '0)
    end
  end

endmodule
