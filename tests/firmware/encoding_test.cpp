// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
// Every control instruction and every kernel operation becomes the word the specification gives it.
#include <gtest/gtest.h>

#include "firmware/assembler/assembler.hpp"
#include "tests/firmware/program_maker.hpp"

namespace ppu::firmware {
namespace {

std::vector<std::uint32_t> words_of(const std::string& source) {
  return assemble("test.s", source).image.words;
}

std::string as_text(const test::Ops& kernel) {
  std::string text;
  for (const spec::KernelOp* op : kernel) {
    text += std::string(op->name);
    const char* separator = " ";
    for (const std::string_view operand : test::operands(*op)) {
      text += separator + std::string(operand);
      separator = ", ";
    }
    text += "\n";
  }
  return text;
}

TEST(Encoding, OfEveryControlInstructionFollowsItsFormat) {
  for (const spec::Instruction& instruction : spec::kInstructions) {
    std::string operands;
    std::uint32_t expected = static_cast<std::uint32_t>(instruction.opcode) << 24U;
    for (const char kind : instruction.format) {
      if (kind == '-') continue;
      operands += operands.empty() ? " " : ", ";
      operands += kind == 'a' ? "a4" : kind == 'b' ? "t2" : kind == 'c' ? "t6" : "";
      if (kind == 'a') expected |= 5U << 20U;
      if (kind == 'b') expected |= 11U << 16U;
      if (kind == 'c') expected |= 15U;
      if (kind == 'i') operands += "-2", expected |= 0xfffeU;
      const bool kernel = instruction.opcode == spec::Opcode::kKernel;
      if (kind == 'l') operands += kernel ? "k" : "here", expected |= kernel ? 3U : 1U;
    }
    const std::string source = "wait\nhere: " + std::string(instruction.name) + operands +
                               "\nhalt\n.kernel k\nldrow r\n.end\n";
    EXPECT_EQ(words_of(source).at(1), expected) << source;
  }
}

TEST(Encoding, OfEveryKernelOperationIsItsOpcodeAndItsControlBits) {
  for (const spec::KernelOp& op : spec::kKernelOps) {
    if (test::closes_kernel(op)) continue;
    const test::Ops kernel = test::kernel_around(op);
    const std::string source = "halt\n.kernel k\n" + as_text(kernel) + ".end\n";
    const Assembly assembly = assemble("test.s", source);
    ASSERT_EQ(assembly.image.words.size(), kernel.size() + 2) << source;
    std::uint32_t control = 0;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::uint32_t expected = std::uint32_t{kernel[i]->opcode} << 24U | kernel[i]->bits;
      EXPECT_EQ(assembly.image.words[i + 1], expected) << source;
      control |= kernel[i]->bits;
    }
    EXPECT_EQ(assembly.image.words.back(), 0xff000000U);
    EXPECT_EQ(assembly.kernels.at(0).control.bits, control) << source;
    EXPECT_EQ(std::count(kernel.begin(), kernel.end(), &op), 1);
  }
}

TEST(Encoding, TakesDecimalAndHexadecimalNumbersOfBothSigns) {
  const auto words = words_of("li t0, 10\nli t0, -0x10\nli t0, 0x7fFf\nli t0, -32768\nhalt\n");
  EXPECT_EQ(words[0] & 0xffffU, 10U);
  EXPECT_EQ(words[1] & 0xffffU, 0xfff0U);
  EXPECT_EQ(words[2] & 0xffffU, 0x7fffU);
  EXPECT_EQ(words[3] & 0xffffU, 0x8000U);
}

TEST(Encoding, PutsKernelsBehindTheControlCodeWhereverTheyStand) {
  const std::string a = ".kernel a\nldrow r\n.end\n";
  const std::string b = ".kernel b\nldrow r\nldvel v, r.ia, r.ib\n.end\n";
  EXPECT_EQ(words_of(a + "kernel b\n" + b + "halt\n"), words_of("kernel b\nhalt\n" + a + b));
}

TEST(Encoding, NamesOfValuesAreTheProgramsOwn) {
  const std::string canonical =
      "halt\n.kernel k\nldrow r\nldvel v, r.ia, r.ib\ndot u, r.J, v, r.b\n"
      "step t, r.x, r.d, u\nmax x, 0, t\nstimp x\n.end\n";
  const std::string other =
      "halt\n.kernel k\nldrow row\nldvel w, row.ia, row.ib\ndot q, row.J, w, row.b\n"
      "step q, row.x, row.d, q\nmax q, 0, q\nstimp q\n.end\n";
  EXPECT_EQ(words_of(canonical), words_of(other));
}

TEST(Encoding, ImageCarriesTheHashOfTheSpecification) {
  EXPECT_EQ(assemble("test.s", "halt\n").image.spec_hash, PPU_SPEC_HASH);
}

TEST(Encoding, TakesWindowsLineEndsAndAMissingLastLineEnd) {
  EXPECT_EQ(words_of("a: b:\r\nli t0, 1\r\nj a"), words_of("a: b:\nli t0, 1\nj b\n"));
}

}  // namespace
}  // namespace ppu::firmware
