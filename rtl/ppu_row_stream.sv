// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Streamed rows: requests the two beats of each row of a pass, in slot order, as soon as the row's
// pipe has a free place for it; and tells which row a response belongs to.

module ppu_row_stream #(
  parameter int unsigned Pipes = 1,
  parameter int unsigned Places = 32768,  ///< Places of each pipe.
  parameter int unsigned CountWidth = 17  ///< Bits of a number of rows.
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,  ///< A run begins: no passes, all places free.
  input  logic                  pass_i,   ///< There is room for two.
  input  logic [CountWidth-1:0] pass_first_i,
  input  logic [CountWidth-1:0] pass_count_i,
  input  logic [Pipes-1:0]      free_i,   ///< A place of this pipe becomes free.
  output logic                  request_valid_o,
  output logic [25:0]           request_beat_o,  ///< From the first row's first beat.
  input  logic                  accept_i,
  input  logic                  response_i,
  output logic [CountWidth-1:0] response_slot_o,
  output logic                  response_second_o
);

  localparam int unsigned PlacesWidth = $clog2(Places + 1);

  // ---------------------------------------------------------------------------------------------
  // Requests.
  // ---------------------------------------------------------------------------------------------
  logic                         valid, second_q, unused_two, unused_payload;
  logic [CountWidth-1:0]        slot, unused_left;
  logic [Pipes-1:0]             place, mine;

  for (genvar p = 0; p < Pipes; p++) begin : gen_pipe
    logic [PlacesWidth-1:0] count_q;
    logic                   taken;

    assign mine[p] = (slot & CountWidth'(Pipes - 1)) == CountWidth'(p);
    assign place[p] = count_q != '0;
    assign taken = accept_i && !second_q && mine[p];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q <= '0;
      else if (clear_i) count_q <= PlacesWidth'(Places);
      else if (free_i[p] != taken)
        count_q <= taken ? count_q - PlacesWidth'(1) : count_q + PlacesWidth'(1);
    end
  end

  assign request_valid_o = valid && (second_q || (place & mine) != '0);
  assign request_beat_o = 26'({slot, second_q});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) second_q <= 1'b0;
    else if (clear_i) second_q <= 1'b0;
    else if (accept_i) second_q <= !second_q;
  end

  ppu_pass_queue #(.Width(CountWidth)) u_requests (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_i), .first_i(pass_first_i), .count_i(pass_count_i),
    .payload_i(1'b0), .take_i(accept_i && second_q), .valid_o(valid), .two_o(unused_two),
    .next_o(slot), .left_o(unused_left), .payload_o(unused_payload));

  // ---------------------------------------------------------------------------------------------
  // Responses.
  // ---------------------------------------------------------------------------------------------
  logic                  response_second_q, unused_response_valid, unused_response_two;
  logic                  unused_response_payload;
  logic [CountWidth-1:0] unused_response_left;

  assign response_second_o = response_second_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) response_second_q <= 1'b0;
    else if (clear_i) response_second_q <= 1'b0;
    else if (response_i) response_second_q <= !response_second_q;
  end

  ppu_pass_queue #(.Width(CountWidth)) u_responses (
    .clk_i, .rst_ni, .clear_i, .push_i(pass_i), .first_i(pass_first_i), .count_i(pass_count_i),
    .payload_i(1'b0), .take_i(response_i && response_second_q), .valid_o(unused_response_valid),
    .two_o(unused_response_two), .next_o(response_slot_o), .left_o(unused_response_left),
    .payload_o(unused_response_payload));

endmodule
