// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every code of the assembler is explained, and its examples are what they say.
#include "firmware/assembler/explanations.hpp"

#include <gtest/gtest.h>

#include <set>

#include "firmware/assembler/assembler.hpp"
#include "firmware/assembler/codes.hpp"
#include "firmware/assembler/diagnostics.hpp"
#include "firmware/programs/programs.hpp"

namespace ppu::firmware {
namespace {

std::string wrong_program(const Explanation& explanation) {
  const std::string first = explanation.wrong.substr(0, explanation.wrong.find('\n') + 1);
  std::string text;
  for (int i = 1; i < explanation.wrong_repeats_first; ++i) text += first;
  return text + explanation.wrong;
}

/// The codes of all complaints about `source`.
std::set<std::string> codes_of(const std::string& source) {
  std::set<std::string> codes;
  try {
    for (const Diagnostic& warning : assemble("f.s", source).warnings) codes.insert(warning.code);
  } catch (const AssemblyError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics) codes.insert(diagnostic.code);
  }
  return codes;
}

TEST(Explanations, AreThereForEveryCodeInTheOrderOfTheNumbers) {
  std::vector<std::string> expected;
  const auto add = [&expected](char kind, int count) {
    for (int i = 1; i <= count; ++i) {
      expected.push_back(kind + std::string(i < 10 ? "00" : "0") + std::to_string(i));
    }
  };
  add('E', static_cast<int>(Error::kCount));
  add('W', static_cast<int>(Warning::kCount));
  std::vector<std::string> codes;
  for (const Explanation& explanation : explanations()) codes.push_back(explanation.code);
  EXPECT_EQ(codes, expected);
}

TEST(Explanations, HaveAWrongExampleThatIsRefusedForThisReasonAlone) {
  for (const Explanation& explanation : explanations()) {
    EXPECT_EQ(codes_of(wrong_program(explanation)), std::set<std::string>{explanation.code})
        << explanation.wrong;
  }
}

TEST(Explanations, HaveARightExampleThatAssembles) {
  for (const Explanation& explanation : explanations()) {
    for (const std::string& code : codes_of(explanation.right)) {
      EXPECT_EQ(code.front(), 'W') << explanation.code << "\n" << explanation.right;
      EXPECT_EQ(explanation.code.front(), 'E') << explanation.right;
    }
  }
}

TEST(Explanations, SayMoreThanTheirTitle) {
  for (const Explanation& explanation : explanations()) {
    EXPECT_GT(explanation.text.size(), 20U) << explanation.code;
  }
}

TEST(Explanations, AreFoundByTheirCode) {
  EXPECT_EQ(find_explanation("E999"), nullptr);
  EXPECT_EQ(find_explanation(""), nullptr);
  ASSERT_NE(find_explanation("E004"), nullptr);
  EXPECT_EQ(format(*find_explanation("E004")),
            "E004: a comma is missing\n"
            "\n"
            "Operands are separated by commas.\n"
            "\n"
            "Wrong:\n"
            "\n"
            "    li t0 5\n"
            "    halt\n"
            "\n"
            "Right:\n"
            "\n"
            "    li t0, 5\n"
            "    halt\n");
}

TEST(Explanations, AreFoundByTheirCodeInSmallLetters) {
  ASSERT_NE(find_explanation("w003"), nullptr);
  EXPECT_EQ(find_explanation("w003"), find_explanation("W003"));
  EXPECT_EQ(find_explanation("e040"), find_explanation("E040"));
}

TEST(Explanations, HaveCodesFromTheFirstToTheLastOfTheirKind) {
  EXPECT_EQ(code_ranges(),
            "E001 to " + code_of(Error::kCount) + " or W001 to " + code_of(Warning::kCount));
}

TEST(Warnings, AreNoneForTheShippedPrograms) {
  for (const Program& program : programs()) {
    for (const Diagnostic& warning : assemble(program.name, program.source).warnings) {
      ADD_FAILURE() << format(warning);
    }
  }
}

const std::string kLeadingSource =
    ".kernel k\nldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\nstep t, r.x, r.d, u\n"
    "max x, 0, t\nlead y, x, r.xs\nstimp x, y\n.end\n";

TEST(Warnings, AreOfABudgetInAProgramWithALead) {
  const std::string rest = "kernel k\nrows zero, a0\nhalt\n" + kLeadingSource;
  const Assembly assembly = assemble("f.s", "budget a7\n" + rest);
  ASSERT_EQ(assembly.warnings.size(), 1U);
  EXPECT_EQ(format(assembly.warnings[0]),
            "f.s:1:1: warning[W006]: a sweep with leads that is cut leaves neither x nor y\n"
            "  budget a7\n"
            "  ^~~~~~\n"
            "hint: take out `budget`, or the `lead` of kernel `k`\n");
  EXPECT_TRUE(assemble("f.s", rest).warnings.empty());
}

TEST(Warnings, PointAtWhatNothingUses) {
  const Assembly assembly =
      assemble("f.s", "loop: halt\n.kernel k\nldrow r\nldvel v, r.ia, r.ib\n.end\n");
  ASSERT_EQ(assembly.warnings.size(), 3U);
  EXPECT_EQ(format(assembly.warnings[0]),
            "f.s:1:1: warning[W002]: nothing goes to `loop`\n"
            "  loop: halt\n"
            "  ^~~~\n");
  EXPECT_EQ(format(assembly.warnings[1]),
            "f.s:2:9: warning[W001]: kernel `k` is never loaded\n"
            "  .kernel k\n"
            "          ^\n"
            "hint: load it with `kernel k`\n");
  EXPECT_EQ(format(assembly.warnings[2]),
            "f.s:4:7: warning[W003]: nothing takes `v`\n"
            "  ldvel v, r.ia, r.ib\n"
            "        ^\n"
            "hint: remove `ldvel`, or use what it makes; its flops count all the same\n");
}

}  // namespace
}  // namespace ppu::firmware
