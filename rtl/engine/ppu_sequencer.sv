// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The sequencer: instruction memory, registers, and the execution of a program, an instruction per
// cycle. The word that executes and its operands come from registers: they are fetched while the
// word before it executes. A word that does not follow the one before it takes a cycle more. With
// Stages = 1 a word is fetched in the cycle after the one before it has executed, by what was put
// into registers then: each takes a cycle more.

`include "ppu_assert.svh"

module ppu_sequencer #(
  /// Words of instruction memory, a multiple of 16.
  parameter int unsigned InstructionMemoryWords = 1024,
  /// Cycles from the execution of a word to the fetch of the next one: 0 or 1.
  parameter int unsigned Stages = 0,
  /// Words have check bits.
  parameter int unsigned MemoryProtection = 0
) (
  input  logic                       clk_i,         ///< Clock; its rising edge counts.
  input  logic                       rst_ni,        ///< Low: no kernel is loaded.
  input  logic                       imem_write_i,  ///< A line of the program; no run is under way.
  input  ppu_spec_pkg::program_line_t imem_i,       ///< The line.
  input  ppu_engine_pkg::flip_t      flip_i,        ///< Bits that flip when a word is written.
  input  logic                       start_i,       ///< A run begins: take the arguments.
  input  ppu_spec_pkg::run_command_t start_command_i,  ///< The command of the run that begins.
  // Of the run, from the cycle after start_i on until it ends.
  input  logic [31:0]                entry_i,          ///< First word of the program.
  input  logic [15:0]                program_words_i,  ///< Words of the program.
  input  ppu_engine_pkg::run_t       run_i,            ///< What the run is.

  input  logic                       enable_i,         ///< An instruction may execute.
  input  logic                       rows_idle_i,      ///< No row is pending or under way.
  input  ppu_engine_pkg::rows_status_t rows_i,         ///< The state of all rows.
  input  logic [31:0]                max_residual_i,   ///< The current maximum, binary32.
  input  logic [31:0]                passes_cut_i,     ///< For `rdlate`.
  output ppu_engine_pkg::execution_t execution_o,    ///< What executes in this cycle.
  output ppu_engine_pkg::pass_t      pass_o,         ///< Rows of `rows`.
  output logic [31:0]                operand_o,      ///< Register ra of `signal`, `budget`,
                                                     ///< `setmark` and `bmax`.
  output logic                       maximum_o,      ///< The current residual maximum, 0 or 1.
  output logic [15:0]                address_o,      ///< Of the instruction, in the program.
  output logic [31:0]                word_address_o, ///< In instruction memory, of its word, or of
                                                     ///< that of a kernel.
  output logic                       bad_o,          ///< The word of the instruction is lost.
  output logic                       corrected_o,    ///< A bit of the word that executes was
                                                     ///< corrected.
  output ppu_engine_pkg::kernel_t    kernel_o,       ///< The kernel that is loaded.
  output logic [31:0]                lead_factor_o,  ///< What `setlead` set last, or 0; binary32.
  output logic                       is_ahead_o      ///< Since an `ahead`, until the next `settle`.
);

  localparam int unsigned FlopsWidth = ppu_engine_pkg::FlopsWidth;
  localparam int unsigned CountWidth = ppu_spec_pkg::CountWidth;
  localparam int unsigned ArgumentsWidth = ppu_spec_pkg::CmdArgumentsWidth;
  localparam int unsigned Lines = InstructionMemoryWords / 16;
  localparam int unsigned LineWidth = $clog2(Lines);
  // Each word of a line has check bits of its own.
  localparam int unsigned Parts = MemoryProtection != 0 ? 16 : 1;

  // ---------------------------------------------------------------------------------------------
  // Instruction memory.
  // ---------------------------------------------------------------------------------------------
  logic [15:0]  fetch_d, fetch_q;  // in the program, of the word that is fetched
  logic [31:0]  fetch_address_d, fetch_address_q, address_q;  // in instruction memory; of word_q
  logic [511:0] line;              // of the word that is fetched
  logic         valid_q;           // there is a word
  logic         exists_q;          // it is of the program
  logic         corrected_q, bad_q;
  logic [15:0]  corrected, bad;    // by word of the line

  logic [Parts-1:0] flip, part_corrected, part_bad;
  logic         unused_address, unused_line, unused_run, unused_flip, unused_command;
  logic         unused_rows;
  logic [ArgumentsWidth-1:0] arguments;

  ppu_spec_pkg::instruction_t word_q, fetched;  // word_q: the one that executes

  assign fetched = line[32*fetch_address_q[3:0] +: 32];
  assign unused_address = ^fetch_address_d;
  assign unused_line = ^{imem_i, word_q};
  assign unused_run = ^run_i;
  assign unused_command = ^start_command_i;
  assign unused_rows = ^rows_i;
  assign arguments = start_command_i.arguments;

  for (genvar i = 0; i < Parts; i++) begin : gen_flip
    assign flip[i] = flip_i.memory == ppu_spec_pkg::FaultInstructionMemory &&
                     flip_i.word == {12'd0, imem_i.line, 4'(i)};
  end

  ppu_safe_ram #(
    .PartWidth(512 / Parts), .Parts(Parts), .Words(Lines), .Protection(MemoryProtection != 0)
  ) u_instructions (
    .clk_i, .rst_ni, .write_i({Parts{imem_write_i}}),
    .write_address_i(imem_i.line[LineWidth-1:0]), .write_data_i(imem_i.data), .flip_i(flip),
    .flip_group_i(flip_i.code), .flip_bit_i(flip_i.bit_number), .flip_two_i(flip_i.two),
    .read_i(1'b1), .read_address_i(fetch_address_d[LineWidth+3:4]), .read_data_o(line),
    .corrected_o(part_corrected), .bad_o(part_bad));

  assign corrected = 16'(part_corrected);
  assign bad = 16'(part_bad);

  assign unused_flip = ^flip_i;
  assign word_address_o = address_q;
  assign bad_o = valid_q && exists_q && bad_q;
  assign corrected_o = corrected_q && (execution_o.instruction || execution_o.kernel_word);

  // ---------------------------------------------------------------------------------------------
  // Fields of the word.
  // ---------------------------------------------------------------------------------------------
  logic [15:0]             pc_q;
  logic [31:0]             registers_q [0:ppu_spec_pkg::RegisterCount-1];
  logic [7:0]              opcode;
  logic [3:0]              ra;
  logic [15:0]             immediate;
  logic [31:0]             a_q, b_q, c_q, extended;  // a to c: registers of the word

  assign opcode = word_q.opcode;
  assign ra = word_q.ra;
  assign immediate = word_q.imm;
  assign extended = {{16{immediate[15]}}, immediate};

  // ---------------------------------------------------------------------------------------------
  // Kernels: control bits and floating-point operations of the words are gathered.
  // ---------------------------------------------------------------------------------------------
  logic                    in_kernel_q, loaded_q, kernel_end, reserved, kernel_word_legal;
  logic                    filtered, matrix_fits;
  ppu_spec_pkg::control_t  control_q;
  logic [FlopsWidth-1:0]   flops_q, flops_cfm_q, flops_parent_q, op_flops;
  logic [8:0]              op;

  assign op = ppu_spec_pkg::kernel_op(opcode);
  assign op_flops = FlopsWidth'(op[5:0]);
  assign kernel_end = opcode == ppu_spec_pkg::OpKernelEnd;
  assign reserved = control_q.clamp > ppu_spec_pkg::ClampMed;
  assign kernel_word_legal = op[8] && !(kernel_end && reserved);
  assign kernel_o.control = control_q;
  assign kernel_o.flops_parent = flops_parent_q;
  assign kernel_o.flops_cfm = flops_cfm_q;
  assign kernel_o.flops = flops_q;
  assign filtered = control_q.filter == ppu_spec_pkg::FilterOn;
  assign matrix_fits =
    control_q.axpy == ppu_spec_pkg::AxpyOff ||
    run_i.reduced == (control_q.matrix == ppu_spec_pkg::MatrixReduced);

  // ---------------------------------------------------------------------------------------------
  // The instruction: is it one, may it execute, what comes next.
  // ---------------------------------------------------------------------------------------------
  logic        enabled, waits;
  logic        legal, ready, needs_idle, execute, taken, writes, load_kernel, kernel_word;
  logic        advance, leaves;  // the word that is fetched is the next one; another one is
  logic        exceeds, branches;  // a `bmax` whose number is exceeded; it executes
  // The same of a `bmax` whose number is not exceeded: that it is, is known late.
  logic        waits_else, execute_else, leaves_else, advance_else;
  logic        settled_q;  // there was a `settle`
  logic        may, may_idle;  // an instruction that needs nothing else may execute
  logic        sets;  // one that sets a register executes
  logic        maximum_q, rows_fit, rows_known, rows_legal, rows_idle;
  logic        rows_else;  // `rows` executes if its rows are of the run, which is known late
  logic [31:0] result;
  logic [33:0] minus_rows, partial, carries, excess;
  logic        unused_excess;

  assign unused_excess = ^excess;
  // The rows a to a + b - 1 are of the run if a + b - count - 1 is negative. Three numbers become
  // two, so that there is one sum to wait for.
  assign minus_rows = ~{2'b0, run_i.row_count};  // -count - 1
  assign partial = {2'b0, a_q} ^ {2'b0, b_q} ^ minus_rows;
  assign carries = ({2'b0, a_q} & {2'b0, b_q}) | (({2'b0, a_q} | {2'b0, b_q}) & minus_rows);
  assign excess = partial + (carries << 1);
  assign rows_fit = excess[33];
  assign rows_known = loaded_q && matrix_fits && (!filtered || a_q == '0);
  assign rows_legal = rows_known && rows_fit;
  assign rows_idle = filtered || !rows_i.joins;  // `rows` waits for those before it

  always_comb begin
    legal = 1'b1;
    needs_idle = 1'b0;
    taken = 1'b0;
    writes = 1'b0;
    result = b_q + c_q;
    case (opcode)
      ppu_spec_pkg::OpHalt, ppu_spec_pkg::OpWait, ppu_spec_pkg::OpSetmark,
      ppu_spec_pkg::OpTagall, ppu_spec_pkg::OpTagnext, ppu_spec_pkg::OpSetlead,
      ppu_spec_pkg::OpSettle, ppu_spec_pkg::OpBmax: needs_idle = 1'b1;
      ppu_spec_pkg::OpAhead: begin
        legal = settled_q;
        needs_idle = 1'b1;
      end
      ppu_spec_pkg::OpRdmax: begin
        needs_idle = 1'b1;
        writes = 1'b1;
        result = max_residual_i;
      end
      ppu_spec_pkg::OpLi: begin
        writes = 1'b1;
        result = extended;
      end
      ppu_spec_pkg::OpAddi: begin
        writes = 1'b1;
        result = b_q + extended;
      end
      ppu_spec_pkg::OpAdd: writes = 1'b1;
      ppu_spec_pkg::OpSub: begin
        writes = 1'b1;
        result = b_q - c_q;
      end
      ppu_spec_pkg::OpJ: taken = 1'b1;
      ppu_spec_pkg::OpBeq: taken = a_q == b_q;
      ppu_spec_pkg::OpBne: taken = a_q != b_q;
      ppu_spec_pkg::OpBlt: taken = $signed(a_q) < $signed(b_q);
      ppu_spec_pkg::OpBge: taken = $signed(a_q) >= $signed(b_q);
      ppu_spec_pkg::OpBltu: taken = a_q < b_q;
      ppu_spec_pkg::OpBgeu: taken = a_q >= b_q;
      ppu_spec_pkg::OpRows: begin
        legal = rows_legal;
        needs_idle = rows_idle;
      end
      ppu_spec_pkg::OpRdlate: begin
        writes = 1'b1;
        result = passes_cut_i;
      end
      ppu_spec_pkg::OpKernel, ppu_spec_pkg::OpSignal, ppu_spec_pkg::OpBudget: ;
      default: legal = 1'b0;
    endcase
    if (!exists_q) legal = 1'b0;
    if (in_kernel_q) legal = exists_q && kernel_word_legal;
    if (bad_o) legal = 1'b0;
  end

  assign enabled = enable_i && valid_q;

  // What is illegal ends the program as `halt` would: when no row is left.
  assign waits_else = needs_idle && !rows_idle_i;
  assign ready = !waits_else && (rows_i.room || opcode != ppu_spec_pkg::OpRows);
  assign execute_else = enabled && legal && !in_kernel_q && ready;
  assign exceeds = opcode == ppu_spec_pkg::OpBmax && rows_i.exceeds;
  assign branches = may && rows_i.settled;
  assign waits = exceeds ? !rows_i.settled : waits_else;
  assign execute = exceeds ? branches : execute_else;
  assign kernel_word = enabled && legal && in_kernel_q;

  // Each instruction asks less than all of them together; of those that set a register, only
  // `rdmax` waits.
  assign may = enabled && exists_q && !in_kernel_q && !bad_o;
  assign may_idle = may && rows_idle_i;
  assign sets = writes && (needs_idle ? may_idle : may);
  assign rows_else = may && opcode == ppu_spec_pkg::OpRows && rows_known && rows_i.room &&
                     (!rows_idle || rows_idle_i);

  always_comb begin
    execution_o.drain = valid_q && (legal ? !in_kernel_q && waits : !rows_idle_i);
    execution_o.illegal = enabled && !legal && rows_idle_i;
    execution_o.halt = may_idle && opcode == ppu_spec_pkg::OpHalt;
    execution_o.settle = may_idle && opcode == ppu_spec_pkg::OpSettle;
    execution_o.ahead = may_idle && opcode == ppu_spec_pkg::OpAhead && settled_q;
    execution_o.tagnext = may_idle && opcode == ppu_spec_pkg::OpTagnext;
    execution_o.tagall = may_idle && opcode == ppu_spec_pkg::OpTagall;
    execution_o.setmark = may_idle && opcode == ppu_spec_pkg::OpSetmark;
    execution_o.rdmax = may_idle && opcode == ppu_spec_pkg::OpRdmax;
    execution_o.budget = may && opcode == ppu_spec_pkg::OpBudget;
    execution_o.signal = may && opcode == ppu_spec_pkg::OpSignal;
    execution_o.change = exceeds && branches;
    execution_o.pass = rows_else && b_q != '0 && rows_fit;
    execution_o.rows = rows_else && rows_fit;
    execution_o.kernel_word = kernel_word;
    execution_o.instruction = execute;
  end

  assign maximum_o = maximum_q;
  assign pass_o.maximum = maximum_q;
  assign pass_o.first = CountWidth'(a_q);
  assign pass_o.count = CountWidth'(b_q);
  assign load_kernel = execute_else && opcode == ppu_spec_pkg::OpKernel;
  assign operand_o = a_q;
  assign address_o = pc_q;

  // Every address that may follow is there before it is known which one does.
  logic [31:0] target_address, next_address, other_address;
  logic [15:0] next, other;  // behind the instruction, not behind its kernel; where another one is
  logic        fetch, fetch_other;  // the word that is fetched is taken; or another one is fetched

  assign next = pc_q + 16'd1;
  assign next_address = entry_i + 32'(next);
  assign target_address = entry_i + 32'(immediate);
  assign leaves_else = kernel_word ? kernel_end : execute_else && (taken || load_kernel);
  assign advance_else = !valid_q || kernel_word || execute_else;
  assign leaves = exceeds ? branches : leaves_else;
  assign advance = exceeds ? branches || !valid_q : advance_else;

  if (Stages == 0) begin : gen_fetch_at_once
    assign fetch = advance;
    assign fetch_other = leaves;
    assign other = kernel_word ? next : immediate;
    assign other_address = kernel_word ? next_address : target_address;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= !start_i && !leaves;
    end
  end else begin : gen_fetch_later
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= 1'b0;
        fetch <= 1'b0;
        fetch_other <= 1'b0;
      end else begin
        valid_q <= !start_i && (valid_q ? !advance : fetch && !fetch_other);
        fetch <= start_i || (valid_q ? advance : fetch_other);
        fetch_other <= !start_i && leaves;
      end
    end
    always_ff @(posedge clk_i) begin
      other <= in_kernel_q ? next : immediate;
      other_address <= in_kernel_q ? next_address : target_address;
    end
  end

  always_comb begin
    fetch_d = fetch ? fetch_q + 16'd1 : fetch_q;
    fetch_address_d = fetch ? fetch_address_q + 32'd1 : fetch_address_q;
    if (start_i) begin
      fetch_d = '0;
      fetch_address_d = start_command_i.entry;
    end else if (fetch_other) begin
      fetch_d = other;
      fetch_address_d = other_address;
    end
  end

  // ---------------------------------------------------------------------------------------------
  // State.
  // ---------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_kernel_q <= 1'b0;
      loaded_q <= 1'b0;
    end else if (start_i) begin
      in_kernel_q <= 1'b0;
      loaded_q <= 1'b0;
    end else begin
      if (load_kernel) in_kernel_q <= 1'b1;
      if (kernel_word && kernel_end) begin
        in_kernel_q <= 1'b0;
        loaded_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) maximum_q <= 1'b0;
    else if (execution_o.change) maximum_q <= !maximum_q;
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      lead_factor_o <= '0;
      is_ahead_o <= 1'b0;
      settled_q <= 1'b0;
    end else begin
      if (may_idle && opcode == ppu_spec_pkg::OpSetlead) lead_factor_o <= a_q;
      if (execution_o.ahead) is_ahead_o <= 1'b1;
      if (execution_o.settle) begin
        is_ahead_o <= 1'b0;
        settled_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    fetch_q <= fetch_d;
    fetch_address_q <= fetch_address_d;
    if (fetch) begin
      word_q <= fetched;
      address_q <= fetch_address_q;
      exists_q <= fetch_q < program_words_i;
      bad_q <= bad[fetch_address_q[3:0]];
      corrected_q <= corrected[fetch_address_q[3:0]];
    end
    if (start_i) pc_q <= '0;
    else if (execute && !load_kernel) pc_q <= taken || exceeds ? immediate : next;
    else if (kernel_word && kernel_end) pc_q <= next;
    if (load_kernel) begin
      control_q <= '0;
      flops_q <= '0;
      flops_cfm_q <= '0;
      flops_parent_q <= '0;
    end else if (kernel_word && !kernel_end) begin
      control_q <= control_q | word_q.imm;
      if (32'(op[7:6]) == ppu_spec_pkg::FlopsAlways) flops_q <= flops_q + op_flops;
      if (32'(op[7:6]) == ppu_spec_pkg::FlopsWithCfm) flops_cfm_q <= flops_cfm_q + op_flops;
      if (32'(op[7:6]) == ppu_spec_pkg::FlopsWithParent)
        flops_parent_q <= flops_parent_q + op_flops;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      for (int i = 0; i < ppu_spec_pkg::RegisterCount; i++) registers_q[i] <= '0;
      for (int i = 0; i < ArgumentsWidth / 32; i++)
        registers_q[ppu_spec_pkg::FirstArgumentRegister+i] <= arguments[32*i +: 32];
    end else if (sets && ra != '0) begin
      registers_q[ra] <= result;
    end
  end

  // Operands are fetched with their word, from what executes before it in the same cycle, too.
  function automatic logic [31:0] operand(input logic [3:0] register);
    operand = registers_q[register];
    if (Stages == 0 && valid_q && !in_kernel_q && writes && register != '0 && register == ra)
      operand = result;
  endfunction

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      a_q <= operand(fetched.ra);
      b_q <= operand(fetched.rb);
      c_q <= operand(fetched.imm[ppu_spec_pkg::RcLsb +: ppu_spec_pkg::RcWidth]);
    end
  end

  `PPU_ASSERT(NothingExecutesWhenARunBegins, !(start_i && enable_i))

endmodule
