// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// What the assembler says about kernels that the row pipe cannot run.
#include <gtest/gtest.h>

#include "firmware/assembler/assembler.hpp"

namespace ppu::firmware {
namespace {

/// The complaint about a kernel; its first line is line 3 of the file.
std::string kernel_complaint(const std::string& body) {
  try {
    assemble("f.s", "halt\n.kernel k\n" + body + ".end\n");
  } catch (const AssemblyError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kHead = "ldrow r\nldvel v, r.ia, r.ib\n";   // Lines 3 and 4.
const std::string kRate = kHead + "dot u, r.J, v, r.b\n";     // 5
const std::string kStep = kRate + "step t, r.x, r.d, u\n";    // 6
const std::string kBoxed = kStep + "med x, r.lo, t, r.hi\n";  // 7
const std::string kUpdate = kBoxed + "sub dx, x, r.x\n";      // 8

TEST(KernelComplaint, AboutAnUnknownOperationNamesTheNearest) {
  EXPECT_EQ(kernel_complaint(kHead + "dott u, r.J, v, r.b\n"),
            "f.s:5:1: error[E027]: unknown kernel operation `dott`\n"
            "  dott u, r.J, v, r.b\n"
            "  ^~~~\n"
            "hint: did you mean `dot`?\n");
  EXPECT_EQ(kernel_complaint("ldro r\nldvel v, r.ia, r.ib\n"),
            "f.s:3:1: error[E027]: unknown kernel operation `ldro`\n"
            "  ldro r\n"
            "  ^~~~\n"
            "hint: did you mean `ldrow`?\n");
  EXPECT_EQ(kernel_complaint(kHead + "end\n"),
            "f.s:5:1: error[E027]: unknown kernel operation `end`\n"
            "  end\n"
            "  ^~~\n"
            "hint: did you mean `.end`?\n");
}

TEST(KernelComplaint, AboutControlCodeInAKernel) {
  EXPECT_EQ(kernel_complaint("ldrow r\nx: addi t0, t0, 1\n"),
            "f.s:4:1: error[E006]: a label inside a kernel\n"
            "  x: addi t0, t0, 1\n"
            "  ^\n"
            "hint: kernels have no branches: every row takes all operations\n"
            "f.s:4:4: error[E028]: `addi` is a control instruction, not a kernel operation\n"
            "  x: addi t0, t0, 1\n"
            "     ^~~~\n"
            "hint: close the kernel with `.end` first\n");
}

TEST(KernelComplaint, AboutAKernelThatFetchesNoRow) {
  EXPECT_EQ(kernel_complaint("ldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"),
            "f.s:3:1: error[E029]: a kernel begins with `ldrow`\n"
            "  ldvel v, r.ia, r.ib\n"
            "  ^~~~~\n"
            "hint: write `ldrow r` as its first operation\n");
  EXPECT_EQ(kernel_complaint(""),
            "f.s:2:1: error[E029]: a kernel begins with `ldrow`\n"
            "  .kernel k\n"
            "  ^~~~~~~\n"
            "hint: write `ldrow r` as its first operation\n");
}

TEST(KernelComplaint, AboutTheNumberOfOperands) {
  EXPECT_EQ(kernel_complaint(kHead + "dot u, r.J, v\n"),
            "f.s:5:1: error[E030]: `dot` does not take 3 operands\n"
            "  dot u, r.J, v\n"
            "  ^~~\n"
            "hint: write `dot u, r.J, v, r.b` or `dot u, r.J, v, bb`\n");
}

TEST(KernelComplaint, AboutAnUndefinedNameNamesTheNearestOrItsMaker) {
  EXPECT_EQ(kernel_complaint("ldrow r\ndot u, r.J, v, r.b\n"),
            "f.s:4:13: error[E037]: `v` is not defined; operand 3 of `dot` must be v, a result of "
            "`ldvel`\n"
            "  dot u, r.J, v, r.b\n"
            "              ^\n"
            "hint: make v first, with `ldvel`\n");
  EXPECT_NE(kernel_complaint("ldrow row\nldvel v, r.ia, row.ib\n")
                .find("hint: write `ldvel v, r.ia, r.ib`"),
            std::string::npos);
  EXPECT_NE(
      kernel_complaint("ldrow row\nldvel v, r.ia, r.ib\n").find("hint: write `row.ia` here\n"),
      std::string::npos);
  EXPECT_EQ(kernel_complaint("ldrow row\nldvel v, rwo.ia, row.ib\n"),
            "f.s:4:10: error[E037]: `rwo` is not defined; operand 2 of `ldvel` must be `r.ia`\n"
            "  ldvel v, rwo.ia, row.ib\n"
            "           ^~~~~~\n"
            "hint: did you mean `row`?\n");
}

TEST(KernelComplaint, AboutAValueThatIsMadeBelowSaysWhere) {
  EXPECT_EQ(kernel_complaint(kHead + "step t, r.x, r.d, u\ndot u, r.J, v, r.b\n"),
            "f.s:5:19: error[E037]: `u` is not defined; operand 4 of `step` must be u, a result of "
            "`dot`\n"
            "  step t, r.x, r.d, u\n"
            "                    ^\n"
            "hint: `u` is made below, in line 6: put that before this one\n"
            "f.s:6:5: note: `u` is made here\n"
            "  dot u, r.J, v, r.b\n"
            "      ^\n");
  EXPECT_EQ(kernel_complaint(kStep + "stimp new\nmax new, 0, t\n"),
            "f.s:7:7: error[E037]: `new` is not defined; operand 1 of `stimp` must be x, a result "
            "of `max`, `med`, `mov` or `limit`\n"
            "  stimp new\n"
            "        ^~~\n"
            "hint: `new` is made below, in line 8: put that before this one\n"
            "f.s:8:5: note: `new` is made here\n"
            "  max new, 0, t\n"
            "      ^~~\n");
}

TEST(KernelComplaint, AboutAValueThatIsSomethingElseBelowDoesNotSayToPutItBefore) {
  const std::string what = kernel_complaint(kStep + "stimp x\nlead x, t, r.xs\n");
  EXPECT_NE(what.find("hint: make x first, with `max`, `med`, `mov` or `limit`\n"),
            std::string::npos)
      << what;
}

TEST(KernelComplaint, DoesNotHintAtTheVeryLineThatIsWrong) {
  EXPECT_EQ(kernel_complaint(kRate + "step x, r.x, r.d, u\nstimp x\n"),
            "f.s:7:7: error[E038]: operand 1 of `stimp` must be x, a result of `max`, `med`, `mov` "
            "or `limit`; `x` is t, a result of `step`\n"
            "  stimp x\n"
            "        ^\n"
            "hint: make x first, with `max`, `med`, `mov` or `limit`\n"
            "f.s:6:6: note: `x` was made here\n"
            "  step x, r.x, r.d, u\n"
            "       ^\n");
}

TEST(KernelComplaint, AboutTheWrongValueSaysWhatItIs) {
  EXPECT_EQ(kernel_complaint(kBoxed + "stimp t\n"),
            "f.s:8:7: error[E038]: operand 1 of `stimp` must be x, a result of `max`, `med`, `mov` "
            "or `limit`; `t` is t, a result of `step`\n"
            "  stimp t\n"
            "        ^\n"
            "hint: write `stimp x` or `stimp x, y`\n"
            "f.s:6:6: note: `t` was made here\n"
            "  step t, r.x, r.d, u\n"
            "       ^\n");
  EXPECT_EQ(kernel_complaint(kHead + "dot rate, r.J, v, r.b\nstep new, r.x, r.d, v\n"),
            "f.s:6:21: error[E038]: operand 4 of `step` must be u, a result of `dot`; `v` is v, a "
            "result of `ldvel`\n"
            "  step new, r.x, r.d, v\n"
            "                      ^\n"
            "hint: write `step t, r.x, r.d, u`\n"
            "f.s:4:7: note: `v` was made here\n"
            "  ldvel v, r.ia, r.ib\n"
            "        ^\n");
  EXPECT_EQ(kernel_complaint(kRate + "step t, u, r.d, u\n"),
            "f.s:6:9: error[E038]: operand 2 of `step` must be `r.x`; `u` is u, a result of `dot`\n"
            "  step t, u, r.d, u\n"
            "          ^\n"
            "hint: write `step t, r.x, r.d, u`\n"
            "f.s:5:5: note: `u` was made here\n"
            "  dot u, r.J, v, r.b\n"
            "      ^\n");
}

TEST(KernelComplaint, AboutBoundsWithoutConeNamesTheirMaker) {
  EXPECT_EQ(kernel_complaint(kStep + "med x, lo, t, r.hi\n"),
            "f.s:7:8: error[E037]: `lo` is not defined; operand 2 of `med` must be `r.lo`\n"
            "  med x, lo, t, r.hi\n"
            "         ^~\n"
            "hint: write `med x, r.lo, t, r.hi` or `med x, lo, t, hi`\n");
  const std::string what = kernel_complaint(kStep + "med x, lo, t, hi\n");
  EXPECT_NE(what.find("`lo` is not defined; operand 2 of `med` must be lo, a result of `cone`"),
            std::string::npos)
      << what;
  EXPECT_NE(what.find("`hi` is not defined; operand 4 of `med` must be hi, a result of `cone`"),
            std::string::npos)
      << what;
}

TEST(KernelComplaint, AboutRowFields) {
  EXPECT_EQ(
      kernel_complaint("ldrow r\nldvel v, r.ia, r.id\n"),
      "f.s:4:16: error[E040]: the row has no field `id`; operand 3 of `ldvel` must be `r.ib`\n"
      "  ldvel v, r.ia, r.id\n"
      "                 ^~~~\n"
      "hint: did you mean `ia`?\n");
  EXPECT_EQ(kernel_complaint("ldrow r\nldvel v, r.ib, r.ib\n"),
            "f.s:4:10: error[E038]: operand 2 of `ldvel` must be `r.ia`, got `r.ib`\n"
            "  ldvel v, r.ib, r.ib\n"
            "           ^~~~\n"
            "hint: write `ldvel v, r.ia, r.ib`\n");
  EXPECT_EQ(kernel_complaint(kRate + "step t, v.x, r.d, r.b\n"),
            "f.s:6:9: error[E039]: `v` is v, a result of `ldvel`; it has no fields\n"
            "  step t, v.x, r.d, r.b\n"
            "          ^~~\n"
            "hint: write `step t, r.x, r.d, u`\n"
            "f.s:4:7: note: `v` was made here\n"
            "  ldvel v, r.ia, r.ib\n"
            "        ^\n"
            "f.s:6:19: error[E038]: operand 4 of `step` must be u, a result of `dot`, got `r.b`\n"
            "  step t, v.x, r.d, r.b\n"
            "                    ^~~\n"
            "hint: write `step t, r.x, r.d, u`\n");
}

TEST(KernelComplaint, AboutNumbers) {
  EXPECT_EQ(kernel_complaint(kStep + "max x, 1, t\n"),
            "f.s:7:8: error[E038]: operand 2 of `max` must be `0`, got `1`\n"
            "  max x, 1, t\n"
            "         ^\n"
            "hint: write `max x, 0, t`\n");
  EXPECT_EQ(kernel_complaint(kRate + "step t, r.x, r.d, 5\n"),
            "f.s:6:19: error[E038]: operand 4 of `step` must be u, a result of `dot`, got `5`\n"
            "  step t, r.x, r.d, 5\n"
            "                    ^\n"
            "hint: write `step t, r.x, r.d, u`\n");
}

TEST(KernelComplaint, AboutResults) {
  EXPECT_EQ(kernel_complaint(kRate + "step r.x, r.x, r.d, u\n"),
            "f.s:6:6: error[E034]: operand 1 of `step` is a result and needs a name, got `r.x`\n"
            "  step r.x, r.x, r.d, u\n"
            "       ^~~\n"
            "hint: write `step t, r.x, r.d, u`\n");
  EXPECT_EQ(kernel_complaint(kHead + "cone b, b, r.mu, r.xp\n"),
            "f.s:5:9: error[E036]: two results of `cone` called `b`\n"
            "  cone b, b, r.mu, r.xp\n"
            "          ^\n"
            "hint: write `cone lo, hi, r.mu, r.xp`\n");
}

TEST(KernelComplaint, AboutAValueThatIsUpdatedInPlace) {
  EXPECT_EQ(kernel_complaint(kUpdate + "axpy w, dx, r.JM\n"),
            "f.s:9:6: error[E035]: `axpy` updates `v` in place, got `w`\n"
            "  axpy w, dx, r.JM\n"
            "       ^\n"
            "hint: write `v` here\n"
            "f.s:4:7: note: `v` was made here\n"
            "  ldvel v, r.ia, r.ib\n"
            "        ^\n");
}

TEST(KernelComplaint, AboutAStoreBeforeTheUpdate) {
  EXPECT_EQ(kernel_complaint(kUpdate + "stvel v, r.ia, r.ib\naxpy v, dx, r.JM\n"),
            "f.s:10:1: error[E033]: `axpy` updates v, which `stvel` takes after the update\n"
            "  axpy v, dx, r.JM\n"
            "  ^~~~\n"
            "hint: put `axpy` before `stvel`\n"
            "f.s:9:1: note: `stvel` is here\n"
            "  stvel v, r.ia, r.ib\n"
            "  ^~~~~\n");
}

TEST(KernelComplaint, AboutAUnitUsedTwice) {
  EXPECT_EQ(kernel_complaint(kRate + "dot w, r.J, v, r.b\n"),
            "f.s:6:1: error[E031]: a second `dot` in one kernel\n"
            "  dot w, r.J, v, r.b\n"
            "  ^~~\n"
            "hint: every unit of the row pipe works once per row\n"
            "f.s:5:1: note: the first is here\n"
            "  dot u, r.J, v, r.b\n"
            "  ^~~\n");
}

TEST(KernelComplaint, AboutMixedForms) {
  EXPECT_EQ(kernel_complaint(kRate + "dotp q, r.J, v\n"),
            "f.s:6:1: error[E032]: `dotp q, r.J, v` sets form = impulse, but `dot u, r.J, v, r.b` "
            "sets form = rate\n"
            "  dotp q, r.J, v\n"
            "  ^~~~\n"
            "hint: a kernel has one `form`; Arithmetic form: the patent's rate form or Bullet's "
            "impulse form.\n"
            "f.s:5:1: note: `dot` is here\n"
            "  dot u, r.J, v, r.b\n"
            "  ^~~\n");
}

TEST(KernelComplaint, AboutTheRowsBoundsBesideThoseOfTheCone) {
  const std::string what =
      kernel_complaint(kStep + "cone lo, hi, r.mu, r.xp\nmed x, r.lo, t, r.hi\n");
  EXPECT_NE(
      what.find("f.s:8:1: error[E032]: `med x, r.lo, t, r.hi` sets bounds = row, but `cone lo, "
                "hi, r.mu, r.xp` sets bounds = cone\n"),
      std::string::npos)
      << what;
}

TEST(KernelComplaint, AboutTheRowsBiasBesideTheSoftOne) {
  const std::string what =
      kernel_complaint(kHead + "soft bb, r.b, r.cfm, r.x\ndot u, r.J, v, r.b\n");
  EXPECT_NE(what.find("sets bias = plain, but `soft bb, r.b, r.cfm, r.x` sets bias = "
                      "soft\n"),
            std::string::npos)
      << what;
}

TEST(KernelComplaint, AboutTwoClamps) {
  const std::string what = kernel_complaint(kBoxed + "max y, 0, t\n");
  EXPECT_NE(what.find("`max x, 0, t` sets clamp = max, but `med x, r.lo, t, r.hi` sets "
                      "clamp = med\n"),
            std::string::npos)
      << what;
  EXPECT_NE(kernel_complaint(kBoxed + "mov y, t\n").find("sets clamp = none, but"),
            std::string::npos);
}

TEST(KernelComplaint, AboutTheResidualOfTheOldImpulseInAStep) {
  const std::string what = kernel_complaint(kStep + "resid u, r.x, r.lo, r.hi\n");
  EXPECT_NE(what.find("sets step = off, but `step t, r.x, r.d, u` sets step = on\n"),
            std::string::npos)
      << what;
}

/// The warnings about a kernel that is assembled and loaded.
std::string warnings(const std::string& body) {
  std::string text;
  const Assembly assembly = assemble("f.s", "kernel k\nhalt\n.kernel k\n" + body + ".end\n");
  for (const Diagnostic& d : assembly.warnings) text += format(d);
  return text;
}

const std::string kStore = "axpy v, dx, r.JM\nstvel v, r.ia, r.ib\nstimp x\n";

TEST(KernelWarning, IsOfAValueThatIsNeverUsed) {
  EXPECT_EQ(warnings(kStep + "cone lo, hi, r.mu, r.xp\nmov x, t\nsub dx, x, r.x\n" + kStore),
            "f.s:8:6: warning[W003]: nothing takes `lo` or `hi`\n"
            "  cone lo, hi, r.mu, r.xp\n"
            "       ^~\n"
            "hint: remove `cone`, or use what it makes; its flops count all the same\n");
}

TEST(KernelWarning, IsOfAnUpdateThatIsNotStored) {
  EXPECT_EQ(
      warnings(kUpdate + "axpy v, dx, r.JM\nstimp x\n"),
      "f.s:10:6: warning[W003]: nothing takes `v`\n"
      "  axpy v, dx, r.JM\n"
      "       ^\n"
      "hint: store it with `stvel v, r.ia, r.ib`; as it is, the impulse changes and the bodies "
      "do not\n");
}

TEST(KernelWarning, IsOfEveryUnusedValueInTheOrderOfTheText) {
  const std::string text = warnings(kStep + "cone lo, hi, r.mu, r.xp\n");
  EXPECT_EQ(text.find("f.s:7:6: warning[W003]: nothing takes `t`\n"), 0U) << text;
  EXPECT_NE(text.find("f.s:8:6: warning[W003]: nothing takes `lo` or `hi`\n"), std::string::npos)
      << text;
}

TEST(KernelWarning, IsNotOfAValueThatIsUsed) {
  EXPECT_EQ(warnings(kUpdate + kStore), "");
  EXPECT_EQ(warnings(kRate + "resid u, r.x, r.lo, r.hi\n"), "");
  EXPECT_EQ(warnings("ldrow r\n"), "");
}

const std::string kLead = kUpdate + "lead y, x, r.xs\naxpy v, dx, r.JM\nstvel v, r.ia, r.ib\n";

TEST(KernelWarning, IsOfALeadThatIsStoredWithoutItsName) {
  EXPECT_EQ(warnings(kLead + "stimp x\n"),
            "f.s:13:1: warning[W004]: `stimp` stores `y` too\n"
            "  stimp x\n"
            "  ^~~~~\n"
            "hint: write `stimp x, y`\n");
}

TEST(KernelWarning, IsNotOfALeadThatIsStoredByItsName) {
  EXPECT_EQ(warnings(kLead + "stimp x, y\n"), "");
}

TEST(KernelWarning, IsOfALeadThatNothingStores) {
  EXPECT_EQ(warnings(kUpdate + "lead y, x, r.xs\nresid dx\n"),
            "f.s:10:6: warning[W003]: nothing takes `y`\n"
            "  lead y, x, r.xs\n"
            "       ^\n"
            "hint: remove `lead`, or use what it makes; its flops count all the same\n");
}

TEST(KernelWarning, IsOfVelocitiesThatChangeWithoutTheirImpulse) {
  EXPECT_EQ(warnings(kUpdate + "axpy v, dx, r.JM\nstvel v, r.ia, r.ib\n"),
            "f.s:11:1: warning[W005]: velocities change here, and their impulse does not\n"
            "  stvel v, r.ia, r.ib\n"
            "  ^~~~~\n"
            "hint: store the impulse too, with `stimp`\n");
  EXPECT_EQ(warnings(kHead + "stvel v, r.ia, r.ib\n"), "");
}

TEST(KernelComplaints, ComeAllAtOnceAndOncePerMistake) {
  EXPECT_EQ(
      kernel_complaint(kHead + "dot u, r.J, w, r.b\nstpe t, r.x, r.d, u\nmed x, r.lo, t, r.hi\n"
                               "sub dx, x, r.x\naxpy v, dx, r.MJ\nstvel v, r.ia, r.ib\nstimp x\n"),
      "f.s:5:13: error[E037]: `w` is not defined; operand 3 of `dot` must be v, a result of "
      "`ldvel`\n"
      "  dot u, r.J, w, r.b\n"
      "              ^\n"
      "hint: write `dot u, r.J, v, r.b` or `dot u, r.J, v, bb`\n"
      "f.s:6:1: error[E027]: unknown kernel operation `stpe`\n"
      "  stpe t, r.x, r.d, u\n"
      "  ^~~~\n"
      "hint: did you mean `step`?\n"
      "f.s:9:13: error[E040]: the row has no field `MJ`; operand 3 of `axpy` must be `r.JM`\n"
      "  axpy v, dx, r.MJ\n"
      "              ^~~~\n"
      "hint: write `axpy v, dx, r.JM` or `axpy v, dx, r.J`\n");
}

}  // namespace
}  // namespace ppu::firmware
