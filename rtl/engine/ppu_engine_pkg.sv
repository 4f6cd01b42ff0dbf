// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the modules of an engine tell each other. Of several pipes a port has all structures side by
// side, that of pipe 0 in the low bits; hence the widths beside the structures.

package ppu_engine_pkg;

  // As in ppu_spec_pkg; ppu_engine compares them. (Yosys 0.23 reads no constant of another package
  // in the width of a type.)
  localparam int unsigned ControlWidth = 16;
  localparam int unsigned SlotWidth = 20;
  localparam int unsigned CountWidth = 21;
  localparam int unsigned BodyWidth = 20;

  // ---------------------------------------------------------------------------------------------
  // The run.
  // ---------------------------------------------------------------------------------------------

  // What stays during a run.
  typedef struct packed {
    logic        reduced;     // rows are in the reduced form
    logic        streamed;    // rows come from device memory in every pass
    logic [31:0] body_count;
    logic [31:0] row_count;
  } run_t;

  // Numbers that instructions set; they hold while rows are in flight.
  typedef struct packed {
    logic        is_ahead;        // since an `ahead`, until the next `settle`
    logic [31:0] lead_factor;     // what `setlead` set last, or 0
    logic [31:0] mark_threshold;  // what `setmark` set last, or 0
  } settings_t;

  // What executes in a cycle.
  typedef struct packed {
    logic drain;        // nothing: the instruction waits until no row is left
    logic illegal;      // nothing: the program ends here, not by `halt`
    logic halt;
    logic settle;
    logic ahead;
    logic tagnext;
    logic tagall;
    logic setmark;
    logic budget;
    logic signal;
    logic rdmax;
    logic pass;         // a `rows` of at least one row
    logic rows;
    logic kernel_word;  // a word of a kernel
    logic instruction;  // any instruction
  } execution_t;

  // ---------------------------------------------------------------------------------------------
  // Passes.
  // ---------------------------------------------------------------------------------------------

  // A sum of floating-point operations of 65,535 words of at most 63 operations.
  localparam int unsigned FlopsWidth = 22;

  // A kernel: its control word, and the floating-point operations of a row.
  typedef struct packed {
    logic [ControlWidth-1:0] control;       // ppu_spec_pkg::control_t
    logic [FlopsWidth-1:0]   flops_parent;  // more of a row with a parent
    logic [FlopsWidth-1:0]   flops_cfm;     // more of a row with compliance
    logic [FlopsWidth-1:0]   flops;         // of every row
  } kernel_t;

  localparam int unsigned KernelWidth = ControlWidth + 3 * FlopsWidth;

  // Consecutive items, at least one.
  typedef struct packed {
    logic [CountWidth-1:0] count;
    logic [CountWidth-1:0] first;
  } pass_t;

  // How the passes are getting on.
  typedef struct packed {
    logic two;      // another pass is behind it
    logic pending;  // a pass has not fully issued
    logic room;     // there may be one more pass
  } passes_t;

  // The search of a filtered pass over resident rows; see ppu_row_scan.
  typedef struct packed {
    logic [2:0]           take_part;    // the group in its window that is taken
    logic [SlotWidth-1:0] take_window;  // its window
    logic                 move;         // the window that was read is looked at from now on
    logic [SlotWidth-1:0] window;       // the window that is read
    logic                 read;         // one is
  } search_t;

  // ---------------------------------------------------------------------------------------------
  // Rows on their way to the issue stage.
  // ---------------------------------------------------------------------------------------------

  // The bodies of a row.
  typedef struct packed {
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } bodies_t;

  localparam int unsigned BodiesWidth = 2 * (1 + BodyWidth);

  // What must be known of a row before it issues.
  typedef struct packed {
    logic [3:0]           fault;   // ppu_spec_pkg::Fault*: what is wrong with these
    logic                 has_parent;
    logic [SlotWidth-1:0] parent;  // slot
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } row_ids_t;

  localparam int unsigned RowIdsWidth = 4 + 1 + SlotWidth + BodiesWidth;

  // The first bad row that was loaded.
  typedef struct packed {
    logic [31:0]           value;   // the number that is wrong in the first bad row of all
    logic [3:0]            detail;  // ppu_spec_pkg::Fault*
    logic [CountWidth-1:0] slot;
    logic                  found;
  } bad_row_t;

  // The next row of a pipe.
  typedef struct packed {
    logic                 live;   // a body of it has its tag set
    logic [SlotWidth-1:0] place;  // of a resident row: slot / Pipes
    logic [3:0]           fault;  // ppu_spec_pkg::Fault*
    logic                 has_parent;
    logic [SlotWidth-1:0] parent;
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } head_t;

  localparam int unsigned HeadWidth = 1 + SlotWidth + 4 + 1 + SlotWidth + BodiesWidth;

  // ---------------------------------------------------------------------------------------------
  // Rows at the issue stage, in flight and at the end.
  // ---------------------------------------------------------------------------------------------

  // A row at the issue stage.
  typedef struct packed {
    logic                 one_bank;      // both bodies lie in one bank of velocities
    logic                 reads_parent;  // it needs the impulse of its parent
    logic                 has_parent;
    logic [SlotWidth-1:0] parent;
    logic [SlotWidth-1:0] slot;
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } issue_row_t;

  localparam int unsigned IssueRowWidth = 3 + 2 * SlotWidth + BodiesWidth;

  // What a row does that was passed to a pipe.
  typedef struct packed {
    logic                    go;       // it issues or is passed over
    logic                    issue;    // it issues ...
    logic [ControlWidth-1:0] control;  // ... under this ppu_spec_pkg::control_t
  } step_t;

  // What a row reads when it issues; there in the next cycle.
  typedef struct packed {
    logic [31:0]      parent_impulse;
    logic [31:0]      lead;
    logic [31:0]      impulse;
    logic [5:0][31:0] velocity_b;
    logic [5:0][31:0] velocity_a;
  } operands_t;

  localparam int unsigned OperandsWidth = 15 * 32;

  // What the next row to issue waits for: the first of these that is set, or else a bank.
  typedef struct packed {
    logic search;  // a group of rows with a live one
    logic fetch;   // its bodies and its parent
    logic lanes;   // its pipe has to take the elements of an earlier row
    logic body;    // a row in flight writes one of its bodies
    logic parent;  // a row in flight writes its parent's impulse
  } wait_t;

  localparam int unsigned WaitWidth = 5;

  // A row in flight, when it leaves.
  typedef struct packed {
    logic                 one_bank;  // its body b is written a cycle later
    logic                 writes_x;  // it is to write its impulse, if it is not skipped
    logic                 writes_b;  // ... its velocities
    logic                 writes_a;
    logic [SlotWidth-1:0] slot;
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } flight_t;

  // A row that leaves: what it writes, and what became of it.
  typedef struct packed {
    logic [3:0]           detail;    // ppu_spec_pkg::Fault*, of a row that faults
    logic                 fault;
    logic                 skipped;   // the skip rule held it
    logic                 mark_b;    // set the next tag of body b
    logic                 mark_a;    // set the next tag of body a
    logic                 write_y;   // write the lead, too
    logic                 write_x;   // write the impulse
    logic                 write_b;   // write velocity b, a cycle later if one_bank
    logic                 write_a;   // write velocity a
    logic                 one_bank;
    logic [SlotWidth-1:0] slot;
    logic [BodyWidth-1:0] body_b;
    logic [BodyWidth-1:0] body_a;
    logic [31:0]          lead;
    logic [31:0]          impulse;
    logic [5:0][31:0]     velocity_b;
    logic [5:0][31:0]     velocity_a;
  } leaving_t;

  localparam int unsigned LeavingWidth = 13 + SlotWidth + 2 * BodyWidth + 14 * 32;

  // How rows end the run; slot and detail are those of the first of them.
  typedef struct packed {
    logic [31:0] value;         // the number that is wrong in a bad row
    logic [3:0]  detail;        // ppu_spec_pkg::Fault*
    logic [31:0] slot;
    logic        bad_next;      // the next row to issue is bad; none has to retire
    logic        bad_resident;  // a row that was loaded is bad
    logic        fault;         // a row leaves with a fault in this cycle
  } row_end_t;

  // ---------------------------------------------------------------------------------------------
  // Dataflow issue: see docs/inside/dataflow.md.
  // ---------------------------------------------------------------------------------------------

  // The next row on a body.
  typedef struct packed {
    logic                 present;  // it gets a token from here
    logic                 full;     // it waits for no other one
    logic [SlotWidth-1:0] slot;
  } link_t;

  localparam int unsigned LinkWidth = 2 + SlotWidth;

  // A token on its way.
  typedef struct packed {
    logic                 late;  // the row must not issue in its first cycle in the window
    logic                 full;  // the row waits for no other one
    logic [SlotWidth-1:0] slot;
  } token_t;

  localparam int unsigned TokenWidth = 2 + SlotWidth;

  // A turn and a slot.
  typedef struct packed {
    logic [1:0]            turn;
    logic [CountWidth-1:0] slot;
  } position_t;

  // What rows may issue, and to which pass they belong.
  typedef struct packed {
    logic                  moves;  // a pass executes: the limit moves in the next cycle
    logic                  old;    // number of the oldest pass, modulo 2
    logic [CountWidth-1:0] middle_slot;  // it ends here, ...
    logic [1:0]            middle_turn;
    logic [CountWidth-1:0] limit_slot;   // ... and all passes here
    logic [1:0]            limit_turn;
  } limit_t;

  // A row in a window.
  typedef struct packed {
    logic                 late;  // it does not issue in this cycle
    logic                 pass;  // of its pass
    logic [1:0]           turn;
    logic                 one_bank;
    logic                 has_parent;
    logic [SlotWidth-1:0] parent;
    logic [SlotWidth-1:0] slot;
    logic                 has_b;
    logic [BodyWidth-1:0] body_b;
    logic                 has_a;
    logic [BodyWidth-1:0] body_a;
  } waiting_t;

  localparam int unsigned WaitingWidth = 6 + 2 * SlotWidth + BodiesWidth;

  // ---------------------------------------------------------------------------------------------
  // States, and what the counters count.
  // ---------------------------------------------------------------------------------------------

  // The state of a pipe.
  typedef struct packed {
    logic empty;      // no head, and none on the way
    logic dividing;   // there are quotients in the divider
    logic busy;       // there are rows in flight
    logic compliant;  // the row that issued in the cycle before has compliance
  } pipe_status_t;

  localparam int unsigned PipeStatusWidth = 4;

  // The state of all rows.
  typedef struct packed {
    logic empty;     // no row is before the issue stage or on the way
    logic dividing;  // there are quotients in the divider
    logic flying;    // there are rows in flight
    logic two;       // another pass is behind it
    logic pending;   // a pass has not fully issued
    logic room;      // there may be one more pass
  } rows_status_t;

  // What rows do in a cycle.
  typedef struct packed {
    logic [WaitWidth-1:0] waits;               // wait_t
    logic                 conflict;            // the first row that did not go: just a bank
    logic                 passes_over;         // rows at the issue stage are passed over
    logic [31:0]          filtered;            // rows that are passed over
    logic [31:0]          issued;              // rows
    logic [31:0]          skipped;             // rows that leave
    logic [31:0]          impulses;            // read or written
    logic [31:0]          velocities_read;
    logic [31:0]          velocities_written;
    logic [31:0]          flops;
  } activity_t;

  // Velocities that move without rows, a bit for each body of a pair.
  typedef struct packed {
    logic [1:0] write;  // what is written
    logic [1:0] read;   // what is read
    logic       busy;   // there are more to come
  } moving_t;

  // ---------------------------------------------------------------------------------------------
  // Transfers.
  // ---------------------------------------------------------------------------------------------

  // A beat: of which kind, if of any, and its number.
  typedef struct packed {
    logic        velocities;
    logic        impulses;
    logic        rows;
    logic [25:0] index;
  } beat_t;

  // A number of each kind: of beats, or where the first one lies in device memory.
  typedef struct packed {
    logic [25:0] velocities;
    logic [25:0] impulses;
    logic [25:0] rows;
  } beats_t;

  // Beats of rows in the reduced form: a head each, and the tails of every block.
  function automatic logic [32:0] reduced_beats(input logic [31:0] rows);
    reduced_beats = 33'(rows) + (33'(rows) + 33'(ppu_spec_pkg::ReducedBlockRows - 1)) /
                                33'(ppu_spec_pkg::ReducedBlockRows);
  endfunction

endpackage
