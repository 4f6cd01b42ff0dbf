// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// One row pipe of an engine with what belongs to it: its part of row memory, the rows in flight in
// it, and the delayed operands of the scaled add. A row issues in cycle c and is read in cycle
// r = c + ChoiceStages; its operands come in r + 1 and enter the pipe in r + OperandCycles, its
// results leave in c + Latency.

`include "ppu_assert.svh"

module ppu_engine_pipe #(
  parameter int unsigned Pipes = 1,          ///< Pipes of the engine.
  parameter int unsigned Lanes = 12,         ///< See ppu_row_pipe.
  parameter int unsigned MulStages = 3,
  parameter int unsigned AddStages = 3,
  parameter int unsigned DivStages = 14,
  parameter int unsigned ChoiceStages = 0,   ///< Cycles from the issue of a row to its read.
  parameter int unsigned Latency = 33,       ///< Cycles from the issue of a row to its results.
  parameter int unsigned FilterWindow = 4,   ///< Rows of this pipe in a window: 1, 2, 4 or 8.
  parameter int unsigned Places = 32768,     ///< Rows in this part of row memory.
  parameter int unsigned SlotBits = 16,      ///< Bits of a slot of this engine.
  parameter int unsigned BodyBits = 12,      ///< Bits of a body's number of this engine.
  parameter int unsigned MemoryProtection = 0,
  parameter int unsigned SearchStages = 0,   ///< See Stages of ppu_row_scan.
  /// Bits of a place, of the bodies of a row, of a row at the issue stage.
  localparam int unsigned SlotWidth = ppu_spec_pkg::SlotWidth,
  localparam int unsigned BodiesWidth = ppu_engine_pkg::BodiesWidth,
  localparam int unsigned RowWidth = ppu_engine_pkg::IssueRowWidth
) (
  input  logic                         clk_i,       ///< Clock; its rising edge counts.
  input  logic                         rst_ni,      ///< Low: no row is here.
  input  logic                         clear_i,     ///< A run begins.
  input  logic                         streamed_i,  ///< Rows of the run are streamed.
  input  logic                         enable_i,    ///< Rows may issue.

  // Records that arrive, passes over resident ones, searches: see ppu_row_memory.
  input  ppu_engine_pkg::row_write_t   write_i,        ///< A record or a half of it arrives.
  input  logic                         pass_valid_i,   ///< A pass over resident rows begins.
  input  ppu_engine_pkg::pass_t        pass_i,         ///< The places of the pass.
  input  ppu_engine_pkg::search_t      search_i,       ///< What ppu_row_scan reads and takes.
  input  logic                         take_i,         ///< A search takes a row.
  output logic [FilterWindow*BodiesWidth-1:0] window_bodies_o,  ///< A ppu_engine_pkg::bodies_t of
                                                                ///< each row of the window.

  // The next row, and what holds it back.
  output logic                         head_valid_o,  ///< There is one.
  output ppu_engine_pkg::head_t        head_o,        ///< What must be known of the next row; live
                                                      ///< is 0, see ppu_row_live.
  input  ppu_engine_pkg::issue_row_t   row_i,         ///< The row that is read.
  input  ppu_engine_pkg::issue_row_t   next_i,        ///< The next row as the issue stage sees it.
  input  ppu_engine_pkg::step_t        step_i,        ///< What the rows do in this cycle.
  input  logic [Pipes*RowWidth-1:0]    rows_i,        ///< A ppu_engine_pkg::issue_row_t: the next
                                                      ///< row of each pipe.
  output logic [Pipes-1:0]             body_o,        ///< A row in flight here writes a body of the
                                                      ///< row at that pipe.
  output logic [Pipes-1:0]             parent_o,      ///< A row in flight here writes the impulse
                                                      ///< of the parent of the row at that pipe.
  output logic                         impulse_o,     ///< A row in flight here writes the impulse
                                                      ///< of the next row.
  input  logic                         at_once_i,     ///< A row that issues is no head; both bodies
                                                      ///< are read at once.
  output logic                         lanes_o,       ///< No row can enter in the next cycle.

  input  ppu_engine_pkg::operands_t    operands_i,     ///< What was read in the cycle before; body
                                                       ///< b of one_bank a cycle before that.
  output logic                         leave_valid_o,  ///< A row leaves.
  output ppu_engine_pkg::leaving_t     leave_o,        ///< The row that leaves; without one nothing
                                                       ///< is written.

  input  ppu_engine_pkg::settings_t    settings_i,            ///< They hold with rows in flight.
  input  logic [1:0]                   clear_max_residual_i,  ///< Start this one from 0, with what
                                                              ///< comes.
  output ppu_engine_pkg::pipe_status_t status_o               ///< What is under way.
);

  localparam int unsigned Beats = 12 / Lanes;
  localparam int unsigned BeatWidth = Beats > 1 ? $clog2(Beats) : 1;
  localparam int unsigned PipeLatency = Latency - ChoiceStages - ppu_spec_pkg::OperandCycles;

  // ---------------------------------------------------------------------------------------------
  // Row memory and rows in flight.
  // ---------------------------------------------------------------------------------------------
  logic [12*32-1:0]            jacobian, jm;
  logic [5*32-1:0]             scalars;
  logic                        jm_read;
  ppu_pipe_pkg::axpy_request_t jm_request;
  ppu_engine_pkg::flight_t     flight;
  logic [1:0]                  row_corrected, row_bad;
  logic                        jm_corrected, jm_bad;

  logic [SlotWidth-1:0] read_place;

  assign read_place = row_i.place;

  ppu_row_memory #(
    .Places(Places), .Window(FilterWindow), .SlotBits(SlotBits), .BodyBits(BodyBits),
    .MemoryProtection(MemoryProtection), .SearchStages(SearchStages)
  ) u_rows (
    .clk_i, .rst_ni, .clear_i, .streamed_i, .enable_i, .write_i, .pass_valid_i, .pass_i,
    .search_i, .take_i, .window_bodies_o, .head_valid_o, .head_o,
    .go_i(step_i.pop), .issue_i(step_i.read),
    .issue_place_i(read_place), .jacobian_o(jacobian), .scalars_o(scalars),
    .corrected_o(row_corrected), .bad_o(row_bad), .jm_read_i(jm_read),
    .jm_place_i(SlotWidth'(jm_request.tag)), .jm_o(jm), .jm_corrected_o(jm_corrected),
    .jm_bad_o(jm_bad),
    .empty_o(status_o.empty));

  ppu_in_flight #(
    .Pipes(Pipes), .ChoiceStages(ChoiceStages), .Latency(Latency), .Interval(Beats)
  ) u_in_flight (
    .clk_i, .rst_ni, .issue_i(step_i.issue), .read_i(step_i.read), .control_i(step_i.control),
    .row_i, .next_i, .rows_i, .body_o, .parent_o, .impulse_o, .lanes_o, .leave_valid_o,
    .leave_o(flight), .busy_o(status_o.busy));

  // ---------------------------------------------------------------------------------------------
  // The row whose operands come: it was read in the cycle before. It enters the pipe from a
  // register.
  // ---------------------------------------------------------------------------------------------
  logic                   comes_q, in_valid_q, in_ready, unused_enter, unused_operands;
  logic [SlotWidth-1:0]   place_q, in_place_q;
  logic [6*32-1:0]        early_b_q;
  logic                   early_corrected_q, early_bad_q;
  logic [31:0]            start_impulse, bias, inv_diagonal, lower, upper, compliance;
  logic [12*32-1:0]       velocity;
  logic                   maximum_q, in_maximum_q;
  ppu_spec_pkg::control_t control_q, in_control_q;

  ppu_engine_pkg::issue_row_t  row_q;
  ppu_pipe_pkg::row_operands_t operands, operands_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      comes_q <= 1'b0;
      in_valid_q <= 1'b0;
    end else begin
      comes_q <= step_i.read;
      in_valid_q <= comes_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (step_i.read) begin
      row_q <= row_i;
      place_q <= read_place;
      control_q <= step_i.control;
      maximum_q <= step_i.maximum;
      if (row_i.one_bank) begin
        early_b_q <= operands_i.velocity_b;
        early_corrected_q <= operands_i.corrected[1];
        early_bad_q <= operands_i.bad[1];
      end
    end
  end

  // A static body stands still.
  assign velocity[0 +: 6*32] = row_q.has_a ? operands_i.velocity_a : '0;
  assign velocity[6*32 +: 6*32] =
    !row_q.has_b ? '0 : row_q.one_bank && !at_once_i ? early_b_q : operands_i.velocity_b;
  assign start_impulse = settings_i.is_ahead && control_q.lead == ppu_spec_pkg::LeadOn
    ? operands_i.lead : operands_i.impulse;
  assign {compliance, upper, lower, inv_diagonal, bias} = scalars;
  assign status_o.compliant = compliance[30:0] != '0;
  assign unused_enter = ^row_q;
  assign unused_operands = ^operands_q;

  always_comb begin
    operands.jacobian = jacobian;
    operands.velocity = velocity;
    operands.bias = bias;
    operands.inv_diagonal = inv_diagonal;
    operands.lower = lower;
    operands.upper = upper;
    operands.compliance = compliance;
    operands.impulse = start_impulse;
    operands.stored = operands_i.impulse;
    operands.parent_impulse = operands_i.parent_impulse;
    operands.has_parent = row_q.has_parent;
  end

  always_ff @(posedge clk_i) begin
    if (comes_q) begin
      in_place_q <= place_q;
      in_maximum_q <= maximum_q;
      in_control_q <= control_q;
      operands_q <= operands;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // Delayed operands: JM from row memory, v from a ring of the rows in the pipe.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned RingBits = $clog2(PipeLatency / Beats + 2);
  localparam logic [3:0]  LastBeat = 4'(Beats - 1);

  logic                 v_read;
  logic [BeatWidth-1:0] v_beat_q, jm_beat_q;
  logic [RingBits-1:0]  ring_in_q, ring_out_q;
  logic [12*32-1:0]     axpy_v;
  logic                 unused_requests;

  ppu_pipe_pkg::axpy_request_t v_request;

  assign unused_requests = ^{jm_request, v_request};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ring_in_q <= '0;
      ring_out_q <= '0;
    end else begin
      if (in_valid_q) ring_in_q <= ring_in_q + RingBits'(1);
      if (v_read && v_request.beat == LastBeat) ring_out_q <= ring_out_q + RingBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    jm_beat_q <= BeatWidth'(jm_request.beat);
    v_beat_q <= BeatWidth'(v_request.beat);
  end

  ppu_ram #(.PartWidth(12 * 32), .Words(2 ** RingBits)) u_axpy_v (
    .clk_i, .rst_ni, .write_i(in_valid_q), .write_address_i(ring_in_q),
    .write_data_i(operands_q.velocity),
    .read_i(v_read), .read_address_i(ring_out_q), .read_data_o(axpy_v));

  // ---------------------------------------------------------------------------------------------
  // Places are free after the last read of JM, and in the order in which they were filled: those of
  // rows that were passed over as if they had issued. What is read is there in the next cycle.
  // ---------------------------------------------------------------------------------------------
  localparam int unsigned LastJmRead =
    ppu_spec_pkg::OperandCycles + 2 * (MulStages + 3 * AddStages + Beats - 1) - 1;

  logic [LastJmRead+1:1] gone_q;

  assign status_o.place_free = gone_q[LastJmRead+1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gone_q <= '0;
    else if (clear_i) gone_q <= '0;
    else gone_q <= {gone_q[LastJmRead:1], step_i.go};
  end

  // ---------------------------------------------------------------------------------------------
  // Words with flipped bits. The first row here that uses a word that is lost ends the run when it
  // leaves.
  // ---------------------------------------------------------------------------------------------
  logic [3:0] used, own_corrected, own_bad;  // parent, impulse, body b, body a
  logic       jm_q;                          // JM of a row goes into the pipe's register, and
  logic       jm_corrected_q, jm_bad_q;      // is its last part
  logic [7:0] word_corrected, word_corrected_q;
  logic [6:0] word_bad;
  logic       flawed, unused_flaw;  // flawed: the row that leaves uses a word that is lost

  ppu_engine_pkg::flaw_t flaw, flaw_q;

  assign unused_flaw = ^{flaw, flaw_q};
  assign used = {comes_q && row_q.reads_parent, comes_q, comes_q && row_q.has_b,
                 comes_q && row_q.has_a};
  always_comb begin
    own_corrected = operands_i.corrected;
    own_bad = operands_i.bad;
    if (row_q.one_bank && !at_once_i) begin
      own_corrected[1] = early_corrected_q;
      own_bad[1] = early_bad_q;
    end
    own_corrected = own_corrected & used;
    own_bad = own_bad & used;
  end
  // What is wrong with the words of a cycle is known late in it: it is looked at in the next.
  assign word_corrected = {jm_q && jm_corrected_q, comes_q && row_q.corrected,
                           row_corrected & {2{comes_q}}, own_corrected};
  assign word_bad = {jm_q && jm_bad_q, row_bad & {2{comes_q}}, own_bad};

  always_comb begin
    status_o.corrected = '0;
    for (int i = 0; i < 8; i++)
      status_o.corrected = status_o.corrected + 4'(word_corrected_q[i]);
  end

  if (MemoryProtection != 0) begin : gen_flaws
    // The slots of the rows in the pipe, to find that of a row whose JM is read.
    logic [SlotWidth-1:0] slots_q [0:2**RingBits-1];
    logic [RingBits-1:0]  jm_out_q;
    logic [SlotWidth-1:0] in_slot_q, jm_last_slot_q, jm_slot_q;
    logic                 jm_last_q;  // was read for the last time
    logic [6:0]           word_bad_q;
    logic [SlotWidth-1:0] read_slot_q, read_parent_q, read_jm_slot_q;
    logic [SlotWidth-1:0] read_body_b_q, read_body_a_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        jm_out_q <= '0;
        jm_last_q <= 1'b0;
        jm_q <= 1'b0;
        word_corrected_q <= '0;
        word_bad_q <= '0;
      end else begin
        jm_last_q <= jm_read && jm_request.beat == LastBeat;
        jm_q <= jm_last_q;
        word_corrected_q <= word_corrected;
        word_bad_q <= clear_i ? '0 : word_bad;
        if (jm_read && jm_request.beat == LastBeat) jm_out_q <= jm_out_q + RingBits'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      if (comes_q) in_slot_q <= row_q.slot;
      if (in_valid_q) slots_q[ring_in_q] <= in_slot_q;
      jm_last_slot_q <= slots_q[jm_out_q];
      jm_slot_q <= jm_last_slot_q;
      jm_corrected_q <= jm_corrected;
      jm_bad_q <= jm_bad;
      read_slot_q <= row_q.slot;
      read_parent_q <= row_q.parent;
      read_body_b_q <= SlotWidth'(row_q.body_b);
      read_body_a_q <= SlotWidth'(row_q.body_a);
      read_jm_slot_q <= jm_slot_q;
    end

    always_comb begin
      flaw = '0;
      flaw.row = 1'b1;
      flaw.word = read_slot_q;
      if (word_bad_q[6]) begin
        flaw.memory = ppu_spec_pkg::FaultRowMass;
        flaw.word = read_jm_slot_q;
      end
      if (word_bad_q[3]) begin
        flaw.memory = ppu_spec_pkg::FaultParentMemory;
        flaw.word = read_parent_q;
      end
      if (word_bad_q[2]) begin
        flaw.memory = ppu_spec_pkg::FaultImpulseMemory;
        flaw.word = read_slot_q;
      end
      if (word_bad_q[1]) begin
        flaw.memory = ppu_spec_pkg::FaultVelocityMemory;
        flaw.word = read_body_b_q;
      end
      if (word_bad_q[0]) begin
        flaw.memory = ppu_spec_pkg::FaultVelocityMemory;
        flaw.word = read_body_a_q;
      end
      if (word_bad_q[5]) begin
        flaw.memory = ppu_spec_pkg::FaultRowScalars;
        flaw.word = read_slot_q;
      end
      if (word_bad_q[4]) begin
        flaw.memory = ppu_spec_pkg::FaultRowJacobian;
        flaw.word = read_slot_q;
      end
      flaw.found = flaw.memory != '0;
    end

    // The slot of the row whose flaw it is.
    logic [SlotWidth-1:0] flaw_slot_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flaw_q <= '0;
      else if (clear_i) flaw_q <= '0;
      else if (flaw.found && !flaw_q.found) flaw_q <= flaw;
    end

    always_ff @(posedge clk_i) begin
      if (flaw.found && !flaw_q.found)
        flaw_slot_q <= flaw.memory == ppu_spec_pkg::FaultRowMass ? read_jm_slot_q : read_slot_q;
    end

    assign flawed = flaw_q.found && flight.slot == flaw_slot_q;
  end else begin : gen_no_flaws
    logic unused_flaws;

    assign unused_flaws = ^{word_corrected, word_bad, jm_corrected, jm_bad};
    assign word_corrected_q = '0;
    assign jm_q = 1'b0;
    assign jm_corrected_q = 1'b0;
    assign jm_bad_q = 1'b0;
    assign flaw = '0;
    assign flaw_q = '0;
    assign flawed = 1'b0;
  end

  // ---------------------------------------------------------------------------------------------
  // The row pipe.
  // ---------------------------------------------------------------------------------------------
  logic                        out_valid, unused_out;
  logic [31:0]                 out_tag;
  ppu_spec_pkg::control_t      out_control;
  ppu_pipe_pkg::row_result_t   out;

  ppu_row_pipe #(
    .Lanes(Lanes), .MulStages(MulStages), .AddStages(AddStages), .DivStages(DivStages)
  ) u_pipe (
    .clk_i, .rst_ni, .in_valid_i(in_valid_q), .in_ready_o(in_ready), .in_tag_i(32'(in_place_q)),
    .in_maximum_i(in_maximum_q), .in_control_i(in_control_q), .in_row_i(operands_q),
    .mark_threshold_i(settings_i.mark_threshold), .lead_factor_i(settings_i.lead_factor),
    .axpy_jm_valid_o(jm_read), .axpy_jm_o(jm_request),
    .axpy_jm_i(jm[32*Lanes*jm_beat_q +: 32*Lanes]), .axpy_v_valid_o(v_read),
    .axpy_v_o(v_request), .axpy_v_i(axpy_v[32*Lanes*v_beat_q +: 32*Lanes]),
    .out_valid_o(out_valid), .out_tag_o(out_tag), .out_control_o(out_control), .out_o(out),
    .clear_max_residual_i, .show_maximum_i(settings_i.maximum),
    .max_residual_o(status_o.max_residual),
    .dividing_o(status_o.dividing));

  // What a row writes and marks, and what is wrong with one that faults: the first of these.
  localparam logic [7:0] NonFinite = '1;

  assign unused_out = ^{out, out_tag, out_control};

  always_comb begin
    leave_o.detail = ppu_spec_pkg::FaultBounds;
    if (out.rate[30:23] == NonFinite) leave_o.detail = ppu_spec_pkg::FaultRate;
    else if (out.target[30:23] == NonFinite) leave_o.detail = ppu_spec_pkg::FaultTarget;
    else if (out.delta[30:23] == NonFinite) leave_o.detail = ppu_spec_pkg::FaultDelta;
    else if (out.velocity_nonfinite) leave_o.detail = ppu_spec_pkg::FaultVelocity;
    if (flawed) leave_o.detail = flaw_q.memory;
    leave_o.word = flaw_q.word;
    leave_o.fault = out.fault || flawed;
    leave_o.skipped = out.skipped;
    leave_o.mark_b = leave_valid_o && flight.has_b && out.mark_b;
    leave_o.mark_a = leave_valid_o && flight.has_a && out.mark_a;
    leave_o.write_y =
      flight.writes_x && !out.skipped && out_control.lead == ppu_spec_pkg::LeadOn;
    leave_o.write_x = flight.writes_x && !out.skipped;
    leave_o.write_b = flight.writes_b && !out.skipped;
    leave_o.write_a = flight.writes_a && !out.skipped;
    leave_o.one_bank = flight.one_bank;
    leave_o.slot = flight.slot;
    leave_o.body_b = flight.body_b;
    leave_o.body_a = flight.body_a;
    leave_o.lead = out.lead;
    leave_o.impulse = out.impulse;
    {leave_o.velocity_b, leave_o.velocity_a} = out.velocity;
  end

  `PPU_ASSERT(ThePipeTakesTheRow, !in_valid_q || in_ready)
  `PPU_ASSERT(RowsLeaveWhenTheyShould, out_valid == leave_valid_o)
  `PPU_ASSERT(JmIsReadBeforeItsPlaceIsFree,
              !(jm_read && jm_request.beat == LastBeat) || gone_q[LastJmRead])

endmodule
