// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// The table behind `ppu asm --explain`. The tests assemble every example.
#include "firmware/assembler/explanations.hpp"

#include <array>

#include "firmware/assembler/diagnostics.hpp"
#include "firmware/assembler/encoding.hpp"

namespace ppu::firmware {
namespace {

/// What stands around an example.
enum class Frame {
  kProgram,  ///< Nothing: it is a program.
  kKernel,   ///< A program that loads the kernel whose operations it is.
};

template <typename Code>
struct Entry {
  Code code;
  std::string_view title;
  std::string_view text;
  Frame frame;
  std::string_view wrong;
  std::string_view right;
};

// clang-format off
constexpr std::array<Entry<Error>, static_cast<std::size_t>(Error::kCount)> kErrors = {{
    {Error::kCharacter,
         "a character that no program has",
         "A program is made of names, numbers, commas, colons and directives. A comment "
         "begins with `;`.",
         Frame::kProgram,
         "halt # stop\n",
         "halt ; stop\n"},
    {Error::kNotANumber,
         "not a number",
         "What begins with a digit or `-` is a number, decimal or, behind 0x, hexadecimal.",
         Frame::kProgram,
         "li t0, 12ab\nhalt\n",
         "li t0, 0x12ab\nhalt\n"},
    {Error::kNoStatement,
         "a line that begins with no statement",
         "Behind its labels a line holds one instruction, kernel operation or directive, "
         "first its name.",
         Frame::kProgram,
         "5 li t0\nhalt\n",
         "li t0, 5\nhalt\n"},
    {Error::kComma,
         "a comma is missing",
         "Operands are separated by commas.",
         Frame::kProgram,
         "li t0 5\nhalt\n",
         "li t0, 5\nhalt\n"},
    {Error::kOperandMissing,
         "an operand is missing",
         "Before and behind every comma stands an operand.",
         Frame::kProgram,
         "add t0,, t1\nhalt\n",
         "add t0, t0, t1\nhalt\n"},
    {Error::kLabelInKernel,
         "a label inside a kernel",
         "A kernel is a description of what the row pipe does with one row. It has no "
         "order to branch in: every row takes all its operations. Labels stand in control "
         "code.",
         Frame::kKernel,
         "ldrow r\nagain: ldvel v, r.ia, r.ib\n",
         "ldrow r\nldvel v, r.ia, r.ib\n"},
    {Error::kDirective,
         "unknown directive",
         "There are two directives: `.kernel NAME` opens a kernel and `.end` closes it.",
         Frame::kProgram,
     "halt\n.kernl k\n",
         "kernel k\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kKernelInKernel,
         "a kernel inside a kernel",
         "Kernels stand one behind the other. Close one before the next.",
         Frame::kProgram,
         "kernel a\nkernel b\nhalt\n.kernel a\nldrow r\n.kernel b\nldrow r\n.end\n",
         "kernel a\nkernel b\nhalt\n.kernel a\nldrow r\n.end\n.kernel b\nldrow r\n"
         ".end\n"},
    {Error::kKernelOpen,
         "a kernel without an end",
         "The text ends inside a kernel. Its last line is `.end`, which becomes the word "
         "that ends its loading.",
         Frame::kProgram,
         "kernel k\nhalt\n.kernel k\nldrow r\n",
         "kernel k\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kKernelName,
         "a kernel without a name",
         "`.kernel` takes one operand, the name under which the instruction `kernel` loads"
         " it.",
         Frame::kProgram,
         "halt\n.kernel\nldrow r\n.end\n",
         "kernel k\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kEndAlone,
         "`.end` without a kernel",
         "`.end` closes a kernel, not the program; control code ends with `halt` or `j`.",
         Frame::kProgram,
         "halt\n.end\n",
         "halt\n"},
    {Error::kEndOperand,
         "`.end` with an operand",
         "`.end` closes the kernel that is open and takes no name.",
         Frame::kProgram,
         "kernel k\nhalt\n.kernel k\nldrow r\n.end k\n",
         "kernel k\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kName,
         "a name that cannot be one",
         "Labels and kernels have names of letters, digits and `_`, which are not those of"
         " registers.",
         Frame::kProgram,
         "a0: halt\n",
         "last: halt\n"},
    {Error::kDefinedTwice,
         "a name that is taken",
         "Labels and kernels share their names, and each stands for one place.",
         Frame::kProgram,
         "loop: wait\nloop: j loop\n",
         "loop: wait\nj loop\n"},
    {Error::kLabelAtEnd,
         "a label that marks no instruction",
         "A label is the address of the control instruction behind it. Kernels do not "
         "count: they are placed behind the control code, wherever they stand in the text.",
         Frame::kProgram,
         "halt\ndone:\n",
         "j done\ndone: halt\n"},
    {Error::kNoControl,
         "a program without control code",
         "A run begins with the first control instruction. A kernel alone does nothing.",
         Frame::kProgram,
         ".kernel k\nldrow r\n.end\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kRunsPast,
         "control code that runs on",
         "Behind the last control instruction come the words of the kernels, which the "
         "sequencer cannot execute. So the last one is `halt` or a jump.",
         Frame::kProgram,
         "rdmax t0\nsignal t0\n",
         "rdmax t0\nsignal t0\nhalt\n"},
    {Error::kTooLong,
         "a program that is too long",
         "Addresses have 16 bits, so a program has 65536 words at most. (What the device "
         "has room for is in its configuration, `instruction_memory_words`.)",
         Frame::kProgram,
         "wait\nhalt\n",
         "again: wait\nj again\n"},
    {Error::kInstruction,
         "unknown instruction",
         "No control instruction has this name. All of them are in docs/reference/isa.md.",
         Frame::kProgram,
         "adi t0, t0, 1\nhalt\n",
         "addi t0, t0, 1\nhalt\n"},
    {Error::kOperationInControl,
         "a kernel operation in control code",
         "Operations of the row pipe stand between `.kernel NAME` and `.end`; control code"
         " loads the kernel and sends rows through it.",
         Frame::kProgram,
         "ldrow r\nhalt\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kInstructionOperands,
         "a wrong number of operands",
         "Every instruction takes the operands of its form, all of them.",
         Frame::kProgram,
         "rows a0\nhalt\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kRegister,
         "not a register",
         "The sequencer has 16 registers: zero, a0 to a7 and t0 to t6.",
         Frame::kProgram,
         "addi t0, t9, 1\nhalt\n",
         "addi t0, t1, 1\nhalt\n"},
    {Error::kNumber,
         "not a number where one is needed",
         "`li` and `addi` take a number that is known now. `add` takes a register.",
         Frame::kProgram,
         "addi t0, t0, t1\nhalt\n",
         "add t0, t0, t1\nhalt\n"},
    {Error::kImmediate,
         "a number that is too large",
         "Numbers in instructions have 16 bits with a sign. Larger ones come in as "
         "arguments of the run, or are added up.",
         Frame::kProgram,
         "li t0, 40000\nhalt\n",
         "li t0, 20000\nadd t0, t0, t0\nhalt\n"},
    {Error::kNoTarget,
         "a label or kernel that does not exist",
         "Branches go to labels of the program, `kernel` loads one of its kernels.",
         Frame::kProgram,
         "loop: wait\nj lop\n",
         "loop: wait\nj loop\n"},
    {Error::kTargetKind,
         "a kernel for a label, or a label for a kernel",
         "Branches go to labels in control code; a kernel is no place to go to, it is "
         "loaded with `kernel`.",
         Frame::kProgram,
         "j k\n.kernel k\nldrow r\n.end\n",
         "kernel k\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kOperation,
         "unknown kernel operation",
         "No kernel operation has this name. All of them are in docs/reference/isa.md.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndott u, r.J, v, r.b\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"},
    {Error::kInstructionInKernel,
         "a control instruction in a kernel",
         "Control instructions run on the sequencer, kernels describe the row pipe. The "
         "kernel has to be closed before control code goes on.",
         Frame::kProgram,
         "kernel k\nrows zero, a0\n.kernel k\nldrow r\nhalt\n.end\nhalt\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Error::kFirstOperation,
         "a kernel that does not begin with its row",
         "Everything in a kernel hangs on the row, which `ldrow` names.",
         Frame::kKernel,
         "ldvel v, r.ia, r.ib\n",
         "ldrow r\nldvel v, r.ia, r.ib\n"},
    {Error::kOperationOperands,
         "an operation with a wrong number of operands",
         "An operation has the operands of one of its forms; the hint shows them.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"},
    {Error::kUnitTwice,
         "a unit that is used twice",
         "A kernel is no program: every unit of the row pipe works once per row, and its "
         "operation stands once in a kernel.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\ndot w, r.J, v, r.b\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"},
    {Error::kControlField,
         "operations that do not go together",
         "A kernel is one setting of the row pipe. Two operations that need different "
         "settings of one switch cannot stand in it: two arithmetic forms, two sources of "
         "bounds, two clamps.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\ndotp q, r.J, v\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndotp q, r.J, v\n"},
    {Error::kUpdateTooEarly,
         "a value that changes too late in the text",
         "The pipe has an order of its own. An operation that takes a value after its "
         "update stands behind that update, so that the text does not say the opposite of "
         "what happens.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nsub dx, x, r.x\nstvel v, r.ia, r.ib\n"
         "axpy v, dx, r.JM\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nsub dx, x, r.x\naxpy v, dx, r.JM\n"
         "stvel v, r.ia, r.ib\n"},
    {Error::kResultName,
         "a result without a name",
         "The first operands of an operation are its results; they are names that you "
         "choose. Fields of the row cannot be written: `stimp` stores the impulse.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep r.x, r.x, r.d, u\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"},
    {Error::kInPlace,
         "an update under another name",
         "`axpy` updates the velocity that `ldvel` read. There is one velocity in the "
         "pipe, under one name.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nsub dx, x, r.x\naxpy w, dx, r.JM\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nsub dx, x, r.x\naxpy v, dx, r.JM\n"},
    {Error::kResultsAlike,
         "two results with one name",
         "An operation with two results makes two values, and they need two names.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ncone b, b, r.mu, r.xp\n",
         "ldrow r\nldvel v, r.ia, r.ib\ncone lo, hi, r.mu, r.xp\n"},
    {Error::kUndefined,
         "a name that nothing has made",
         "A value is made by an operation before another one takes it.",
         Frame::kKernel,
         "ldrow r\ndot u, r.J, v, r.b\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"},
    {Error::kOperand,
         "a wrong value",
         "Every input of a unit is wired to one other unit. What a value is follows from "
         "the operation that made it, not from its name.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, v\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"},
    {Error::kNoFields,
         "a field of a value",
         "Only the row has fields.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, v.x, r.d, u\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"},
    {Error::kRowField,
         "a field that rows do not have",
         "Fields of a row are those of its record and its impulse `x`, and its parent's, "
         "`xp`.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.id\n",
         "ldrow r\nldvel v, r.ia, r.ib\n"},
}};

constexpr std::array<Entry<Warning>, static_cast<std::size_t>(Warning::kCount)> kWarnings = {{
    {Warning::kUnusedKernel,
         "a kernel that is never loaded",
         "It takes room in instruction memory and does nothing.",
         Frame::kProgram,
         "halt\n.kernel k\nldrow r\n.end\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\n.end\n"},
    {Warning::kUnusedLabel,
         "a label that nothing goes to",
         "It does no harm; perhaps a branch goes somewhere else than was meant.",
         Frame::kProgram,
         "loop: wait\ndone: halt\n",
         "wait\nhalt\n"},
    {Warning::kUnusedValue,
         "a value that nothing takes",
         "The unit works for nothing, and flops are counted for it. Perhaps a store is "
         "missing, or another operation takes an older value than was meant.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nresid u, x, r.lo, r.hi\nsub dx, x, r.x\nstimp x\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "med x, r.lo, t, r.hi\nresid u, x, r.lo, r.hi\nstimp x\n"},
    {Warning::kUnnamedLead,
         "a lead that is stored and not named",
         "In a kernel with `lead` the lead is stored with the impulse, however `stimp` is "
         "written. `stimp x, y` says so.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "max x, 0, t\nlead y, x, r.xs\nstimp x\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "max x, 0, t\nlead y, x, r.xs\nstimp x, y\n"},
    {Warning::kVelocityAlone,
         "velocities that change without their impulse",
         "The velocities hold what the impulses did to the bodies. A kernel that stores them "
         "behind `axpy` and keeps the impulse as it was parts the two: the next sweep takes its "
         "step from the old impulse.",
         Frame::kKernel,
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "max x, 0, t\nsub dx, x, r.x\naxpy v, dx, r.JM\nstvel v, r.ia, r.ib\n",
         "ldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
         "max x, 0, t\nsub dx, x, r.x\naxpy v, dx, r.JM\nstvel v, r.ia, r.ib\nstimp x\n"},
    {Warning::kBudgetAndLead,
         "a budget in a program with leads",
         "While a run is ahead its velocities are those of y, and every row of the sweep has to "
         "come to turn them into those of its new x. A sweep that is cut has some rows of "
         "either kind, so impulses and velocities do not belong together.",
         Frame::kProgram,
         "budget a7\nkernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\nldvel v, r.ia, r.ib\n"
         "dot u, r.J, v, r.b\nstep t, r.x, r.d, u\nmax x, 0, t\nlead y, x, r.xs\nstimp x, y\n"
         ".end\n",
         "kernel k\nrows zero, a0\nhalt\n.kernel k\nldrow r\nldvel v, r.ia, r.ib\n"
         "dot u, r.J, v, r.b\nstep t, r.x, r.d, u\nmax x, 0, t\nlead y, x, r.xs\nstimp x, y\n"
         ".end\n"},
}};
// clang-format on

std::string framed(Frame frame, std::string_view example) {
  if (frame == Frame::kProgram) return std::string(example);
  return "kernel k\nrows zero, a0\nhalt\n.kernel k\n" + std::string(example) + ".end\n";
}

template <typename Code>
Explanation explained(const Entry<Code>& entry) {
  return {code_of(entry.code),
          entry.title,
          entry.text,
          framed(entry.frame, entry.wrong),
          framed(entry.frame, entry.right),
          1};
}

std::string indented(std::string_view lines) {
  std::string text;
  for (const char c : lines) {
    if (text.empty() || text.back() == '\n') text += "    ";
    text += c;
  }
  return text;
}

/// Lines of at most 80 characters.
std::string wrapped(std::string_view text) {
  constexpr std::size_t kWidth = 80;
  std::string out;
  while (text.size() > kWidth) {
    const std::size_t space = text.rfind(' ', kWidth);
    out += std::string(text.substr(0, space)) + "\n";
    text.remove_prefix(space + 1);
  }
  return out + std::string(text) + "\n";
}

}  // namespace

const std::vector<Explanation>& explanations() {
  static const std::vector<Explanation> list = [] {
    std::vector<Explanation> made;
    for (const Entry<Error>& entry : kErrors) made.push_back(explained(entry));
    for (const Entry<Warning>& entry : kWarnings) made.push_back(explained(entry));
    made[static_cast<std::size_t>(Error::kTooLong) - 1].wrong_repeats_first = kMaxWords;
    return made;
  }();
  return list;
}

const Explanation* find_explanation(std::string_view code) {
  std::string capitals(code);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  for (const Explanation& explanation : explanations()) {
    if (explanation.code == capitals) return &explanation;
  }
  return nullptr;
}

std::string code_ranges() {
  return code_of(kErrors.front().code) + " to " + code_of(kErrors.back().code) + " or " +
         code_of(kWarnings.front().code) + " to " + code_of(kWarnings.back().code);
}

std::string format(const Explanation& e) {
  std::string text = e.code + ": " + std::string(e.title) + "\n\n" + wrapped(e.text) + "\nWrong";
  if (e.wrong_repeats_first != 1) {
    text += " (the first line " + std::to_string(e.wrong_repeats_first) + " times)";
  }
  return text + ":\n\n" + indented(e.wrong) + "\nRight:\n\n" + indented(e.right);
}

}  // namespace ppu::firmware
