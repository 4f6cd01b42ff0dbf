// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the assembler says about control code and about the form of a program: every kind of
// complaint with its line, column, caret, reason and hint.
#include <gtest/gtest.h>

#include "firmware/assembler/assembler.hpp"

namespace ppu::firmware {
namespace {

std::string complaint(const std::string& source) {
  try {
    assemble("f.s", source);
  } catch (const AssemblyError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Complaint, AboutAnUnknownInstructionNamesTheNearest) {
  EXPECT_EQ(complaint("\tadi t0, t0, 1\nhalt\n"),
            "f.s:1:2: error[E019]: unknown instruction `adi`\n"
            "  \tadi t0, t0, 1\n"
            "  \t^~~\n"
            "hint: did you mean `addi`?\n");
  EXPECT_EQ(complaint("quaternion\nhalt\n"),
            "f.s:1:1: error[E019]: unknown instruction `quaternion`\n"
            "  quaternion\n"
            "  ^~~~~~~~~~\n");
}

TEST(Complaint, AboutAKernelOperationInControlCode) {
  EXPECT_EQ(complaint("dot u, r.J, v, r.b\nhalt\n"),
            "f.s:1:1: error[E020]: `dot` is a kernel operation\n"
            "  dot u, r.J, v, r.b\n"
            "  ^~~\n"
            "hint: it belongs between `.kernel NAME` and `.end`\n");
}

TEST(Complaint, AboutTheNumberOfOperands) {
  EXPECT_EQ(complaint("x: rows zero\nhalt t0\n"),
            "f.s:1:4: error[E021]: `rows` takes 2 operands, got 1\n"
            "  x: rows zero\n"
            "     ^~~~\n"
            "hint: write `rows ra, rb`\n"
            "f.s:2:1: error[E021]: `halt` takes 0 operands, got 1\n"
            "  halt t0\n"
            "  ^~~~\n"
            "hint: write `halt`\n");
}

TEST(Complaint, AboutARegisterThatDoesNotExist) {
  EXPECT_EQ(complaint("add t0, t1, t9\nhalt\n"),
            "f.s:1:13: error[E022]: expected a register, got `t9`\n"
            "  add t0, t1, t9\n"
            "              ^~\n"
            "hint: did you mean `t0`?\n");
  EXPECT_EQ(complaint("signal 3\nhalt\n"),
            "f.s:1:8: error[E022]: expected a register, got `3`\n"
            "  signal 3\n"
            "         ^\n"
            "hint: registers are zero a0 a1 a2 a3 a4 a5 a6 a7 t0 t1 t2 t3 t4 t5 t6\n");
}

TEST(Complaint, AboutAnImmediate) {
  EXPECT_EQ(complaint("li t0, 32768\nli t0, -32769\nhalt\n"),
            "f.s:1:8: error[E024]: `32768` does not fit in a signed 16-bit immediate\n"
            "  li t0, 32768\n"
            "         ^~~~~\n"
            "hint: numbers go from -32768 to 32767\n"
            "f.s:2:8: error[E024]: `-32769` does not fit in a signed 16-bit immediate\n"
            "  li t0, -32769\n"
            "         ^~~~~~\n"
            "hint: numbers go from -32768 to 32767\n");
  EXPECT_EQ(
      complaint("li t0, 0xffffffffffffffffff\nhalt\n"),
      "f.s:1:8: error[E024]: `0xffffffffffffffffff` does not fit in a signed 16-bit immediate\n"
      "  li t0, 0xffffffffffffffffff\n"
      "         ^~~~~~~~~~~~~~~~~~~~\n"
      "hint: numbers go from -32768 to 32767\n");
  EXPECT_EQ(complaint("li t0, t1\nhalt\n"),
            "f.s:1:8: error[E023]: expected a number, got `t1`\n"
            "  li t0, t1\n"
            "         ^~\n");
}

TEST(Complaint, AboutWhatIsNoNumber) {
  for (const std::string bad : {"12ab", "0x", "-", "0xg", "--1", "0x-1"}) {
    const std::string what = complaint("li t0, " + bad + "\nhalt\n");
    EXPECT_NE(what.find("f.s:1:8: error[E002]: "), std::string::npos) << what;
    EXPECT_NE(what.find("is not a number\n"), std::string::npos) << what;
  }
  EXPECT_EQ(complaint("li t0, 1x\nhalt\n"),
            "f.s:1:8: error[E002]: `1x` is not a number\n"
            "  li t0, 1x\n"
            "         ^~\n"
            "hint: numbers are decimal (12, -3) or hexadecimal (0x1f)\n");
}

TEST(Complaint, AboutTheUnknownNameBeforeItsNumbers) {
  const std::string what = complaint("twice t0, 0.8\nhalt\n");
  EXPECT_EQ(what.find("f.s:1:1: error[E019]: unknown instruction `twice`\n"), 0U) << what;
  EXPECT_EQ(what.find("is not a number"), std::string::npos) << what;
}

TEST(Complaint, AboutACharacterThatCannotStandHere) {
  EXPECT_EQ(complaint("halt # stop\n"),
            "f.s:1:6: error[E001]: `#` cannot stand here\n"
            "  halt # stop\n"
            "       ^\n"
            "hint: comments begin with `;`, operands are separated by `,`\n");
  EXPECT_EQ(complaint(std::string("halt \x01\n")),
            "f.s:1:6: error[E001]: byte 0x01 cannot stand here\n"
            "  halt ?\n"
            "       ^\n"
            "hint: comments begin with `;`, operands are separated by `,`\n");
}

TEST(Complaint, AboutCommas) {
  EXPECT_EQ(complaint("li t0 5\nadd t0,,t1\nli t0,\n:halt\nhalt\n"),
            "f.s:1:7: error[E004]: expected `,` before `5`\n"
            "  li t0 5\n"
            "        ^\n"
            "f.s:2:8: error[E005]: expected an operand, got `,`\n"
            "  add t0,,t1\n"
            "         ^\n"
            "f.s:3:6: error[E005]: expected an operand after `,`\n"
            "  li t0,\n"
            "       ^\n"
            "f.s:4:1: error[E003]: `:` begins no statement\n"
            "  :halt\n"
            "  ^\n"
            "hint: a statement begins with an instruction, a kernel operation or a directive\n");
}

TEST(Complaint, AboutLabels) {
  EXPECT_EQ(complaint("start: wait\nj strat\nj nowhere\nstart: halt\n"),
            "f.s:2:3: error[E025]: there is no label `strat`\n"
            "  j strat\n"
            "    ^~~~~\n"
            "hint: did you mean `start`?\n"
            "f.s:3:3: error[E025]: there is no label `nowhere`\n"
            "  j nowhere\n"
            "    ^~~~~~~\n"
            "f.s:4:1: error[E014]: `start` is already defined\n"
            "  start: halt\n"
            "  ^~~~~\n"
            "hint: labels and kernels share their names; choose another\n"
            "f.s:1:1: note: it was defined here\n"
            "  start: wait\n"
            "  ^~~~~\n");
  EXPECT_EQ(complaint("a0: halt\na.b: halt\n"),
            "f.s:1:1: error[E013]: `a0` cannot name a label or kernel\n"
            "  a0: halt\n"
            "  ^~\n"
            "hint: it is a register\n"
            "f.s:2:1: error[E013]: `a.b` cannot name a label or kernel\n"
            "  a.b: halt\n"
            "  ^~~\n"
            "hint: names are letters, digits and `_`\n");
  EXPECT_EQ(complaint("halt\n last:\n"),
            "f.s:2:2: error[E015]: label `last` marks no instruction\n"
            "   last:\n"
            "   ^~~~\n"
            "hint: kernels stand behind the control code; put a control instruction after it\n");
}

TEST(Complaint, AboutALabelForAKernelAndTheOtherWayRound) {
  EXPECT_EQ(complaint("l: kernel l\nj k\n.kernel k\nldrow r\n.end\n"),
            "f.s:1:11: error[E026]: `l` is a label, not a kernel\n"
            "  l: kernel l\n"
            "            ^\n"
            "hint: `kernel` loads what `.kernel NAME` defines\n"
            "f.s:1:1: note: it was defined here\n"
            "  l: kernel l\n"
            "  ^\n"
            "f.s:2:3: error[E026]: `k` is a kernel, not a label\n"
            "  j k\n"
            "    ^\n"
            "hint: branches go to labels, `kernel` loads a kernel\n"
            "f.s:3:9: note: it was defined here\n"
            "  .kernel k\n"
            "          ^\n");
  EXPECT_EQ(complaint("kernel boxd\nhalt\n.kernel boxed\nldrow r\n.end\n"),
            "f.s:1:8: error[E025]: there is no kernel `boxd`\n"
            "  kernel boxd\n"
            "         ^~~~\n"
            "hint: did you mean `boxed`?\n");
}

TEST(Complaint, AboutTheEndOfTheControlCode) {
  EXPECT_EQ(complaint("halt\n  wait ; and then?\n"),
            "f.s:2:3: error[E017]: the control code runs past its last instruction\n"
            "    wait ; and then?\n"
            "    ^~~~\n"
            "hint: end it with `halt` or `j`\n");
  EXPECT_EQ(complaint(""),
            "f.s:1:1: error[E016]: the program has no control instruction\n"
            "  \n"
            "  ^\n"
            "hint: it runs from its first one to `halt`\n");
}

TEST(Complaint, AboutAProgramThatIsTooLong) {
  std::string source;
  for (int i = 0; i < 65535; ++i) source += "wait\n";
  EXPECT_EQ(complaint(source + "halt\n"), "accepted");
  EXPECT_EQ(complaint(source + "wait\n  halt\n"),
            "f.s:65537:3: error[E018]: the program is longer than 65536 words\n"
            "    halt\n"
            "    ^~~~\n"
            "hint: addresses have 16 bits\n");
}

TEST(Complaint, AboutDirectives) {
  EXPECT_EQ(complaint("halt\n.kernl k\nhalt\n.kernel 7\nldrow r\n.end k\n.end\n"),
            "f.s:2:1: error[E007]: unknown directive `.kernl`\n"
            "  .kernl k\n"
            "  ^~~~~~\n"
            "hint: did you mean `.kernel`?\n"
            "f.s:4:1: error[E010]: `.kernel` takes one operand, the kernel's name\n"
            "  .kernel 7\n"
            "  ^~~~~~~\n"
            "hint: write `.kernel NAME`\n"
            "f.s:6:6: error[E012]: `.end` takes no operand\n"
            "  .end k\n"
            "       ^\n"
            "f.s:7:1: error[E011]: `.end` without `.kernel`\n"
            "  .end\n"
            "  ^~~~\n"
            "hint: open a kernel with `.kernel NAME`\n");
}

TEST(Complaint, AboutAKernelThatIsNotClosed) {
  EXPECT_EQ(complaint("halt\n.kernel a\nldrow r\n.kernel b\nldrow r\n"),
            "f.s:4:1: error[E008]: a kernel inside a kernel\n"
            "  .kernel b\n"
            "  ^~~~~~~\n"
            "hint: close that one with `.end` first\n"
            "f.s:2:1: note: it was opened here\n"
            "  .kernel a\n"
            "  ^~~~~~~\n"
            "f.s:4:1: error[E009]: this kernel has no `.end`\n"
            "  .kernel b\n"
            "  ^~~~~~~\n"
            "hint: close it with a line `.end`\n");
}

TEST(Complaints, CarryTheirPlaceAsDataToo) {
  try {
    assemble("f.s", "halt\n  li t0, 99999 ; too much\n halt\n");
    FAIL();
  } catch (const AssemblyError& error) {
    ASSERT_EQ(error.diagnostics.size(), 1U);
    const Diagnostic& d = error.diagnostics[0];
    EXPECT_EQ(d.file, "f.s");
    EXPECT_EQ(d.code, "E024");
    EXPECT_EQ(d.place.line, 2);
    EXPECT_EQ(d.place.column, 10);
    EXPECT_EQ(d.place.length, 5);
    EXPECT_EQ(d.place.text, "  li t0, 99999 ; too much");
    EXPECT_EQ(format(d), error.what());
  }
}

}  // namespace
}  // namespace ppu::firmware
